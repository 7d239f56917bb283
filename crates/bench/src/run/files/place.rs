//! Where the files of a study lie while it runs.
//!
//! Without a folder of the user's they lie in a temporary one and go with this value. In a folder
//! of the user's photographs stay, for the next run. Free space is asked for before anything is
//! written: a full disk would harm other programs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use runner::temporary;
use rustix::fs::statvfs;
use tempfile::TempDir;

/// A folder for the files of a study, removed with them unless the user named it.
pub struct Place {
    path: PathBuf,
    _temporary: Option<TempDir>,
}

/// What keeps the files of a study from being made or read.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} in {folder}: {source}")]
pub struct FilesError {
    action: &'static str,
    folder: String,
    source: io::Error,
}

impl Place {
    /// In the folder `keep`, which stays with the photographs in it, or in a temporary one.
    ///
    /// # Errors
    /// [`FilesError`]: the folder cannot be made.
    pub fn new(keep: Option<&Path>) -> Result<Self, FilesError> {
        let parent = keep.map_or_else(std::env::temp_dir, Path::to_owned);
        let error = |source| FilesError {
            action: "make a folder",
            folder: parent.display().to_string(),
            source,
        };
        match keep {
            Some(path) => {
                fs::create_dir_all(path).map_err(error)?;
                Ok(Self { path: path.to_owned(), _temporary: None })
            }
            None => {
                let folder = temporary::folder("hashdyno-files-").map_err(error)?;
                Ok(Self { path: folder.path().to_owned(), _temporary: Some(folder) })
            }
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error unless `bytes` fit.
    ///
    /// # Errors
    /// [`FilesError`]: fewer bytes are free than that and a sixteenth more, or nobody says how
    /// many.
    pub fn need(&self, bytes: u64) -> Result<(), FilesError> {
        let free = statvfs(&self.path).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        let free = free.map_err(|error| self.error("ask for the free space")(error.into()))?;
        let least = bytes.saturating_add(bytes / 16 + SPARE);
        let few = || io::Error::other(format!("{free} bytes are free, expected {least}"));
        if free < least { Err(self.error("make files")(few())) } else { Ok(()) }
    }

    /// Turns an error of the system into ours.
    pub fn error(&self, action: &'static str) -> impl Fn(io::Error) -> FilesError {
        let folder = self.path.display().to_string();
        move |source| FilesError { action, folder: folder.clone(), source }
    }
}

/// Left free for everybody else.
const SPARE: u64 = 64 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_too_small_is_told_before_anything_is_written() {
        let place = Place::new(None).unwrap();
        place.need(0).unwrap();
        let error = place.need(1 << 60).unwrap_err().to_string();
        assert!(error.contains("are free, expected 12"), "{error}");
        let error = place.need(u64::MAX).unwrap_err().to_string();
        assert!(error.contains("are free, expected 18446744073709551615"), "{error}");
    }

    #[test]
    fn a_temporary_folder_goes_and_a_named_one_stays() {
        let place = Place::new(None).unwrap();
        let path = place.path().to_owned();
        assert!(path.is_dir());
        drop(place);
        assert!(!path.exists());
        let parent = tempfile::tempdir().unwrap();
        let named = parent.path().join("a/b");
        drop(Place::new(Some(&named)).unwrap());
        assert!(named.is_dir());
    }
}
