//! A cell with a figure is compared or missing: none is left out.

use bench::files::{Cache, Throttle};
use bench::report::machines::Machines;
use bench::{Board, Change, ProviderLine, Record, change, compare, import, missing, only_in};
use gauge::{CoreState, Outcome};

mod small;

/// What two records say of each cell, without a threshold to speak of.
fn changes(before: &Record, after: &Record) -> Vec<Change> {
    let cells = compare(before, after).expect("one machine");
    cells.iter().map(|cell| change(&[cell], 0.0)).collect()
}

#[test]
fn a_cell_with_too_few_samples_for_a_ratio_stays() {
    let (whole, mut less) = (small::speed(), small::speed());
    less.entries[0].series.samples.truncate(7);
    less.entries[1].series.samples.clear();
    for (before, after) in [(&whole, &less), (&less, &whole)] {
        let changes = changes(before, after);
        assert_eq!(changes.len(), whole.entries.len());
        assert_eq!(changes[..2], [Change::Uncertain; 2]);
        assert!(changes[2..].iter().all(|change| *change == Change::NotDistinguishable));
        assert!(only_in(before, after).is_empty());
    }
}

/// A record whose first cell took twice as long, beside a neighbour.
fn shared() -> Record {
    let mut record = small::speed();
    let Outcome::Estimate(estimate) = &mut record.entries[0].series.outcome else { panic!() };
    estimate.state = CoreState::Shared;
    estimate.ns = estimate.ns.times(2.0);
    record
}

#[test]
fn two_states_of_the_core_stay_and_are_never_slower() {
    let (before, after) = (small::speed(), shared());
    let cells = compare(&before, &after).expect("one machine");
    let first = &cells[0];
    assert_eq!(cells.len(), before.entries.len());
    assert!(!first.has_interval() && (first.ratio.value - 2.0).abs() < 1e-9);
    assert_eq!(change(&[first; 3], 0.0), Change::Uncertain);
}

#[test]
fn who_has_a_figure_was_started_whatever_its_line_says() {
    let peer = |record: &Record| {
        let peer = Board::new(record).unwrap().rows.swap_remove(0).peer;
        peer.map(|peer| peer.source.provider)
    };
    let mut record = small::scoreboard();
    let missing = record.providers.last().expect("one is missing").clone();
    let missing = |name: &str| ProviderLine { name: name.to_owned(), ..missing.clone() };
    record.providers.extend(["php", "python"].map(missing));
    assert_eq!(peer(&record).as_deref(), Some("python"));
    let python = record.entries.iter_mut().find(|entry| entry.source.provider == "python");
    let python = python.expect("it is a peer");
    python.void("it died".to_owned());
    let source = python.source.clone();
    assert!(record.never_started(&source), "it has no other figure");
    // The provider did not start on this number of threads, and started on one.
    record.providers.push(ProviderLine { threads: 4096, ..missing("python") });
    let place = record.providers.len() - 2;
    record.providers[place] =
        ProviderLine { version: Some("3".to_owned()), missing: None, ..missing("python") };
    assert!(!record.never_started(&source));
    assert_eq!(peer(&record).as_deref(), Some("php"));
}

#[test]
fn cells_of_files_are_missing_too() {
    let (whole, mut less) = (small::files(), small::files());
    let void = Outcome::Void { reason: "a wrong answer".to_owned() };
    less.files.hashed[0].series.outcome = void;
    less.files.processes[1].void = Some("it died".to_owned());
    less.files.processes.pop();
    let gone = only_in(&whole, &less);
    let names: Vec<_> = gone.iter().map(|side| side.algorithm.as_str()).collect();
    assert_eq!(names, ["md5", "md5, warm", "md5, cold"]);
    assert!(only_in(&less, &whole).is_empty());
    let cells = compare(&whole, &less).expect("one machine");
    let count = whole.files.hashed.len() + whole.files.processes.len();
    assert_eq!(cells.len() + gone.len(), count);
}

#[test]
fn a_cell_that_is_missing_in_any_pair_is_missing() {
    let (whole, mut less) = (small::speed(), small::speed());
    less.entries[0].void("it died".to_owned());
    let (same, gone, new) = ([&whole, &whole], [&whole, &less], [&less, &whole]);
    let count = |pairs: &[[&Record; 2]]| missing(pairs.iter().copied()).len();
    assert_eq!([count(&[same, same]), count(&[same, new])], [0, 0]);
    assert_eq!([count(&[gone, same]), count(&[same, same, gone])], [1, 1]);
    assert_eq!(count(&[gone, gone, gone]), 1);
}

#[test]
fn a_tree_of_another_length_is_another_cell() {
    let (one, mut other) = (small::files(), small::files());
    other.files.trees[0].bytes += 1;
    let trees = one.files.hashed.len();
    assert_eq!(only_in(&one, &other).len(), trees);
    assert_eq!(only_in(&other, &one).len(), trees);
}

#[test]
fn a_pipe_of_another_rate_is_another_cell() {
    let of_rate = |rate| {
        let mut record = small::files();
        record.head.study.files[1].throttle = Some(Throttle { rate, longest: 1 << 20 });
        record.files.processes[0].cache = Cache::Throttled;
        record
    };
    let (slow, fast) = (of_rate(1000), of_rate(2000));
    assert_eq!([only_in(&slow, &fast).len(), only_in(&fast, &slow).len()], [1, 1]);
    assert!(only_in(&slow, &slow).is_empty());
}

#[test]
fn a_tool_with_too_few_runs_stays() {
    let (whole, mut less) = (small::files(), small::files());
    less.files.processes[0].runs.truncate(7);
    let place = whole.files.hashed.len();
    assert_eq!(changes(&whole, &less)[place], Change::Uncertain);
    assert!(only_in(&whole, &less).is_empty());
}

#[test]
fn a_cell_without_a_ratio_stays_between_two_machines() {
    let mut few = small::files();
    few.files.processes[0].runs.truncate(7);
    let place = few.files.hashed.len();
    for (one, mut other, place) in [(small::speed(), shared(), 0), (small::files(), few, place)] {
        other.head.machine.cpu = "Another Processor".to_owned();
        let machines = Machines::new(&one, &other).expect("two machines");
        let count = one.entries.len() + one.files.hashed.len() + one.files.processes.len();
        assert_eq!(machines.cells.len(), count);
        let unsure = machines.cells.iter().filter(|cell| !cell.has_interval()).count();
        assert!(unsure == 1 && !machines.cells[place].has_interval());
        let grid = machines.grid();
        assert!(grid.rows[place][5].ends_with('x'), "{:?}", grid.rows[place]);
        assert!(grid.note.contains("without an interval"), "{}", grid.note);
    }
}

#[test]
fn a_cell_without_a_ratio_stays_beside_another_program() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "+H:16\n+F:1:md5:1000000.0\n").unwrap();
    let theirs = import::read(file.path()).unwrap_or_else(|error| panic!("{error}"));
    let cells = compare(&theirs, &shared()).expect("another program names no machine");
    assert!(cells.len() == 1 && !cells[0].has_interval());
}
