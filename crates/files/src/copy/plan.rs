//! What a copy would do, without doing it: nothing is made, nothing is written.
//!
//! The sources are walked as a copy walks them, and the answers follow the rules of `stage` and
//! `place`. `tests/plans.rs` holds both against each other: who changes one must change the other.
//!
//! ```text
//! name of the layout, then name-1, name-2 ...
//! nothing has it                        would-copy, of a further name would-copy-beside
//! the same length and digests           present
//! another content                       would-replace, would-refuse, or the next name
//! ```
//!
//! Files of the job that would have a name by then count as if they had it. Their names are in
//! memory, for each destination.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use hashdyno::Output;
use rustix::fs::{FileType, OFlags, fstat};

use super::job::{CopyError, CopyJob, OnConflict};
use super::sidecars::{PHOTO_NOT_COPIED, PHOTO_NOT_THERE, sidecars_of};
use super::site::check;
use super::sources::{Found, Sources};
use super::stage::{exhausted, is_folder_by_now, place};
use super::suffix::suffixed;
use super::verify::{Verify, read_back};
use crate::read::names::{self, name, quoted};
use crate::read::open::open_found;

/// What would become of a file at one destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It would be copied under the name that it should have.
    Copy,
    /// It is there with the same content.
    Present,
    /// Its name has another content: it would be copied under a name of its own.
    Beside,
    /// It would take the place of another content.
    Replace,
    /// Its name has another content, and it would not be copied.
    Refuse,
}

impl Fate {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "would-copy",
            Self::Present => "present",
            Self::Beside => "would-copy-beside",
            Self::Replace => "would-replace",
            Self::Refuse => "would-refuse",
        }
    }
}

/// A file that a copy would come to.
#[derive(Debug)]
pub struct Planned<'a> {
    /// Its name in the source.
    pub source: &'a [u8],
    /// The destination.
    pub destination: &'a Path,
    /// Its name below the destination.
    pub name: &'a [u8],
    /// In bytes.
    pub size: u64,
    /// What would become of it.
    pub fate: Fate,
}

