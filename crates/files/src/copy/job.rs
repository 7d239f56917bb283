//! A copy from beginning to end.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hashdyno::Digest;

use super::include::Include;
use super::journal::{Earlier, Finished, Journal};
use super::layout::Layout;
use super::place::Ledger;
use super::proving::{Reread, prove};
use super::report::{Clock, Report};
use super::sources::Sources;
use super::stage::{Staged, stage};
use super::target::{STAGING, Target, is_staging};
use super::verify::{Proof, Verify};
use crate::list::Entry;
use crate::meter::Meter;
use crate::names::{name, quoted};
use crate::open::reason;
use crate::ordered::ordered;

/// What is to be copied, where to, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// Files and folders.
    pub sources: Vec<Vec<u8>>,
    /// Folders to copy into; each gets everything.
    pub destinations: Vec<PathBuf>,
    /// What is computed of every file; the copy is compared by all of them.
    pub digests: Vec<&'static Digest>,
    /// Which files of the sources are copied.
    pub include: Include,
    /// Where files go below a destination.
    pub layout: Layout,
    /// What is done with photos that do not tell their date, where the layout asks for it.
    pub undated: Undated,
    /// What is done where a name has another content.
    pub on_conflict: OnConflict,
    /// How the copy is proved.
    pub verify: Verify,
    /// Whether every source is read a second time, after the copy, and compared too.
    pub reread_source: bool,
    /// Whether an interrupted job is gone on with.
    pub resume: bool,
    /// A list that will be written: it is left out, where it lies among the sources.
    pub list: Option<PathBuf>,
    /// How many files are in work at a time.
    pub threads: usize,
}

/// What is done with a photo without a date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undated {
    /// It goes to the folder `undated`.
    #[default]
    Folder,
    /// The time when it was last changed is taken for its date, in UTC.
    FileTime,
}

/// What is done where a name has another content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// The file gets a name of its own: `name-1.jpg`.
    #[default]
    Suffix,
    /// It is not copied.
    Refuse,
    /// It takes the name. The other file is kept as `name.jpg.replaced` until the new one is
    /// proved, then it is removed.
    Replace,
}

