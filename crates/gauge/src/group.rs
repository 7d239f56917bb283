//! The subjects that are measured in turn, in the course of their measurement.

use crate::Subject;
use crate::calibrate::Calibration;
use crate::plan::Plan;
use crate::ratio::pairs;
use crate::sample::{CoreState, Sample};
use crate::series::{self, Estimate, Outcome};

/// A subject in the course of its measurement.
pub(crate) struct Cell<'a> {
    pub subject: &'a mut dyn Subject,
    pub calibration: Calibration,
    pub samples: Vec<Sample>,
    pub failure: Option<String>,
    /// It cannot win, and takes part in few rounds.
    slow: bool,
}

impl<'a> Cell<'a> {
    pub fn new(
        subject: &'a mut dyn Subject,
        calibration: Calibration,
        failure: Option<String>,
    ) -> Cell<'a> {
        Cell { subject, calibration, samples: Vec::new(), failure, slow: false }
    }

    /// Whether it is measured in this round, counted from 0. One that cannot win is measured until
    /// it has a figure.
    pub fn has_turn(&self, round: usize) -> bool {
        self.failure.is_none() && (!self.slow || round < FEW_ROUNDS || !self.has_figure())
    }

    fn has_figure(&self) -> bool {
        series::enough_state(&self.samples, CoreState::Quiet).is_some()
    }

    /// Its shortest sample, in nanoseconds per iteration.
    pub fn shortest(&self) -> Option<f64> {
        self.samples.iter().map(Sample::ns_per_iteration).min_by(f64::total_cmp)
    }

    /// Whether the group goes on for it.
    fn races(&self) -> bool {
        self.failure.is_none() && !self.slow
    }
}

/// What is measured in turn.
pub(crate) struct Group<'a>(pub Vec<Cell<'a>>);

impl<'a> Group<'a> {
    /// Whether nothing is left to gain: every subject that the group goes on for has a narrow
    /// interval, in one of these states.
    pub fn all_narrow(&self, states: &[CoreState], clock_step_ns: u64, plan: &Plan) -> bool {
        self.racing().all(|cell| {
            matches!(
                series::outcome(&cell.samples, clock_step_ns, plan, CoreState::Quiet),
                Outcome::Estimate(Estimate { narrow: true, few: false, state, .. })
                    if states.contains(&state)
            )
        })
    }

    /// Whether every two subjects that the group goes on for have enough pairs in one of these
    /// states.
    pub fn all_paired(&self, states: &[CoreState]) -> bool {
        let racing: Vec<&[Sample]> = self.racing().map(|cell| cell.samples.as_slice()).collect();
        let paired = |a: &[Sample], b: &[Sample]| {
            states.iter().any(|&state| pairs(a, b, state).count() >= LEAST_PAIRS)
        };
        racing.iter().enumerate().all(|(index, a)| racing[..=index].iter().all(|b| paired(a, b)))
    }

    /// The state that the figures of the group are given for, so that they can be set beside each
    /// other: the one that most subjects have enough samples of; the quiet one where both have as
    /// many.
    pub fn state(&self) -> CoreState {
        let has = |state| {
            let live = self.0.iter().filter(|cell| cell.failure.is_none());
            live.filter(|cell| series::enough_state(&cell.samples, state) == Some(state)).count()
        };
        if has(CoreState::Shared) > has(CoreState::Quiet) {
            CoreState::Shared
        } else {
            CoreState::Quiet
        }
    }

    /// Those that take more than `factor` times as long as the fastest take part in few rounds
    /// from now on. The second fastest never does: the ratio of the two needs pairs.
    pub fn part_with_the_slow(&mut self, factor: f64) {
        let mut all: Vec<f64> = self.0.iter().filter_map(Cell::shortest).collect();
        all.sort_by(f64::total_cmp);
        let [fastest, second, ..] = all[..] else { return };
        let limit = second.max(factor * fastest);
        let slow = |cell: &&mut Cell<'_>| cell.shortest().is_some_and(|ns| ns > limit);
        self.0.iter_mut().filter(slow).for_each(|cell| cell.slow = true);
    }

    /// Whether the next round, counted from 0, depends on which samples count so far.
    pub fn depends_on_marks(&self, round: usize) -> bool {
        round >= FEW_ROUNDS && self.0.iter().any(|cell| cell.slow)
    }

    fn racing(&self) -> impl Iterator<Item = &Cell<'a>> {
        self.0.iter().filter(|cell| cell.races())
    }
}

/// Pairs that a group goes on for: eight make a ratio, and a judgement at the end may take two
/// back, when more is known of the core.
pub(crate) const LEAST_PAIRS: usize = 10;

/// Rounds of a subject that does not win: the pairs of a ratio, and some that may be disturbed.
const FEW_ROUNDS: usize = 12;
