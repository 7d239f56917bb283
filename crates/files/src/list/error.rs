//! Why a list cannot be written.

use std::fmt;
use std::io;

/// Why an entry was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The list cannot be written at all.
    /// What was written of it is no list: the caller must not put it in place.
    Io(io::Error),
    /// The dialect cannot carry this name.
    /// Nothing of the entry was written, and the list is as good as before.
    Name(&'static str),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Name(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
