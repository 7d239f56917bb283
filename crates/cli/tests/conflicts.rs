//! Copies that take names from other contents: nothing that this job has copied is lost. Command
//! lines in any order. Histories of whole copies only.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn hashdyno(at: &Path, arguments: &[&str]) -> Assert {
    Command::new(cargo_bin("hashdyno")).args(arguments).current_dir(at).assert()
}

fn write(at: &Path, name: &str, content: &str) {
    let path = at.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The files of a folder with their contents, by name.
fn files(folder: &Path) -> Vec<(String, String)> {
    let content = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        Some((name, fs::read_to_string(entry.path()).ok()?))
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().filter_map(|entry| content(entry.unwrap())).collect();
    files.sort();
    files
}

fn named(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|&(name, content)| (name.to_owned(), content.to_owned())).collect()
}

#[test]
fn no_file_of_a_job_replaces_another_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, content) in
        [("card/100/a.jpg", "AAAA"), ("card/101/a.jpg", "BBBB"), ("to/a.jpg", "old!")]
    {
        write(at, name, content);
    }
    let copy = ["copy", "card", "to", "--layout", "{name}", "--on-conflict", "replace"];
    hashdyno(at, &[&copy[..], &["--manifest", "list"]].concat())
        .success()
        .stdout(contains("1 replaced another content").and(contains("1 beside another content")));
    assert_eq!(files(&at.join("to")), named(&[("a-1.jpg", "BBBB"), ("a.jpg", "AAAA")]));
    hashdyno(at, &["check", "-C", "to", "list"]).success();
}

#[test]
fn a_source_in_the_destination_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "photos/2024/05/a.jpg", "of May");
    write(at, "photos/2024/a.jpg", "another");
    let copy = ["copy", "photos/2024", "photos", "--layout", "2024/{name}"];
    hashdyno(at, &[&copy[..], &["--on-conflict", "replace"]].concat()).code(2).stderr(
        contains("the source photos/2024 lies in the destination photos")
            .and(contains("hint: leave --on-conflict replace out")),
    );
    assert_eq!(files(&at.join("photos/2024")), named(&[("a.jpg", "another")]));
    assert_eq!(files(&at.join("photos/2024/05")), named(&[("a.jpg", "of May")]));
    assert!(!at.join("photos/.hashdyno-copy").exists(), "nothing was made");
    hashdyno(at, &copy).success();
    let expected = named(&[("a-1.jpg", "of May"), ("a.jpg", "another")]);
    assert_eq!(files(&at.join("photos/2024")), expected);
}

#[test]
fn a_plan_ends_as_its_copy_does() {
    for (other, on_conflict, code, told) in [
        ("same", "refuse", 0, "to: 1 file present"),
        ("same", "suffix", 0, "to: 1 file present"),
        ("rest", "refuse", 1, "to/a.txt: would be refused"),
        ("rest", "replace", 0, "to/a-1.txt: would be copied beside another content"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        write(at, "a/a.txt", "same");
        write(at, "b/a.txt", other);
        let copy = ["copy", "a", "b", "to", "--layout", "{name}", "--on-conflict", on_conflict];
        hashdyno(at, &[&copy[..], &["--dry-run"]].concat()).code(code).stdout(contains(told));
        hashdyno(at, &copy).code(code);
    }
}

#[test]
fn a_plan_refuses_the_job_that_its_copy_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "card/a.txt", "a");
    for (words, told) in [
        (&["card", "card/to"][..], "lies in the source card"),
        (&["card", "to", "--also", "./to"], "named twice as a destination"),
        (&["card", ".", "--on-conflict", "replace"], "lies in the destination ."),
    ] {
        for planned in [&["--dry-run"][..], &[]] {
            let copy = [&["copy"], words, planned].concat();
            hashdyno(at, &copy).code(2).stderr(contains(told).and(contains("hint: ")));
        }
        assert!(!at.join("to").exists(), "nothing was made");
    }
    interrupted(at, "device");
    for planned in [&["--dry-run"][..], &[]] {
        let copy = [&["copy", "card", "to"], planned].concat();
        hashdyno(at, &copy).code(2).stderr(contains("an earlier copy into it was not finished"));
        hashdyno(at, &[&copy[..], &["--resume", "-a", "md5"]].concat())
            .code(2)
            .stderr(contains("another layout or other digests"));
    }
    let resumed = ["copy", "card", "to", "--dry-run", "--resume"];
    hashdyno(at, &resumed).success().stdout(contains("to: 1 file present"));
}

/// A first run that leaves its journal: one of its two files meets another content.
fn interrupted(at: &Path, verify: &str) {
    for (name, content) in [("card/x", "old!"), ("card/y", "y"), ("to/card/y", "other")] {
        write(at, name, content);
    }
    let refuse = ["copy", "card", "to", "--on-conflict", "refuse", "--verify", verify];
    hashdyno(at, &refuse).code(1);
    fs::remove_file(at.join("to/card/y")).unwrap();
    write(at, "card/x", "new!");
}

#[test]
fn a_source_that_changed_between_runs_replaces_its_own_copy() {
    for verify in ["none", "device"] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        interrupted(at, verify);
        let resume = ["copy", "card", "to", "--resume", "--on-conflict", "replace"];
        hashdyno(at, &[&resume[..], &["--manifest", "list"]].concat()).success();
        assert_eq!(files(&at.join("to/card")), named(&[("x", "new!"), ("y", "y")]), "{verify}");
        assert_eq!(fs::read_to_string(at.join("list")).unwrap().matches("card/x").count(), 1);
        hashdyno(at, &["check", "-C", "to", "list"]).success();
    }
}

#[test]
fn a_source_that_changed_between_runs_is_read_again_for_each_content() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    interrupted(at, "none");
    hashdyno(at, &["copy", "card", "to", "--resume", "--reread-source"])
        .code(1)
        .stderr(contains("card/x reads back differently").or(contains("reads differently")));
    let files = files(&at.join("to/card"));
    assert!(files.contains(&("x-1".to_owned(), "new!".to_owned())), "{files:?}");
}

#[test]
fn options_may_stand_among_the_folders() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a/x", "x");
    write(at, "b/y", "y");
    for arguments in [["-q", "a", "b", "to"], ["a", "-q", "b", "to"], ["a", "b", "-q", "to"]] {
        hashdyno(at, &[&["copy"], &arguments[..]].concat()).success();
        assert!(at.join("to/a/x").exists() && at.join("to/b/y").exists(), "{arguments:?}");
        fs::remove_dir_all(at.join("to")).unwrap();
    }
    hashdyno(at, &["copy", "a"])
        .code(2)
        .stderr(contains("copy needs a folder to copy into").and(contains("hint:")));
    hashdyno(at, &["copy"]).code(2).stderr(contains("hint:").or(contains("Usage:")));
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
