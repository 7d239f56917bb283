//! The sources of a crate.

use std::fs;
use std::path::{Path, PathBuf};

/// The paths of all files of Rust below a folder.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let paths =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let sources = files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
    sources.chain(folders.iter().flat_map(|folder| below(folder))).collect()
}
