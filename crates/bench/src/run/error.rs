//! What ends a run.

use super::files::FilesError;

/// What ends a run before it has a record.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Nobody can compute it.
    #[error("no provider of table '{table}' has the algorithm '{algorithm}': asked {asked}")]
    NobodyHas {
        /// The table's id.
        table: String,
        /// As the study writes it.
        algorithm: String,
        /// The providers and what became of each.
        asked: String,
    },
    /// The engine cannot measure here.
    #[error("cannot measure on this machine: {0}")]
    Engine(#[from] std::io::Error),
    /// The files that are to be hashed cannot be made.
    #[error(transparent)]
    Files(#[from] FilesError),
}
