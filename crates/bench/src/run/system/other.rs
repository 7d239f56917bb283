//! Other systems: each call is refused, or does without.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;

/// The cores that the calling thread may use: never known.
pub fn allowed_cores() -> io::Result<Vec<usize>> {
    Err(refused("tells no thread on which cores it may run"))
}

/// What `start` gives, on that core.
pub fn on_core<T>(_core: usize, _start: impl FnOnce() -> T) -> io::Result<T> {
    Err(refused("keeps no process on a core"))
}

/// What can be waited for until the child has ended.
pub fn end_of(_child: &Child) -> Option<OwnedFd> {
    None
}

/// Brings a file out of the page cache.
pub fn leave_cache(_file: &File) -> io::Result<()> {
    Err(refused("brings no file out of its cache"))
}

fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("this system {what}: Linux does"))
}
