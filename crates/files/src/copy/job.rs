//! The words of a copy: its job, who watches it, how it fails.
//!
//! A `Failure` is one file's: it is told, and the copy goes on. A `CopyError` ends the copy: the
//! job contradicts itself, a destination cannot be used, or nobody hears any more of failures. The
//! calls of a `Watch`, in their order:
//!
//! ```text
//! failed, renamed     as often as there are such files, while files get their names
//! in_place            once
//! settled, failed     for each file, as it is read back
//! listed              for each file of the first destination, if the copy came so far
//! ```

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hashdyno::Digest;

use super::include::Include;
use super::layout::Layout;
use super::verify::{Proof, Verify};
use crate::list::Entry;
use crate::read::names::{name, quoted};
use crate::read::open::reason;

/// What is to be copied, where to, and how.
#[derive(Clone, Debug)]
pub struct CopyJob {
    /// Files and folders.
    pub sources: Vec<Vec<u8>>,
    /// Folders to copy into; each gets everything.
    pub destinations: Vec<PathBuf>,
    /// What is computed of every file, each named once; the copy is compared by all of them.
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
    /// No file was copied.
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
