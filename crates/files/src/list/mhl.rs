//! Media hash lists: MHL 1.1 and ASC MHL 2.0, the lists of film cards.

mod read;
mod write;

pub(super) use read::Xml;
pub(super) use write::{element, entry, frame};

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MHL 1.1: one file.
    Mhl,
    /// ASC MHL 2.0: a file of a history.
    Asc,
}
