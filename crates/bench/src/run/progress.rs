//! How far a run is.

use std::io::{self, Write};

/// Is told how far a run is.
pub trait Progress {
    /// How many groups there will be.
    fn start(&mut self, groups: usize);
    /// A group begins: algorithm and size.
    fn group(&mut self, label: &str);
    /// Something a person should know now.
    fn warn(&mut self, message: &str);
}

/// Tells nobody how far a run is; warnings go to stderr.
pub struct OnlyWarnings;

impl Progress for OnlyWarnings {
    fn start(&mut self, _: usize) {}
    fn group(&mut self, _: &str) {}
    fn warn(&mut self, message: &str) {
        // Nobody to read a warning is no reason to end a run.
        let _ = writeln!(io::stderr(), "{message}");
    }
}
