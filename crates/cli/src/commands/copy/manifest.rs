//! The list of a copy.
//!
//! ```text
//! Later    the file is named and checked, not begun  -> File at the first entry
//! File     entries are written to a temporary name   -> its place, at the end
//! History  entries are kept in memory                -> `ascmhl`, if the whole copy is verified
//! ```
//!
//! A list never replaces a source, a file of the copy, or a file that is no list.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use atomic_file::AtomicFile;
use files::asc::{begin, check_begin};
use files::copy::CopyJob;
use files::list::{Entry, Format, Grammar, Reader, Version, WriteError, Writer};
use files::method::Method;
use files::names::{self, quoted};
use hashdyno::Digest;

use super::bad;
use crate::commands::dialect::{Dialect, fitting};

/// A list that is written while a copy ends.
pub struct Manifest {
    place: Place,
    /// Where it will be.
    path: PathBuf,
    /// Whether an older list is there, which it replaces.
    replaces: bool,
    /// Whether a name was refused.
    incomplete: bool,
    /// Folders that the copy fills.
    destinations: Vec<PathBuf>,
    /// Whether the copy has put a file where the list would be.
    taken: bool,
}

enum Place {
    File(Writer<BufWriter<AtomicFile>>),
    /// A file that is begun when the sources are read: its temporary name may lie among them.
    Later(Format, Vec<Method>),
    History(Writer<Vec<u8>>),
}

impl Manifest {
    /// A file; one that is there is replaced only by a copy that goes on, and only if it is a list.
    pub fn file(path: &Path, dialect: Dialect, job: &CopyJob) -> anyhow::Result<Self> {
        let (digests, resume) = (methods(&job.digests), job.resume);
        let shown = || quoted(names::name(path));
        let resolved = path.canonicalize().ok();
        if resolved.is_some()
            && job.sources.iter().any(|source| names::path(source).canonicalize().ok() == resolved)
        {
            let message = format!("{} is a source, and the list would replace it", shown());
            return Err(bad(&message, "name a new file").into());
        }
        let replaces = path.symlink_metadata().is_ok();
        if replaces {
            if !resume {
                let message = format!("{} exists already", shown());
                return Err(bad(&message, "name a new file; only --resume replaces a list").into());
            }
            if !is_list(path).with_context(|| format!("cannot read {}", shown()))? {
                let message = format!("{} exists, and is not a checksum list", shown());
                return Err(bad(
                    &message,
                    "name a new file; --resume replaces a list and nothing else",
                )
                .into());
            }
        }
        let format = fitting(dialect.format(false), &digests)?;
        // A folder that takes no new file is told before anything is copied.
        AtomicFile::new(path).with_context(|| format!("cannot write {}", shown()))?;
        Ok(Self {
            place: Place::Later(format, digests),
            path: path.to_owned(),
            replaces,
            incomplete: false,
            destinations: job.destinations.clone(),
            taken: false,
        })
    }

    /// The first generation of an ASC MHL history in that folder.
    pub fn history(folder: &Path, digests: &[&'static Digest]) -> anyhow::Result<Self> {
        let digests = methods(digests);
        let format = fitting(Format::Mhl(Version::Asc), &digests)?;
        let shown = || quoted(names::name(folder));
        match check_begin(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let message = format!("{}: {error}", shown());
                return Err(bad(&message, "write a list with --manifest").into());
            }
            checked => checked.with_context(|| format!("cannot read {}", shown()))?,
        }
        let writer = Writer::new(Vec::new(), format, &digests);
        Ok(Self {
            place: Place::History(writer),
            path: folder.to_owned(),
            replaces: false,
            incomplete: false,
            // A history never replaces a file.
            destinations: Vec::new(),
            taken: false,
        })
    }

    /// Adds a file. A name that the dialect cannot carry is told by the reason.
    pub fn add(&mut self, entry: &Entry) -> io::Result<Option<String>> {
        self.begin()?;
        let is_taken =
            |folder: &PathBuf| is_same(&folder.join(names::path(&entry.name)), &self.path);
        self.taken |= self.destinations.iter().any(is_taken);
        let added = match &mut self.place {
            Place::File(writer) => writer.entry(entry),
            Place::Later(..) => unreachable!("the file was begun"),
            Place::History(writer) => writer.entry(entry),
        };
        match added {
            Ok(()) => Ok(None),
            Err(WriteError::Io(error)) => Err(error),
            Err(WriteError::Name(reason)) => {
                self.incomplete = true;
                Ok(Some(reason.to_owned()))
            }
        }
    }

    /// What to say of a list that waits until every file of the copy is verified, if it is one. A
    /// history is not replaced: begun now, it would refuse the copy that goes on, and lack its
    /// files.
    pub fn waits(&self) -> Option<String> {
        let shown = quoted(names::name(&self.path));
        matches!(self.place, Place::History(_)).then(|| {
            format!(
                "{shown}: no ASC MHL history is begun, as the copy is not complete; the same \
                    command with --resume begins it"
            )
        })
    }

    /// Puts the list in its place, durably; `false` if it lacks a name.
    pub fn finish(mut self) -> anyhow::Result<bool> {
        if self.taken {
            let shown = quoted(names::name(&self.path));
            let message = format!("{shown} is a file of the copy, and the list would replace it");
            let hint = "write the list elsewhere: the copy stays, and the same command with \
                another --manifest lists it";
            return Err(bad(&message, hint).into());
        }
        let begun = self.begin();
        let (path, replace) = (self.path, self.replaces);
        let finished = begun.and_then(|()| match self.place {
            Place::File(mut writer) => writer.finish().and_then(|()| {
                writer
                    .into_inner()
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)?
                    .finish(replace, None)
            }),
            Place::Later(..) => unreachable!("the file was begun"),
            Place::History(mut writer) => {
                writer.finish().and_then(|()| begin(&path, &writer.into_inner()))
            }
        });
        finished
            .with_context(|| format!("cannot write the list {}", quoted(names::name(&path))))?;
        Ok(!self.incomplete)
    }

    /// Begins the file, if that was put off.
    fn begin(&mut self) -> io::Result<()> {
        if let Place::Later(format, digests) = &self.place {
            let mut writer =
                Writer::new(BufWriter::new(AtomicFile::new(&self.path)?), *format, digests);
            let here = std::env::current_dir().unwrap_or_default();
            let command: Vec<_> = std::env::args_os().map(OsString::into_vec).collect();
            writer.start(names::name(&here), &command.join(&b' '))?;
            self.place = Place::File(writer);
        }
        Ok(())
    }
}

fn methods(digests: &[&'static Digest]) -> Vec<Method> {
    digests.iter().copied().map(Method::from).collect()
}

/// Whether both paths lead to one file, however they are spelled; a link is a file of its own.
fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.symlink_metadata().ok().map(|file| (file.dev(), file.ino()));
    let other = identity(other);
    other.is_some() && identity(one) == other
}

/// Whether a regular file is empty or a checksum list from its first line to its last.
fn is_list(path: &Path) -> io::Result<bool> {
    if !path.symlink_metadata()?.is_file() {
        return Ok(false);
    }
    let file = File::open(path)?;
    let empty = file.metadata()?.len() == 0;
    let mut reader = Reader::named(file, Grammar::ANY, &String::from_utf8_lossy(names::name(path)));
    let mut entries = 0;
    while let Some(line) = reader.next_line()? {
        if line.entry.is_none() {
            return Ok(false);
        }
        entries += 1;
    }
    Ok(empty || entries > 0)
}
