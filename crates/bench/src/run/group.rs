//! A group: one algorithm at one size, in every source that a table wants there. The unit that is
//! measured in turn, recorded whole, and measured again.
//!
//! ```text
//! tables of a study --groups--> one group for each (algorithm, size) --shuffled--> passes
//! ```
//!
//! Two tables with one cell share a group: the cell is measured once, beside the sources of both.
//! `place` keeps the study's order, in which entries stand in the record at last.

use std::collections::BTreeSet;

use gauge::Series;
use runner::{Algorithm, Size};

use crate::record::{Entry, Step};
use crate::study::{Source, Study, Table};

/// One algorithm on one message, or on many: what is measured together, so that ratios are paired.
pub(super) struct Group {
    /// Its place in the study, whatever the order of measuring.
    pub(super) place: usize,
    pub(super) algorithm: String,
    pub(super) size: Size,
    pub(super) sources: BTreeSet<Source>,
}

impl Group {
    pub(super) fn has(&self, entry: &Entry) -> bool {
        self.algorithm == entry.algorithm && self.size == entry.size
    }

    /// As the record names it.
    pub(super) fn step(&self) -> Step {
        Step::Group(self.algorithm.clone(), self.size)
    }

    pub(super) fn algorithm(&self) -> Algorithm {
        Algorithm::find(&self.algorithm).expect("a study names only what there is")
    }

    pub(super) fn entry(&self, source: &Source, implementation: String, series: Series) -> Entry {
        let (source, algorithm) = (source.clone(), self.algorithm.clone());
        Entry { source, algorithm, size: self.size, implementation, began_ms: None, series }
    }
}

/// The groups of all tables, with the sources that each of them has `wanted` there.
pub(super) fn groups(
    study: &Study,
    mut wanted: impl FnMut(&Table, &str, Size) -> BTreeSet<Source>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for table in study.tables.iter().filter(|table| !table.first_calls) {
        for algorithm in &table.algorithms {
            for size in table.columns() {
                let sources = wanted(table, algorithm, size);
                match groups
                    .iter_mut()
                    .find(|group| group.algorithm == *algorithm && group.size == size)
                {
                    Some(group) => group.sources.extend(sources),
                    None => groups.push(Group {
                        place: groups.len(),
                        algorithm: algorithm.clone(),
                        size,
                        sources,
                    }),
                }
            }
        }
    }
    groups
}

/// In a random order, so that slow drift of the machine does not follow the tables. The seed makes
/// it the same order for a run that goes on.
pub(super) fn shuffled(mut groups: Vec<Group>, seed: u64) -> Vec<Group> {
    fastrand::Rng::with_seed(seed).shuffle(&mut groups);
    groups
}

#[cfg(test)]
pub(super) mod tests {
    use gauge::{Probe, Sample, Verdict};

    use super::*;

    pub(in crate::run) fn group(place: usize, algorithm: &str) -> Group {
        Group {
            place,
            algorithm: algorithm.to_owned(),
            size: Size::One(5),
            sources: BTreeSet::new(),
        }
    }

    pub(in crate::run) fn entry(group: &Group, verdict: Verdict) -> Entry {
        let core = Probe { ghz: 3.0, ipc: 4.0 };
        let sample = Sample {
            round: 0,
            iterations: 1,
            ns: 100,
            wall_ns: 100,
            preemptions: 0,
            before: core,
            after: core,
            verdict,
        };
        let outcome = gauge::Outcome::Void { reason: "not asked".to_owned() };
        let series = gauge::Series {
            iterations: 1,
            clock_step_ns: 1,
            samples: vec![sample],
            first_call_ns: 1.0,
            outcome,
        };
        group.entry(&Source::from("ours".to_owned()), String::new(), series)
    }
}
