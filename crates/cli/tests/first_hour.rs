//! What a new user tries first: narrow terminals, words of other programs, names spelled otherwise,
//! two folders, copies looked at first.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

const RECORD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../records/intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst"
);

fn hashdyno(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("hashdyno"));
    command.args(arguments).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env_remove("COLUMNS");
    command
}

fn out(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

#[test]
fn a_report_and_lists_fit_80_columns_and_no_figure_is_broken() {
    let report = ["report", RECORD, "--full"];
    let wide = out(&mut hashdyno(&report));
    assert!(wide.lines().any(|line| line.chars().count() > 120), "{wide}");
    assert_eq!(wide, out(hashdyno(&report).env("COLUMNS", "0")));
    for arguments in [
        &report[..],
        &["report", RECORD],
        &["advise"],
        &["advise", "passwords"],
        &["advise", "deduplication", "--record", RECORD],
        &["list"],
        &["list", "--long"],
        &["list", "ciphers"],
        &["study", "--list"],
        &["mask", "--list"],
    ] {
        for columns in [80, 120] {
            let text = out(hashdyno(arguments).env("COLUMNS", columns.to_string()));
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(
                widest <= columns && widest > 20,
                "{arguments:?}: {widest} in {columns}\n{text}"
            );
        }
    }
    let narrow = out(hashdyno(&report).env("COLUMNS", "80"));
    for figure in ["0.021267 sec", "0.046208 sec"] {
        assert_eq!(wide.contains(figure), narrow.contains(figure), "{figure}\n{narrow}");
    }
}

#[test]
fn where_the_locale_is_not_utf_8_nothing_but_ascii_is_printed() {
    for arguments in [&["report", RECORD, "--full"][..], &["list"], &["mask", "--list"]] {
        let text = out(hashdyno(arguments).env("LC_ALL", "C").env("COLUMNS", "80"));
        assert!(text.is_ascii() && text.contains("\n----"), "{text}");
    }
}

#[test]
fn the_list_is_short_and_is_filtered() {
    let text = out(&mut hashdyno(&["list", "--security", "sound"]));
    assert!(
        text.contains("blake3") && !text.contains("md5 ") && !text.contains("kernels here"),
        "{text}"
    );
    hashdyno(&["list", "--long"])
        .assert()
        .success()
        .stdout(contains("kernels here").and(contains("specified in")));
    hashdyno(&["list", "ciphers"]).assert().success().stdout(contains("aes-256-gcm"));
    hashdyno(&["list", "cpu", "--security", "sound"]).assert().code(2).stderr(contains("hint:"));
    for (what, key) in [("digests", "digests"), ("ciphers", "ciphers"), ("cpu", "cpu")] {
        let value: Value =
            serde_json::from_str(&out(&mut hashdyno(&["list", what, "--json"]))).unwrap();
        assert!(value["schema"] == 1 && !value[key].as_array().unwrap().is_empty(), "{value}");
    }
    // A question is no figure with a sign.
    hashdyno(&["study", "--list"]).assert().success().stdout(contains("too few").not());
    let studies: Value =
        serde_json::from_str(&out(&mut hashdyno(&["study", "--list", "--json"]))).unwrap();
    let questions = studies["studies"].as_array().unwrap();
    assert!(
        questions.len() >= 10
            && questions.iter().all(|study| study["question"].as_str().unwrap().len() > 10),
        "{studies}"
    );
}

#[test]
fn unknown_names_are_answered_with_near_ones() {
    let near = |arguments: &[&str], error: &str, hint: &str| {
        hashdyno(arguments)
            .assert()
            .code(2)
            .stderr(contains(error).and(contains(hint)).and(contains("the study").not()));
    };
    near(&["speed", "sha-257"], "unknown algorithm 'sha-257'", "'sha256'");
    near(&["speed", "aes-256-gmc"], "unknown algorithm 'aes-256-gmc'", "'aes-256-gcm'");
    near(&["speed", "md5", "--provider", "opnssl"], "unknown provider 'opnssl'", "'openssl'");
    near(&["sum", "-a", "sah256", "/dev/null"], "unknown algorithm 'sah256'", "'sha256'");
    near(&["copy", "-a", "blake4", "a", "b"], "unknown algorithm 'blake4'", "'blake3'");
    near(&["runner", "--check", "pyhton"], "unknown provider 'pyhton'", "'python'");
    near(&["sha256", "file"], "sha256", "hashdyno sum -a sha256 FILE");
    near(&["crc32", "file"], "crc32", "hashdyno sum -a crc32 FILE");
    near(&["md5sum", "file"], "md5sum", "hashdyno sum -a md5 FILE");
    near(&["spede"], "spede", "speed");
    hashdyno(&["study", "php-hsah"]).assert().code(2).stderr(contains("did you mean 'php-hash'?"));
}

#[test]
fn sum_with_c_checks_a_list() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", "a");
    let list = out(hashdyno(&["sum", "a.txt"]).current_dir(&folder));
    write(folder.path(), "SUMS", &list);
    for arguments in [&["sum", "-c", "SUMS"][..], &["sum", "--check", "-a", "sha256", "SUMS"]] {
        hashdyno(arguments).current_dir(&folder).assert().success().stdout("a.txt: OK\n");
    }
    write(folder.path(), "a.txt", "b");
    hashdyno(&["sum", "-c", "--quiet", "SUMS"])
        .current_dir(&folder)
        .assert()
        .code(1)
        .stdout("a.txt: FAILED\n");
    let checked = hashdyno(&["check", "--json", "SUMS"]).current_dir(&folder).output().unwrap();
    let lines = lines(&checked);
    assert_eq!(
        (lines[0]["schema"].as_i64(), lines[0]["verdict"].as_str()),
        (Some(1), Some("failed"))
    );
    assert_eq!(
        (lines[1]["report"]["mismatched"].as_i64(), lines[1]["report"]["holds"].as_bool()),
        (Some(1), Some(false))
    );
}

