//! The time that a scoreboard may take, and how its groups share it.
//!
//! ```text
//! total          budget x cells, 580 s at least
//! next group     2 x left / groups that are left, left / 2 at most
//! measured again while anything is left
//! ```
//!
//! A board runs for a person who waits. Beside a neighbour each group could wait for a quiet core,
//! and a board of hundreds of groups would last for hours. METHODOLOGY.md, "The bound", has rules.

use std::time::{Duration, Instant};

/// What all groups may take together, from `begin` on.
pub(super) struct Allowance {
    begin: Instant,
    total: Duration,
}

impl Allowance {
    /// The time of a board: the `budget` of the plan for each of its `cells`, and [`LEAST`] at
    /// least. Most cells take less than their budget. That leaves time to measure some again.
    pub(super) fn new(cells: usize, budget: Duration) -> Self {
        let cells = u32::try_from(cells).unwrap_or(u32::MAX);
        let total = budget.saturating_mul(cells).max(LEAST);
        Self { begin: Instant::now(), total }
    }

    /// The time of the next group, when `left` groups are left.
    pub(super) fn next(&self, left: usize) -> Duration {
        share(self.left(), left)
    }

    /// Whether there is time for a group to be measured again.
    pub(super) fn is_left(&self) -> bool {
        !self.left().is_zero()
    }

    fn left(&self) -> Duration {
        self.total.saturating_sub(self.begin.elapsed())
    }
}

/// The time of one group: twice its share of `time`, because long messages take more than short
/// ones; at most half of `time`.
fn share(time: Duration, groups: usize) -> Duration {
    let groups = u32::try_from(groups).unwrap_or(u32::MAX);
    // Divided first: the product of a long time and a factor could overflow.
    time / groups.max(2 * GENEROSITY) * GENEROSITY
}

/// What a few groups may take: ten minutes, less the start of 20 runners and the report.
const LEAST: Duration = Duration::from_secs(580);

/// How many times its share a group may take.
const GENEROSITY: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_board_has_ten_minutes() {
        let budget = gauge::Plan::quick().budget;
        let (digests, columns, providers) = (20, 9, 20);
        let allowance = Allowance::new(digests * columns * providers, budget);
        assert_eq!(allowance.total, LEAST);
        // All digests of November 2026 and their providers.
        assert_eq!(Allowance::new(6930, budget).total, LEAST);
        assert_eq!(Allowance::new(10_000, budget).total, Duration::from_secs(800));
        assert!(allowance.is_left() && allowance.next(0) <= allowance.total / 2);
    }

    /// Groups that take all that they may, and then some to come to an end.
    #[test]
    fn greedy_groups_leave_something_for_the_last() {
        let (mut left, rest) = (LEAST, Duration::from_millis(1));
        for groups in (1..=180).rev() {
            let share = share(left, groups);
            assert!(share > 3 * rest && share <= left / 2, "{groups} groups: {share:?}");
            left -= share + rest;
        }
    }
}
