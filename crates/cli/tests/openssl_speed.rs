//! `hashdyno speed` in the language of `openssl speed`, and back: what it prints is read again as
//! another program's output.

use std::path::Path;
use std::process::{Command, Output};

#[test]
fn what_reads_openssls_lines_reads_ours() {
    let folder = tempfile::tempdir().unwrap();
    let output = hashdyno(
        folder.path(),
        &["speed", "-mr", "-seconds", "0.02", "-bytes", "64,1024", "md5", "-evp", "sha256"],
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines[0], "+H:64:1024");
    assert!(
        lines[1].starts_with("+F:0:md5:")
            && lines[2].starts_with("+F:1:sha256:")
            && lines.len() == 3,
        "{lines:?}"
    );
    assert_eq!(lines[1].split(':').count(), 5, "{lines:?}");
    let receipts = String::from_utf8(output.stderr).unwrap();
    assert!(
        receipts.contains("+DT:md5:1:64\n+R:") && receipts.contains(":sha256:0.0"),
        "{receipts}"
    );
}

#[test]
fn an_engine_is_refused_by_name() {
    let output = hashdyno(Path::new("."), &["speed", "-engine", "padlock", "md5"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("-engine padlock") && told.contains("hint: --libcrypto"), "{told}");
}

#[test]
fn the_table_has_openssls_columns() {
    let folder = tempfile::tempdir().unwrap();
    let output = hashdyno(
        folder.path(),
        &["speed", "md5", "--seconds", "0.02", "--bytes", "64,1024", "--format", "openssl"],
    );
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("type             64 bytes   1024 bytes\nmd5          "), "{table}");
}

#[test]
fn openssls_table_stands_beside_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let record = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../records/intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst"
    );
    std::fs::write(
        folder.path().join("theirs.txt"),
        "type           5000 bytes\nmd5             640000.00k\n",
    )
    .unwrap();
    let compared = hashdyno(folder.path(), &["compare", "theirs.txt", record, "--json"]);
    let lines = String::from_utf8(compared.stdout).unwrap();
    assert!(
        lines.contains("\"provider_after\":\"php\"")
            && lines.contains("\"provider_after\":\"hashdyno\""),
        "{lines}"
    );
    assert!(
        lines
            .lines()
            .all(|line| line.contains("another machine")
                && line.contains("\"provider\":\"openssl\"")),
        "{lines}"
    );
    let shown = hashdyno(folder.path(), &["report", "theirs.txt"]);
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
}

#[test]
fn a_hyperfine_export_stands_beside_another_and_not_beside_what_it_did_not_measure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), export(0.2)).unwrap();
    std::fs::write(folder.path().join("b.json"), export(0.1)).unwrap();
    let compared = hashdyno(folder.path(), &["compare", "a.json", "b.json"]);
    let text = String::from_utf8(compared.stdout).unwrap();
    assert!(text.contains("md5sum x") && text.contains("0.500"), "{text}");
    std::fs::write(folder.path().join("theirs.txt"), "+H:64\n+F:3:md5:64000000.00\n").unwrap();
    let apart = hashdyno(folder.path(), &["compare", "a.json", "theirs.txt"]);
    let error = String::from_utf8(apart.stderr).unwrap();
    assert!(
        apart.status.code() == Some(2)
            && error.contains("no cell in common")
            && error.contains("hint:"),
        "{error}"
    );
}

#[test]
fn a_hyperfine_export_is_reported_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), export(0.2)).unwrap();
    let shown = |format: &str| {
        let output = hashdyno(folder.path(), &["report", "a.json", "--format", format]);
        String::from_utf8(output.stdout).unwrap()
    };
    let (text, csv) = (shown("terminal"), shown("csv"));
    assert!(text.contains("s per call") && text.contains(" 0.2000?"), "{text}");
    for unknown in ["NaN", "B/s", "cycles", "GHz"] {
        assert!(!text.contains(unknown), "{unknown}: {text}");
    }
    assert!(csv.contains(",200000000,") && !csv.contains("NaN"), "{csv}");
}

#[test]
fn messages_that_openssls_table_cannot_show_are_refused() {
    for words in
        ["speed md5 --payload zeros --bytes 64 --mr", "speed md5 --many 64 --format openssl"]
    {
        let output = hashdyno(Path::new("."), &words.split(' ').collect::<Vec<_>>());
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
        assert!(told.contains("has no place for --many and --payload"), "{told}");
        assert!(told.contains("hint: --format csv"), "{told}");
    }
}

/// The JSON that hyperfine exports for a command with three runs of `median` seconds each.
fn export(median: f64) -> String {
    format!(
        "{{\"results\":[{{\"command\":\"md5sum x\",\"median\":{median},\
         \"times\":[{median},{median},{median}]}}]}}"
    )
}

fn hashdyno(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hashdyno")).current_dir(folder).args(words).output().unwrap()
}
