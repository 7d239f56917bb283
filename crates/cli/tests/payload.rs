//! Messages that hold what the user says.

use assert_cmd::{Command, cargo::cargo_bin};
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
