//! The index of a folder of records: `records/README.md`.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use super::markdown::plain;
use crate::record::{Head, Record, RecordError};

/// A Markdown table of the records below `folder`, by their paths: date, CPU, study, commit,
/// command.
///
/// # Errors
/// [`RecordError`]: the folder or one of its records cannot be read.
pub fn of_folder(folder: &Path) -> Result<String, RecordError> {
    let mut files = records(folder)?;
    files.sort();
    let mut text = HEADING.to_owned();
    for file in files {
        let head = Record::read(&file)?.head;
        let name = file.strip_prefix(folder).unwrap_or(&file).display();
        text.write_fmt(format_args!("{}\n", row(&name.to_string(), &head)))
            .expect("writing to a string does not fail");
    }
    Ok(text)
}

/// The records below `folder`.
///
/// # Errors
/// [`RecordError::Io`]: the folder cannot be read.
pub fn records(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let mut files = Vec::new();
    find(folder, &mut files).map_err(|source| RecordError::Io {
        action: "look for",
        path: folder.display().to_string(),
        source,
    })?;
    Ok(files)
}

fn row(name: &str, head: &Head) -> String {
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
    format!("| [{name}]({name}) | {facts} | `hashdyno {command}` | {raw} |")
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            find(&path, files)?;
        } else if name.ends_with(".jsonl") || name.ends_with(".jsonl.zst") {
            files.push(path);
        }
    }
    Ok(())
}

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
