//! A provider whose ciphers lie, or are faster than the data can be read, has no figure: its row is
//! void, and the report says why.
//!
//! The liars are PHP's own runner behind `bad/cipher.py`, which stands on the path under the name
//! `php`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use bench::report::Report;
use bench::{OnlyWarnings, Options, Preset, Provider, Request, Study, conformance};
use gauge::Plan;

/// What the report says of a study of these algorithms in PHP, whose runner has `fault`: what is
/// not measured, and how many cells have a figure.
fn report(fault: &str, algorithms: &str, size: usize) -> (Vec<String>, usize) {
    let text = format!(
        r#"
        title = "Lies"
        source = "this test"
        question = "Are they found?"
        [[table]]
        id = "t"
        title = "T"
        algorithms = {algorithms}
        sizes = [{size}]
        providers = ["php"]
        unit = "gigabytes-per-second"
    "#
    );
    let study = Study::parse("lies", &text).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let plan = Plan { budget: Duration::from_millis(20), ..Plan::quick() };
    let options = lying(fault, folder.path());
    let request = Request {
        preset: Preset::Told("test".to_owned()),
        plan,
        options,
        command: "test".to_owned(),
        keep: None,
    };
    let record =
        bench::run(&study, &request, &mut OnlyWarnings).unwrap_or_else(|error| panic!("{error}"));
    let figures = record.entries.iter().filter(|entry| entry.estimate().is_some()).count();
    (Report::new(&record).gaps, figures)
}

/// Options under which the program `php` is PHP with that fault in its ciphers.
fn lying(fault: &str, folder: &Path) -> Options {
    let path = std::env::var("PATH").unwrap_or_default();
    let php = path
        .split(':')
        .map(|folder| format!("{folder}/php"))
        .find(|php| Path::new(php).is_file())
        .expect("PHP is here");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad/cipher.py");
    fs::write(
        folder.join("php"),
        format!("#!/bin/sh\nexec python3 {script} {fault} {php} \"$@\"\n"),
    )
    .expect("it can be written");
    fs::set_permissions(folder.join("php"), Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:{path}", folder.display());
    Options {
        env: vec![("PATH".to_owned(), path)],
        limit: Duration::from_secs(60),
        ..Options::default()
    }
}

/// Asserts that nothing of these algorithms is measured, and that the report says of each that its
/// answer is wrong.
#[track_caller]
fn is_void(fault: &str, algorithms: &[&str], size: usize, reason: &str) {
    let (gaps, figures) = report(fault, &format!("{algorithms:?}"), size);
    assert_eq!(figures, 0, "{fault}: {gaps:?}");
    for algorithm in algorithms {
        let cell = format!("php {algorithm} at {size} bytes is void: ");
        let told = gaps.iter().any(|gap| gap.starts_with(&cell) && gap.contains(reason));
        assert!(told, "{fault}: expected '{cell}...{reason}...', not {gaps:?}");
    }
}

#[test]
fn one_bit_of_ciphertext() {
    is_void(
        "ciphertext",
        &["aes-128-ecb encrypt", "aes-256-cbc encrypt", "aes-128-gcm encrypt"],
        64,
        "wrong answer",
    );
    // The same of an answer that follows its line.
    is_void("ciphertext", &["aes-256-ctr encrypt"], 65536, "from byte 5 of 65536");
}

#[test]
fn one_bit_of_ciphertext_after_it_was_timed() {
    is_void("later", &["aes-128-ctr encrypt"], 64, "wrong answer to 'again'");
}

#[test]
fn one_bit_of_a_tag() {
    is_void("tag", &["aes-128-ccm encrypt", "aes-192-gcm encrypt"], 1024, "from byte 1039 of 1040");
}

#[test]
fn one_bit_of_what_is_deciphered() {
    is_void("plain", &["aes-128-gcm decrypt", "aes-256-cbc-envelope decrypt"], 64, "wrong answer");
}

#[test]
fn the_other_direction() {
    is_void(
        "swapped",
        &["aes-128-ecb encrypt", "aes-128-ecb decrypt", "aes-256-cbc decrypt"],
        64,
        "wrong answer",
    );
}

#[test]
fn a_wrong_tag_is_accepted() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let php = Provider::find("php").expect("it is in the table");
    conformance::check_ciphers(php, &lying("none", folder.path()))
        .outcome
        .expect("it is PHP's own runner");
    let found = conformance::check_ciphers(php, &lying("accepts", folder.path()))
        .outcome
        .expect_err("it accepts what is forged");
    assert!(found.contains("expected 'error WORDS'"), "{found}");
}

/// A busy machine may void the cell for its noise first; a figure there is never.
#[test]
fn faster_than_the_data_can_be_read() {
    let (gaps, figures) = report("fast", r#"["aes-128-ecb encrypt"]"#, 8192);
    assert_eq!(figures, 0, "{gaps:?}");
    let reasons = ["GB/s at 8192 bytes: a core loads", "the subject claims", "is clean"];
    let told = |gap: &String| {
        gap.starts_with("php aes-128-ecb encrypt at 8192")
            && reasons.iter().any(|reason| gap.contains(reason))
    };
    assert!(gaps.iter().any(told), "{gaps:?}");
}
