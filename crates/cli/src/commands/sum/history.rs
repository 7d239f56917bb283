//! `sum --format ascmhl` of a folder: the history of its content begins.
//!
//! The history lies in the folder `ascmhl` of the folder that it describes, so names begin there.
//! It is kept in memory and written at the end: a file that could not be read leaves no history,
//! exit code 1.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use files::asc::begin;
use files::list::{Format, Version, Writer};
use files::method::Method;
use files::names::{self, quoted};
use files::open::{Root, reason};
use files::sum::{Sources, Summed, sum};

use crate::failure::{self, BadInput};
use crate::stdio::message;

/// Begins the ASC MHL history of a folder, unless a file of it could not be read.
pub fn begin_history(
    paths: &[Vec<u8>],
    digests: &[Method],
    threads: usize,
) -> anyhow::Result<ExitCode> {
    let [folder] = paths else {
        return Err(BadInput::new(
            "an ASC MHL history is of one folder",
            "hashdyno sum --format ascmhl -a xxh3 FOLDER",
        )
        .into());
    };
    let folder = names::path(folder);
    let mut writer = Writer::new(Vec::new(), Format::Mhl(Version::Asc), digests);
    let mut failed = false;
    let root = Root::at(folder).with_context(|| format!("cannot open {}", folder.display()))?;
    std::env::set_current_dir(folder)?;
    sum(&root, Sources::new(vec![b".".to_vec()], true), digests, threads, |name, summed| {
        let problem = match summed {
            Ok(Summed { changed: true, .. }) => "changed while it was read".to_owned(),
            Ok(Summed { entry, .. }) => match writer.entry(&entry) {
                Ok(()) => return Ok(()),
                Err(error) => error.to_string(),
            },
            Err(error) => reason(&error),
        };
        failed = true;
        message!("hashdyno: {}: {problem}", quoted(name));
        io::Result::Ok(())
    })?;
    writer.finish()?;
    if failed {
        message!("hashdyno: {}: no history was written", folder.display());
        return Ok(ExitCode::from(failure::INCOMPLETE));
    }
    begin(Path::new("."), &writer.into_inner())
        .with_context(|| format!("cannot begin a history in {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
