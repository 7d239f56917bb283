//! Errors of records. `Taken`, `Busy` and `NoPart` are about `NAME.part`, the file of a run that
//! goes on. A message names the file, and of a wrong line its number and the expected form.

use super::SCHEMA;

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file system said no.
    #[error("cannot {action} the record {path}: {source}")]
    Io {
        /// read or write.
        action: &'static str,
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("the record {path} is malformed at line {number}: {message}")]
    Malformed {
        /// The file.
        path: String,
        /// Counted from 1.
        number: usize,
        /// What was expected.
        message: String,
    },
    /// It stops before its end.
    #[error(
        "the record {path} is cut short after line {number}: expected its closing line, \
            {{\"line\":\"end\",...}}; {series} series are whole"
    )]
    Truncated {
        /// The file.
        path: String,
        /// The last whole line.
        number: usize,
        /// How many series it has.
        series: usize,
    },
    /// The part of a record lies there: a run was stopped, or still goes on.
    #[error("{path} is there: another run was stopped, or goes on")]
    Taken {
        /// The part's file.
        path: String,
    },
    /// A run goes on that writes it.
    #[error("{path} is in use: another run writes it")]
    Busy {
        /// The part's file.
        path: String,
    },
    /// There is nothing to go on with.
    #[error("{path} is not the part of a record that a stopped run leaves")]
    NoPart {
        /// The file.
        path: String,
    },
    /// Written by another version.
    #[error("the record {path} has schema {found}: this program reads schema {SCHEMA}")]
    Schema {
        /// The file.
        path: String,
        /// Its number.
        found: u32,
    },
}
