//! The pictures that the program draws.

use std::path::Path;

use assert_cmd::{Command, cargo::cargo_bin};
use predicates::prelude::PredicateBooleanExt;
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

#[test]
fn a_chart_does_not_lie_where_the_record_goes() {
    let folder = tempfile::tempdir().unwrap();
    let study = bench::Study::load("php-hash").unwrap_or_else(|error| panic!("{error}"));
    let record = String::from_utf8(bench::Record::empty(study).to_bytes()).unwrap();
    let head = record.lines().next().unwrap();
    let part = format!("{head}\n{{\"line\":\"begun\",\"groups\":4}}\n");
    std::fs::write(folder.path().join("y.svg.part"), &part).unwrap();
    for words in [
        "speed md5 --record x.svg --chart x.svg",
        "study php-hash --record ./x.svg --chart new/../x.svg",
        "speed --resume y.svg.part --chart ./y.svg",
        "study --resume y.svg --chart y.svg",
    ] {
        let refused = Command::new(cargo_bin("hashdyno"))
            .args(words.split(' '))
            .current_dir(folder.path())
            .assert();
        let expected = contains("is to be the record and the chart").and(contains("hint:"));
        refused.code(2).stdout("").stderr(expected);
    }
    let names = std::fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["y.svg.part"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("y.svg.part")).unwrap(), part);
}

/// A record of the biggest study makes a page that can be sent by mail.
#[test]
fn a_page_is_small_unless_it_holds_its_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let record = root.join("records/amd-epyc/20261124T130515-scoreboard.jsonl.zst");
    let folder = tempfile::tempdir().unwrap();
    let page = |file: &str, more: &[&str]| {
        let path = folder.path().join(file);
        let mut command = Command::new(cargo_bin("hashdyno"));
        let _ = command.arg("report").arg(&record).arg("-o").arg(&path).args(more).assert();
        std::fs::read_to_string(path).unwrap()
    };
    let (small, whole) = (page("small.html", &[]), page("whole.html", &["--embed-record"]));
    assert!(small.len() <= 1_000_000, "{} bytes", small.len());
    assert!(whole.len() > small.len() + 100_000, "{} and {} bytes", whole.len(), small.len());
    let title = small.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(title.contains("AMD EPYC") && title.ends_with("· hashdyno"), "{title}");
}

#[test]
fn a_record_is_embedded_in_a_page_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let record = root.join("records/amd-epyc/20261124T133942-goals.jsonl.zst");
    Command::new(cargo_bin("hashdyno"))
        .arg("report")
        .arg(record)
        .args(["--embed-record", "--format", "csv"])
        .assert()
        .code(2)
        .stderr(contains("expected the format html"));
}

/// The charts of a scoreboard and of whole files have a mark for each figure of their tables.
#[test]
fn scoreboards_and_files_have_charts_of_their_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records/amd-epyc");
    let folder = tempfile::tempdir().unwrap();
    let drawn = |record: &str| {
        let path = folder.path().join("drawn.svg");
        let mut command = Command::new(cargo_bin("hashdyno"));
        command.arg("report").arg(root.join(record)).arg("--chart").arg(&path).assert().success();
        std::fs::read_to_string(path).unwrap()
    };
    let board = drawn("20261124T130515-scoreboard.jsonl.zst");
    let wins = board.split("win: ").nth(1).unwrap().split('\n').next().unwrap();
    let wins: usize = wins.trim().parse().unwrap();
    // A circle for each win, and one in the legend.
    assert!(board.matches("<circle").count() == wins + 1, "{wins} wins");
    let files = drawn("20261126T032120-file-digests.jsonl.zst");
    for words in ["sha256sum", " warm, CPU ", " cold, CPU ", "seconds", "system time"] {
        assert!(files.contains(words), "{words}");
    }
    // A bar for each tool and cache is cut into user and system time: its outline, and its parts.
    let pale = files.matches("opacity=\"0.4\"").count();
    assert!(pale > 20, "{pale} bars with system time");
    let photographs = drawn("20261126T035339-sha3-finalists.jsonl.zst");
    for words in ["seconds by digest and round", "rate by digest", "round 1", "round 5"] {
        assert!(photographs.contains(words), "{words}");
    }
}

/// Figures of two machines stand side by side; neither wins.
#[test]
fn two_machines_are_named_and_not_judged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records");
    let compare = |more: &[&str]| {
        let output = Command::new(cargo_bin("hashdyno"))
            .arg("compare")
            .arg(root.join("amd-epyc/20261122T184917-php-hash.jsonl.zst"))
            .arg(root.join("intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst"))
            .args(more)
            .assert()
            .success()
            .get_output()
            .clone();
        String::from_utf8(output.stdout).unwrap()
    };
    let text = compare(&[]);
    for words in ["A: AMD EPYC", "B: Intel", "ns on A", "B / A"] {
        assert!(text.contains(words), "{words}");
    }
    for verdict in ["faster", "slower", "not distinguishable"] {
        assert!(!text.contains(verdict), "{verdict}");
    }
    let lines: Vec<serde_json::Value> =
        compare(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 100, "{} cells", lines.len());
    for line in lines {
        let [one, other] = ["ns_before", "ns_after"].map(|key| line[key].as_f64().unwrap());
        let ratio = line["ratio"]["value"].as_f64().unwrap();
        assert!((ratio / (other / one) - 1.0).abs() < 1e-9, "{line}");
        assert_eq!(line["verdict"], "another machine");
    }
}
