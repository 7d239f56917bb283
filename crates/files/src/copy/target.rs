//! A folder that is copied into. Nothing is written outside of it, no name in it is ever replaced.
//!
//! ```text
//! DEST/.hashdyno-copy/journal        locked while a copy runs
//! DEST/.hashdyno-copy/0, 1, 2 ...    temporary files; those of a dead run go by `sweep`
//! DEST/2024/a.jpg                    a file that has its name
//! DEST/2024/a.jpg.damaged            it did not read back as it was copied
//! DEST/2024/a.jpg.replaced           another content, from which the new file took the name
//! ```
//!
//! Every name is opened from the handle of the folder, part by part and through no link. So a link
//! that somebody puts into the destination meanwhile leads no write outside. Every name is given by
//! a rename that fails where the name is taken.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, CWD, Dev, Dir, FileType, FlockOperation, Mode, OFlags, RenameFlags, Stat, flock,
    fstat, fsync, linkat, mkdir, mkdirat, openat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use super::layout::{name, tidy};
use super::suffix::suffixed;
use crate::read::system;

/// The folder in a destination that holds unfinished files and the journal while a copy is under
/// way.
pub const STAGING: &str = ".hashdyno-copy";

/// The name of the journal in it.
pub const JOURNAL: &str = "journal";

/// What stands behind the name of a content that was moved aside, as another file takes its name.
pub const REPLACED: &[u8] = b".replaced";

/// A destination.
pub struct Target {
    /// As the user wrote it, for messages alone: it may lead elsewhere by now.
    path: PathBuf,
    root: OwnedFd,
    /// `.hashdyno-copy` in the folder.
    staging: Arc<OwnedFd>,
    /// The name of the next temporary file.
    count: AtomicU64,
}

/// A file being written; it is gone unless it is given a name.
pub struct Temp {
    /// Open for writing.
    pub file: File,
    staging: Arc<OwnedFd>,
    name: String,
    /// Whether it has left the staging folder: then it is not removed.
    placed: bool,
}

