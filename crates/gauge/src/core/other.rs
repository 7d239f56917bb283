//! Systems that keep no thread on a core, and tell of no thread how often it lost one.

use std::io;

/// The cores that the calling thread may use: never known.
pub(super) enum Allowed {}

impl Allowed {
    pub fn now() -> io::Result<Self> {
        let text = "this system keeps no thread on a core, so nothing can be measured: Linux does";
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }

    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = usize> {
        std::iter::empty()
    }

    pub fn pin(&self, _: usize) -> io::Result<()> {
        match *self {}
    }

    pub fn give_back(&self) {}
}

/// How often the calling thread lost its core.
pub(super) fn preemptions() -> u64 {
    0
}
