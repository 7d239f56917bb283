//! Every group once, and some of them again.
//!
//! ```text
//! pass 0   every group                          in its random order
//! pass 1   the groups that are wanted again     after all others
//! pass 2   the same, once more
//! ```
//!
//! A group is wanted again where its samples are spoiled, or where a board has no verdict. The wait
//! until all others are done is the cheapest: the neighbour may have left by then. The better of
//! the results stays whole (METHODOLOGY.md, "The scoreboard", few samples).
//!
//! The number of times that a group is done says in which pass it is, also when a run goes on.

use super::{Group, Growing, Progress};
use crate::judge::Board;
use crate::record::{Entry, Head, Line, Record};

/// Which time a group is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    First,
    /// Nobody knew that it would be.
    Again,
}

/// Every group, and those that are `wanted` once more at the end, when the neighbour may have left
/// who spoiled their samples: then the better entries count. What was done before the run was
/// stopped counts.
pub(super) fn passes(
    groups: &[Group],
    growing: &mut Growing,
    wanted: impl Fn(&[Entry]) -> bool,
    progress: &mut dyn Progress,
    mut measure: impl FnMut(&Group, Pass, &mut dyn Progress) -> Vec<Entry>,
) {
    for pass in 0..PASSES {
        for group in groups {
            let step = group.step();
            if growing.is_stopped() || growing.times(&step) != pass {
                continue;
            }
            // The record is asked, not a list beside it: it has the groups of the stopped run, too.
            let before = of_group(&growing.record.entries, group);
            let entries = match pass {
                0 => measure(group, Pass::First, progress),
                _ if wanted(before) => {
                    let now = measure(group, Pass::Again, progress);
                    better(&growing.record.head, before, now)
                }
                _ => continue,
            };
            let lines = entries.into_iter().map(|entry| Line::Series(Box::new(entry)));
            growing.add(step, lines.collect(), progress);
        }
    }
}

/// The entries of a group that are worth more. Those of two times are not mixed: a ratio is of
/// samples of one round.
fn better(head: &Head, before: &[Entry], now: Vec<Entry>) -> Vec<Entry> {
    if worth(head, &now) < worth(head, before) { before.to_vec() } else { now }
}

/// What the entries of a group are worth: whether ours is compared with a peer where the study has
/// a board, how many can have a ratio, how many have a figure.
fn worth(head: &Head, entries: &[Entry]) -> (bool, usize, usize) {
    let group = Record { entries: entries.to_vec(), ..Record::of(head.clone()) };
    let is_decided = Board::new(&group)
        .is_some_and(|board| board.rows.iter().any(|row| row.standing.is_decided()));
    let count = |least: usize| {
        let clean = entries.iter().filter_map(|entry| Some(entry.estimate()?.clean));
        clean.filter(|&clean| clean >= least).count()
    };
    // In this order: a verdict is worth more than any number of ratios, a ratio than a figure.
    (is_decided, count(ENOUGH), count(1))
}

/// The entries of a group, which stand beside each other.
fn of_group<'a>(entries: &'a [Entry], group: &Group) -> &'a [Entry] {
    let mut groups = entries.chunk_by(|a, b| a.algorithm == b.algorithm && a.size == b.size);
    groups.find(|entries| group.has(&entries[0])).unwrap_or_default()
}

/// A neighbour who stays that long is part of the machine.
const PASSES: usize = 3;

/// Clean samples below which there is no ratio.
const ENOUGH: usize = 8;

#[cfg(test)]
mod tests {
    use gauge::{CoreState, Estimate, Interval, Outcome, Reason, Sample, Verdict};

    use super::super::group::tests::{entry, group};
    use super::super::{OnlyWarnings, Stop};
    use super::*;
    use crate::record::Unfinished;
    use crate::study::{Rules, Source, Study};

    /// Goes on until `most` groups are measured; `order` has their names.
    fn go_on(growing: &mut Growing, order: &mut Vec<String>, stop: &Stop, most: usize) {
        let groups = [group(0, "md5"), group(1, "sha1"), group(2, "md4")];
        let spoiled = |measured: &[Entry]| measured.iter().any(|entry| entry.series.is_spoiled());
        passes(&groups, growing, spoiled, &mut OnlyWarnings, |group, _, _| {
            if order.len() == most {
                stop.ask();
                return Vec::new();
            }
            let is_first = !order.contains(&group.algorithm);
            order.push(group.algorithm.clone());
            let is_spoiled = group.algorithm == "md4" || (group.algorithm == "md5" && is_first);
            let verdict = match is_spoiled {
                true => Verdict::Rejected(Reason::Neighbour),
                false => Verdict::Clean,
            };
            vec![entry(group, verdict)]
        });
    }

