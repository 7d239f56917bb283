//! Linux: affinity of threads, descriptors of processes, advice on the page cache.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;

use rustix::fs::{Advice, fadvise};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores that the calling thread may use, the lowest number first.
pub fn allowed_cores() -> io::Result<Vec<usize>> {
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
}

/// What `start` gives, on that core: a process that it starts stays there.
pub fn on_core<T>(core: usize, start: impl FnOnce() -> T) -> io::Result<T> {
    let before = sched_getaffinity(None)?;
    let mut only = CpuSet::new();
    only.set(core);
    // A child inherits the affinity of the thread. There is no other way that suits every program.
    sched_setaffinity(None, &only)?;
    let started = start();
    sched_setaffinity(None, &before)?;
    Ok(started)
}

/// What can be waited for until the child has ended, if the kernel has such a thing.
pub fn end_of(child: &Child) -> Option<OwnedFd> {
    pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok()
}

/// Brings a file that is on its device out of the page cache.
pub fn leave_cache(file: &File) -> io::Result<()> {
    Ok(fadvise(file, 0, None, Advice::DontNeed)?)
}
