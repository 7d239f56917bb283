//! What two records of one machine say of a change, and records that are not whole.

use bench::judge::thin;
use bench::{Change, Record, Unfinished, change, compare, import, only_in};
use gauge::{Estimate, Outcome};

mod small;

/// The record with every time of its messages, and each of their samples, so many times as long.
fn times(mut record: Record, by: f64) -> Record {
    for entry in &mut record.entries {
        for sample in &mut entry.series.samples {
            sample.ns = (sample.ns as f64 * by) as u64;
        }
        if let Outcome::Estimate(Estimate { ns, .. }) = &mut entry.series.outcome {
            *ns = ns.times(by);
        }
    }
    record
}

fn scaled(by: f64) -> Record {
    times(small::speed(), by)
}

fn marked_few(mut record: Record) -> Record {
    for entry in &mut record.entries {
        if let Outcome::Estimate(estimate) = &mut entry.series.outcome {
            estimate.few = true;
        }
    }
    record
}

/// What pairs of records say of their first cell.
fn changed(pairs: &[(&Record, &Record)], threshold: f64) -> Change {
    let cells: Vec<_> =
        pairs.iter().map(|(before, after)| compare(before, after).expect("one machine")).collect();
    change(&cells.iter().map(|cells| &cells[0]).collect::<Vec<_>>(), threshold)
}

#[test]
fn a_change_is_beyond_the_threshold_in_every_pair() {
    let (same, slow, fast) = (scaled(1.0), scaled(1.2), scaled(0.8));
    assert_eq!(changed(&[(&same, &same)], 0.0), Change::NotDistinguishable);
    assert_eq!(changed(&[(&same, &slow)], 0.05), Change::Slower);
    assert_eq!(changed(&[(&same, &slow)], 0.25), Change::NotDistinguishable);
    assert_eq!(changed(&[(&same, &fast)], 0.05), Change::Faster);
    assert_eq!(changed(&[(&same, &slow), (&same, &slow)], 0.05), Change::Slower);
    assert_eq!(changed(&[(&same, &slow), (&same, &same)], 0.05), Change::NotDistinguishable);
    assert_eq!(changed(&[(&same, &slow), (&same, &fast)], 0.05), Change::NotDistinguishable);
}

#[test]
fn too_few_clean_samples_say_nothing_unless_three_runs_say_the_same() {
    let (same, slow) = (scaled(1.0), marked_few(scaled(1.2)));
    let pair = (&same, &slow);
    assert_eq!(changed(&[pair], 0.05), Change::Uncertain);
    assert_eq!(changed(&[pair, pair], 0.05), Change::Uncertain);
    assert_eq!(changed(&[pair, pair, pair], 0.05), Change::Slower);
    assert_eq!(changed(&[pair, pair, pair], 0.25), Change::Uncertain);
    let other = (&same, &same);
    assert_eq!(changed(&[pair, pair, other], 0.05), Change::NotDistinguishable);
}

#[test]
fn a_peer_that_a_board_took_the_samples_from_is_compared_by_its_figure() {
    let mut before = small::scoreboard();
    thin(&mut before.entries);
    assert!(before.entries.iter().any(|entry| entry.series.samples.is_empty()));
    for after in [times(before.clone(), 3.0), times(small::scoreboard(), 3.0)] {
        let cells = compare(&before, &after).expect("one machine");
        assert_eq!(cells.len(), before.entries.len());
        assert!(cells.iter().all(|cell| change(&[cell], 0.05) == Change::Slower));
    }
}

#[test]
fn messages_of_two_files_are_not_compared() {
    let of_file = |byte: &str| {
        let mut record = small::speed();
        record.head.payload_sha256 = Some(byte.repeat(32));
        record
    };
    let (one, other) = (of_file("00"), of_file("11"));
    let error = compare(&one, &other).err().expect("two files").to_string();
    assert!(error.contains("their payload file differs, 0000"), "{error}");
    assert!(compare(&one, &one).is_ok() && compare(&one, &small::speed()).is_ok());
}

#[test]
fn a_cell_without_a_figure_in_the_other_record_is_named() {
    let (whole, mut less) = (small::speed(), small::speed());
    less.entries[0].void("it died".to_owned());
    less.entries.pop();
    let (gone, added) = (only_in(&whole, &less), only_in(&less, &whole));
    let last = whole.entries.last().expect("it has some");
    let names: Vec<_> = gone.iter().map(|entry| (&entry.algorithm, entry.size)).collect();
    let first = &whole.entries[0];
    assert_eq!(names, [(&first.algorithm, first.size), (&last.algorithm, last.size)]);
    assert!(added.is_empty());
}

#[test]
fn an_unfinished_record_stays_one() {
    let unfinished = Unfinished { groups: 2, of: Some(7) };
    let record = Record { unfinished: Some(unfinished), ..small::speed() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.jsonl.zst");
    record.write(&path).unwrap();
    let error = Record::read(&path).expect_err("it is not whole").to_string();
    assert!(error.contains("is cut short"), "{error}");
    let read = import::read(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.unfinished, Some(unfinished));
    assert_eq!(read.to_bytes(), record.to_bytes());
    assert_eq!(unfinished.to_string(), "2 of 7 groups are there");
}

#[test]
fn lines_of_a_part_stand_in_a_part_alone() {
    let text = String::from_utf8(small::speed().to_bytes()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let (head, rest) = (lines[0], &lines[1..lines.len() - 1]);
    let begun = r#"{"line":"begun","groups":1}"#;
    let done = r#"{"line":"done","step":"start"}"#;
    let end = lines[lines.len() - 1];
    let refused = |lines: &[&str], expected: &str| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), lines.join("\n") + "\n").unwrap();
        let error = import::read(file.path()).expect_err("it is refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(&[head, done], "line 2: expected this in the part of a record");
    refused(&[head, rest[0], begun], "line 3: expected this behind the head");
    refused(&[head, begun, begun], "line 3: expected this behind the head");
    refused(&[head, begun, rest[0], end], "line 4: expected no end in the part of a record");
    refused(&[&head[..40], rest[0]], "malformed at line 1");
}

#[test]
fn a_fit_that_is_no_cost_is_not_shown() {
    // Times that do not grow in proportion: a line through them cuts the axis below nothing.
    let mut record = small::speed();
    let cost = |record: &Record| {
        let entries: Vec<_> = record
            .entries
            .iter()
            .filter(|entry| entry.size.one().is_some() && entry.source.to_string() == "php")
            .filter(|entry| entry.algorithm == "md5")
            .collect();
        assert!(entries.len() >= 3);
        record.cost(&entries)
    };
    let shown = cost(&record).expect("the times are a straight line");
    assert!(shown.call.low > 0.0 && shown.byte.low > 0.0);
    for entry in &mut record.entries {
        let bytes = entry.size.mean();
        for sample in &mut entry.series.samples {
            sample.ns = (bytes.powf(1.5) * 100.0) as u64 + 1000 * u64::from(sample.round);
        }
    }
    assert!(cost(&record).is_none(), "{:?}", cost(&record));
}
