//! The index of a folder of records: `records/README.md`.
//!
//! ```text
//! | record | date | CPU | mask | study | preset | commit | command | raw record |
//! ```
//!
//! Every field comes from the record's head: nobody writes this page by hand. A test holds the
//! page against the folder. Texts and JSON of other programs have the second table.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::{Deserializer, Value};

use super::markdown::plain;
use crate::record::{Head, Record, RecordError};

/// A Markdown table of the records below `folder`, by their paths: date, CPU, study, commit,
/// command. A second table has the texts and JSON there, if there are any, with what each says of
/// itself.
///
/// # Errors
/// [`RecordError`]: the folder or one of its files cannot be read.
pub fn of_folder(folder: &Path) -> Result<String, RecordError> {
    let link = |file: &Path| {
        let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
        format!("[{name}]({name})")
    };
    let mut text = HEADING.to_owned();
    for file in records(folder)? {
        text += &row(&link(&file), &Record::read(&file)?.head);
    }
    let others = below(folder, OTHERS)?;
    if !others.is_empty() {
        text += HEADING_OF_OTHERS;
    }
    for file in others {
        text += &format!("| {} | {} |\n", link(&file), plain(&about(&file)?));
    }
    Ok(text)
}

/// The records below `folder`, by their paths.
///
/// # Errors
/// [`RecordError::Io`]: the folder cannot be read.
pub fn records(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    below(folder, RECORDS)
}

/// The files below `folder` that have one of these endings, by their paths.
fn below(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, RecordError> {
    let mut files = Vec::new();
    find(folder, endings, &mut files).map_err(|source| io_error("look for", folder, source))?;
    files.sort();
    Ok(files)
}

/// What a file of another program says of itself: the first line of a text, the command in JSON;
/// its name where it says nothing.
fn about(file: &Path) -> Result<String, RecordError> {
    let bytes = fs::read(file).map_err(|source| io_error("read", file, source))?;
    let text = String::from_utf8_lossy(&bytes);
    let said = match file.extension().is_some_and(|ending| ending == "json") {
        true => command(&text),
        false => text.lines().next().map(|line| line.trim_start_matches(['#', ' ']).to_owned()),
    };
    let name = || file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(said.filter(|said| !said.is_empty()).unwrap_or_else(name))
}

/// The command in the first value of JSON, or of JSON Lines.
fn command(text: &str) -> Option<String> {
    let first = Deserializer::from_str(text).into_iter::<Value>().next()?.ok()?;
    Some(first.get("command")?.as_str()?.to_owned())
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> RecordError {
    RecordError::Io { action, path: path.display().to_string(), source }
}

fn row(link: &str, head: &Head) -> String {
    let Head { machine, summary_of, .. } = head;
    let cpu = super::cpu(machine);
    let commit = summary_of.as_ref().and_then(|raw| raw.commit.as_deref()).unwrap_or("not known");
    // No sign in a command ends its cell, its line, or the code that it is.
    let command = head.command.replace('|', "\\|").replace(['\n', '\r', '`'], " ");
    let raw = summary_of.as_ref().map_or_else(
        || "whole".to_owned(),
        |raw| format!("`{}`, {} bytes", &raw.sha256[..16], raw.bytes),
    );
    let date = head.date.split('T').next().unwrap_or_default();
    let facts = [date, &cpu, &head.cpu, &head.name, &head.preset.to_string(), commit];
    let facts = facts.map(plain).join(" | ");
    format!("| {link} | {facts} | `hashdyno {command}` | {raw} |\n")
}

fn find(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            find(&path, endings, files)?;
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    Ok(())
}

/// The endings of records and their summaries.
const RECORDS: &[&str] = &[".jsonl", ".jsonl.zst"];

/// The endings of other records: texts and JSON.
const OTHERS: &[&str] = &[".json", ".txt"];

const HEADING: &str = "# Records

Each figure in the README and in `docs/` comes from one of these runs. `hashdyno report FILE` \
 shows a record, `hashdyno compare` sets two records side by side.

- A *summary* (`.jsonl.zst`) has no samples. It keeps estimates, intervals, counts, verdicts, and \
 the SHA-256 of its raw record.
- `hashdyno summarize RECORD` makes a summary. `hashdyno summarize --index records` writes this \
 page.

| record | date | CPU | mask | study | preset | commit | command | raw record |
|---|---|---|---|---|---|---|---|---|
";

const HEADING_OF_OTHERS: &str = "
## Other records

These files hold figures of the repository's tests, campaigns, benchmarks and builds. `hashdyno \
 report` does not read them.

| file | its first line, or its command |
|---|---|
";
