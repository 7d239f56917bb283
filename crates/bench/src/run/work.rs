//! How long a run takes by its plan, before anything is measured.
//!
//! ```text
//! group    cells x (0.8 x budget + heat)          a heat where a source has several processes
//! files    bytes x 2 x providers x algorithms, at 1 GB/s
//! ```
//!
//! The estimate serves a progress bar. It errs by the machine and the neighbours, and nothing else
//! rests on it.

use std::time::Duration;

use gauge::Plan;

use super::progress::Work;
use crate::study::{FileTable, Measures, Source};

/// The work of groups that have these numbers of cells.
pub(super) fn of_groups(
    cells: impl IntoIterator<Item = usize>,
    plan: &Plan,
    processes: usize,
) -> Work {
    cells.into_iter().fold(Work::default(), |work, cells| Work {
        groups: work.groups + 1,
        cells: work.cells + cells,
        planned: work.planned + of_group(cells, plan, processes),
    })
}

/// One of `cells`: the part of its budget that groups take as a rule, and of several processes
/// of a source the heat that chooses among them.
fn of_group(cells: usize, plan: &Plan, processes: usize) -> Duration {
    let heat = plan.warmup * if processes > 1 { processes as u32 } else { 0 };
    (plan.budget.mul_f64(USUAL) + heat) * cells as u32
}

/// A table of files.
pub(super) fn of_files(table: &FileTable, quick: bool) -> Work {
    let (rounds, _) = table.amount(quick);
    let steps = table.steps(quick);
    let planned = (0..rounds).map(|round| of_step(table, quick, round) * steps as u32).sum();
    Work { groups: rounds as usize * steps, cells: 0, planned }
}

/// A step of a round over a table of files: a photograph or a file, on both of its sides or in both
/// states of the cache, in every provider that takes part. Photographs are verified, then timed.
pub(super) fn of_step(table: &FileTable, quick: bool, round: u32) -> Duration {
    let (_, photos) = table.amount(quick);
    let bytes = match table.measures {
        Measures::Tree => photos.map_or(0, |photos| 2 * photos.from.midpoint(photos.to)),
        Measures::Tools => {
            let lengths = table.lengths(quick);
            lengths.iter().map(|(_, bytes)| bytes).sum::<u64>() / lengths.len().max(1) as u64
        }
    };
    let takes_part = |provider: &&Source| round < table.rounds_of(provider, quick);
    let providers = table.providers.iter().filter(takes_part).count();
    // Twice: a tree verifies, then times; a tool reads warm, then cold.
    let bytes = 2 * bytes * (providers * table.algorithms.len()) as u64;
    Duration::from_nanos(bytes / BYTES_PER_NS)
}

/// Which part of its budget a group takes: many have narrow intervals before it is spent.
const USUAL: f64 = 0.8;

/// A gigabyte a second, as the faster digests have.
const BYTES_PER_NS: u64 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_how_long_groups_take() {
        let plan = Plan { budget: Duration::from_millis(100), ..Plan::quick() };
        let work = of_groups([3, 5], &plan, 1);
        assert_eq!((work.groups, work.cells), (2, 8));
        assert_eq!(work.planned, Duration::from_millis(8 * 80));
        let of_two = of_groups([3, 5], &plan, 2).planned;
        assert_eq!(of_two - work.planned, 16 * plan.warmup);
        assert_eq!(of_groups([], &plan, 1), Work::default());
    }

    #[test]
    fn providers_without_published_figures_have_readings_enough() {
        let study = crate::study::Study::load("sha3-finalists").unwrap();
        let table = &study.files[0];
        let [php, other] = ["php+hashdyno", "openssl"].map(|name| Source::from(name.to_owned()));
        assert_eq!((table.rounds_of(&php, false), table.rounds_of(&other, false)), (5, 1));
        assert_eq!((table.rounds_of(&php, true), table.rounds_of(&other, true)), (4, 4));
        let of_rounds = [0, 4].map(|round| of_step(table, false, round));
        assert!(of_rounds[0] == table.providers.len() as u32 * of_rounds[1], "{of_rounds:?}");
        let all = of_files(table, false).planned;
        assert_eq!(all, 154 * (of_rounds[0] + 4 * of_rounds[1]));
    }
}
