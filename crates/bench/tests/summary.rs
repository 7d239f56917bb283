//! A summary: the same report as its record, without samples.

use bench::record::Raw;
use bench::report::{Format, Report, summary};
use bench::{Record, compare};

mod small;

#[test]
fn a_summary_reports_as_its_record() {
    for record in [small::speed(), small::scoreboard(), small::files()] {
        let summary = written_and_read(&summary(&record, raw()));
        assert!(summary.entries.iter().all(|entry| entry.series.samples.is_empty()));
        assert_eq!(summary.head.summary_of, Some(raw()));
        alike(
            &Report::new(&summary).render(Format::named("csv")),
            &Report::new(&record).render(Format::named("csv")),
        );
    }
}

#[test]
fn folders_are_not_kept() {
    let mut record = small::speed();
    let path = ("path".to_owned(), "/home/somebody/lib/libcrypto.so.3".to_owned());
    record.providers[0].facts.extend([path]);
    assert_eq!(summary(&record, raw()).providers[0].facts["path"], "libcrypto.so.3");
}

#[test]
fn a_ratio_is_lost_with_the_samples_unless_it_is_kept() {
    let record = small::scoreboard();
    let mut summary = summary(&record, raw());
    let ratio = |record: &Record| record.ratio(&record.entries[3], &record.entries[0]);
    let [whole, kept] = [&record, &summary].map(|record| ratio(record).expect("a ratio").value);
    assert!((kept / whole - 1.0).abs() < ROUNDED, "{kept}, {whole}");
    summary.kept = Default::default();
    assert_eq!(ratio(&summary), None);
}

#[test]
fn costs_of_a_call_and_of_a_byte_are_kept() {
    let record = small::speed();
    let summary = written_and_read(&summary(&record, raw()));
    let byte = |record: &Record| {
        let entries: Vec<_> = record.entries[..3].iter().collect();
        record.cost(&entries).expect("three sizes").byte.value
    };
    assert!((byte(&summary) / byte(&record) - 1.0).abs() < ROUNDED);
}

#[test]
fn summaries_are_compared_by_their_intervals() {
    let record = small::speed();
    let summary = summary(&record, raw());
    let cells = compare(&summary, &record).expect("one machine");
    assert_eq!(cells.len(), record.entries.len());
    assert!(cells.iter().all(|cell| cell.ratio.low < 1.0 && cell.ratio.high > 1.0));
}

/// How far a figure of five digits may be off, and be shown with four.
const ROUNDED: f64 = 1e-3;

/// The same words, and figures that differ by their rounding alone.
fn alike(a: &str, b: &str) {
    let words = |text: &str| {
        text.split([' ', ',', '\n', '(', ')'])
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (a, b): (Vec<String>, Vec<String>) = (words(a), words(b));
    assert_eq!(a.len(), b.len(), "{a:?}\n{b:?}");
    for (a, b) in a.iter().zip(&b) {
        let number =
            |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<f64>().ok();
        let close = number(a).zip(number(b)).is_some_and(|(a, b)| (a / b - 1.0).abs() < ROUNDED);
        assert!(a == b || close, "{a}, {b}");
    }
}

/// By way of a compressed file.
fn written_and_read(record: &Record) -> Record {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("record.jsonl.zst");
    record.write(&path).expect("it can be written");
    Record::read(&path).expect("it can be read")
}

fn raw() -> Raw {
    Raw { sha256: "00".repeat(32), bytes: 7, commit: Some("1b008cc".to_owned()) }
}
