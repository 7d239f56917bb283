//! The scoreboard from the command line, of two cells. Nothing is asserted about times.

use std::path::Path;

use assert_cmd::cargo::cargo_bin;
use assert_cmd::{Command, assert::Assert};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// The board that the tests of crates/bench have.
const STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/tests/board.toml");

fn hashdyno(arguments: &[&str]) -> Assert {
    Command::new(cargo_bin("hashdyno")).args(arguments).env("NO_COLOR", "1").assert()
}

/// The record of a run of two cells, crc32b and adler32 on 64 bytes. A busy machine may leave one
/// of them void; its record is as good.
fn record(folder: &Path) -> String {
    let record = folder.join("record.jsonl");
    let words = [
        "study",
        STUDY,
        "--quick",
        "--only",
        "CRC32B,adler32",
        "--bytes",
        "64",
        "--kernel",
        "all",
        "--record",
    ];
    let run = hashdyno(&[&words[..], &[record.to_str().unwrap()]].concat());
    assert!(record.exists(), "{}", String::from_utf8_lossy(&run.get_output().stderr));
    record.to_str().unwrap().to_owned()
}

#[test]
fn a_scoreboard_is_run_shown_and_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let record = record(folder.path());
    let shown = hashdyno(&["report", &record, "--format", "markdown"]);
    let text = String::from_utf8_lossy(&shown.get_output().stdout).into_owned();
    assert!(
        text.contains("## hashdyno against the best of the others")
            && text.contains("Of 2 cells hashdyno wins 0,"),
        "{text}"
    );
    assert!(
        text.contains("| crc32b | 64 bytes |") && !text.contains("| crc32b | 5 bytes |"),
        "{text}"
    );
    for format in ["terminal", "markdown"] {
        let top = hashdyno(&["report", &record, "--top", "10", "--format", format]);
        let text = String::from_utf8_lossy(&top.get_output().stdout).into_owned();
        assert!(
            text.contains("hashdyno against the best of the others")
                && text.contains("The worst rows beside the best"),
            "{text}"
        );
    }
    hashdyno(&["report", &record, "--top", "10", "--format", "csv"])
        .code(2)
        .stderr(contains("hint:"));
    hashdyno(&["compare", &record, &record])
        .stdout(contains("The boards agree in 0 of 0 decided cells\n"));
    hashdyno(&["compare", &record, &record, "--json"])
        .stdout(contains(r#"{"agree":0,"cells":2,"decided":0,"differ":[],"schema":1}"#));
}

#[test]
fn what_a_study_or_record_has_not_is_said() {
    hashdyno(&["study", "scoreboard", "--only", "md55"])
        .code(2)
        .stderr(contains("no algorithm 'md55'").and(contains("expected")));
    hashdyno(&["study", "php-hash", "--bytes", "4999"])
        .code(2)
        .stderr(contains("no messages of 4999 bytes"));
    let other = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../records/intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst"
    );
    hashdyno(&["report", other, "--top", "10"])
        .code(2)
        .stderr(contains("has no scoreboard").and(contains("hint:")));
}