    #[test]
    fn what_a_neighbour_spoiled_is_measured_again_at_the_end_whenever_it_was_stopped() {
        for most in 0..=6 {
            let study = Study::new("test", "", "", Vec::new());
            let stop = Stop::default();
            let mut growing = Growing::in_memory(Record::empty(study), 3, stop.clone());
            let mut order = Vec::new();
            go_on(&mut growing, &mut order, &stop, most);
            assert_eq!(order.len(), most);
            assert_eq!(stop.is_asked(), most < 6);
            let unfinished = Unfinished { groups: most.min(3), of: Some(3) };
            assert_eq!(growing.record.unfinished, Some(unfinished));
            let mut growing = growing.until(Stop::default());
            go_on(&mut growing, &mut order, &stop, usize::MAX);
            assert_eq!(order, ["md5", "sha1", "md4", "md5", "md4", "md4"]);
            let mut spoiled: Vec<_> = growing
                .record
                .entries
                .iter()
                .map(|entry| (entry.algorithm.as_str(), entry.series.is_spoiled()))
                .collect();
            spoiled.sort_unstable();
            assert_eq!(spoiled, [("md4", true), ("md5", false), ("sha1", false)]);
        }
    }

    /// An entry of that source which `clean` rounds count for.
    fn of_source(source: &str, clean: usize) -> Entry {
        let entry = entry(&group(0, "md5"), Verdict::Clean);
        let sample = |round| Sample { round, ..entry.series.samples[0].clone() };
        let samples = (0..clean as u32).map(sample).collect();
        let estimate = Estimate {
            state: CoreState::Quiet,
            ns: Interval::exact(100.0),
            cycles: Interval::exact(300.0),
            ghz: 3.0,
            ipc: 4.0,
            clean,
            total: clean,
            narrow: true,
            few: false,
            drift: 1.0,
        };
        let outcome = match clean {
            0 => Outcome::Void { reason: "beside a neighbour".to_owned() },
            _ => Outcome::Estimate(estimate),
        };
        let series = gauge::Series { samples, outcome, ..entry.series.clone() };
        Entry { source: Source::from(source.to_owned()), series, ..entry }
    }

    /// How many rounds count of each entry, where a group gave the one thing first and then the
    /// other. Ours is the first entry.
    fn kept(board: Option<Rules>, first: [usize; 3], then: [usize; 3]) -> Vec<usize> {
        let study = Study { board, ..Study::new("test", "", "", Vec::new()) };
        let mut growing = Growing::in_memory(Record::empty(study), 1, Stop::default());
        let (groups, always) = ([group(0, "md5")], |_: &[Entry]| true);
        passes(&groups, &mut growing, always, &mut OnlyWarnings, |_, pass, _| {
            let clean = if pass == Pass::First { first } else { then };
            let entries = ["hashdyno", "php", "python"].into_iter().zip(clean);
            entries.map(|(source, clean)| of_source(source, clean)).collect()
        });
        growing.record.entries.iter().map(|entry| entry.series.samples.len()).collect()
    }

    #[test]
    fn what_is_measured_again_does_not_replace_what_is_worth_more() {
        let rules = Rules { win: 1.05, loss: 0.95, rounds: 30, processes: 1, bounds: Vec::new() };
        for board in [None, Some(rules.clone())] {
            let kept = |first, then| kept(board.clone(), first, then);
            assert_eq!(kept([9, 9, 0], [1, 1, 1]), [9, 9, 0], "single samples");
            assert_eq!(kept([9, 9, 0], [9, 0, 0]), [9, 9, 0], "fewer ratios");
            assert_eq!(kept([5, 5, 0], [5, 0, 0]), [5, 5, 0], "fewer figures");
            assert_eq!(kept([9, 9, 0], [10, 10, 10]), [10, 10, 10]);
            assert_eq!(kept([9, 9, 0], [10, 10, 0]), [10, 10, 0], "as much");
        }
        let kept = |first, then| kept(Some(rules.clone()), first, then);
        assert_eq!(kept([9, 9, 0], [1, 9, 9]), [9, 9, 0], "ours is compared");
        assert_eq!(kept([1, 9, 9], [9, 9, 0]), [9, 9, 0], "ours is compared now");
        assert_eq!(kept([1, 9, 9], [0, 0, 0]), [1, 9, 9], "nobody is left to be compared");
    }
}
