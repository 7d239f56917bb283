//! One file of a run, for an issue.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use bench::Record;

#[path = "../../bench/tests/small/mod.rs"]
mod small;

#[test]
fn a_run_leaves_a_file_to_send() {
    let folder = tempfile::tempdir().unwrap();
    let study = r#"
        title = "Short"
        source = "this test"
        question = "Is there a file to send?"
        [[table]]
        id = "short"
        title = "Short"
        algorithms = ["adler32"]
        providers = ["hashdyno"]
        sizes = [64]
        unit = "gigabytes-per-second"
    "#;
    std::fs::write(folder.path().join("short.toml"), study).unwrap();
    let hashdyno = |words: &[&str]| {
        let mut command = Command::new(cargo_bin("hashdyno"));
        command.current_dir(folder.path()).args(words).assert().success().get_output().clone()
    };
    let words = ["study", "short.toml", "--quick", "--record", "short.jsonl", "--send-in"];
    let told = String::from_utf8(hashdyno(&words).stderr).unwrap();
    assert!(told.contains("attach short.send-in.json to an issue: https://"), "{told}");
    let sent = folder.path().join("short.send-in.json");
    assert!(Record::read(&sent).unwrap().head.summary_of.is_some(), "it holds samples");
    let shown =
        String::from_utf8(hashdyno(&["report", "--full", "short.send-in.json"]).stdout).unwrap();
    assert!(shown.contains("adler32"), "{shown}");
}

#[test]
fn a_whole_run_that_is_resumed_leaves_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    small::speed().write(&folder.path().join("r.jsonl")).unwrap();
    for (words, files) in [
        (
            "study --resume r.jsonl --chart x.svg --send-in",
            &["r.html", "x.svg", "r.send-in.json"][..],
        ),
        ("speed --resume r.jsonl --chart y.svg", &["y.svg"][..]),
    ] {
        let mut command = Command::new(cargo_bin("hashdyno"));
        command.current_dir(folder.path()).args(words.split(' ')).assert().success();
        for file in files {
            assert!(folder.path().join(file).is_file(), "{file}");
        }
    }
}
