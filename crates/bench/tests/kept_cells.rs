//! A cell with a figure is compared or missing: none is left out.

use bench::{Change, Record, change, compare, only_in};
use gauge::{Outcome, State};

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

#[test]
fn two_states_of_the_core_stay_and_are_never_slower() {
    let (before, mut after) = (small::speed(), small::speed());
    let Outcome::Estimate(estimate) = &mut after.entries[0].series.outcome else { panic!() };
    estimate.state = State::Shared;
    estimate.ns = estimate.ns.times(2.0);
    let cells = compare(&before, &after).expect("one machine");
    let first = &cells[0];
    assert_eq!(cells.len(), before.entries.len());
    assert!(!first.has_interval() && (first.ratio.value - 2.0).abs() < 1e-9);
    assert_eq!(change(&[first; 3], 0.0), Change::Uncertain);
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
fn a_tree_of_another_length_is_another_cell() {
    let (one, mut other) = (small::files(), small::files());
    other.files.trees[0].bytes += 1;
    let trees = one.files.hashed.len();
    assert_eq!(only_in(&one, &other).len(), trees);
    assert_eq!(only_in(&other, &one).len(), trees);
}

#[test]
fn a_tool_with_too_few_runs_stays() {
    let (whole, mut less) = (small::files(), small::files());
    less.files.processes[0].runs.truncate(7);
    let place = whole.files.hashed.len();
    assert_eq!(changes(&whole, &less)[place], Change::Uncertain);
    assert!(only_in(&whole, &less).is_empty());
}
