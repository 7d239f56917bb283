//! How the core behaved while it was measured, group by group. The page draws it as a line in time.
//!
//! The medians are of the probes before and after every sample, rejected ones among them: they show
//! the neighbour that made samples count for nothing. A summary has no samples and no such line.

use std::collections::BTreeMap;

use gauge::{CoreState, stats};
use serde::Serialize;

use crate::record::{Entry, Record};
use crate::study::Size;

/// The probes of one group: everything that was measured in turn.
#[derive(Serialize)]
pub struct Moment {
    /// As the study writes it.
    pub algorithm: String,
    /// The message, or many.
    pub size: Size,
    /// Milliseconds from the run's beginning; `None` in a record that does not say it.
    pub began_ms: Option<u64>,
    /// Samples that count, on a quiet core.
    pub clean: usize,
    /// Samples that count, on a core that a neighbour shared.
    pub shared: usize,
    /// Samples taken.
    pub total: usize,
    /// Median of the probes' frequency.
    pub ghz: f64,
    /// Median of the probes' instructions per cycle.
    pub ipc: f64,
}

/// Every group in the order of measuring, or of the record where it does not say when.
pub fn moments(record: &Record) -> Vec<Moment> {
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    for (place, entry) in record.entries.iter().enumerate() {
        let group = groups.entry((&entry.algorithm, entry.size)).or_default();
        group.push((place, entry));
    }
    let mut moments: Vec<_> = groups.into_values().collect();
    moments.sort_by_key(|group| (group[0].1.began_ms, group[0].0));
    let moment = |group: Vec<(usize, &Entry)>| {
        let samples: Vec<_> = group.iter().flat_map(|(_, entry)| &entry.series.samples).collect();
        let probes = || samples.iter().flat_map(|sample| [&sample.before, &sample.after]);
        let (_, first) = group[0];
        let count =
            |state| samples.iter().filter(|sample| sample.verdict.state() == Some(state)).count();
        (!samples.is_empty()).then(|| Moment {
            algorithm: first.algorithm.clone(),
            size: first.size,
            began_ms: first.began_ms,
            clean: count(CoreState::Quiet),
            shared: count(CoreState::Shared),
            total: samples.len(),
            ghz: stats::median(&mut probes().map(|probe| probe.ghz).collect::<Vec<_>>()),
            ipc: stats::median(&mut probes().map(|probe| probe.ipc).collect::<Vec<_>>()),
        })
    };
    moments.into_iter().filter_map(moment).collect()
}
