//! A file each: its arguments and `run`.
//!
//! A row of `commands!` is a command: its line of help, its name, its module. A module has a struct
//! `Arguments` for clap, whose `run` gives the exit code or an error. Doc comments of these structs
//! are the help that users read.
//!
//! ```text
//! measuring   study, speed, advise -> measure -> bench
//! showing     report, compare, summarize, list -> output
//! files       sum, check, copy -> crate files
//! system      mask -> cpumask; runner; completions, man
//! ```

mod advise;
mod check;
mod compare;
mod completions;
mod copy;
mod dialect;
mod digests;
mod keyed;
mod list;
mod man;
mod mask;
mod measure;
pub mod output;
mod report;
mod runner;
mod speed;
mod study;
mod sum;
mod summarize;
mod walk;

use std::process::ExitCode;

pub use advise::purposes;
pub use check::run as check_lists;
pub use sum::SumJob;

/// The most threads that -j may ask for.
pub const MOST_THREADS: i64 = 1024;

/// A row for each command: its line of help, its name, its module.
macro_rules! commands {
    ($($(#[$help:meta])* $name:ident($module:ident),)*) => {
        /// What hashdyno does.
        #[derive(clap::Subcommand)]
        pub enum Command {
            $($(#[$help])* $name($module::Arguments),)*
        }

        impl Command {
            /// Runs it.
            pub fn run(self) -> anyhow::Result<ExitCode> {
                match self {
                    $(Self::$name(arguments) => arguments.run(),)*
                }
            }
        }
    };
}

commands! {
    /// Repeat a published benchmark on this machine and judge its claims.
    Study(study),
    /// Measure algorithms, by message length, in every implementation found.
    Speed(speed),
    /// Compare two records, of one machine or of two.
    Compare(compare),
    /// Say which algorithm to take for a purpose, by figures of this machine.
    Advise(advise),
    /// Print a record again, in any format.
    Report(report),
    /// Make a summary of a record, without its samples, or an index of a folder of records.
    Summarize(summarize),
    /// List digests, ciphers, providers and CPU features.
    List(list),
    /// Serve the runner protocol, or check a provider against it.
    Runner(runner),
    /// Print digests of files, in the format of md5sum, b3sum, cksum, hashdeep and others.
    Sum(sum),
    /// Check files against checksum lists in any format, or compare two folders.
    Check(check),
    /// Run any program with CPU features hidden from it.
    Mask(mask),
    /// Copy files and verify each copy by reading it back from the device; sort photos by date.
    Copy(copy),
    /// Print completions for a shell.
    Completions(completions),
    /// Write the man pages.
    Man(man),
}
