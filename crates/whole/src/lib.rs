//! A file that is there whole or not at all: written under a temporary name beside its place, made durable, then renamed.

#![forbid(unsafe_code)]

use std::fs::{File, Permissions, create_dir_all};
use std::io::{BufWriter, Result, Write};
use std::os::unix::fs::{PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file that everybody may read; one that is there is replaced. Folders are made.
///
/// # Errors
/// Of the file system, or of `content`. What stood under that name stays.
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    create_dir_all(folder(path))?;
    let mut out = BufWriter::new(Whole::new(path)?);
    content(&mut out)?;
    out.into_inner()?.finish(true, None)
}

/// A file that is being written beside the place where it is to be.
#[derive(Debug)]
pub struct Whole {
    file: NamedTempFile,
    path: PathBuf,
}

impl Whole {
    /// Begins a file that will be at `path`.
    ///
    /// # Errors
    /// No file can be made in the folder of `path`.
    pub fn new(path: &Path) -> Result<Self> {
        Ok(Self { file: NamedTempFile::new_in(folder(path))?, path: path.to_owned() })
    }

    /// Gives the file to that user and group, where the system allows it.
    pub fn own(&self, user: u32, group: u32) {
        // Only root may give a file away; a group of one's own may be given by anybody.
        let file = self.file.as_file();
        let _ = fchown(file, Some(user), Some(group)).or_else(|_| fchown(file, None, Some(group)));
    }

    /// Makes the file durable and puts it in its place. An old one there is replaced, if it is to be; else it is an error.
    /// Without `permissions` everybody may read it.
    ///
    /// # Errors
    /// Of the file system; with `replace` false also where `path` is taken.
    pub fn finish(self, replace: bool, permissions: Option<Permissions>) -> Result<()> {
        self.file.as_file().set_permissions(permissions.unwrap_or_else(|| Permissions::from_mode(0o644)))?;
        self.file.as_file().sync_all()?;
        let persisted = if replace { self.file.persist(&self.path) } else { self.file.persist_noclobber(&self.path) };
        persisted.map_err(|error| error.error)?;
        File::open(folder(&self.path))?.sync_all()
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::fs::read_to_string;
    use std::io::Error;

    use super::*;

    #[test]
    fn what_fails_half_way_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/list");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let half = |out: &mut dyn Write| out.write_all(b"half").and(Err(Error::other("the disk is gone")));
        write(&path, half).unwrap_err();
        assert_eq!(read_to_string(&path).unwrap(), "old");
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1, "nothing else lies there");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[test]
    fn what_must_not_be_replaced_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let mut new = Whole::new(&path).unwrap();
        new.write_all(b"new").unwrap();
        new.finish(false, None).unwrap_err();
        assert_eq!(read_to_string(&path).unwrap(), "old");
    }
}
