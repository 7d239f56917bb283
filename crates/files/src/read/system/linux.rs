//! Linux: `openat2` opens beneath a folder, `O_DIRECT` passes the cache by, and `statx` says since
//! 6.1 whether it does so for a file.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    Advice, AtFlags, Mode, OFlags, ResolveFlags, StatxFlags, fadvise, fstat, fstatfs, major, minor,
    openat2, statx,
};
use rustix::io::Result;

/// The type of the nanoseconds in what the system tells of a file.
pub type Nanoseconds = u64;

/// How a folder is opened of which nothing is read.
pub const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);

/// How a file is opened whose bytes come from the device and not from the cache, if there is a way.
pub const DIRECT: Option<OFlags> = Some(OFlags::DIRECT);

/// Opens a name that leads to nothing outside of the folder. `ENOSYS` from kernels without the
/// call.
pub fn open_beneath(
    folder: impl AsFd,
    path: &Path,
    flags: OFlags,
    follow_links: bool,
) -> Result<OwnedFd> {
    let links = if follow_links { ResolveFlags::empty() } else { ResolveFlags::NO_SYMLINKS };
    // Links in `/proc` lead to open files, wherever these are: never below the folder.
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | links;
    openat2(folder, path, flags, Mode::empty(), resolve)
}

/// Brings all of the file system that a folder is on to its device.
pub fn sync_all(folder: impl AsFd) -> Result<()> {
    rustix::fs::syncfs(folder)
}

/// A file that is on the device leaves the cache; whether it did, the system does not tell.
pub fn leave_cache(file: &File) {
    let _ = fadvise(file, 0, None, Advice::DontNeed);
}

/// Has the system read ahead of somebody who will read that range in no order that it would see.
pub fn will_need(file: &File, offset: u64, len: u64) {
    let _ = fadvise(file, offset, len.try_into().ok(), Advice::WillNeed);
}

/// Whether direct input from this very file reaches the device. Ext4 and others take the flag and
/// read through the cache where data are in the inode, in the journal or encrypted; since Linux 6.1
/// they say so.
pub fn goes_to_device(file: &File) -> bool {
    // The file system on it cannot know that its device has a cache of its own.
    if is_cached_loop(file) {
        return false;
    }
    let told = statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN);
    match told {
        // An alignment of 0 says that this file has no direct input.
        Ok(stat) if stat.stx_mask & StatxFlags::DIOALIGN.bits() != 0 => stat.stx_dio_mem_align != 0,
        _ => fstatfs(file).is_ok_and(|stat| ALWAYS_DIRECT.contains(&(stat.f_type as u64))),
    }
}

/// Whether the file lies on a loop device without direct input: the bytes then come from the cache
/// of the file behind it.
fn is_cached_loop(file: &File) -> bool {
    let Ok(device) = fstat(file).map(|stat| stat.st_dev) else { return false };
    let name = format!("/sys/dev/block/{}:{}", major(device), minor(device));
    is_cached_loop_device(Path::new(&name))
}

/// The same of the folder in which the kernel tells of a device.
fn is_cached_loop_device(device: &Path) -> bool {
    let told = |what: &str| {
        ["loop", "../loop"]
            .iter()
            .find_map(|at| std::fs::read_to_string(device.join(at).join(what)).ok())
    };
    // A partition has the properties of its disk in the folder above.
    let behind = told("backing_file").and_then(|path| File::open(path.trim_end_matches('\n')).ok());
    behind.is_some_and(in_memory) || told("dio").is_some_and(|direct| direct.trim() != "1")
}

/// Whether the file lies on a file system that has no device.
pub fn in_memory(file: impl AsFd) -> bool {
    const TMPFS: u64 = 0x0102_1994;
    const RAMFS: u64 = 0x8584_58f6;
    fstatfs(file).is_ok_and(|stat| matches!(stat.f_type as u64, TMPFS | RAMFS))
}

/// File systems whose direct input never goes through the cache: XFS, FAT, exFAT.
const ALWAYS_DIRECT: [u64; 3] = [0x5846_5342, 0x4d44, 0x2011_bab0];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_loop_device_reads_through_the_cache_unless_it_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let (disk, partition) = (folder.path().join("disk"), folder.path().join("disk/part"));
        let of_both = || [&disk, &partition].map(|device| is_cached_loop_device(device));
        fs::create_dir_all(&partition).unwrap();
        assert_eq!(of_both(), [false, false], "no loop device");
        fs::create_dir(disk.join("loop")).unwrap();
        for (direct, cached) in [("0\n", true), ("1\n", false)] {
            fs::write(disk.join("loop/dio"), direct).unwrap();
            assert_eq!(of_both(), [cached, cached], "{direct}");
        }
        // A file in memory has no device, whatever the loop device says of direct input.
        let Ok(behind) = tempfile::NamedTempFile::new_in("/dev/shm") else { return };
        fs::write(disk.join("loop/backing_file"), format!("{}\n", behind.path().display()))
            .unwrap();
        assert_eq!(of_both(), [true, true]);
    }
}