/// Tells `hear` of each file at each destination, and `fail` of what cannot be read.
///
/// # Errors
/// [`CopyError`]: a job that a copy would refuse as a whole, or what `hear` or `fail` gives.
pub fn plan(
    job: &CopyJob,
    hear: &mut dyn FnMut(&Planned<'_>) -> io::Result<()>,
    fail: &mut dyn FnMut(&[u8], io::Error) -> io::Result<()>,
) -> Result<(), CopyError> {
    check(job)?;
    let mut taken = vec![HashMap::new(); job.destinations.len()];
    for found in Sources::new(job.sources.clone(), job.list.as_deref(), job.include.clone()) {
        let found = match found {
            Ok(found) => found,
            Err((folder, error)) => {
                fail(&folder, error)?;
                continue;
            }
        };
        let photo = match Wanted::of(job, &found) {
            Ok(photo) => photo,
            Err(error) => {
                fail(&found.source, error)?;
                // Where they cannot be looked for, the copy tells the photo alone, too.
                for sidecar in sidecars_of(&found.source).unwrap_or_default() {
                    fail(&sidecar.source, io::Error::other(PHOTO_NOT_COPIED))?;
                }
                continue;
            }
        };
        let sidecars = match sidecars_of(&found.source) {
            Ok(sidecars) => sidecars,
            Err(error) => {
                fail(&found.source, error)?;
                continue;
            }
        };
        for (destination, taken) in job.destinations.iter().zip(&mut taken) {
            let name = photo.at(job, destination, &photo.place, taken, hear, fail)?;
            for sidecar in &sidecars {
                // Without its photo it is not copied, whatever has its name.
                let Some(name) = &name else {
                    fail(&sidecar.source, io::Error::other(PHOTO_NOT_THERE))?;
                    continue;
                };
                match Wanted::open(&sidecar.source, sidecar.named(found.named)) {
                    Ok(wanted) => drop(wanted.at(
                        job,
                        destination,
                        &sidecar.beside(name),
                        taken,
                        hear,
                        fail,
                    )?),
                    Err(error) => fail(&sidecar.source, error)?,
                }
            }
        }
    }
    Ok(())
}

/// The source of a file that has its name by then.
#[derive(Clone)]
struct Held {
    source: Vec<u8>,
    named: usize,
    size: u64,
}

/// A source and where it should go.
struct Wanted {
    source: Vec<u8>,
    /// Bytes of the source's name that somebody named: there links are followed.
    named: usize,
    place: Vec<u8>,
    size: u64,
}

impl Wanted {
    fn of(job: &CopyJob, found: &Found) -> io::Result<Self> {
        let file = open_found(&found.source, found.named, OFlags::empty())?;
        let stat = fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(is_folder_by_now());
        }
        Ok(Self {
            place: place(job, &file, &stat, &found.path)?,
            source: found.source.clone(),
            named: found.named,
            size: stat.st_size as u64,
        })
    }

    fn open(source: &[u8], named: usize) -> io::Result<Self> {
        let size = open_found(source, named, OFlags::empty())?.metadata()?.len();
        Ok(Self { source: source.to_vec(), named, place: Vec::new(), size })
    }

    /// Tells what would become of it at a destination; gives the name that it would have, if any.
    fn at(
        &self,
        job: &CopyJob,
        destination: &Path,
        wanted: &[u8],
        taken: &mut HashMap<Vec<u8>, Held>,
        hear: &mut dyn FnMut(&Planned<'_>) -> io::Result<()>,
        fail: &mut dyn FnMut(&[u8], io::Error) -> io::Result<()>,
    ) -> io::Result<Option<Vec<u8>>> {
        match self.fate(job, destination, wanted, taken) {
            Ok((name, fate)) => {
                // What is refused leaves the name to the file that has it.
                let is_named = fate != Fate::Refuse;
                if is_named {
                    taken.entry(name.clone()).or_insert_with(|| self.held());
                }
                hear(&Planned {
                    source: &self.source,
                    destination,
                    name: &name,
                    size: self.size,
                    fate,
                })?;
                Ok(is_named.then_some(name))
            }
            Err(error) => {
                fail(&self.source, error)?;
                Ok(None)
            }
        }
    }

    fn fate(
        &self,
        job: &CopyJob,
        destination: &Path,
        wanted: &[u8],
        taken: &HashMap<Vec<u8>, Held>,
    ) -> io::Result<(Vec<u8>, Fate)> {
        for place in suffixed(wanted) {
            let free = if place == wanted { Fate::Copy } else { Fate::Beside };
            let path = destination.join(names::path(&place));
            let there = match path.symlink_metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                there => Some(there?),
            };
            let is_file = there.as_ref().is_some_and(|there| there.is_file());
            let held = taken.get(&place);
            let is_same = match (held, &there) {
                // Another file of the job has the name by then, whatever has it now.
                (Some(held), _) => {
                    let open = |flags| open_found(&held.source, held.named, flags);
                    held.size == self.size && self.is_same(job, open)?
                }
                (None, None) => return Ok((place, free)),
                (None, Some(there)) => {
                    is_file
                        && there.len() == self.size
                        && self.is_same(job, |_| File::open(&path))?
                }
            };
            if is_same {
                return Ok((place, Fate::Present));
            }
            match job.on_conflict {
                OnConflict::Suffix => {}
                OnConflict::Refuse => return Ok((place, Fate::Refuse)),
                // A job replaces none of its own files, and nothing for a name that is a suffix.
                OnConflict::Replace if held.is_some() || place != wanted => {}
                OnConflict::Replace if is_file => return Ok((place, Fate::Replace)),
                OnConflict::Replace => {
                    let shown = quoted(name(&path));
                    let message = format!("{shown} is not a file, and is not replaced");
                    return Err(io::Error::other(message));
                }
            }
        }
        Err(exhausted())
    }

    fn held(&self) -> Held {
        Held { source: self.source.clone(), named: self.named, size: self.size }
    }

    /// Whether the file that `open` opens has this content, by the digests that the copy compares,
    /// too; both are read.
    fn is_same(
        &self,
        job: &CopyJob,
        open: impl Fn(OFlags) -> io::Result<File>,
    ) -> io::Result<bool> {
        let own = values(job, |flags| open_found(&self.source, self.named, flags))?;
        Ok(values(job, open)? == own)
    }
}

/// The digests of the file that `open` opens.
fn values(job: &CopyJob, open: impl Fn(OFlags) -> io::Result<File>) -> io::Result<Vec<Output>> {
    let back = read_back(|flags| Ok(open(flags)?.into()), Verify::Cache, &job.digests, |_| {})?;
    Ok(back.values)
}
