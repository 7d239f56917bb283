//! The list of a copy.

use std::ffi::OsString;
use std::io::{self, BufWriter};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use files::asc::begin;
use files::list::{Entry, Format, Version, WriteError, Writer};
use files::names::{self, quoted};
use hashdyno::Digest;
use whole::Whole;

use super::bad;
use crate::commands::dialect::{Dialect, fitting};

/// A list that is written while a copy ends.
pub struct Manifest {
    place: Place,
    /// Where it will be.
    path: PathBuf,
    /// Whether a name was refused.
    incomplete: bool,
}

enum Place {
    File(Writer<BufWriter<Whole>>),
    History(Writer<Vec<u8>>),
}

impl Manifest {
    /// A file; one that is there is replaced only by a copy that goes on.
    pub fn file(path: &Path, dialect: Dialect, digests: &[&'static Digest], resume: bool) -> anyhow::Result<Self> {
        if path.exists() && !resume {
            let message = format!("{} is there already", quoted(names::name(path)));
            return Err(bad(&message, "name a new file; only --resume replaces a list").into());
        }
        let context = || format!("cannot write {}", quoted(names::name(path)));
        let format = fitting(dialect.format(false), digests)?;
        let mut writer = Writer::new(BufWriter::new(Whole::new(path).with_context(context)?), format, digests);
        let here = std::env::current_dir().unwrap_or_default();
        let command: Vec<_> = std::env::args_os().map(OsString::into_vec).collect();
        writer.start(names::name(&here), &command.join(&b' ')).with_context(context)?;
        Ok(Self { place: Place::File(writer), path: path.to_owned(), incomplete: false })
    }

    /// The first generation of an ASC MHL history in that folder.
    pub fn history(folder: &Path, digests: &[&'static Digest]) -> anyhow::Result<Self> {
        let format = fitting(Format::Mhl(Version::Asc), digests)?;
        if folder.join("ascmhl").exists() {
            let message = format!("{} has an ASC MHL history already", quoted(names::name(folder)));
            return Err(bad(&message, "write a list with --manifest").into());
        }
        let writer = Writer::new(Vec::new(), format, digests);
        Ok(Self { place: Place::History(writer), path: folder.to_owned(), incomplete: false })
    }

    /// Adds a file. A name that the dialect cannot carry is told by the reason.
    pub fn add(&mut self, entry: &Entry) -> io::Result<Option<String>> {
        let added = match &mut self.place {
            Place::File(writer) => writer.entry(entry),
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

    /// Puts the list in its place, durably; `false` if it lacks a name.
    pub fn finish(self, replace: bool) -> anyhow::Result<bool> {
        let path = self.path;
        let finished = match self.place {
            Place::File(mut writer) => writer
                .finish()
                .and_then(|()| writer.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?.finish(replace, None)),
            Place::History(mut writer) => writer.finish().and_then(|()| begin(&path, &writer.into_inner())),
        };
        finished.with_context(|| format!("cannot write the list {}", quoted(names::name(&path))))?;
        Ok(!self.incomplete)
    }
}
