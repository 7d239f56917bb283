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
        for format in [Format::Terminal, Format::Markdown, Format::Csv] {
            assert_eq!(Report::new(&summary).render(format), Report::new(&record).render(format));
        }
    }
}

#[test]
fn a_ratio_is_lost_with_the_samples_unless_it_is_kept() {
    let record = small::scoreboard();
    let mut summary = summary(&record, raw());
    let ratio = |record: &Record| record.ratio(&record.entries[3], &record.entries[0]);
    assert!(ratio(&record).is_some() && ratio(&summary) == ratio(&record));
    summary.kept = Default::default();
    assert_eq!(ratio(&summary), None);
}

#[test]
fn summaries_are_compared_by_their_intervals() {
    let record = small::speed();
    let summary = summary(&record, raw());
    let cells = compare(&summary, &record).expect("one machine");
    assert_eq!(cells.len(), record.entries.len());
    assert!(cells.iter().all(|cell| cell.ratio.low < 1.0 && cell.ratio.high > 1.0));
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
