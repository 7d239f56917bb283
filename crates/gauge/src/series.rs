//! What was measured of one subject, and what is made of it.

use serde::{Deserialize, Serialize};

use crate::guard;
use crate::plan::Plan;
use crate::sample::{
    CoreState, ENOUGH_FOR_AN_INTERVAL, Reason, Sample, Verdict, coarseness, counted,
};
use crate::stats::{self, Interval};

/// Everything measured of one subject: every sample, clean or not, and the outcome.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Series {
    /// Iterations per sample, as calibrated.
    pub iterations: u64,
    /// Step of the engine's clock in nanoseconds. No interval is taken to be narrower than this
    /// over a sample's length.
    pub clock_step_ns: u64,
    /// All samples in the order they were taken.
    pub samples: Vec<Sample>,
    /// The very first iteration, cold, in nanoseconds; NaN (`null` in JSON) when it failed.
    #[serde(deserialize_with = "nan_if_null")]
    pub first_call_ns: f64,
    /// The estimate, or why there is none.
    pub outcome: Outcome,
}

/// What became of a series.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It can be estimated.
    Estimate(Estimate),
    /// It cannot; no figure may be printed.
    Void {
        /// What was wrong, for the reader.
        reason: String,
    },
}

/// How long one iteration takes, and how sure that is.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The state of the core in all samples that count.
    #[serde(default, skip_serializing_if = "CoreState::is_quiet")]
    pub state: CoreState,
    /// Nanoseconds per iteration: the median of the samples that count and its bootstrap interval.
    pub ns: Interval,
    /// Core cycles per iteration: likewise, each sample's time multiplied by the frequency measured
    /// around it.
    pub cycles: Interval,
    /// Median frequency in GHz.
    pub ghz: f64,
    /// Median instructions per cycle of the probes; 0 in records of before.
    #[serde(default)]
    pub ipc: f64,
    /// Samples that count.
    pub clean: usize,
    /// Samples taken, in whatever state.
    pub total: usize,
    /// The interval of `ns` reached the wanted width.
    pub narrow: bool,
    /// Fewer samples count than the plan's least, or fewer than are rejected: the figure deserves
    /// little trust.
    pub few: bool,
    /// Median of the later half over that of the earlier: far from 1, the subject was still warming
    /// up or slowing down.
    pub drift: f64,
}

impl Series {
    /// The estimate, if there is one.
    pub fn estimate(&self) -> Option<&Estimate> {
        match &self.outcome {
            Outcome::Estimate(estimate) => Some(estimate),
            Outcome::Void { .. } => None,
        }
    }

    /// Whether there are samples, and too few of them count in any state.
    pub fn is_spoiled(&self) -> bool {
        !self.samples.is_empty() && enough_state(&self.samples, CoreState::Quiet).is_none()
    }

    /// Nanoseconds per iteration of each sample that counts; none where the series is void.
    pub fn clean_ns(&self) -> Vec<f64> {
        self.clean().map(Sample::ns_per_iteration).collect()
    }

    /// What `count` subjects did at once, where this is the series of the slowest of them at each
    /// sample: `count` times the iterations in the same time. The first call stays that of one.
    pub fn side_by_side(mut self, count: u64) -> Series {
        self.iterations *= count;
        self.samples.iter_mut().for_each(|sample| sample.iterations *= count);
        if let Outcome::Estimate(estimate) = &mut self.outcome {
            estimate.ns = estimate.ns.times(1.0 / count as f64);
            estimate.cycles = estimate.cycles.times(1.0 / count as f64);
        }
        self
    }

    /// The series of a `count`th part of an iteration, where each did so many alike: the first call
    /// is shared out, too.
    pub fn of_each(self, count: u64) -> Series {
        let first_call_ns = self.first_call_ns / count as f64;
        Series { first_call_ns, ..self.side_by_side(count) }
    }

    /// The samples that count, all of the estimate's state; none where the series is void.
    pub(crate) fn clean(&self) -> impl Iterator<Item = &Sample> {
        let state = self.estimate().map(|estimate| estimate.state);
        self.samples.iter().filter(move |sample| state.is_some() && sample.verdict.state() == state)
    }

    /// What the clocks cannot tell apart, relative to the length of a sample.
    pub(crate) fn coarseness(&self) -> f64 {
        coarseness(&self.clean().collect::<Vec<_>>(), self.clock_step_ns)
    }
}

/// The state that a figure of judged `samples` is given for: the `wanted` one where enough of them
/// count for it, else the other; `None` where neither has enough.
pub(crate) fn enough_state(samples: &[Sample], wanted: CoreState) -> Option<CoreState> {
    let enough = ENOUGH_FOR_AN_INTERVAL.min(samples.len().div_ceil(2)).max(1);
    let has = |state: &CoreState| counted(samples, *state).count() >= enough;
    [wanted].into_iter().chain(CoreState::ALL).find(has)
}

