//! The two media hash lists.

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MHL 1.1: one file.
    Mhl,
    /// ASC MHL 2.0: a file of a history.
    Asc,
}
