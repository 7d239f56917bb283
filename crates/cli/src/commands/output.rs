//! What `study`, `speed` and `report` share: formats, and how a record is shown.

use std::io::Write;
use std::process::ExitCode;

use bench::Record;
use bench::report::{Format, Report, voids};

use crate::failure;

/// How a report is printed.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum OutputFormat {
    /// Tables and colours.
    Terminal,
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
}

impl From<OutputFormat> for Format {
    fn from(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Terminal => Self::Terminal,
            OutputFormat::Markdown => Self::Markdown,
            OutputFormat::Csv => Self::Csv,
            OutputFormat::Json => Self::Json,
            OutputFormat::Openssl => Self::Openssl,
            OutputFormat::OpensslMr => Self::OpensslMr,
        }
    }
}

/// Prints text to stdout, colours only where they are wanted; a reader that went away is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result.map_err(|error| anyhow::Error::from(error).context("cannot write to standard output"))?),
    }
}

/// Prints a record; the exit code says whether a cell of it is void.
pub fn show(record: &Record, format: OutputFormat) -> anyhow::Result<ExitCode> {
    print(&Report::new(record).render(format.into()))?;
    Ok(if voids(record).is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::INCOMPLETE) })
}

/// The arguments of this process, for the record.
pub fn command_line() -> String {
    std::env::args().skip(1).collect::<Vec<_>>().join(" ")
}
