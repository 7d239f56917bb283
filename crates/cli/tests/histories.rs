//! ASC MHL histories that copies begin: of whole copies only.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use predicates::str::contains;

fn hashdyno(at: &Path, arguments: &[&str]) -> Assert {
    Command::new(cargo_bin("hashdyno")).args(arguments).current_dir(at).assert()
}

fn write(at: &Path, name: &str, content: &str) {
    let path = at.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The lists of a history, one after another.
fn lists(history: &Path) -> String {
    let entries = fs::read_dir(history).unwrap().map(|entry| entry.unwrap().path());
    let lists = entries.filter(|path| path.extension().is_some_and(|extension| extension == "mhl"));
    lists.map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn a_history_waits_until_every_file_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "card/clip", "clip");
    let copy = ["copy", "card", "late", "shelf", "--format", "ascmhl", "-a", "xxh64"];
    hashdyno(at, &copy)
        .code(1)
        .stderr(contains("shelf: no ASC MHL history is begun, as the copy is not complete"));
    assert!(at.join("shelf/card/clip").exists() && !at.join("shelf/ascmhl").exists());

    write(at, "late", "late");
    hashdyno(at, &[&copy[..], &["--resume"]].concat()).success();
    let lists = lists(&at.join("shelf/ascmhl"));
    assert!(lists.contains("card/clip") && lists.contains(">late<"), "{lists}");
}
