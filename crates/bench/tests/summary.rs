//! A summary: the same report as its record, without samples.

use bench::record::Raw;
use bench::report::{Format, Report, summary};
use bench::{Board, Record, Size, Standing, compare};

mod small;

#[test]
fn a_summary_reports_as_its_record() {
    for record in [small::speed(), small::scoreboard(), small::files()] {
        let record = written_and_read(&record);
        let summary = written_and_read(&summary(&record, raw()));
        assert!(summary.entries.iter().all(|entry| entry.series.samples.is_empty()));
        assert_eq!(summary.head.summary_of, Some(raw()));
        let [a, b] =
            [&summary, &record].map(|record| Report::new(record).render(Format::named("csv")));
        assert_eq!(a, b);
    }
}

#[test]
fn a_ratio_beside_the_rule_has_one_verdict() {
    let mut record = small::scoreboard();
    // Ratios of more than 1.05 are won. This one is 1.05 with five digits, as all are.
    for entry in record.entries.iter_mut().filter(|entry| entry.size == Size::One(1024)) {
        let ns = if entry.source.provider == "php" { 105_002_000 } else { 100_000_000 };
        entry.series.samples.iter_mut().for_each(|sample| sample.ns = ns);
    }
    let record = written_and_read(&record);
    let standing = |record: &Record| {
        let rows = Board::new(record).expect("a board").rows;
        let row = rows.into_iter().find(|row| row.size == Size::One(1024)).expect("a row");
        (row.ratio.expect("a ratio").value, row.standing)
    };
    assert_eq!(standing(&record), (1.05, Standing::Tie));
    assert_eq!(standing(&summary(&record, raw())), standing(&record));
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