/// Hears of a copy as it goes on, on the thread that called it. An error ends the copy.
pub trait Watch {
    /// A file is not where it should be.
    ///
    /// # Errors
    /// Whatever keeps it from being told; the copy ends.
    fn failed(&mut self, failure: &Failure<'_>) -> io::Result<()>;

    /// A file got a name of its own, as another content has the name that it should have, or took
    /// that name from it.
    ///
    /// # Errors
    /// Whatever keeps it from being told; the copy ends.
    fn renamed(&mut self, _: &Renamed<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Everything that can be is in place; reading back begins.
    ///
    /// # Errors
    /// Whatever keeps it from being told; the copy ends.
    fn in_place(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// A file is in place, and proved if that was asked for. Files proved by an earlier run are not
    /// told again.
    ///
    /// # Errors
    /// Whatever keeps it from being told; the copy ends.
    fn settled(&mut self, settled: &Settled<'_>) -> io::Result<()>;

    /// What a list of the first destination holds, when all is done: its names are relative to it.
    ///
    /// # Errors
    /// Whatever keeps it from being listed; the copy ends.
    fn listed(&mut self, entry: &Entry) -> io::Result<()>;
}

/// A file that is not where it should be.
#[derive(Debug)]
pub struct Failure<'a> {
    /// Its name in the source.
    pub source: &'a [u8],
    /// The destination that lacks it; all of them, if there is none here.
    pub destination: Option<&'a Path>,
    /// Why.
    pub reason: String,
}

/// A file whose name had another content.
#[derive(Debug)]
pub struct Renamed<'a> {
    /// Its name in the source.
    pub source: &'a [u8],
    /// The destination.
    pub destination: &'a Path,
    /// The name that it should have, which has another content.
    pub wanted: &'a [u8],
    /// The name that it has: another one, or the same, from which the other content was moved away.
    pub name: &'a [u8],
}

/// A file that is in place.
#[derive(Debug)]
pub struct Settled<'a> {
    /// Its name in the source.
    pub source: &'a [u8],
    /// The destination.
    pub destination: &'a Path,
    /// Its name below the destination, its digests, its size.
    pub entry: &'a Entry,
    /// Whether it was there before.
    pub present: bool,
    /// Where it was read back from.
    pub proof: Proof,
}

/// Why nothing was copied, or a copy was given up.
#[derive(Debug)]
pub enum CopyError {
    /// The job makes no sense as it is.
    Refused {
        /// What was wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// A destination cannot be used.
    Destination(PathBuf, io::Error),
    /// What a [`Watch`] said, or a journal that cannot be read again.
    Io(io::Error),
}

impl From<io::Error> for CopyError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { message, .. } => f.write_str(message),
            Self::Destination(path, error) => {
                write!(f, "cannot copy into {}: {}", quoted(name(path)), reason(error))
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CopyError {}

/// A destination, as every thread sees it.
pub struct Site {
    pub target: Target,
    pub earlier: Earlier,
}

/// Copies everything, then reads everything back. Of a file that fails, or changes while it is
/// read, nothing has its final name; the others go on. Files that are finished are in the
/// destination's journal, by which an interrupted job goes on: it is removed when nothing has
/// failed.
///
/// # Errors
/// [`CopyError`]: what ends the whole job, such as a destination that cannot be opened. A file that
/// fails is no error: it is told to `watch` and counted.
pub fn copy(job: &Job, meter: Meter, watch: &mut dyn Watch) -> Result<Report, CopyError> {
    let clock = Clock::new(meter);
    let (sites, journals) = open(job)?;
    let ledgers = sites
        .iter()
        .zip(journals)
        .map(|(site, journal)| Ledger::new(&site.target, journal))
        .collect();
    let mut state = State {
        sources: Sources::new(job.sources.clone(), job.list.as_deref(), job.include.clone()),
        ledgers,
        files: 0,
        watch,
    };
    ordered(
        job.threads,
        &mut state,
        |state| Ok::<_, io::Error>(state.sources.next()),
        |found| match found {
            Ok(found) => Ok(stage(job, &sites, &found, &clock)),
            Err(failed) => Err(failed),
        },
        |state, staged| state.take(job, &sites, staged),
    )?;
    let State { sources, mut ledgers, files, watch } = state;
    for (site, ledger) in sites.iter().zip(&mut ledgers) {
        ledger.flush(&site.target, watch)?;
    }
    watch.in_place()?;
    let reread = Reread::default();
    for (site, ledger) in sites.iter().zip(&mut ledgers) {
        prove(job, site, ledger, &reread, &clock, watch)?;
    }
    for (site, ledger) in sites.iter().zip(&ledgers) {
        let standing = ledger.standing(&site.earlier)?.count() as u64;
        let told = ledger.tally.copied + ledger.tally.present + ledger.tally.earlier;
        if standing < told {
            // A file without a line was neither read back nor listed.
            let message =
                format!("the journal reads back {standing} of {told} files: its disk is damaged");
            return Err(CopyError::Destination(
                site.target.path().to_owned(),
                io::Error::other(message),
            ));
        }
    }
    ledgers[0]
        .standing(&sites[0].earlier)?
        .try_for_each(|finished| watch.listed(&finished?.1.entry))?;
    for (site, ledger) in sites.iter().zip(&ledgers) {
        if ledger.tally.failed == 0 {
            site.target.tidy()?;
        }
    }
    let (bytes, seconds) = clock.read_off();
    let destinations = ledgers.into_iter().map(|ledger| ledger.tally).collect();
    Ok(Report { files, bytes, left_out: sources.left_out(), destinations, seconds })
}

/// What the calling thread holds while files are copied.
struct State<'a> {
    sources: Sources,
    ledgers: Vec<Ledger>,
    files: u64,
    watch: &'a mut dyn Watch,
}

impl State<'_> {
    /// Gives staged files their names, at every destination.
    fn take(
        &mut self,
        job: &Job,
        sites: &[Site],
        staged: Result<Vec<Staged>, (Vec<u8>, io::Error)>,
    ) -> io::Result<()> {
        let staged = match staged {
            Ok(staged) => staged,
            Err((folder, error)) => {
                self.ledgers.iter_mut().for_each(|ledger| ledger.tally.failed += 1);
                return self.watch.failed(&Failure {
                    source: &folder,
                    destination: None,
                    reason: reason(&error),
                });
            }
        };
        self.files += staged.len() as u64;
        // A photo first, then its side-cars, which are named after it.
        let mut photos: Vec<Option<Vec<u8>>> = vec![None; sites.len()];
        let photo_failed = staged[0].states.is_err();
        for mut file in staged {
            if photo_failed || file.states.is_err() {
                self.ledgers.iter_mut().for_each(|ledger| ledger.tally.failed += 1);
                let reason = file
                    .states
                    .as_ref()
                    .map_or_else(reason, |_| "its photo cannot be copied".to_owned());
                self.watch.failed(&Failure { source: &file.source, destination: None, reason })?;
                continue;
            }
            for ((site, ledger), (at, photo)) in
                sites.iter().zip(&mut self.ledgers).zip(photos.iter_mut().enumerate())
            {
                let wanted = match (&file.sidecar, &photo) {
                    (Some(sidecar), Some(photo)) => sidecar.beside(photo),
                    _ => file.place.clone(),
                };
                let placed = ledger.place(job, &site.target, &mut file, at, &wanted, self.watch)?;
                *photo = photo.take().or(Some(placed));
            }
        }
        sites
            .iter()
            .zip(&mut self.ledgers)
            .try_for_each(|(site, ledger)| ledger.flush_if_full(&site.target, self.watch))
    }
}

fn open(job: &Job) -> Result<(Vec<Site>, Vec<Journal>), CopyError> {
    job.destinations.iter().try_for_each(|destination| outside(destination, &job.sources))?;
    let mut opened = (Vec::new(), Vec::new());
    for path in &job.destinations {
        let failed = |error| CopyError::Destination(path.clone(), error);
        let target = Target::open(path).map_err(failed)?;
        if opened.0.iter().any(|site: &Site| site.target.is(&target).unwrap_or(false)) {
            return Err(CopyError::Refused {
                message: format!("{} is named twice as a destination", quoted(name(path))),
                hint: "name each destination once".to_owned(),
            });
        }
        let file = target.journal().map_err(failed)?;
        let (journal, earlier) = Journal::open(file, job.resume, &job.layout, &job.digests)
            .map_err(|error| refused(path, error))?;
        target.sweep().map_err(failed)?;
        opened.0.push(Site { target, earlier });
        opened.1.push(journal);
    }
    Ok(opened)
}

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
    let around = |source: &&Vec<u8>| {
        let path = crate::names::path(source);
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

/// The path without links; its last part need not exist.
fn resolved(path: &Path) -> Option<PathBuf> {
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.canonicalize().ok().or_else(|| Some(parent.canonicalize().ok()?.join(path.file_name()?)))
}

/// A finished file and the offset of its line.
pub type Line = (u64, Finished);