#[test]
fn two_folders_are_compared_without_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let check = |more: &[&str]| {
        hashdyno(&[&["check", "card", "copy"], more].concat()).current_dir(&folder).assert()
    };
    for (name, content) in [("card/same", "x"), ("copy/same", "x")] {
        write(folder.path(), name, content);
    }
    check(&[]).code(0).stdout("1 same, 0 differ, 0 missing, 0 new\n");
    for (name, content) in
        [("card/rot", "abc"), ("copy/rot", "abd"), ("card/lost", ""), ("copy/b/new", "")]
    {
        write(folder.path(), name, content);
    }
    check(&[])
        .code(1)
        .stdout("b/new: new\nlost: missing\nrot: differs\n1 same, 1 differ, 1 missing, 1 new\n");
    check(&["--json"]).code(1).stdout(
        contains(r#"{"name":"rot","schema":1,"verdict":"differs"}"#)
            .and(contains(r#""differs":1"#)),
    );
    check(&["third"]).code(2).stderr(contains("card is a folder").and(contains("hint:")));
}

#[test]
fn a_list_that_is_of_another_folder_says_so() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "photos/a.jpg", "a");
    let list = out(hashdyno(&["sum", "-r", "."]).current_dir(folder.path().join("photos")));
    write(folder.path(), "photos.list", &list);
    let run = |arguments: &[&str]| hashdyno(arguments).current_dir(&folder).assert();
    run(&["check", "photos.list"])
        .code(1)
        .stderr(contains("hint: ").and(contains("try -C photos\n")));
    run(&["check", "-C", "photos", "photos.list"]).success();
    run(&["check", "--audit", "photos", "photos.list"]).code(1).stderr(contains("try -C photos"));
    run(&["check", "--audit", "photos", "-C", "photos", "photos.list"])
        .success()
        .stdout(contains("Audit passed"));
    run(&["check", "--audit", "photos", "-C", "photos", "--json", "photos.list"])
        .success()
        .stdout(contains(r#""matched":1"#));
}

#[test]
fn a_photo_that_is_named_is_looked_at_first_with_its_side_cars() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["card/IMG.JPG", "card/IMG.JPG.xmp", "card/IMG.xmp"] {
        write(at, name, name);
    }
    let run = |arguments: &[&str]| {
        hashdyno(&[&["copy", "card/IMG.JPG", "to"], arguments].concat()).current_dir(at).assert()
    };
    run(&["--dry-run"]).success().stdout(
        "to/IMG.JPG: would be copied\nto/IMG.JPG.xmp: would be copied\n\
            to/IMG.xmp: would be copied\nto: 3 files would be copied\n",
    );
    run(&["-q"]).success();
    assert!(at.join("to/IMG.JPG.xmp").exists() && at.join("to/IMG.xmp").exists());
}

#[test]
fn a_copy_is_looked_at_first_and_tells_conflicts() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, content) in [("card/a.jpg", "new"), ("card/b.txt", "b"), ("to/card/a.jpg", "old")] {
        write(at, name, content);
    }
    let run = |arguments: &[&str]| {
        hashdyno(&[&["copy", "card", "to"], arguments].concat()).current_dir(at).assert()
    };
    let read = |name: &str| fs::read_to_string(at.join(name)).ok();
    run(&["--dry-run"]).success().stdout(
        "to/card/a-1.jpg: would be copied beside another content\nto/card/b.txt: would be copied\n\
            to: 1 file would be copied\nto: 1 file would be copied beside another content\n",
    );
    run(&["--dry-run", "--on-conflict", "refuse"]).code(1).stdout(contains("would be refused"));
    run(&["--dry-run", "--json"]).success().stdout(contains(r#""outcome":"would-copy-beside""#));
    assert!(read("to/card/b.txt").is_none() && read("to/card/a-1.jpg").is_none());
    run(&["--include", "*.txt"])
        .success()
        .stdout(contains("1 file,").and(contains("to/card/b.txt: copied, verified")));
    run(&["--include", "["])
        .code(2)
        .stderr(contains("'[' is not a pattern").and(contains("hint:")));
    run(&["-q", "--include", "*.jpg"])
        .success()
        .stderr(contains(
            "to/card/a.jpg has another content: card/a.jpg is beside it as card/a-1.jpg",
        ))
        .stdout(contains("1 beside another content"));
    assert_eq!(
        (read("to/card/a.jpg").as_deref(), read("to/card/a-1.jpg").as_deref()),
        (Some("old"), Some("new"))
    );
    run(&["--on-conflict", "replace", "--verify", "none"]).code(2).stderr(contains("hint:"));
    run(&["--on-conflict", "replace"]).success().stdout(contains("1 replaced another content"));
    assert_eq!(read("to/card/a.jpg").as_deref(), Some("new"));
    assert!(!at.join("to/card/a.jpg.replaced").exists());
}

#[test]
fn this_library_is_called_hashdyno_and_its_old_name_is_understood() {
    let speed = [
        "speed",
        "md5",
        "--provider",
        "ours",
        "--bytes",
        "1k",
        "--seconds",
        "0.02",
        "--unit",
        "MB/s",
    ];
    let text = out(&mut hashdyno(&speed));
    let row = text.lines().find(|line| line.contains("md5  ")).unwrap_or_default();
    assert!(
        row.contains(" hashdyno ") && text.contains("1024 bytes") && text.contains("MB/s"),
        "{text}"
    );
    let old = out(&mut hashdyno(&["report", RECORD, "--json"]));
    let report: Value = serde_json::from_str(&old).unwrap();
    assert_eq!(report["schema"], 1);
    let cells = report["cells"].as_array().unwrap();
    assert!(
        cells.iter().any(|cell| cell["provider"] == "hashdyno")
            && cells.iter().all(|cell| cell["provider"] != "ours")
    );
}

#[test]
fn speed_answers_in_a_sentence() {
    let speed = |more: &[&str]| {
        let usual =
            ["speed", "--provider", "hashdyno", "--seconds", "0.05", "--bytes", "4k,64k", "--json"];
        let text = out(&mut hashdyno(&[&usual, more].concat()));
        let value: Value = serde_json::from_str(&text).unwrap();
        value["answer"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    // Twice the work and more lies between these, so no busy machine changes their order.
    let answer = speed(&["xxh3", "md2", "sha256"]);
    assert!(
        answer.iter().any(|line| line.contains("on 65536 bytes: xxh3 is fastest")
            && line.contains("md2 is slowest")),
        "{answer:?}"
    );
    assert!(answer.iter().any(|line| line.contains("Fastest sound digest: sha256")), "{answer:?}");
}

#[test]
fn a_report_is_one_screen_with_the_answer_last() {
    let brief = out(hashdyno(&["report", RECORD]).env("COLUMNS", "80"));
    let full = out(hashdyno(&["report", RECORD, "--full"]).env("COLUMNS", "80"));
    let answer = |text: &str| text.split_once("\nAnswer\n").map(|(_, answer)| answer.to_owned());
    assert!(answer(&brief).is_some_and(|answer| answer.contains("5000 bytes in PHP")), "{brief}");
    assert_eq!(answer(&brief), answer(&full));
    assert!(brief.lines().count() <= 64 && brief.contains("--full shows"), "{brief}");
    // Claims differ in their last words.
    assert!(!brief.split("\nMeasured\n").next().unwrap().contains('…'), "{brief}");
    assert!(!brief.contains("0.021267 sec") && full.contains("0.021267 sec"), "{full}");
    assert!(brief.contains("\n  holds ") && brief.contains("\n  does not hold "), "{brief}");
}

#[test]
fn a_sentence_leads_to_its_cells() {
    let report = out(&mut hashdyno(&["report", RECORD, "--json"]));
    let report: Value = serde_json::from_str(&report).unwrap();
    let answers = report["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 5, "{report}");
    for (answer, says) in answers.iter().zip(report["answer"].as_array().unwrap()) {
        assert_eq!(answer["says"], *says);
        let measured = answer["verdict"] != "not-measured";
        for cell in answer["cells"].as_array().unwrap() {
            let known = report["cells"].as_array().unwrap().iter().find(|known| {
                known["source"] == cell["provider"]
                    && known["algorithm"] == cell["algorithm"]
                    && known["size"] == cell["size"]
            });
            assert_eq!(known.unwrap()["estimate"]["ns"]["value"], cell["ns"], "{cell}");
        }
        assert!(!measured || !answer["cells"].as_array().unwrap().is_empty(), "{answer}");
    }
    let short = &answers[1];
    assert_eq!(
        (short["about"].as_str(), short["verdict"].as_str()),
        (Some("short messages"), Some("fails"))
    );
    let ratio = &short["ratios"][0];
    assert!(ratio["left"] == "slow" && ratio["low"].as_f64() > Some(2.0), "{short}");
}

#[test]
fn speed_puts_the_fastest_first_and_explains_its_signs_below() {
    let speed = [
        "speed",
        "md2",
        "xxh3",
        "--provider",
        "hashdyno,hashdyno/portable",
        "--seconds",
        "0.02",
        "--bytes",
        "4k",
    ];
    let text = out(&mut hashdyno(&speed));
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}: {text}"));
    assert!(
        place("\n xxh3") < place("\n md2") && place("\n md2") < place("\nspread: half"),
        "{text}"
    );
}

#[test]
fn completions_know_names() {
    for shell in ["bash", "zsh", "fish"] {
        let names = contains("blake3")
            .and(contains("aes-256-gcm"))
            .and(contains("openssl"))
            .and(contains("php-hash"))
            .and(contains("no-avx512"))
            .and(contains("file-integrity"));
        hashdyno(&["completions", shell]).assert().success().stdout(names);
    }
}
