//! Destinations of a copy: opened, with what an earlier run left in their journals.
//!
//! ```text
//! 1. by name     a digest or destination named twice, a destination in a source: nothing is made
//! 2. the folder, and .hashdyno-copy in it, are opened or made
//! 3. the journal is locked: another copy into the folder is refused
//! 4. an earlier run's journal is read; without `--resume` it is an error
//! 5. temporary files of that run are removed, which only the lock makes safe
//! ```
//!
//! A dry run does step 1 and the reading of step 4 (`check`), so that it refuses the same jobs.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hashdyno::Digest;

use super::job::{CopyError, CopyJob, OnConflict};
use super::journal::{Earlier, Finished, Journal};
use super::target::{JOURNAL, STAGING, Target, is_staging};
use crate::read::names::{name, quoted};

/// A destination, as every thread sees it.
pub struct Site {
    /// The folder, by handles that stay valid wherever it is moved.
    pub target: Target,
    pub earlier: Earlier,
}

/// A finished file and the offset of its line.
pub type Line = (u64, Finished);

/// Refuses what [`open`] would refuse, as far as can be told without making anything.
///
/// # Errors
/// [`CopyError`], as [`open`] gives it.
pub fn check(job: &CopyJob) -> Result<(), CopyError> {
    by_name(job)?;
    for path in &job.destinations {
        let journal = path.join(STAGING).join(JOURNAL);
        if journal.symlink_metadata().is_ok_and(|journal| journal.is_file()) {
            File::open(journal)
                .and_then(|file| Journal::has_begun(&file, job.resume, &job.layout, &job.digests))
                .map_err(|error| refused(path, error))?;
        }
    }
    Ok(())
}

/// Opens every destination and its journal.
///
/// # Errors
/// [`CopyError`]: a destination that cannot be opened, is named twice or lies in a source, or,
/// where files are replaced, holds a source; a digest that is named twice; a journal of an earlier
/// run that this one may not go on with.
pub fn open(job: &CopyJob) -> Result<(Vec<Site>, Vec<Journal>), CopyError> {
    by_name(job)?;
    let mut opened = (Vec::new(), Vec::new());
    for path in &job.destinations {
        let failed = |error| CopyError::Destination(path.clone(), error);
        let target = Target::open(path).map_err(failed)?;
        // By identity, before the journal: locked by this very run, it would be called another
        // copy's.
        if opened.0.iter().any(|site: &Site| site.target.is(&target).unwrap_or(false)) {
            return Err(twice(path));
        }
        let (journal, earlier) = target
            .journal()
            .and_then(|file| Journal::open(file, job.resume, &job.layout, &job.digests))
            .map_err(|error| refused(path, error))?;
        target.sweep().map_err(failed)?;
        opened.0.push(Site { target, earlier });
        opened.1.push(journal);
    }
    Ok(opened)
}

/// Refuses a job that makes no sense by the names in it.
fn by_name(job: &CopyJob) -> Result<(), CopyError> {
    each_once(&job.digests)?;
    job.destinations.iter().try_for_each(|destination| outside(destination, &job.sources))?;
    let paths: Vec<_> = job.destinations.iter().map(|path| resolved(path)).collect();
    for (at, path) in job.destinations.iter().enumerate() {
        if paths[at].is_some() && paths[..at].contains(&paths[at]) {
            return Err(twice(path));
        }
    }
    if job.on_conflict == OnConflict::Replace {
        job.destinations.iter().try_for_each(|destination| apart(destination, &job.sources))?;
    }
    Ok(())
}

fn twice(destination: &Path) -> CopyError {
    CopyError::Refused {
        message: format!("{} is named twice as a destination", quoted(name(destination))),
        hint: "name each destination once".to_owned(),
    }
}

/// A line of a journal has one value for each digest.
fn each_once(digests: &[&'static Digest]) -> Result<(), CopyError> {
    let twice = digests.iter().enumerate().find(|(at, digest)| digests[..*at].contains(digest));
    twice.map_or(Ok(()), |(_, digest)| {
        Err(CopyError::Refused {
            message: format!("the digest {} is named twice", digest.name),
            hint: "name each digest once".to_owned(),
        })
    })
}

/// Why a journal cannot be used, with a hint. Errors with a number are the system's; all others are
/// refusals of `Target::journal` and `Journal::open`, told apart by their kinds.
fn refused(path: &Path, error: io::Error) -> CopyError {
    if error.raw_os_error().is_some() {
        return CopyError::Destination(path.to_owned(), error);
    }
    let folder = quoted(name(&path.join(STAGING)));
    let hint = match error.kind() {
        io::ErrorKind::ResourceBusy => "wait until the other copy has ended".to_owned(),
        io::ErrorKind::InvalidInput => {
            format!("give it the same --layout and -a again; or remove {folder}, to begin anew")
        }
        io::ErrorKind::InvalidData => format!("remove {folder}, to begin anew"),
        _ => format!("--resume goes on with it; or remove {folder}, to begin anew"),
    };
    CopyError::Refused { message: format!("{}: {error}", quoted(name(path))), hint }
}

/// A copy must not find itself in its source.
fn outside(destination: &Path, sources: &[Vec<u8>]) -> Result<(), CopyError> {
    let Some(destination) = resolved(destination) else { return Ok(()) };
    if destination.iter().any(|part| is_staging(part.as_encoded_bytes())) {
        return Err(CopyError::Refused {
            message: format!(
                "the destination {} lies in a folder of unfinished copies",
                quoted(name(&destination))
            ),
            hint: format!("{STAGING} is removed when a copy ends: name another folder"),
        });
    }
    // The walk would meet the copies, and copy them again into deeper and deeper folders.
    let around = |source: &&Vec<u8>| {
        let path = crate::read::names::path(source);
        path.is_dir() && path.canonicalize().is_ok_and(|source| destination.starts_with(source))
    };
    match sources.iter().find(around) {
        None => Ok(()),
        Some(source) => Err(CopyError::Refused {
            message: format!(
                "the destination {} lies in the source {}",
                quoted(name(&destination)),
                quoted(source)
            ),
            hint: "copy to a folder outside of the source".to_owned(),
        }),
    }
}

/// A copy that replaces files must not replace one that it has not read yet.
fn apart(destination: &Path, sources: &[Vec<u8>]) -> Result<(), CopyError> {
    // A folder that is not there yet holds no source.
    let Some(folder) = destination.metadata().ok().filter(|folder| folder.is_dir()) else {
        return Ok(());
    };
    // By its identity, as one folder can have several names, such as mounts.
    let is_it = |path: &Path| {
        path.metadata().is_ok_and(|at| (at.dev(), at.ino()) == (folder.dev(), folder.ino()))
    };
    let inside = |source: &&Vec<u8>| {
        let path = crate::read::names::path(source);
        // A link leads to a file elsewhere, but brings the side-cars beside its own name.
        let beside = if path.is_dir() { None } else { folder_of(path).canonicalize().ok() };
        let mut places = path.canonicalize().ok().into_iter().chain(beside);
        places.any(|place| place.ancestors().any(is_it))
    };
    match sources.iter().find(inside) {
        None => Ok(()),
        Some(source) => Err(CopyError::Refused {
            message: format!(
                "the source {} lies in the destination {}, where files are replaced",
                quoted(source),
                quoted(name(destination))
            ),
            hint: "leave --on-conflict replace out, or copy to a folder without sources".to_owned(),
        }),
    }
}

/// The path without links; its last part need not exist.
fn resolved(path: &Path) -> Option<PathBuf> {
    let last = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(last)
}

/// The folder that a path lies in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