/// The outcome of judged `samples`, in the `wanted` state of the core if that can be. Pure, like
/// judging samples.
pub(crate) fn outcome(
    samples: &[Sample],
    clock_step_ns: u64,
    plan: &Plan,
    wanted: CoreState,
) -> Outcome {
    let Some(state) = enough_state(samples, wanted) else {
        return Outcome::Void { reason: too_few(samples) };
    };
    let clean: Vec<&Sample> = counted(samples, state).collect();
    if let Err(implausible) = guard::clock(&clean, clock_step_ns) {
        return Outcome::Void { reason: implausible.to_string() };
    }
    let coarseness = coarseness(&clean, clock_step_ns);
    let interval = |of: fn(&Sample) -> f64| {
        stats::median_interval(
            &mut clean.iter().map(|sample| of(sample)).collect::<Vec<_>>(),
            plan.confidence,
        )
        .widened(coarseness)
    };
    let ns = interval(Sample::ns_per_iteration);
    let rejected = samples.iter().filter(|sample| sample.verdict.state().is_none()).count();
    let few = clean.len() < plan.min_samples || clean.len() < rejected;
    Outcome::Estimate(Estimate {
        state,
        ns,
        cycles: interval(Sample::cycles_per_iteration),
        ghz: interval(|sample| (sample.before.ghz + sample.after.ghz) / 2.0).value,
        ipc: interval(Sample::ipc).value,
        clean: clean.len(),
        total: samples.len(),
        narrow: ns.half_width() <= plan.width && clean.len() >= ENOUGH_FOR_AN_INTERVAL,
        few,
        drift: drift(&clean),
    })
}

fn too_few(samples: &[Sample]) -> String {
    let count = |wanted| {
        samples.iter().filter(|sample| sample.verdict == Verdict::Rejected(wanted)).count()
    };
    let [quiet, shared] = CoreState::ALL.map(|state| counted(samples, state).count());
    format!(
        "too few of {} samples count: {quiet} on a quiet core, {shared} on a shared one; {} \
            preempted, {} waited for the core, {} beside a neighbour who came or went, {} while \
            the frequency changed\n\
         hint: let other work on this machine finish first",
        samples.len(),
        count(Reason::Preempted),
        count(Reason::Waited),
        count(Reason::Neighbour),
        count(Reason::Frequency)
    )
}

fn drift(clean: &[&Sample]) -> f64 {
    let middle = |half: &[&Sample]| {
        stats::median(&mut half.iter().map(|sample| sample.ns_per_iteration()).collect::<Vec<_>>())
    };
    let (early, late) = clean.split_at(clean.len() / 2);
    if early.is_empty() { 1.0 } else { middle(late) / middle(early) }
}

