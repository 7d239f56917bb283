//! Every group once, and some of them again.

use super::{Group, Growing, Progress};
use crate::record::{Entry, Line};

/// Which time a group is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    First,
    /// Nobody knew that it would be.
    Again,
}

/// Every group, and those that are `wanted` once more at the end, when the neighbour may have left
/// who spoiled their samples. What was done before the run was stopped counts.
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
            if pass == 0 || wanted(of_group(&growing.record.entries, group)) {
                let which = if pass == 0 { Pass::First } else { Pass::Again };
                let measured = measure(group, which, progress);
                let lines = measured.into_iter().map(|entry| Line::Series(Box::new(entry)));
                growing.add(step, lines.collect(), progress);
            }
        }
    }
}

/// The entries of a group, which stand beside each other.
fn of_group<'a>(entries: &'a [Entry], group: &Group) -> &'a [Entry] {
    let mut groups = entries.chunk_by(|a, b| a.algorithm == b.algorithm && a.size == b.size);
    groups.find(|entries| group.has(&entries[0])).unwrap_or_default()
}

/// A neighbour who stays that long is part of the machine.
const PASSES: usize = 3;

#[cfg(test)]
mod tests {
    use gauge::{Reason, Verdict};

    use super::super::group::tests::{entry, group};
    use super::super::{OnlyWarnings, Stop};
    use super::*;
    use crate::record::{Record, Unfinished};
    use crate::study::Study;

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
}
