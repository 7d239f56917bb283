//! Errors that end a run.
//!
//! Few do. A runner that fails voids its cells, and the run goes on. A run ends where it could give
//! no record at all, or one that is not the record that was asked for.

use super::files::FilesError;
use crate::record::RecordError;

/// What ends a run before it has a record.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Nobody can compute it.
    #[error("no provider that was asked has '{algorithm}'{}: {asked}", of_table(table))]
    NobodyHas {
        /// The table's id; that of `speed` has no name.
        table: String,
        /// As the study writes it.
        algorithm: String,
        /// The providers and what became of each.
        asked: String,
    },
    /// The engine cannot measure here.
    #[error("cannot measure on this machine: {0}")]
    Engine(#[from] std::io::Error),
    /// It was told to stop before anything was measured.
    #[error("stopped before anything was measured")]
    Stopped,
    /// The record cannot be written, or `--resume` found no record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// What was stopped cannot go on.
    #[error("the run cannot go on: its {what} differs, {before} before and {now} now")]
    Differs {
        /// The fact that differs: version, program, machine, mask, study, payload, preset, plan,
        /// provider.
        what: String,
        /// In the record.
        before: String,
        /// Here and now.
        now: String,
    },
    /// The files that are to be hashed cannot be made.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Where a study has the algorithm.
fn of_table(id: &str) -> String {
    match id {
        "speed" => String::new(),
        id => format!(", an algorithm of table '{id}'"),
    }
}