impl Target {
    /// Opens the folder, or makes it where only its own name is missing.
    pub fn open(path: &Path) -> io::Result<Self> {
        let made = match mkdir(path, Mode::from_raw_mode(0o777)) {
            Ok(()) => true,
            Err(Errno::EXIST) => false,
            Err(error) => return Err(error.into()),
        };
        // The user may name a link to the folder. Below it, links are strangers'.
        let root = openat(CWD, path, FOLDER - OFlags::NOFOLLOW, Mode::empty())?;
        match mkdirat(&root, STAGING, Mode::from_raw_mode(0o700)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let staging = Arc::new(openat(
            &root,
            STAGING,
            FOLDER_TO_SYNC.union(OFlags::NOFOLLOW),
            Mode::empty(),
        )?);
        if made {
            // Not every file system keeps the name of a new folder otherwise.
            let parent =
                path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
            File::open(parent)
                .map_or_else(|_| Ok(system::sync_all(&*staging)?), |parent| parent.sync_all())?;
        }
        Ok(Self { path: path.to_owned(), root, staging, count: AtomicU64::new(0) })
    }

    /// Whether the other destination is the same folder, whatever it was called.
    pub fn is(&self, other: &Self) -> io::Result<bool> {
        Ok(identity(&self.root)? == identity(&other.root)?)
    }

    /// The folder, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the journal, or makes it, and locks it.
    pub fn journal(&self) -> io::Result<File> {
        let journal = openat(&*self.staging, JOURNAL, OLD_OR_NEW, Mode::from_raw_mode(0o600))?;
        let busy = || io::Error::new(ErrorKind::ResourceBusy, "another copy into it is under way");
        match flock(&journal, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => return Err(busy()),
            locked => locked?,
        }
        match fstat(&journal)?.st_nlink {
            1 => Ok(journal.into()),
            // The other copy ended, and removed it, before it was locked.
            0 => Err(busy()),
            // Whoever prepared the destination may have linked any file to this name.
            _ => Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("{STAGING}/{JOURNAL} has another name, too, and is left alone"),
            )),
        }
    }

    /// Removes the temporary files of an interrupted copy, whose names are numbers. Other files are
    /// not ours.
    pub fn sweep(&self) -> io::Result<()> {
        for entry in Dir::read_from(&*self.staging)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name.iter().all(u8::is_ascii_digit) {
                unlinkat(&*self.staging, OsStr::from_bytes(name), AtFlags::empty())?;
            }
        }
        Ok(())
    }

    /// Removes the journal and what is beside it: the copy is finished.
    pub fn tidy(&self) -> io::Result<()> {
        // Temporary files that could not be removed when their `Temp` was dropped.
        self.sweep()?;
        unlinkat(&*self.staging, JOURNAL, AtFlags::empty())?;
        match unlinkat(&self.root, STAGING, AtFlags::REMOVEDIR) {
            // Files that no copy made stay there.
            Ok(()) | Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// A new file without a name of its own yet.
    pub fn temp(&self) -> io::Result<Temp> {
        let name = self.count.fetch_add(1, Ordering::Relaxed).to_string();
        let file = openat(&*self.staging, &name, NEW, Mode::from_raw_mode(0o600))?.into();
        Ok(Temp { file, staging: self.staging.clone(), name, placed: false })
    }

    /// What lies under that name; a link is not followed.
    pub fn stat(&self, place: &[u8]) -> io::Result<Option<Stat>> {
        let folder = self.parent(place, &mut None)?;
        folder.map_or(Ok(None), |folder| stat_in(&folder, place))
    }

    /// Opens the file of that name for reading, with these flags besides.
    pub fn read(&self, place: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
        let folder = self.parent(place, &mut None)?.ok_or(Errno::NOENT)?;
        let flags = TO_READ.union(flags);
        Ok(openat(&folder, OsStr::from_bytes(name(place)), flags, Mode::empty())?)
    }

    /// Gives a finished file that name, unless something has it: then `false`. Folders are made as
    /// needed. `touched` hears of every folder that must reach the device for the name to last.
    pub fn give(
        &self,
        temp: &mut Temp,
        place: &[u8],
        touched: &mut impl Extend<Vec<u8>>,
    ) -> io::Result<bool> {
        let mut made = Some(Vec::new());
        let folder = self.parent(place, &mut made);
        // Folders that were made must reach the device, also if the file gets no name in them.
        touched.extend(made.unwrap_or_default());
        let folder = folder?.ok_or(Errno::NOENT)?;
        let done = rename(&temp.staging, temp.name.as_str(), &folder, name(place))?;
        temp.placed = done;
        touched.extend(done.then(|| parent(place).to_vec()));
        Ok(done)
    }

    /// Moves a file that is not what it should be out of its name, and gives the new one.
    pub fn set_aside(&self, place: &[u8]) -> io::Result<Vec<u8>> {
        self.move_aside(place, b".damaged", |_| Ok(()))
    }

    /// Moves a file that another is to replace out of its name, and gives the new one; `before`
    /// hears of it first.
    pub fn keep(
        &self,
        place: &[u8],
        before: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        self.move_aside(place, REPLACED, before)
    }

    /// Gives a file that was kept its name again; `false` if something has it.
    pub fn restore(&self, aside: &[u8], place: &[u8]) -> io::Result<bool> {
        let folder = self.parent(place, &mut None)?.ok_or(Errno::NOENT)?;
        let done = rename(&folder, name(aside), &folder, name(place))?;
        fsync(File::from(openat(&folder, ".", FOLDER_TO_SYNC, Mode::empty())?))?;
        Ok(done)
    }

    /// Removes a file that was kept.
    pub fn remove(&self, aside: &[u8]) -> io::Result<()> {
        let folder = self.parent(aside, &mut None)?.ok_or(Errno::NOENT)?;
        Ok(unlinkat(&folder, OsStr::from_bytes(name(aside)), AtFlags::empty())?)
    }

    fn move_aside(
        &self,
        place: &[u8],
        ending: &[u8],
        mut before: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        let folder = self.parent(place, &mut None)?.ok_or(Errno::NOENT)?;
        for aside in suffixed(&[place, ending].concat()) {
            if stat_in(&folder, &aside)?.is_some() {
                continue;
            }
            before(&aside)?;
            if rename(&folder, name(place), &folder, name(&aside))? {
                // The file must have a name on the device, before its old name is given away.
                fsync(File::from(openat(&folder, ".", FOLDER_TO_SYNC, Mode::empty())?))?;
                return Ok(aside);
            }
        }
        Err(Errno::EXIST.into())
    }

    /// Brings the names in a folder to the device.
    pub fn sync(&self, folder: &[u8]) -> io::Result<()> {
        let folder = self.folder(folder, &mut None)?.ok_or(Errno::NOENT)?;
        // On Linux the handle is of O_PATH, which cannot be synced: the folder is opened again.
        Ok(fsync(openat(&folder, ".", FOLDER_TO_SYNC, Mode::empty())?)?)
    }

    /// Opens the folder of a file. The file's name must be one that [`tidy`] leaves as it is.
    fn parent(&self, place: &[u8], made: &mut Option<Vec<Vec<u8>>>) -> io::Result<Option<OwnedFd>> {
        if tidy(place).as_deref() != Some(place) {
            return Err(io::Error::other(format!(
                "{} is not a name below the destination",
                crate::read::names::quoted(place)
            )));
        }
        if is_staging(place.split(|&byte| byte == b'/').next().unwrap_or_default()) {
            return Err(kept());
        }
        self.folder(parent(place), made)
    }

    /// Opens a folder, part by part, so that no link is ever followed; `None` if it is not there.
    /// With a list in `made`, makes what is missing, and puts into it the folders that it made
    /// something in.
    fn folder(
        &self,
        folder: &[u8],
        made: &mut Option<Vec<Vec<u8>>>,
    ) -> io::Result<Option<OwnedFd>> {
        let mut at = self.root.as_fd().try_clone_to_owned()?;
        let mut len = 0;
        for part in folder.split(|&byte| byte == b'/').filter(|part| !part.is_empty()) {
            let part_name = OsStr::from_bytes(part);
            let mut opened = openat(&at, part_name, FOLDER, Mode::empty());
            if let (Err(Errno::NOENT), Some(made)) = (&opened, made.as_mut()) {
                match mkdirat(&at, part_name, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => made.push(folder[..len].to_vec()),
                    Err(error) => return Err(error.into()),
                }
                opened = openat(&at, part_name, FOLDER, Mode::empty());
            }
            at = match opened {
                Ok(opened) => opened,
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    return Err(self.no_folder(&folder[..len + part.len()], &at, part_name));
                }
                Err(error) => return Err(error.into()),
            };
            // By its identity, as a file system that folds letters knows the folder by many names.
            if len == 0 && identity(&at)? == identity(&self.staging)? {
                return Err(kept());
            }
            len += part.len() + 1;
        }
        Ok(Some(at))
    }

    fn no_folder(&self, shown: &[u8], parent: &OwnedFd, part: &OsStr) -> io::Error {
        let kind = statat(parent, part, AtFlags::SYMLINK_NOFOLLOW)
            .map(|stat| FileType::from_raw_mode(stat.st_mode));
        let kind = if kind == Ok(FileType::Symlink) {
            "a link, which is not followed"
        } else {
            "no folder"
        };
        let shown = [crate::read::names::name(&self.path), shown].join(&b'/');
        io::Error::other(format!("{} is {kind}", crate::read::names::quoted(&shown)))
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        if !self.placed {
            // What cannot be removed is swept by the next copy.
            let _ = unlinkat(&*self.staging, self.name.as_str(), AtFlags::empty());
        }
    }
}

