//! `hashdyno summarize`: records as the repository keeps them.
//!
//! A summary is a record without samples, compressed by zstd. It names the raw record by SHA-256
//! and length, so both can be told to belong together. `--index` writes README.md of a folder of
//! records. A summary of a summary, and `-o` on the record itself, are refused: exit code 2.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use bench::record::Raw;
use bench::report::{index, summary};

use super::output;
use crate::failure::BadInput;

const EXAMPLES: &str = "Examples:
  hashdyno summarize records/MACHINE/DATE-scoreboard.jsonl       \
writes DATE-scoreboard.jsonl.zst beside it
  hashdyno summarize raw.jsonl -o small.jsonl.zst --commit 1b008cc
  hashdyno summarize --index records                             writes records/README.md";

/// What `summarize` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The record that `study` or `speed --record` wrote.
    #[arg(value_name = "RECORD", required_unless_present = "index")]
    record: Option<PathBuf>,
    /// Write the summary here [default: beside the record, with the ending .zst].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The commit of the program that wrote the record.
    #[arg(long, value_name = "HASH")]
    commit: Option<String>,
    /// Write README.md in this folder: an index of its records.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["record", "output", "commit"])]
    index: Option<PathBuf>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match (&self.index, &self.record) {
            (Some(folder), _) => {
                output::write(&folder.join("README.md"), index::of_folder(folder)?.as_bytes())?
            }
            (None, Some(path)) => self.summarize(path)?,
            (None, None) => unreachable!("clap asks for one of them"),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn summarize(&self, path: &Path) -> anyhow::Result<()> {
        let beside = || PathBuf::from(format!("{}.zst", path.display()));
        summarized(path, &self.output.clone().unwrap_or_else(beside), self.commit.clone())
    }
}

/// Writes the summary of a record to `output`.
pub fn summarized(path: &Path, output: &Path, commit: Option<String>) -> anyhow::Result<()> {
    let record = output::read_record(path)?;
    if record.head.summary_of.is_some() {
        let message = format!("{} is a summary: expected a record with samples", path.display());
        let hint = "hashdyno report shows summaries, too".to_owned();
        return Err(BadInput { message, hint }.into());
    }
    if path.canonicalize().is_ok_and(|path| output.canonicalize().is_ok_and(|it| it == path)) {
        let message = format!("-o would replace the record {}", path.display());
        return Err(BadInput::new(message, "name another file with -o").into());
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let digest = hashdyno::SHA256.digest(&bytes);
    let raw = Raw { sha256: digest.to_string(), bytes: bytes.len() as u64, commit };
    Ok(summary(&record, raw).write(output)?)
}
