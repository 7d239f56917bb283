//! A file each: its arguments and `run`.

mod check;
mod compare;
mod completions;
mod copy;
mod dialect;
mod list;
mod man;
mod mask;
pub mod output;
mod report;
mod runner;
mod speed;
mod study;
mod sum;
mod summarize;

use std::process::ExitCode;

pub use check::run as check_lists;
pub use sum::{Job as SumJob, unwritten};

/// The most threads that -j may ask for.
pub const MOST_THREADS: i64 = 1024;

/// What hashdyno does.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Repeat a published benchmark on this machine and judge its claims.
    Study(study::Arguments),
    /// Measure algorithms, by message length, in every implementation found.
    Speed(speed::Arguments),
    /// Compare two records of one machine.
    Compare(compare::Arguments),
    /// Print a record again, in any format.
    Report(report::Arguments),
    /// Make a summary of a record, without its samples, or an index of a folder of records.
    Summarize(summarize::Arguments),
    /// List digests, ciphers, providers and CPU features.
    List(list::Arguments),
    /// Serve the runner protocol, or check a provider against it.
    Runner(runner::Arguments),
    /// Print digests of files, in the format of md5sum, b3sum, cksum, hashdeep and others.
    Sum(sum::Arguments),
    /// Check files against checksum lists in any format, or compare two folders.
    Check(check::Arguments),
    /// Run any program with CPU features hidden from it.
    Mask(mask::Arguments),
    /// Copy files and verify each copy by reading it back from the device; sort photos by date.
    Copy(copy::Arguments),
    /// Print completions for a shell.
    Completions(completions::Arguments),
    /// Write the man pages.
    Man(man::Arguments),
}

impl Command {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Study(arguments) => arguments.run(),
            Self::Speed(arguments) => arguments.run(),
            Self::Compare(arguments) => arguments.run(),
            Self::Report(arguments) => arguments.run(),
            Self::Summarize(arguments) => arguments.run(),
            Self::List(arguments) => arguments.run(),
            Self::Runner(arguments) => arguments.run(),
            Self::Sum(arguments) => arguments.run(),
            Self::Check(arguments) => arguments.run(),
            Self::Mask(arguments) => arguments.run(),
            Self::Copy(arguments) => arguments.run(),
            Self::Completions(arguments) => arguments.run(),
            Self::Man(arguments) => arguments.run(),
        }
    }
}
