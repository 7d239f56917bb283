//! What `study`, `speed` and `report` share: formats, and how a record is shown.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use bench::report::{Format, Report, html, voids};
use bench::{OnlyWarnings, Record, import};

use crate::failure;
use crate::stdio::message;

/// How a report is printed.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum OutputFormat {
    /// Tables and colours.
    Terminal,
    /// The answer and the verdicts on one screen: what study and report print without --full.
    #[value(skip)]
    Brief,
    /// The same as Markdown.
    Markdown,
    /// A line for each cell.
    Csv,
    /// Everything but the raw samples.
    Json,
    /// The table of `openssl speed`.
    Openssl,
    /// The lines of `openssl speed -mr`.
    OpensslMr,
    /// One page with charts and tables.
    Html,
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

impl OutputFormat {
    /// The same with tables, or on one screen; other formats have their tables always.
    pub fn full(self, full: bool) -> Self {
        match self {
            Self::Terminal if !full => Self::Brief,
            other => other,
        }
    }

    /// The format as the report knows it; nothing for the page.
    fn of_text(self) -> Option<Format> {
        match self {
            Self::Terminal => Some(Format::Terminal),
            Self::Brief => Some(Format::Brief),
            Self::Markdown => Some(Format::Markdown),
            Self::Csv => Some(Format::Csv),
            Self::Json => Some(Format::Json),
            Self::Openssl => Some(Format::Openssl),
            Self::OpensslMr => Some(Format::OpensslMr),
            Self::Html => None,
        }
    }

    /// The format that a file's ending names.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "html" | "htm" => Some(Self::Html),
            "md" => Some(Self::Markdown),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

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
    whole::write(path, |out| out.write_all(bytes))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a record, or another program's output, as far as it goes. How much is there of one that is
/// unfinished is said, and figures that cannot be are taken back as at the end of a run.
pub fn read(path: &Path) -> anyhow::Result<Record> {
    let mut record = import::read(path)?;
    if let Some(there) = record.unfinished {
        let (path, speed) = (path.display(), record.head.study.is_asked());
        message!("{path} is unfinished: {there}");
        if there.of.is_some() {
            let command = if speed { "speed" } else { "study" };
            message!("hint: hashdyno {command} --resume {path}");
        }
        bench::settle_unfinished(&mut record, &mut OnlyWarnings);
    }
    Ok(record)
}

/// Prints a record; the exit code says whether a cell of it is void.
pub fn show(record: &Record, format: OutputFormat) -> anyhow::Result<ExitCode> {
    print(&text(record, format))?;
    Ok(code([record]))
}

/// A record in a format.
pub fn text(record: &Record, format: OutputFormat) -> String {
    match format.of_text() {
        Some(format) => Report::new(record).render(format),
        None => {
            let file = file_name(&Record::default_path(&record.head));
            html::render(&[part(record, file)])
        }
    }
}

/// The counts of a scoreboard, and its worst rows beside its best, `most` of each.
pub fn top(record: &Record, most: usize, format: OutputFormat) -> anyhow::Result<String> {
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
    let shown = format.of_text().and_then(|format| report.top(most, format));
    shown.ok_or_else(|| {
        let message = "--top is shown in the formats terminal and markdown".to_owned();
        failure::BadInput { message, hint: "without --top, csv and json hold every row".to_owned() }
            .into()
    })
}

/// A record's part of the page, without the record itself.
pub fn part(record: &Record, file: String) -> html::Part<'_> {
    html::Part { report: Report::new(record), file, bytes: None }
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
    std::env::args().skip(1).collect::<Vec<_>>().join(" ")
}
