//! A file that is there whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that is being written beside the place where it is to be.
#[derive(Debug)]
pub struct Whole {
    file: NamedTempFile,
    path: PathBuf,
}

impl Whole {
    /// Begins a file that will be at `path`.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { file: NamedTempFile::new_in(folder(path))?, path: path.to_owned() })
    }

    /// Makes the file durable and puts it in its place. An old one there is replaced, if it is to be; else it is an error.
    /// Without `permissions` everybody may read it.
    pub fn finish(self, replace: bool, permissions: Option<Permissions>) -> io::Result<()> {
        self.file.as_file().set_permissions(permissions.unwrap_or_else(|| Permissions::from_mode(0o644)))?;
        self.file.as_file().sync_all()?;
        let persisted = if replace { self.file.persist(&self.path) } else { self.file.persist_noclobber(&self.path) };
        persisted.map_err(|error| error.error)?;
        File::open(folder(&self.path))?.sync_all()
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
