use std::path::PathBuf;
use std::process::ExitCode;

use super::output::{self, OutputFormat};

/// What `report` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  hashdyno report records/MACHINE/DATE-php-hash.jsonl --format markdown > php-hash.md")]
pub struct Arguments {
    /// A record that `study` or `speed --record` wrote.
    record: PathBuf,
    /// How it is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: OutputFormat,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        output::show(&bench::import::read(&self.record)?, self.format)
    }
}
