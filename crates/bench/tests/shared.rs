//! Figures of a core that a neighbour shares: marked wherever they stand, and beside no others.

use bench::record::Raw;
use bench::report::{Format, Report, summary};
use bench::{Board, Entry, Record, Standing};
use gauge::{CoreState, Outcome, Verdict};
use serde_json::Value;

mod small;

/// The scoreboard, of which some cells were measured beside a neighbour: all that count in them.
fn beside_a_neighbour(is: impl Fn(&Entry) -> bool) -> Record {
    let mut record = small::scoreboard();
    for entry in record.entries.iter_mut().filter(|entry| is(entry)) {
        entry.series.samples.iter_mut().for_each(|sample| sample.verdict = Verdict::Shared);
        let Outcome::Estimate(estimate) = &mut entry.series.outcome else { panic!() };
        estimate.state = CoreState::Shared;
    }
    record
}

fn written_and_read(record: &Record) -> Record {
    let file = tempfile::NamedTempFile::new().unwrap();
    record.write(file.path()).unwrap();
    Record::read(file.path()).unwrap()
}

#[test]
fn the_state_is_in_table_csv_json_and_verdict() {
    let record = written_and_read(&beside_a_neighbour(|entry| entry.size.mean() < 100.0));
    let report = Report::new(&record);
    for format in [Format::named("terminal"), Format::named("markdown")] {
        let text = report.render(format);
        assert!(text.contains("on a shared core"), "{text}");
        // Markdown has a backslash before a star that is no emphasis.
        let text = text.replace("\\*", "*");
        assert!(text.contains("/byte*"), "{text}");
        assert!(text.contains("*: on a core that a neighbour"), "{text}");
    }
    let csv = report.render(Format::named("csv"));
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let place = |name: &str, rows: &mut csv::Reader<&[u8]>| {
        rows.headers().unwrap().iter().position(|column| column == name).unwrap()
    };
    let (core, of_ratio) = (place("core", &mut rows), place("peer_over_hashdyno_core", &mut rows));
    let fields: Vec<_> = rows.records().map(Result::unwrap).collect();
    let cores: Vec<_> = fields.iter().map(|row| row[core].to_owned()).collect();
    assert_eq!(cores, ["shared", "shared", "shared", "shared", "quiet", "quiet"]);
    assert_eq!((&fields[0][of_ratio], &fields[4][of_ratio]), ("shared", "quiet"));
    let json: Value = serde_json::from_str(&report.render(Format::named("json"))).unwrap();
    assert_eq!(
        (&json["cells"][0]["core"], &json["cells"][5]["core"]),
        (&"shared".into(), &"quiet".into())
    );
    assert_eq!(json["board"]["rows"][0]["ratio"]["state"], "shared");
    assert_eq!(json["board"]["rows"][0]["hashdyno"]["state"], "shared");
}

#[test]
fn the_best_peer_is_one_of_the_same_state() {
    let peer = |record: &Record| {
        let row = Board::new(record).unwrap().rows.swap_remove(0);
        (row.peer.unwrap().source.provider, row.standing)
    };
    assert_eq!(peer(&small::scoreboard()), ("python".to_owned(), Standing::Loss));
    // Python's is the only figure of a quiet core: it is not set against ours.
    let record = beside_a_neighbour(|entry| entry.source.provider != "python");
    assert_eq!(peer(&record), ("php".to_owned(), Standing::Win));
    let [ours, python] = [0, 3].map(|place| &record.entries[place]);
    assert_eq!(record.ratio(ours, python), None);
}

#[test]
fn a_summary_keeps_the_state() {
    let record = beside_a_neighbour(|_| true);
    let raw = Raw { sha256: "ab".repeat(32), bytes: 1, commit: None };
    let summary = written_and_read(&summary(&record, raw));
    let [whole, kept] = [&record, &summary].map(|record| Board::new(record).unwrap().rows);
    for (whole, kept) in whole.iter().zip(&kept) {
        assert_eq!(kept.standing, whole.standing);
        assert_eq!(kept.ratio.map(|ratio| ratio.state), Some(CoreState::Shared));
        assert_eq!(kept.ours.as_ref().map(|figure| figure.state), Some(CoreState::Shared));
    }
}

#[test]
fn a_record_of_before_is_of_a_quiet_core() {
    let text = String::from_utf8(small::scoreboard().to_bytes()).unwrap();
    assert!(!text.contains("shared") && !text.contains("\"state\""));
    let old = text.replace(",\"ipc\":4.0", "").replace(",\"few_beyond\":null", "");
    assert!(!old.contains("ipc\":4") && !old.contains("few_beyond"), "as it was written then");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), old).unwrap();
    let read = Record::read(file.path()).unwrap();
    let standings = |record: &Record| {
        Board::new(record).unwrap().rows.iter().map(|row| row.standing).collect::<Vec<_>>()
    };
    assert_eq!(standings(&read), standings(&small::scoreboard()));
    assert!(read.entries.iter().all(|entry| entry.estimate().unwrap().state.is_quiet()));
}
