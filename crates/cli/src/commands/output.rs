//! What `study`, `speed` and `report` share: formats, and how a record is shown.
//!
//! `print` writes to standard output, `write` makes a file whole or not at all, `read` takes a
//! record or another program's output. `code` is the exit code of all that shows records: 1 where a
//! cell is void or not there yet, else 0. `JSON_SCHEMA` stands in every document: docs/JSON.md says
//! when it rises.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use bench::report::{FORMATS, Format, Report, voids};
use bench::{OnlyWarnings, Record, import};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::failure;
use crate::stdio::message;

/// The formats of reports, as values of an option.
pub fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let value = |format: &&Format| PossibleValue::new(format.name).help(format.about);
    PossibleValuesParser::new(FORMATS.iter().map(value)).map(|name| Format::named(&name))
}

/// The usual endings of files that have a format of their own: `.md, .csv`.
pub fn endings() -> String {
    let first = FORMATS.iter().filter_map(|format| format.endings.first());
    first.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ")
}

/// The names of the formats that are so: `csv, json`.
pub fn names(are: impl Fn(&Format) -> bool) -> String {
    let such = FORMATS.iter().filter(|format| are(format));
    such.map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// How a command prints that has tables or JSON.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LineFormat {
    /// Text and tables.
    Terminal,
    /// JSON; docs/JSON.md describes it.
    Json,
}

/// The version of every JSON that is printed; it rises where a key changes its meaning or goes.
pub const JSON_SCHEMA: u32 = files::verdict::SCHEMA;

/// Prints text to stdout, colours only where they are wanted; a reader that went away is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result.map_err(|error| {
            anyhow::Error::from(error).context("cannot write to standard output")
        })?),
    }
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    atomic_file::write(path, |out| out.write_all(bytes))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a record, or another program's output, as far as it goes.
pub fn read(path: &Path) -> anyhow::Result<Record> {
    Ok(as_far_as_it_goes(path, import::read(path)?))
}

/// Reads a record, as far as it goes.
pub fn read_record(path: &Path) -> anyhow::Result<Record> {
    Ok(as_far_as_it_goes(path, Record::read_as_far_as_it_goes(path)?))
}

/// How much is there of an unfinished record is said, and figures that cannot be are taken back as
/// at the end of a run.
fn as_far_as_it_goes(path: &Path, mut record: Record) -> Record {
    if let Some(there) = record.unfinished {
        let (path, speed) = (path.display(), record.head.study.is_asked());
        message!("{path} is unfinished: {there}");
        if there.of.is_some() {
            let command = if speed { "speed" } else { "study" };
            message!("hint: hashdyno {command} --resume {path}");
        }
        bench::settle_unfinished(&mut record, &mut OnlyWarnings);
    }
    record
}

/// Prints a record; the exit code says whether a cell of it is void.
pub fn show(record: &Record, format: &Format) -> anyhow::Result<ExitCode> {
    print(&Report::new(record).render(format))?;
    Ok(code([record]))
}

/// The counts of a scoreboard, and its worst rows beside its best, `most` of each.
pub fn top(record: &Record, most: usize, format: &Format) -> anyhow::Result<String> {
    let report = Report::new(record);
    if report.board.is_none() {
        let message = format!(
            "the record of '{}' has no scoreboard: expected one of a study with [board]",
            record.head.name
        );
        return Err(failure::BadInput {
            message,
            hint: "hashdyno study scoreboard makes one".to_owned(),
        }
        .into());
    }
    report.top(most, format).ok_or_else(|| {
        let formats = names(|format| format.grid.is_some());
        let message = format!("--top is shown in the formats {formats}");
        failure::BadInput { message, hint: "without --top, csv and json hold every row".to_owned() }
            .into()
    })
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Whether a cell of the records is void, or not there yet.
pub fn code<'a>(records: impl IntoIterator<Item = &'a Record>) -> ExitCode {
    let whole = |record: &Record| record.unfinished.is_none() && voids(record).is_empty();
    let whole = records.into_iter().all(whole);
    if whole { ExitCode::SUCCESS } else { ExitCode::from(failure::INCOMPLETE) }
}

/// The arguments of this process, for the record.
pub fn command_line() -> String {
    without_place(std::env::args_os().skip(1))
}

/// The arguments without the record's place: no figure depends on it, and it may name folders that
/// are not for strangers.
fn without_place(mut arguments: impl Iterator<Item = OsString>) -> String {
    let mut kept = Vec::new();
    while let Some(argument) = arguments.next() {
        // A path need not be text, and here it is only shown.
        let argument = argument.to_string_lossy().into_owned();
        if argument == "--record" {
            arguments.next();
        } else if !argument.starts_with("--record=") {
            kept.push(argument);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn a_record_does_not_say_where_it_lay() {
        let kept = |words: &str| without_place(words.split(' ').map(OsString::from));
        assert_eq!(kept("study a --record b/c.jsonl --quick"), "study a --quick");
        assert_eq!(kept("study --record=b/c.jsonl a"), "study a");
        assert_eq!(kept("speed md5 --no-record --record"), "speed md5 --no-record");
    }

    #[test]
    fn an_argument_need_not_be_text() {
        let path = OsString::from_vec(b"--libcrypto=/\xff".to_vec());
        assert_eq!(without_place([path].into_iter()), "--libcrypto=/\u{fffd}");
    }
}
