//! Figures that another program printed, whichever it was.
//!
//! Each reader of a format gives this. One function turns it into a record.

use gauge::Interval;

/// One figure of another program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    /// The algorithm by our name where we know it, else as printed; hyperfine's command.
    pub(super) algorithm: String,
    /// Message length in bytes; 0 where the program does not say.
    pub(super) size: usize,
    /// Nanoseconds per call, and how far they spread if the program says that.
    pub(super) ns: Interval,
    /// Runs that it rests on; 1 where it is one rate.
    pub(super) runs: usize,
}

/// What a program printed.
#[derive(Debug)]
pub(super) struct Printed {
    /// The program, which stands in the provider's place.
    pub(super) program: &'static str,
    pub(super) figures: Vec<Figure>,
}
