//! The pictures that the program draws.

use std::path::Path;

use assert_cmd::{Command, cargo::cargo_bin};
use predicates::str::contains;

/// The command that README names for its picture, and the files in it.
#[test]
fn the_picture_in_the_readme_is_what_its_command_makes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = readme
        .split('`')
        .find(|code| code.starts_with("hashdyno report records/") && code.contains(" --chart "));
    let words: Vec<_> = command.expect("README names the command").split(' ').collect();
    let ["hashdyno", "report", record, "--chart", picture] = words[..] else {
        panic!("expected RECORD --chart FILE: {words:?}")
    };
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.svg");
    Command::new(cargo_bin("hashdyno"))
        .arg("report")
        .arg(root.join(record))
        .arg("--chart")
        .arg(&drawn)
        .assert()
        .success();
    let (drawn, committed) =
        (std::fs::read(drawn).unwrap(), std::fs::read(root.join(picture)).unwrap());
    assert!(
        drawn == committed,
        "{picture} is not what `{}` makes: run it and commit the file",
        command.unwrap()
    );
}

#[test]
fn a_chart_is_also_pixels() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let record = root.join("records/intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst");
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.png");
    let output = Command::new(cargo_bin("hashdyno"))
        .arg("report")
        .arg(record)
        .arg("--chart")
        .arg(&drawn)
        .assert()
        .get_output()
        .clone();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("hint: apt-get install fonts-dejavu-core") {
        return eprintln!("not tested: {said}");
    }
    assert!(output.status.success(), "{said}");
    let png = std::fs::read(drawn).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 20_000, "{} bytes", png.len());
}

#[test]
fn a_chart_is_an_svg_or_a_png() {
    let report = |file: &str| {
        Command::new(cargo_bin("hashdyno")).args(["report", "no.jsonl", "--chart", file]).assert()
    };
    report("chart.bmp").code(2).stderr(contains("expected a file ending in .svg or .png"));
    report("chart.svg").code(3).stderr(contains("no.jsonl"));
}