fn nan_if_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::fake::{self, Fake, World};
    use crate::probe::Probe;
    use crate::sample::tests::{QUIET, sample};

    #[test]
    fn two_side_by_side_do_twice_as_much_in_the_same_time() {
        let world = fake::World::new();
        let mut engine = Engine::with(Plan::quick(), Box::new(world.clone())).unwrap();
        let one = engine.measure(&mut [&mut fake::Fake::new(&world, 350.0)]).remove(0);
        let two = one.clone().side_by_side(2);
        assert_eq!((two.iterations, two.first_call_ns), (2 * one.iterations, one.first_call_ns));
        assert_eq!(two.estimate().unwrap().ns, one.estimate().unwrap().ns.times(0.5));
        assert_eq!(two.clean_ns(), one.clean_ns().iter().map(|ns| ns / 2.0).collect::<Vec<_>>());
    }

    fn estimate_of(samples: &[Sample], plan: &Plan) -> Estimate {
        match outcome(samples, 1, plan, CoreState::Quiet) {
            Outcome::Estimate(estimate) => estimate,
            Outcome::Void { reason } => panic!("{reason}"),
        }
    }

    #[test]
    fn an_estimate_says_how_much_it_is_to_be_trusted() {
        let plan = Plan { min_samples: 8, width: 0.01, ..Plan::quick() };
        let dirty = Sample { verdict: Verdict::Rejected(Reason::Neighbour), ..sample(5000, 1000) };
        let of = |clean: usize, rejected: usize| {
            let estimate = estimate_of(
                &[vec![sample(5000, 1000); clean], vec![dirty.clone(); rejected]].concat(),
                &plan,
            );
            (estimate.few, estimate.narrow, estimate.clean, estimate.total)
        };
        assert_eq!(of(8, 0), (false, true, 8, 8));
        assert_eq!(of(8, 8), (false, true, 8, 16));
        assert_eq!(of(8, 9), (true, true, 8, 17));
        assert_eq!(of(7, 0), (true, false, 7, 7));
        let faster = Probe { ghz: 5.0, ..QUIET };
        let estimate = estimate_of(&vec![Sample { after: faster, ..sample(5000, 1000) }; 8], &plan);
        assert_eq!((estimate.ns.value, estimate.cycles.value, estimate.ghz), (500.0, 2000.0, 4.0));
        assert_eq!(
            estimate.ns.high,
            500.0 + 500.0 / 5000.0,
            "no narrower than a step of the clock"
        );
    }

    #[test]
    fn drift_is_the_later_half_over_the_earlier() {
        let of = |times: &[u64]| {
            estimate_of(
                &times.iter().map(|&ns| sample(ns, 1000)).collect::<Vec<_>>(),
                &Plan::quick(),
            )
            .drift
        };
        assert_eq!(of(&[4000, 4000, 6000, 6000]), 1.5);
        assert_eq!(of(&[4000, 6000, 6000]), 1.5, "the middle one is of the later half");
        assert_eq!(of(&[4000]), 1.0);
    }

    #[test]
    fn a_void_series_says_what_disturbed() {
        let of = |reason| Sample { verdict: Verdict::Rejected(reason), ..sample(5000, 1000) };
        let counts = [
            (Reason::Preempted, 1),
            (Reason::Waited, 2),
            (Reason::Neighbour, 3),
            (Reason::Frequency, 4),
        ];
        let samples: Vec<_> =
            counts.iter().flat_map(|&(reason, count)| vec![of(reason); count]).collect();
        let Outcome::Void { reason } = outcome(&samples, 1, &Plan::quick(), CoreState::Quiet)
        else {
            panic!()
        };
        let told = "too few of 10 samples count: 0 on a quiet core, 0 on a shared one; 1 \
            preempted, 2 waited for the core, 3 beside a neighbour who came or went, 4 while the \
            frequency changed";
        assert!(reason.starts_with(told), "{reason}");
    }

    #[test]
    fn a_state_with_too_few_samples_gives_no_figure() {
        let of = |quiet: usize, shared: usize, rejected: usize, wanted| {
            let part = |verdict, count| vec![Sample { verdict, ..sample(5000, 1000) }; count];
            let dirty = Verdict::Rejected(Reason::Waited);
            let (quiet, shared) = (part(Verdict::Clean, quiet), part(Verdict::Shared, shared));
            enough_state(&[quiet, shared, part(dirty, rejected)].concat(), wanted)
        };
        let (quiet, shared) = (Some(CoreState::Quiet), Some(CoreState::Shared));
        assert_eq!(of(8, 100, 100, CoreState::Quiet), quiet);
        assert_eq!(of(7, 100, 100, CoreState::Quiet), shared);
        assert_eq!(of(7, 7, 100, CoreState::Quiet), None, "no mixture makes up for it");
        assert_eq!(of(8, 8, 0, CoreState::Shared), shared, "what the group has in common");
        assert_eq!(of(8, 7, 0, CoreState::Shared), quiet);
        // Of a subject that takes long, half of its few samples.
        assert_eq!(of(1, 0, 0, CoreState::Quiet), quiet);
        assert_eq!((of(3, 2, 0, CoreState::Quiet), of(2, 2, 1, CoreState::Quiet)), (quiet, None));
        assert_eq!(of(0, 0, 0, CoreState::Quiet), None);
    }

    #[test]
    fn a_figure_is_of_one_state() {
        let (fast, slow) = (sample(5000, 1000), sample(9000, 1000));
        let shared = Sample { verdict: Verdict::Shared, ..slow };
        let both = [vec![fast; 30], vec![shared; 60]].concat();
        let of = |wanted| match outcome(&both, 1, &Plan::quick(), wanted) {
            Outcome::Estimate(Estimate { state, ns, clean, total, few, .. }) => {
                (state, ns.value, clean, total, few)
            }
            Outcome::Void { reason } => panic!("{reason}"),
        };
        assert_eq!(of(CoreState::Quiet), (CoreState::Quiet, 500.0, 30, 90, false));
        assert_eq!(of(CoreState::Shared), (CoreState::Shared, 900.0, 60, 90, false));
    }

    #[test]
    fn a_series_is_spoiled_if_too_few_samples_of_it_count() {
        let of = |verdicts: &[Verdict]| {
            let samples =
                verdicts.iter().map(|&verdict| Sample { verdict, ..sample(5000, 1000) }).collect();
            let outcome = Outcome::Void { reason: String::new() };
            Series { iterations: 10, clock_step_ns: 1, samples, first_call_ns: 1.0, outcome }
        };
        let dirty = Verdict::Rejected(Reason::Waited);
        assert!(of(&[dirty, dirty]).is_spoiled());
        assert!(!of(&[dirty, Verdict::Clean]).is_spoiled() && !of(&[]).is_spoiled());
        assert_eq!(
            (of(&[Verdict::Clean]).clean_ns(), of(&[Verdict::Clean]).coarseness()),
            (vec![], 0.0),
            "a void series has no figures"
        );
    }

    #[test]
    fn a_part_of_an_iteration_has_its_part_of_the_first_call() {
        let world = World::new();
        let mut engine = Engine::with(Plan::quick(), Box::new(world.clone())).unwrap();
        let all = engine.measure(&mut [&mut Fake::new(&world, 3500.0).cold(7000.0)]).remove(0);
        let each = all.clone().of_each(4);
        assert_eq!(
            (each.first_call_ns, each.iterations),
            (all.first_call_ns / 4.0, 4 * all.iterations)
        );
        assert_eq!(each.estimate().unwrap().cycles, all.estimate().unwrap().cycles.times(0.25));
        assert_eq!(each.coarseness(), all.coarseness());
    }
}
