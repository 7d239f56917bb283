//! Figures that cannot be: they count for nothing.
//!
//! ```text
//! guard_rate     rule 1   more bytes a cycle than a core loads            void
//! guard_growth   rule 2   a longer message takes no longer: data skipped  void
//!                rule 3   a doubling takes far more or less than double   a warning
//! ```
//!
//! METHODOLOGY.md has the rules by these numbers, `gauge` the limits. Both guards are for a whole
//! record: rule 2 holds a figure against all shorter messages.

use std::collections::BTreeSet;

use gauge::{Implausible, Limits};

use super::Progress;
use crate::record::Entry;

/// A rate that this core, or as many as worked on it, cannot reach counts for nothing.
pub(super) fn guard_rate(entry: &mut Entry, limits: &Limits) {
    // An estimate is of one message, and several cores share its time. One core is judged.
    let side_by_side = entry.source.threads as u64 * entry.size.count();
    // The upper end: a figure is refused only if its whole interval is impossible.
    let ns = entry.estimate().map(|estimate| estimate.ns.high * side_by_side as f64);
    if let Some(Err(implausible)) = ns.map(|ns| limits.rate(entry.size.bytes(), ns)) {
        entry.void(implausible.to_string());
    }
}

/// A time that does not grow with the data counts for nothing. One that grows in another proportion
/// than the data is told, not voided: a tree hash gains lanes as it gets more to do. Of many
/// messages those of one length are looked at; what repeats a byte is a line of its own.
pub(super) fn guard_growth(entries: &mut [Entry], limits: &Limits, progress: &mut dyn Progress) {
    let line = |entry: &Entry| {
        let (size, algorithm) = (entry.size, entry.algorithm.clone());
        (entry.source.clone(), algorithm, size.count(), size.payload())
    };
    // A curve of one source in one algorithm. Numbers of messages make curves of their own.
    let lines: BTreeSet<_> = entries.iter().map(line).collect();
    for one in lines {
        let here = entries.iter_mut().filter(|entry| line(entry) == one);
        let mut curve: Vec<_> =
            here.filter_map(|entry| Some((entry.size.each()? as u64, entry))).collect();
        curve.sort_by_key(|(bytes, _)| *bytes);
        let (source, algorithm, ..) = one;
        let point = |(bytes, entry): &(u64, &mut Entry)| {
            Some((*bytes, entry.estimate()?.ns.times(source.threads as f64)))
        };
        for implausible in limits.growth(&curve.iter().filter_map(point).collect::<Vec<_>>()) {
            progress.warn(&format!("{source} {algorithm}: {implausible}"));
            let flat =
                |bytes: u64| matches!(implausible, Implausible::Flat { more, .. } if more == bytes);
            curve
                .iter_mut()
                .filter(|(bytes, _)| flat(*bytes))
                .for_each(|(_, entry)| entry.void(implausible.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use gauge::{Estimate, Interval, Machine, Verdict};
    use runner::Size;

    use super::super::OnlyWarnings;
    use super::super::group::Group;
    use super::super::group::tests::{entry, group};
    use super::*;

    #[test]
    fn a_time_that_does_not_grow_is_void_of_many_messages_too() {
        let measured = [
            ("16", 90.0),
            ("8192", 9000.0),
            ("16:a", 91.0),
            ("8192:a", 9000.0),
            ("9x16", 50.0),
            ("9x8192", 52.0),
            ("9x9000", 6000.0),
            ("9x0-20000", 53.0),
        ];
        let mut entries: Vec<_> = measured.iter().map(|&(size, ns)| timed(size, ns)).collect();
        guard_growth(&mut entries, &Limits::of(&Machine::default(), 3.0), &mut OnlyWarnings);
        let void = entries.iter().filter(|entry| entry.estimate().is_none());
        assert_eq!(void.map(|entry| entry.size.to_string()).collect::<Vec<_>>(), ["9x8192"]);
    }

    /// An entry of MD5 whose estimate is `ns` nanoseconds a message.
    fn timed(size: &str, ns: f64) -> Entry {
        let size = size.parse::<Size>().expect("it is one");
        let interval = |value| Interval { value, low: value, high: value };
        let (ns, cycles) = (interval(ns), interval(3.0 * ns));
        let estimate = Estimate {
            state: gauge::CoreState::Quiet,
            ns,
            cycles,
            ghz: 3.0,
            ipc: 4.0,
            clean: 9,
            total: 9,
            narrow: true,
            few: false,
            drift: 1.0,
        };
        let mut entry = entry(&Group { size, ..group(0, "md5") }, Verdict::Clean);
        entry.series.outcome = gauge::Outcome::Estimate(estimate);
        entry
    }
}