const FOLDER: OFlags = system::FOLDER.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FOLDER_TO_SYNC: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How files are opened: none by a link, and a pipe without waiting for its writer. `O_EXCL`
/// follows no link either.
const OLD_OR_NEW: OFlags =
    OFlags::RDWR.union(OFlags::CREATE).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);
const NEW: OFlags = OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::CLOEXEC);
const TO_READ: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK);

/// Whether a file system could take the name for that of [`STAGING`]: many know no case.
pub fn is_staging(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(STAGING.as_bytes())
}

fn kept() -> io::Error {
    io::Error::other(format!(
        "{STAGING} is kept for unfinished copies: nothing can be copied into it"
    ))
}

/// What lies in a folder under the last part of that name.
fn stat_in(folder: &OwnedFd, place: &[u8]) -> io::Result<Option<Stat>> {
    match statat(folder, OsStr::from_bytes(name(place)), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Which folder that is: device and inode.
fn identity(folder: &OwnedFd) -> io::Result<(Dev, u64)> {
    let stat = fstat(folder)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// The folder of a place, with the slash behind it; nothing for the destination itself.
pub fn parent(place: &[u8]) -> &[u8] {
    &place[..place.len() - name(place).len()]
}

/// Renames without ever replacing; `false` if the new name is taken.
fn rename(
    from: &OwnedFd,
    old: &(impl AsRef<[u8]> + ?Sized),
    to: &OwnedFd,
    new: &[u8],
) -> io::Result<bool> {
    let (old, new) = (OsStr::from_bytes(old.as_ref()), OsStr::from_bytes(new));
    let renamed = match renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        // The file system does not know how: a link does not replace either.
        // NFS is one. A kill between the calls leaves both names; a temporary one is swept.
        Err(Errno::INVAL | Errno::NOSYS) => linkat(from, old, to, new, AtFlags::empty())
            .and_then(|()| unlinkat(from, old, AtFlags::empty())),
        renamed => renamed,
    };
    match renamed {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(Errno::XDEV) => Err(io::Error::other(
            "lies on another file system than the destination: copy into it by its own name",
        )),
        Err(error) => Err(error.into()),
    }
}

// Not in a folder of this file's name: tools leave out folders called `target`.
#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
