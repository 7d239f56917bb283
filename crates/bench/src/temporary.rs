//! Folders that go when this program ends, by a signal, too: the scripts of runners, the files of a study.

use std::fs::remove_dir_all;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempDir};

/// A new folder whose name begins with `prefix`.
pub(crate) fn folder(prefix: &str) -> io::Result<TempDir> {
    let folder = Builder::new().prefix(prefix).tempdir()?;
    all().push(folder.path().to_owned());
    Ok(folder)
}

/// Removes all of them with what is in them: for a program that a signal is about to end.
pub fn remove() {
    for folder in all().iter() {
        // More than once where somebody is still making files in it; one that is gone already is as good.
        let _ = (0..4).find(|_| remove_dir_all(folder).is_ok());
    }
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}
