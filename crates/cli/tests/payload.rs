//! Messages that hold what the user says.

use assert_cmd::{Command, cargo::cargo_bin};
use bench::{Payload, Record, Study};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn hashdyno(words: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("hashdyno"));
    command.args(words);
    command
}

#[test]
fn speed_measures_messages_of_a_file_beside_others() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "some words of mine").unwrap();
    let payload = format!("random,zeros,a,{}", file.path().display());
    let words = ["speed", "md5", "--bytes", "64", "--provider", "python", "--seconds", "0.01"];
    let output = hashdyno(&words)
        .args(["--json", "--payload", &payload])
        .assert()
        .success()
        .get_output()
        .clone();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let cells = report["cells"].as_array().unwrap();
    let sizes: Vec<_> = cells.iter().map(|cell| cell["size"].to_string()).collect();
    assert_eq!(sizes, ["64", "\"64:zeros\"", "\"64:a\"", "\"64:file\""]);
}

#[test]
fn a_payload_that_is_not_there_is_an_error() {
    let speed = |payload: &str| hashdyno(&["speed", "md5", "--payload", payload]).assert();
    speed("no-such-file").code(2).stderr(contains("random, zeros, a, or the name of a file"));
    speed("/dev/null").code(2).stderr(contains("expected one byte at least"));
    let study = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    let text = "title = 't'\nsource = 's'\nquestion = 'q'\n[[table]]\nid = 'a'\ntitle = 'a'\n\
        algorithms = ['md5']\nsizes = [5]\npayload = ['file']\nproviders = ['php']\n\
        unit = 'nanoseconds'";
    std::fs::write(study.path(), text).unwrap();
    hashdyno(&["study", study.path().to_str().unwrap()])
        .assert()
        .failure()
        .stderr(contains("the payload 'file'").and(contains("--payload FILE")));
}

#[test]
fn a_run_does_not_go_on_with_another_payload() {
    let folder = tempfile::tempdir().unwrap();
    let text = "title = 't'\nsource = 's'\nquestion = 'q'\n[[table]]\nid = 'a'\ntitle = 'a'\n\
        algorithms = ['md5']\nsizes = [5]\npayload = ['random', 'a']\n\
        providers = ['hashdyno']\nunit = 'nanoseconds'";
    let study = Study::parse("messages", text).unwrap_or_else(|error| panic!("{error}"));
    let mut record = Record::empty(study.with_payload(Payload::File));
    record.head.machine = gauge::Machine::detect();
    record.head.payload_sha256 = Some("00".repeat(32));
    let record = String::from_utf8(record.to_bytes()).unwrap();
    let head = record.lines().next().unwrap();
    let part = format!("{head}\n{{\"line\":\"begun\",\"groups\":3}}\n");
    std::fs::write(folder.path().join("r.jsonl.part"), &part).unwrap();
    std::fs::write(folder.path().join("mine"), "some words of mine").unwrap();
    for (command, payload, expected) in [
        ("study", "zeros", "payload differs, random,a,file before and random,zeros,a,file now"),
        ("speed", "random,a", "payload differs, random,a,file before and random,a now"),
        ("study", "mine", "payload file differs, SHA-256 00000000"),
        ("speed", "random,a,mine", "payload file differs, SHA-256 00000000"),
    ] {
        let words = [command, "--resume", "r.jsonl", "--payload", payload];
        let refused = hashdyno(&words).current_dir(folder.path()).assert();
        refused.code(2).stderr(contains(expected).and(contains("hint:")));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("r.jsonl.part")).unwrap(), part);
}
