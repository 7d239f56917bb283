//! Records in which one value is not what it should be: an error or a report, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use bench::record::Raw;
use bench::report::{FORMATS, Format, Report, agreement, chart, summary};
use bench::{Board, Record, compare, import};
use serde_json::{Value, json};

mod small;

#[test]
fn a_speed_record_with_any_value_replaced_never_panics() {
    no_mutation_panics(&small::speed());
}

#[test]
fn a_record_of_files_with_any_value_replaced_never_panics() {
    no_mutation_panics(&small::files());
}

#[test]
fn a_scoreboard_with_any_value_replaced_never_panics() {
    no_mutation_panics(&small::scoreboard());
}

#[test]
fn a_summary_with_any_value_replaced_never_panics() {
    let raw = Raw { sha256: "00".repeat(32), bytes: 0, commit: None };
    no_mutation_panics(&summary(&small::scoreboard(), raw));
}

#[test]
fn a_summary_of_no_record_is_malformed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary.jsonl");
    for sha256 in ["", "00", &"0g".repeat(32), &"é".repeat(32)] {
        let raw = Raw { sha256: sha256.to_owned(), bytes: 0, commit: None };
        summary(&small::scoreboard(), raw).write(&path).unwrap();
        let error = Record::read(&path).unwrap_err().to_string();
        assert!(error.contains("expected 64 hexadecimal digits"), "{error}");
    }
}

/// Replaces each value of the first line of each kind in turn, reads the record and shows it.
fn no_mutation_panics(good: &Record) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    let lines = small::lines(good);
    small::write(&path, &lines);
    let beside = &first_cells(good);
    show(&path, beside).expect("the record itself is read and shown");
    let mut panics = Vec::new();
    let mut read = 0;
    for line in small::first_of_each_kind(&lines) {
        for place in places(&lines[line]) {
            for (name, mutated) in mutations(&lines[line], &place) {
                let mut lines = lines.clone();
                lines[line] = mutated;
                small::write(&path, &lines);
                match catch_unwind(AssertUnwindSafe(|| show(&path, beside))) {
                    Ok(shown) => read += usize::from(shown.is_ok()),
                    Err(_) => panics.push(format!("{place} {name}")),
                }
            }
        }
    }
    assert!(read > 100, "only {read} mutations were read: the test shows nothing");
    assert!(panics.is_empty(), "{} mutations panic: {panics:#?}", panics.len());
}

/// The record with the cells that are mutated, and few others: a comparison draws thousands of
/// samples for each.
fn first_cells(record: &Record) -> Record {
    let mut record = record.clone();
    record.entries.truncate(2);
    record.files.hashed.truncate(1);
    record
}

/// Reads the record and shows it in every way, alone and beside a good one.
fn show(path: &Path, good: &Record) -> Result<(), String> {
    let record = import::read(path).map_err(|error| error.to_string())?;
    let report = Report::new(&record);
    FORMATS.iter().for_each(|format| drop(report.render(format)));
    let _ = (report.top(3, Format::named("terminal")), chart::svg(&record));
    let _ = compare(&record, good);
    if let Some((before, after)) = Board::new(good).zip(Board::new(&record)) {
        agreement(&after.agreement(&before)).terminal();
    }
    Ok(())
}

/// The JSON pointer of every value but the line itself; of a list of numbers only the first.
fn places(line: &Value) -> Vec<String> {
    let below = |key: String, value: &Value| {
        let below = places(value).into_iter().map(|place| format!("/{key}{place}"));
        [format!("/{key}")].into_iter().chain(below).collect::<Vec<_>>()
    };
    match line {
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| below(key.clone(), value)).collect()
        }
        Value::Array(items) => {
            let alike = items.iter().all(Value::is_number);
            let items = items.iter().take(if alike { 1 } else { usize::MAX });
            items.enumerate().flat_map(|(index, value)| below(index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// The line with the value at `place` replaced by each of several others, and without it.
fn mutations(line: &Value, place: &str) -> Vec<(String, Value)> {
    let others = [
        json!(null),
        json!(0),
        json!(-1),
        json!(1e308),
        json!(u64::MAX),
        json!(""),
        json!([]),
        json!({}),
        json!([[]]),
    ];
    let replaced = |other: Value| {
        let mut line = line.clone();
        let name = format!("= {other}");
        *line.pointer_mut(place).expect("the place is in the line") = other;
        (name, line)
    };
    others.into_iter().map(replaced).chain([("removed".to_owned(), without(line, place))]).collect()
}

fn without(line: &Value, place: &str) -> Value {
    let mut line = line.clone();
    let (parent, key) = place.rsplit_once('/').expect("a pointer has a slash");
    match line.pointer_mut(parent).expect("the place is in the line") {
        Value::Object(fields) => drop(fields.remove(key)),
        Value::Array(items) => drop(items.remove(key.parse().expect("an index"))),
        _ => unreachable!("only objects and lists hold values"),
    }
    line
}

/// Why the file is refused.
fn refusal(text: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    import::read(file.path()).expect_err("it is refused").to_string()
}

#[test]
fn two_records_in_one_file_are_refused() {
    let one = small::speed().to_bytes();
    let error = refusal(&[one.clone(), one].concat());
    assert!(error.contains("expected nothing after the closing line"), "{error}");
}

#[test]
fn a_file_without_end_is_refused_at_its_beginning() {
    let error = import::read(Path::new("/dev/zero")).expect_err("it is no record").to_string();
    assert!(
        error.contains("malformed at line 1: expected a record, or what `openssl speed`"),
        "{error}"
    );
    let error = Record::read(Path::new("/dev/zero")).expect_err("it is no record").to_string();
    assert!(error.contains("malformed at line 1: expected a record, which begins"), "{error}");
}

#[test]
fn a_line_longer_than_a_million_samples_is_refused() {
    let endless = [&b"{\"line\":\"head\",\"date\":\""[..], &vec![b'0'; 64 << 20]].concat();
    let error = refusal(&endless);
    assert!(
        error.contains("malformed at line 1: expected lines of at most 67108864 bytes"),
        "{error}"
    );
}

#[test]
fn a_record_of_a_narrowed_study_and_of_a_provider_that_is_gone_is_read() {
    let mut record = small::speed();
    record.head.study = record.head.study.only(&["sha1".to_owned()]).unwrap();
    record.head.study.tables[1].sizes.clear();
    record.head.study.tables[0].providers[1].provider = "cobol".to_owned();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), record.to_bytes()).unwrap();
    let read = import::read(file.path()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.to_bytes(), record.to_bytes());
}
