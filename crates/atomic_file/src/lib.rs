//! A file that is there whole or not at all: written under a temporary name beside its place, made
//! durable, then renamed.
//!
//! ```text
//! step                                               a power cut behind it leaves
//! 1. .list.a1B2c3.hashdyno-part is made and locked   the old file, and a temporary one
//! 2. content is written                              the same
//! 3. mode, then fsync of the file                    the same
//! 4. rename to `list`                                the old file or the new one, whole
//! 5. fsync of the folder                             the new file
//! ```
//!
//! The folder is opened before step 4. So where it may not be read, the old file stays.
//!
//! The fsync comes before the rename: a file system may bring names to the device before content,
//! and would then show an empty file under the name.
//!
//! The temporary name is made of the file's own. What a killed program has left under such a name,
//! the next writer of the file removes. A lock tells a file in work from one that was left: locks
//! end with their program.

#![forbid(unsafe_code)]

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions, create_dir_all, remove_file};
use std::io::{BufWriter, Result, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Dir, Mode, OFlags, openat};
use tempfile::{Builder, NamedTempFile};

/// Writes a file that everybody may read; one that is there is replaced. Folders are made.
///
/// # Errors
/// Of the file system, or of `content`. What stood under that name stays, unless the last step
/// fails, the sync of the folder: see [`AtomicFile::finish`].
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    create_dir_all(folder(path))?;
    let mut out = BufWriter::new(AtomicFile::new(path)?);
    content(&mut out)?;
    out.into_inner()?.finish(true, None)
}

/// Removes what killed writers of that file have left beside it: temporary files that nobody has
/// locked.
pub fn remove_left(path: &Path) {
    let (folder, prefix) = (folder(path), prefix(path));
    // The standard library's reader panics where a folder cannot be closed, as on a disk that
    // fails.
    let opened =
        openat(CWD, folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    // A folder that cannot be read may take new files all the same: `finish` refuses it.
    let Ok(entries) = opened.and_then(Dir::new) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_bytes();
        // The name must be one that `new` makes, letter for letter: others are files of the user's.
        let random = name
            .strip_prefix(prefix.as_bytes())
            .and_then(|name| name.strip_suffix(SUFFIX.as_bytes()));
        if !random.is_some_and(|random| {
            random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
        }) {
            continue;
        }
        let path = folder.join(OsStr::from_bytes(name));
        let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        let left = is_file.then(|| File::options().write(true).open(&path));
        if left.is_some_and(|left| left.is_ok_and(|left| left.try_lock().is_ok())) {
            let _ = remove_file(path);
        }
    }
}

/// A file that is being written beside the place where it is to be.
#[derive(Debug)]
pub struct AtomicFile {
    /// Under its temporary name; dropped, it is removed.
    file: NamedTempFile,
    path: PathBuf,
}

impl AtomicFile {
    /// Begins a file that will be at `path`, and removes what killed writers of it have left.
    ///
    /// # Errors
    /// No file can be made in the folder of `path`.
    pub fn new(path: &Path) -> Result<Self> {
        remove_left(path);
        loop {
            let file =
                Builder::new().prefix(&prefix(path)).suffix(SUFFIX).tempfile_in(folder(path))?;
            // The lock says that somebody writes. Where there are no locks, nothing that is left is
            // removed.
            let _ = file.as_file().try_lock();
            // Between its making and its locking, another writer may have taken it for left.
            if file.as_file().metadata()?.nlink() > 0 {
                return Ok(Self { file, path: path.to_owned() });
            }
        }
    }

    /// What the system knows of the file as it is now, under its temporary name.
    ///
    /// # Errors
    /// Of the file system.
    pub fn metadata(&self) -> Result<Metadata> {
        self.file.as_file().metadata()
    }

    /// Gives the file to that user and group, where the system allows it.
    pub fn own(&self, user: u32, group: u32) {
        // Only root may give a file away; a group of one's own may be given by anybody.
        let file = self.file.as_file();
        let _ = fchown(file, Some(user), Some(group)).or_else(|_| fchown(file, None, Some(group)));
    }

