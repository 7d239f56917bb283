//! `compare` over records that were made for it.

use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use bench::Record;
use gauge::Outcome;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

#[path = "../../bench/tests/small/mod.rs"]
mod small;

fn hashdyno(folder: &Path, words: &str) -> Assert {
    let mut command = Command::new(cargo_bin("hashdyno"));
    command.current_dir(folder).args(words.split(' ')).env("NO_COLOR", "1").assert()
}

/// The messages' record with its first cell twice as slow.
fn slow() -> Record {
    let mut record = small::speed();
    let series = &mut record.entries[0].series;
    series.samples.iter_mut().for_each(|sample| sample.ns *= 2);
    let Outcome::Estimate(estimate) = &mut series.outcome else { panic!() };
    estimate.ns = estimate.ns.times(2.0);
    record
}

#[test]
fn a_pair_that_lacks_a_cell_does_not_agree() {
    let folder = tempfile::tempdir().unwrap();
    let mut less = slow();
    less.entries.remove(0);
    let records = [("old", small::speed()), ("new", slow()), ("less", less)];
    for (name, record) in records {
        record.write(&folder.path().join(name)).unwrap();
    }
    let compare = |again: &str| {
        hashdyno(
            folder.path(),
            &format!("compare old new --again {again} --json --fail-on slower,missing"),
        )
    };
    let few = "\"verdict\":\"too few clean samples\"";
    compare("old new").code(1).stdout(contains(few).not()).stderr(contains("1 of 8 cells: slower"));
    compare("less new").success().stdout(contains(few).count(1));
    let missing = compare("old new --again old less").code(1);
    missing.stdout(contains(few).not()).stderr(contains("1 of 8 cells: missing"));
}

#[test]
fn a_cell_of_files_that_became_void_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let mut void = small::files();
    void.files.processes[0].void = Some("it died".to_owned());
    small::files().write(&folder.path().join("old")).unwrap();
    void.write(&folder.path().join("new")).unwrap();
    let compared = hashdyno(folder.path(), "compare old new --fail-on slower,missing");
    compared.code(1).stderr(contains("1 of 7 cells: missing"));
}

#[test]
fn options_that_fail_by_verdicts_refuse_records_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut elsewhere = slow();
    elsewhere.head.machine.cpu = "Another Processor".to_owned();
    for (name, record) in [("old", small::speed()), ("new", slow()), ("elsewhere", elsewhere)] {
        record.write(&folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("theirs"), "+H:16\n+F:1:md5:1000000.0\n").unwrap();
    let times = [0.5; 3];
    let row = serde_json::json!({ "command": "md5sum x", "median": 0.5, "times": times });
    let rows = serde_json::json!({ "results": [row] });
    std::fs::write(folder.path().join("tool"), rows.to_string()).unwrap();
    for (pair, why) in [
        ("old elsewhere", "the records are of two machines"),
        ("old theirs", "theirs names no machine"),
        ("theirs new", "theirs names no machine"),
        ("tool tool", "tool names no machine"),
    ] {
        hashdyno(folder.path(), &format!("compare {pair}")).success().stdout(contains("md5"));
        for options in ["--fail-on slower,missing", "--fail-on missing", "--again old new"] {
            let refused = hashdyno(folder.path(), &format!("compare {pair} {options} --json"));
            let option = options.split(' ').next().unwrap();
            let told = contains(format!("no verdict for {option}: {why};"));
            refused.code(2).stdout("").stderr(told.and(contains("hint: without ")));
        }
    }
    let words = "compare old new --again old theirs --fail-on slower";
    let told = contains("no verdict for --fail-on and --again: theirs names no machine");
    hashdyno(folder.path(), words).code(2).stdout("").stderr(told);
    hashdyno(folder.path(), "compare old new --again old elsewhere").code(2).stdout("");
    hashdyno(folder.path(), "compare old new --fail-on slower").code(1);
}

#[test]
fn a_ratio_without_an_interval_is_shown_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut few = small::files();
    few.files.processes[0].runs.truncate(7);
    small::files().write(&folder.path().join("old")).unwrap();
    few.write(&folder.path().join("new")).unwrap();
    let shown = hashdyno(folder.path(), "compare old new").success();
    shown.stdout(contains("inf").not());
    let lines = hashdyno(folder.path(), "compare old new --json").success();
    lines.stdout(contains("\"high\":null").and(contains("too few clean samples")));
}

#[test]
fn a_record_does_not_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "T\u{1b}]0;pwned\u{7}";
    let mut record = small::speed();
    record.head.study.title = evil.to_owned();
    record.head.machine.cpu = evil.to_owned();
    record.providers[1].missing = Some(evil.to_owned());
    record.entries[0].algorithm = format!("md5{evil}");
    record.write(&folder.path().join("evil")).unwrap();
    let openssl = format!("+H:64\n+F:1:md5{evil}:64000000.0\n");
    std::fs::write(folder.path().join("openssl"), openssl).unwrap();
    let rows = serde_json::json!({ "results": [{ "command": evil, "median": 0.5 }] });
    std::fs::write(folder.path().join("hyperfine"), rows.to_string()).unwrap();
    let clean = || contains('\u{1b}').or(contains('\u{7}')).not();
    for words in [
        "report evil",
        "report --full evil",
        "compare evil evil",
        "compare --json evil evil",
        "report openssl",
        "report hyperfine",
    ] {
        let shown = hashdyno(folder.path(), words);
        shown.stdout(clean().and(contains("pwned"))).stderr(clean());
    }
}
