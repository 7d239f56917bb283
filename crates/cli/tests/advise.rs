//! What `advise` says: rankings from records and from a measurement, and a plain no.

use std::path::Path;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use bench::{Record, Size};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

const RECORD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../records/intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst"
);

fn advise(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("hashdyno"));
    command.arg("advise").args(arguments).env("NO_COLOR", "1").env_remove("COLUMNS");
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = advise(&[arguments, &["--json"]].concat()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text} {output:?}"))
}

fn rows(document: &Value) -> &[Value] {
    document["ranking"].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn purposes_are_named() {
    advise(&[])
        .assert()
        .success()
        .stdout(contains("file-integrity").and(contains("passwords")).and(contains("purposes")));
    let document = json(&[]);
    assert_eq!(document["schema"], 1);
    assert!(document["purposes"].as_array().unwrap().len() >= 15, "{document}");
}

#[test]
fn where_nothing_fits_the_answer_is_no() {
    let no = contains("No. ").and(contains("argon2id")).and(contains("bcrypt"));
    advise(&["passwords"]).assert().success().stdout(no);
    advise(&["Password Storage"]).assert().success().stdout(contains("No. "));
    advise(&["php-session-ids"]).assert().success().stdout(contains("random_bytes"));
    let document = json(&["passwords"]);
    assert_eq!((document["answer"].as_str(), rows(&document).len()), (Some("no"), 0));
    assert!(document["instead"].as_array().unwrap().iter().any(|one| one == "argon2id"));
}

#[test]
fn what_fits_is_ranked_by_the_figures_of_a_record() {
    let document = json(&["file-integrity", "--record", RECORD, "--size", "5000,5"]);
    let found = rows(&document);
    assert!(document["answer"] == "yes" && found.len() >= 5, "{document}");
    let ns = |row: &Value, place: usize| row["figures"][place]["ns"]["value"].as_f64().unwrap();
    for pair in found.windows(2) {
        assert!(ns(&pair[0], 0) <= ns(&pair[1], 0), "{pair:?}");
    }
    for row in found {
        assert!(row["security"] == "sound" && row["bits"].as_u64() >= Some(256), "{row}");
        assert_eq!(row["figures"][0]["measured_size"], 5000);
        assert_eq!(row["figures"][1]["measured_size"], 5);
    }
    assert!(found.iter().all(|row| row["algorithm"] != "md5"));
    let says = document["says"].as_str().unwrap();
    assert!(
        says.starts_with(&format!("Take {}", found[0]["algorithm"].as_str().unwrap())),
        "{says}"
    );
}

#[test]
fn only_what_is_installed_counts() {
    let document = json(&["accidents", "--record", RECORD, "--installed", "php,openssl"]);
    let found = rows(&document);
    assert!(found.len() >= 10, "{document}");
    assert!(
        found.iter().all(|row| ["php", "openssl"].contains(&row["provider"].as_str().unwrap()))
    );
    let other = json(&["accidents", "--record", RECORD, "--installed", "java"]);
    assert!(rows(&other).is_empty() && other["says"].as_str().unwrap().starts_with("Nothing"));
    advise(&["accidents", "--record", RECORD, "--installed", "java"]).assert().code(1);
}

#[test]
fn a_table_comes_before_what_to_take_and_why() {
    let said = |more: &[&str]| {
        let output = advise(&[&["accidents", "--record", RECORD], more].concat()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (text, full) = (said(&[]), said(&["--full"]));
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}: {text}"));
    assert!(
        place("time / best") < place("\nTake ") && place("\nTake ") < place("\nNot: "),
        "{text}"
    );
    assert!(text.contains("with --full") && !full.contains("with --full"), "{full}");
    assert!(full.lines().count() > text.lines().count(), "{full}");
}

#[test]
fn one_size_of_a_record_stands_for_all_algorithms() {
    // The record has a few algorithms at 8192 bytes and all at 5000.
    let document = json(&["file-integrity", "--record", RECORD, "--size", "1M"]);
    for row in rows(&document) {
        assert_eq!(row["figures"][0]["measured_size"], 5000, "{row}");
    }
    assert!(document["says"].as_str().unwrap().contains("on 5000 bytes"), "{document}");
}

#[test]
fn a_void_cell_moves_no_other_to_another_size() {
    let mut record = Record::read(Path::new(RECORD)).unwrap();
    let is_lost =
        |entry: &&mut bench::Entry| entry.algorithm == "sha256" && entry.size == Size::One(5000);
    record.entries.iter_mut().filter(is_lost).for_each(|entry| entry.void("it died".to_owned()));
    let file = tempfile::NamedTempFile::new().unwrap();
    record.write(file.path()).unwrap();
    let path = file.path().to_str().unwrap();
    let document = json(&["accidents", "--record", path, "--size", "5000"]);
    assert!(rows(&document).len() >= 10, "{document}");
    for row in rows(&document) {
        assert_eq!(row["figures"][0]["measured_size"], 5000, "{row}");
    }
}

#[test]
fn a_size_is_called_the_nearest_where_it_is() {
    for (size, told) in [
        ("6", "figures of 5 bytes for 6, the nearest that the record has"),
        ("1M", "figures of 5000 bytes for 1048576, the nearest of those with most algorithms"),
    ] {
        advise(&["file-integrity", "--record", RECORD, "--size", size])
            .assert()
            .success()
            .stdout(contains(told));
    }
}

#[test]
fn wrong_input_is_named() {
    let wrong = |arguments: &[&str], error: &str, hint: &str| {
        advise(arguments).assert().code(2).stderr(contains(error).and(contains(hint)));
    };
    wrong(&["pasword"], "unknown purpose 'pasword'", "'password");
    wrong(&["zip", "--installed", "opnssl"], "unknown provider 'opnssl'", "'openssl'");
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    wrong(&["zip", "--record", folder], "no record below", "without --record");
    let other = empty.path().join("openssl.txt");
    std::fs::write(&other, "+H:64\n+F:1:sha256:64000000.0\n").unwrap();
    let words = ["file-integrity", "--record", other.to_str().unwrap()];
    wrong(&words, "expected a record, which begins", "hint: records are written by");
}

#[test]
fn without_a_record_it_is_measured_and_a_folder_has_the_newest() {
    let document = json(&["zip", "--installed", "hashdyno", "--size", "64"]);
    let row = &rows(&document)[0];
    assert!(row["algorithm"] == "crc32b" && row["figures"][0]["ns"]["value"].as_f64() > Some(0.0));
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("20260101T000000-speed.jsonl");
    let words = ["speed", "crc32b", "--provider", "hashdyno", "--bytes", "64", "--seconds", "0.05"];
    let mut speed = Command::new(cargo_bin("hashdyno"));
    speed.args(words).arg("--record").arg(&record).output().unwrap();
    // The name of a file says nothing of its date.
    let mut old = Record::read(&record).unwrap();
    old.head.date = "2020-01-01T00:00:00Z".to_owned();
    old.entries.iter_mut().for_each(|entry| entry.size = Size::One(1024));
    old.write(&folder.path().join("30000101T000000-speed.jsonl")).unwrap();
    let document = json(&["zip", "--size", "100", "--record", folder.path().to_str().unwrap()]);
    assert_eq!(rows(&document)[0]["figures"][0]["measured_size"], 64, "{document}");
}
