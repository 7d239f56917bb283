//! How far a run is, for a person who waits.
//!
//! ```text
//! start(work)   group(label) done(planned)   group(label) done(planned)   more(work) ...
//! ```
//!
//! Work is counted in planned time, not in groups: a group of twenty sources takes twenty times as
//! long as a group of one. Groups that are measured again are told by `more`, before they begin.

use std::io::{self, Write};
use std::time::Duration;

/// What a run has to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Groups of cells that are measured in turn, and parts of the work on files.
    pub groups: usize,
    /// Cells: an algorithm at a size in one source.
    pub cells: usize,
    /// How long that takes by the plan; the machine decides.
    pub planned: Duration,
}

impl Work {
    /// Both.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            groups: self.groups + other.groups,
            cells: self.cells + other.cells,
            planned: self.planned + other.planned,
        }
    }
}

/// Is told how far a run is.
pub trait Progress {
    /// What there is to do.
    fn start(&mut self, work: &Work);
    /// There is more to do: groups whose samples were spoiled are measured again.
    fn more(&mut self, work: &Work) {
        let _ = work;
    }
    /// A group begins: algorithm and size.
    fn group(&mut self, label: &str);
    /// It has ended; the plan had given it that long.
    fn done(&mut self, planned: Duration) {
        let _ = planned;
    }
    /// Something a person should know now.
    fn warn(&mut self, message: &str);
}

/// Tells nobody how far a run is; warnings go to stderr.
pub struct OnlyWarnings;

impl Progress for OnlyWarnings {
    fn start(&mut self, _: &Work) {}
    fn group(&mut self, _: &str) {}
    fn warn(&mut self, message: &str) {
        // Nobody to read a warning is no reason to end a run.
        let _ = writeln!(io::stderr(), "{message}");
    }
}
