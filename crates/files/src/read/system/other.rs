//! Systems without Linux's calls: less is proved there, nothing is less safe.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::{Errno, Result};

/// The type of the nanoseconds in what the system tells of a file.
pub type Nanoseconds = i64;

/// How a folder is opened of which nothing is read.
pub const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// How a file is opened whose bytes come from the device and not from the cache, if there is a way.
pub const DIRECT: Option<OFlags> = None;

/// Opens a name that leads to nothing outside of the folder: there is no such call.
pub fn open_beneath(
    _folder: impl AsFd,
    _path: &Path,
    _flags: OFlags,
    _follow_links: bool,
) -> Result<OwnedFd> {
    Err(Errno::NOSYS)
}

/// Brings all file systems to their devices: there is no call for one.
pub fn sync_all(_folder: impl AsFd) -> Result<()> {
    rustix::fs::sync();
    Ok(())
}

/// Lets a file leave the cache: there is no call for it.
pub fn leave_cache(_file: &File) {}

/// Has the system read ahead: there is no call for it.
pub fn will_need(_file: &File, _offset: u64, _len: u64) {}

/// Whether direct input reaches the device: there is no direct input.
pub fn goes_to_device(_file: &File) -> bool {
    false
}

/// Whether the file lies on a file system that has no device: the system does not tell.
pub fn in_memory(_file: impl AsFd) -> bool {
    false
}
