//! What the repository holds: nothing large, and records as summaries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench::report::index;

/// Bytes of any file.
const MOST_OF_A_FILE: u64 = 1 << 20;
/// Bytes of a record.
const MOST_OF_A_RECORD: u64 = 200 << 10;
/// Bytes of all records.
const MOST_OF_RECORDS: u64 = 5_000_000;

#[test]
fn no_file_is_large() {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.expect("git runs").stdout;
    let files: Vec<_> =
        listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path).collect();
    assert!(files.len() > 500, "{} files: expected a checkout", files.len());
    for file in files.iter().filter(|file| file.exists()) {
        assert!(len(file) <= MOST_OF_A_FILE, "{}: {} bytes", file.display(), len(file));
    }
}

#[test]
fn records_are_small_and_indexed() {
    let folders =
        fs::read_dir(records()).expect("records/").map(|entry| entry.expect("an entry").path());
    let files: Vec<_> =
        folders.filter(|path| path.is_dir()).flat_map(|folder| inside(&folder)).collect();
    for file in &files {
        assert!(
            len(file) <= MOST_OF_A_RECORD,
            "{}: {} bytes; hashdyno summarize",
            file.display(),
            len(file)
        );
    }
    let all: u64 = files.iter().map(|file| len(file)).sum();
    assert!(all <= MOST_OF_RECORDS, "{all} bytes in all");
    let index = index::of_folder(&records()).expect("every record can be read");
    let written = fs::read_to_string(records().join("README.md")).expect("records/README.md");
    assert!(index == written, "records/README.md is old: hashdyno summarize --index records");
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

fn len(file: &Path) -> u64 {
    fs::metadata(file).expect("a file").len()
}

fn path(name: &[u8]) -> PathBuf {
    root().join(String::from_utf8_lossy(name).as_ref())
}

fn records() -> PathBuf {
    root().join("records")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
