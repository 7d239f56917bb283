//! How long a run takes by its plan, before anything is measured.

use std::time::Duration;

use gauge::Plan;

use super::progress::Work;
use crate::study::{FileTable, Measures};

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
    let groups = table.steps(quick);
    Work { groups, cells: 0, planned: of_step(table, quick) * groups as u32 }
}

/// A step of a table of files: a photograph or a file, on both of its sides or in both states of
/// the cache, in every provider.
pub(super) fn of_step(table: &FileTable, quick: bool) -> Duration {
    let (_, photos) = table.amount(quick);
    let bytes = match table.measures {
        Measures::Tree => photos.map_or(0, |photos| photos.from.midpoint(photos.to)),
        Measures::Tools => {
            let lengths = table.lengths(quick);
            lengths.iter().map(|(_, bytes)| bytes).sum::<u64>() / lengths.len().max(1) as u64
        }
    };
    let bytes = 2 * bytes * (table.providers.len() * table.algorithms.len()) as u64;
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
}
