//! Which cells of a board are measured again, and whose samples a record keeps.

use bench::judge::{is_decided, thin};
use bench::study::Source;
use bench::{Counts, Entry, Record, Size};
use gauge::{CoreState, Interval, Outcome, Plan};

mod small;

/// The cell of that many bytes.
fn cell(record: &Record, len: usize) -> Vec<Entry> {
    record.entries.iter().filter(|entry| entry.size == Size::One(len)).cloned().collect()
}

fn of<'a>(entries: &'a mut [Entry], source: &str) -> &'a mut Entry {
    let source = Source::from(source.to_owned());
    entries.iter_mut().find(|entry| entry.source == source).expect("it is in the cell")
}

/// The same entry, of another provider and with another time.
fn other(entry: &Entry, source: &str, ns: f64) -> Entry {
    let mut other = Entry { source: Source::from(source.to_owned()), ..entry.clone() };
    let Outcome::Estimate(estimate) = &mut other.series.outcome else { panic!("it has one") };
    estimate.ns = Interval::exact(ns);
    other
}

#[test]
fn a_cell_is_measured_until_ours_and_the_best_peer_have_a_ratio() {
    let record = small::scoreboard();
    let is_decided = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut entries = cell(&record, 64);
        change(&mut entries);
        is_decided(&entries, &Plan::quick())
    };
    let shorten =
        |entries: &mut [Entry], source: &str| of(entries, source).series.samples.truncate(7);
    assert!(is_decided(&|_| ()));
    assert!(!is_decided(&|entries| shorten(entries, "hashdyno")), "a ratio wants eight pairs");
    assert!(!is_decided(&|entries| shorten(entries, "python")), "the fastest peer");
    assert!(is_decided(&|entries| shorten(entries, "php")), "it does not count");
    assert!(is_decided(&|entries| shorten(entries, "hashdyno/portable")), "nor does that");
    // Nothing would be gained.
    assert!(is_decided(&|entries| of(entries, "hashdyno").series.samples.clear()));
    assert!(is_decided(&|entries| entries.retain(|entry| entry.source.provider == "hashdyno")));
    assert!(is_decided(&|entries| entries.retain(|entry| entry.source.provider != "hashdyno")));
}

/// Whose samples are left, cell by cell.
fn kept(mut entries: Vec<Entry>) -> Vec<String> {
    thin(&mut entries);
    let kept = entries.iter().filter(|entry| !entry.series.samples.is_empty());
    kept.map(|entry| format!("{} {} {}", entry.source, entry.algorithm, entry.size.mean()))
        .collect()
}

#[test]
fn peers_that_take_a_tenth_longer_than_the_fastest_keep_no_samples() {
    let mut entries = small::scoreboard().entries;
    let php = entries[2].clone();
    // Of another algorithm PHP is the fastest peer.
    let mut sha1 = [other(&entries[0], "hashdyno", 100.0), other(&php, "php", 5000.0)];
    sha1.iter_mut().for_each(|entry| entry.algorithm = "sha1".to_owned());
    let mut void = other(&php, "node", 900.0);
    void.void("a wrong answer".to_owned());
    void.series.samples.clone_from(&php.series.samples);
    entries.splice(4..4, [other(&php, "openssl", 95.0), void]);
    entries.extend(sha1);
    let expected = [
        "hashdyno md5 64",
        "hashdyno/portable md5 64",
        "python md5 64",
        "openssl md5 64",
        "node md5 64",
        "hashdyno md5 1024",
        "php md5 1024",
        "hashdyno sha1 64",
        "php sha1 64",
    ];
    assert_eq!(kept(entries), expected);
}

#[test]
fn a_peer_that_takes_just_a_tenth_longer_keeps_its_samples() {
    let php = small::scoreboard().entries.swap_remove(2);
    let entries =
        vec![other(&php, "php", 10.0), other(&php, "go", 11.0), other(&php, "java", 11.1)];
    assert_eq!(kept(entries), ["php md5 64", "go md5 64"]);
}

/// The fastest is the one that the board sets beside ours.
#[test]
fn the_fastest_of_a_shared_core_is_that_beside_ours() {
    let mut entries = cell(&small::scoreboard(), 64);
    let go = other(&entries[2], "go", 230.0);
    entries.push(go);
    for entry in entries.iter_mut().filter(|entry| entry.source.implementation.is_none()) {
        let Outcome::Estimate(estimate) = &mut entry.series.outcome else { panic!("it has one") };
        if entry.source.provider != "python" {
            estimate.state = CoreState::Shared;
        }
    }
    let kept = kept(entries);
    assert_eq!(
        kept,
        ["hashdyno md5 64", "hashdyno/portable md5 64", "php md5 64", "python md5 64"],
        "of PHP's 200 ns, not of Python's 90"
    );
}

#[test]
fn a_total_has_every_cell() {
    let counts = Counts { win: 1, tie: 2, loss: 4, alone: 8, not_measured: 16 };
    assert_eq!((counts.decided(), counts.total()), (7, 31));
}