    /// Makes the file durable and puts it in its place. An old one there is replaced, if it is to
    /// be; else it is an error. Without `permissions` everybody may read it.
    ///
    /// # Errors
    /// Of the file system; with `replace` false also where `path` is taken. Only a sync of the
    /// folder that fails leaves the new file in the place: a power cut may bring the old one back.
    pub fn finish(self, replace: bool, permissions: Option<Permissions>) -> Result<()> {
        // Before the rename: of a folder that cannot be opened nothing could be synced behind it.
        let folder = File::open(folder(&self.path))?;
        self.file
            .as_file()
            .set_permissions(permissions.unwrap_or_else(|| Permissions::from_mode(0o644)))?;
        self.file.as_file().sync_all()?;
        let persisted = if replace {
            self.file.persist(&self.path)
        } else {
            self.file.persist_noclobber(&self.path)
        };
        persisted.map_err(|error| error.error)?;
        // A rename is durable when its folder is.
        folder.sync_all()
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// What the temporary names of a file begin with: a point, its own name or the beginning of a long
/// one, and another point.
fn prefix(path: &Path) -> OsString {
    let name = path.file_name().map_or(&[][..], OsStr::as_bytes);
    let name = &name[..name.len().min(LONGEST)];
    OsStr::from_bytes(&[b".", name, b"."].concat()).to_owned()
}

/// How temporary names end.
const SUFFIX: &str = ".hashdyno-part";

/// How many random letters and digits [`tempfile`] puts into a name.
const RANDOM: usize = 6;

/// How much of a file's name its temporary names have, in bytes: a name has at most 255.
const LONGEST: usize = 200;

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, read_to_string};
    use std::io::Error;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn what_fails_half_way_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/list");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let half =
            |out: &mut dyn Write| out.write_all(b"half").and(Err(Error::other("the disk is gone")));
        write(&path, half).unwrap_err();
        assert_eq!(read_to_string(&path).unwrap(), "old");
        assert_eq!(
            path.parent().unwrap().read_dir().unwrap().count(),
            1,
            "nothing else lies there"
        );
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[test]
    fn a_folder_that_cannot_be_synced_keeps_the_old_file() {
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            // Root may read every folder: the test runs again as nobody, if there is one.
            let test = "tests::a_folder_that_cannot_be_synced_keeps_the_old_file";
            let mut again = Command::new(std::env::current_exe().unwrap());
            match again.args(["--exact", test]).uid(65534).gid(65534).status() {
                Ok(status) => assert!(status.success()),
                Err(error) => eprintln!("skipped: nothing can be run as nobody: {error}"),
            }
            return;
        }
        let Ok(folder) = tempfile::tempdir() else { return eprintln!("skipped: no folder") };
        let path = folder.path().join("list");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let may = |mode| fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
        // It takes new files, and cannot be opened.
        may(0o300);
        let written = write(&path, |out| out.write_all(b"new"));
        may(0o700);
        written.unwrap_err();
        assert_eq!(read_to_string(&path).unwrap(), "old");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1, "nothing else lies there");
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let mut names: Vec<_> =
                folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let longest = "n".repeat(255);
        for name in ["list", "list.txt", &longest, "-\u{e9}"] {
            let path = folder.path().join(name);
            // A program that is killed neither renames nor removes its file, and its locks go.
            let (killed, left) = AtomicFile::new(&path).unwrap().file.keep().unwrap();
            drop(killed);
            let mut running = AtomicFile::new(&path).unwrap();
            assert!(!left.exists(), "{name}");
            write(&path, |out| out.write_all(b"second")).unwrap();
            running.write_all(b"first").unwrap();
            running.finish(true, None).unwrap();
            assert_eq!(
                read_to_string(&path).unwrap(),
                "first",
                "the file of a running writer stays"
            );
        }
        assert_eq!(names().len(), 4);
        // Files that no writer made, and those of other lists.
        for name in [
            ".list.abcdef.hashdyno-part2",
            ".list.abcdefg.hashdyno-part",
            ".list.ab-def.hashdyno-part",
            ".abcdef.hashdyno-part",
        ] {
            fs::write(folder.path().join(name), "precious").unwrap();
        }
        let (_, other) =
            AtomicFile::new(&folder.path().join("other")).unwrap().file.keep().unwrap();
        write(&folder.path().join("list"), |out| out.write_all(b"third")).unwrap();
        assert!(other.exists());
        assert_eq!(names().len(), 9);
    }

    #[test]
    fn what_must_not_be_replaced_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let mut new = AtomicFile::new(&path).unwrap();
        new.write_all(b"new").unwrap();
        new.finish(false, None).unwrap_err();
        assert_eq!(read_to_string(&path).unwrap(), "old");
    }
}
