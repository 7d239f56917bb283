//! What goes when this program ends, by a signal, too: runners, the folders of their scripts, the
//! files of a study.

use std::fs::remove_dir_all;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempDir};

/// A new folder whose name begins with `prefix`.
///
/// # Errors
/// Of the file system.
pub fn folder(prefix: &str) -> io::Result<TempDir> {
    let folder = Builder::new().prefix(prefix).tempdir()?;
    all().push(folder.path().to_owned());
    Ok(folder)
}

/// Kills all runners, and removes all folders with the files in them: for a program that a signal
/// is about to end.
pub fn remove() {
    super::group::kill_all();
    for folder in all().iter() {
        // More than once where somebody is still making files in it; one that is gone already is as
        // good.
        let _ = (0..4).find(|_| remove_dir_all(folder).is_ok());
    }
}

/// Kills all runners; their folders go with the values that hold them.
pub fn end_runners() {
    super::group::kill_all();
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}
