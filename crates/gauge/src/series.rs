//! What was measured of one subject, and what is made of it.

use serde::{Deserialize, Serialize};

use crate::guard;
use crate::plan::Plan;
use crate::probe::Probe;
use crate::stats::{self, Interval};

/// Everything measured of one subject: every sample, clean or not, and the outcome.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Series {
    /// Iterations per sample, as calibrated.
    pub iterations: u64,
    /// Step of the engine's clock in nanoseconds. No interval is taken to be narrower than this over a sample's length.
    pub clock_step_ns: u64,
    /// All samples in the order they were taken.
    pub samples: Vec<Sample>,
    /// The very first iteration, cold, in nanoseconds; NaN (`null` in JSON) when it failed.
    #[serde(deserialize_with = "nan_if_null")]
    pub first_call_ns: f64,
    /// The estimate, or why there is none.
    pub outcome: Outcome,
}

/// One run of a subject and the state of the core around it.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Sample {
    /// Round that it belongs to: samples of one round were taken next to each other.
    pub round: u32,
    /// Iterations run.
    pub iterations: u64,
    /// Nanoseconds by the subject's clock.
    pub ns: u64,
    /// Nanoseconds by the engine's clock, handing over to the subject and back included.
    pub wall_ns: u64,
    /// How often the engine's thread lost its core meanwhile.
    pub preemptions: u64,
    /// The core before.
    pub before: Probe,
    /// The core after.
    pub after: Probe,
    /// Whether it counts.
    pub verdict: Verdict,
}

/// Whether a sample counts.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Clean,
    /// It does not.
    Rejected(Reason),
}

/// Why a sample does not count.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The scheduler took the core away from the engine's thread, and handing over took longer than it usually does: a runner that
    /// starts the moment it is told to takes the core, too, and handing over to it takes less time.
    Preempted,
    /// Handing over to the subject and back took far longer than it usually does: something else ran on the core.
    Waited,
    /// A probe issued fewer instructions per cycle than this core can: a neighbour shares it.
    Neighbour,
    /// The frequency changed between the probes.
    Frequency,
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
    /// Nanoseconds per iteration: the median of the clean samples and its bootstrap interval.
    pub ns: Interval,
    /// Core cycles per iteration: likewise, each sample's time multiplied by the frequency measured around it.
    pub cycles: Interval,
    /// Median frequency in GHz.
    pub ghz: f64,
    /// Samples that count.
    pub clean: usize,
    /// Samples taken.
    pub total: usize,
    /// The interval of `ns` reached the wanted width.
    pub narrow: bool,
    /// Fewer clean samples than the plan's least, or more rejected than clean: the figure deserves little trust.
    pub few: bool,
    /// Median of the later half over that of the earlier: far from 1, the subject was still warming up or slowing down.
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

    /// Whether there are samples, and not one of them is clean.
    pub fn is_spoiled(&self) -> bool {
        !self.samples.is_empty() && self.samples.iter().all(|sample| sample.verdict != Verdict::Clean)
    }

    /// Nanoseconds per iteration of each clean sample; none where the series is void.
    pub fn clean_ns(&self) -> Vec<f64> {
        self.clean().map(Sample::ns_per_iteration).collect()
    }

    /// What `count` subjects did at once, where this is the series of the slowest of them at each sample: `count` times the
    /// iterations in the same time. The first call stays that of one.
    pub fn side_by_side(mut self, count: u64) -> Series {
        self.iterations *= count;
        self.samples.iter_mut().for_each(|sample| sample.iterations *= count);
        if let Outcome::Estimate(estimate) = &mut self.outcome {
            estimate.ns = estimate.ns.times(1.0 / count as f64);
            estimate.cycles = estimate.cycles.times(1.0 / count as f64);
        }
        self
    }

    /// The series of a `count`th part of an iteration, where each did so many alike: the first call is shared out, too.
    pub fn of_each(self, count: u64) -> Series {
        let first_call_ns = self.first_call_ns / count as f64;
        Series { first_call_ns, ..self.side_by_side(count) }
    }

    /// The samples that count; none where the series is void.
    pub(crate) fn clean(&self) -> impl Iterator<Item = &Sample> {
        let counts = self.estimate().is_some();
        clean(&self.samples).filter(move |_| counts)
    }

    /// What the clocks cannot tell apart, relative to the length of a sample.
    pub(crate) fn coarseness(&self) -> f64 {
        coarseness(&self.clean().collect::<Vec<_>>(), self.clock_step_ns)
    }
}

impl Sample {
    /// Nanoseconds per iteration.
    pub fn ns_per_iteration(&self) -> f64 {
        self.ns as f64 / self.iterations as f64
    }

    /// Core cycles per iteration, at the mean of the frequencies before and after.
    pub fn cycles_per_iteration(&self) -> f64 {
        self.ns_per_iteration() * (self.before.ghz + self.after.ghz) / 2.0
    }

    fn handover_ns(&self) -> f64 {
        self.wall_ns.saturating_sub(self.ns) as f64
    }
}

/// Those of judged `samples` that count.
pub(crate) fn clean(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
    samples.iter().filter(|sample| sample.verdict == Verdict::Clean)
}

/// Marks each sample, given the `best` answer of an undisturbed core. Pure: a report may judge a record again.
pub(crate) fn judge(samples: &mut [Sample], best: Probe, plan: &Plan) {
    let usual = stats::quantile(&mut samples.iter().map(Sample::handover_ns).collect::<Vec<_>>(), 0.25);
    for sample in samples {
        sample.verdict = match reason(sample, best, usual, plan) {
            None => Verdict::Clean,
            Some(reason) => Verdict::Rejected(reason),
        };
    }
}

fn reason(sample: &Sample, best: Probe, usual_handover: f64, plan: &Plan) -> Option<Reason> {
    let Sample { before, after, .. } = sample;
    let tests = [
        (sample.preemptions > 0 && sample.handover_ns() > usual_handover, Reason::Preempted),
        (sample.handover_ns() > 2.0 * usual_handover + SLICE_NS, Reason::Waited),
        (before.ipc.min(after.ipc) < plan.ipc_floor * best.ipc, Reason::Neighbour),
        ((before.ghz / after.ghz - 1.0).abs() > drift_allowed(sample, plan), Reason::Frequency),
    ];
    tests.into_iter().find_map(|(disturbed, reason)| disturbed.then_some(reason))
}

/// By what part the frequencies before and after may differ. Within a long sample the clock does move, and a mean over both ends is
/// near the truth; a short one is asked for a core that stands still.
fn drift_allowed(sample: &Sample, plan: &Plan) -> f64 {
    if sample.ns >= LONG_NS { plan.ghz_drift.max(LONG_DRIFT) } else { plan.ghz_drift }
}

/// The outcome of judged `samples`. Pure, like [`judge`].
pub(crate) fn outcome(samples: &[Sample], clock_step_ns: u64, plan: &Plan) -> Outcome {
    let clean: Vec<&Sample> = clean(samples).collect();
    if clean.is_empty() {
        return Outcome::Void { reason: nothing_clean(samples) };
    }
    if let Err(implausible) = guard::clock(&clean, clock_step_ns) {
        return Outcome::Void { reason: implausible.to_string() };
    }
    let coarseness = coarseness(&clean, clock_step_ns);
    let interval = |of: fn(&Sample) -> f64| {
        stats::median_interval(&mut clean.iter().map(|sample| of(sample)).collect::<Vec<_>>(), plan.confidence).widened(coarseness)
    };
    let ns = interval(Sample::ns_per_iteration);
    let few = clean.len() < plan.min_samples || 2 * clean.len() < samples.len();
    Outcome::Estimate(Estimate {
        ns,
        cycles: interval(Sample::cycles_per_iteration),
        ghz: interval(|sample| (sample.before.ghz + sample.after.ghz) / 2.0).value,
        clean: clean.len(),
        total: samples.len(),
        narrow: ns.half_width() <= plan.width && clean.len() >= ENOUGH_FOR_AN_INTERVAL,
        few,
        drift: drift(&clean),
    })
}

fn nothing_clean(samples: &[Sample]) -> String {
    let count = |wanted| samples.iter().filter(|sample| sample.verdict == Verdict::Rejected(wanted)).count();
    format!(
        "none of {} samples is clean: {} preempted, {} waited for the core, {} beside a neighbour, {} while the frequency changed\n\
         hint: let other work on this machine finish first",
        samples.len(),
        count(Reason::Preempted),
        count(Reason::Waited),
        count(Reason::Neighbour),
        count(Reason::Frequency)
    )
}

fn drift(clean: &[&Sample]) -> f64 {
    let middle = |half: &[&Sample]| stats::median(&mut half.iter().map(|sample| sample.ns_per_iteration()).collect::<Vec<_>>());
    let (early, late) = clean.split_at(clean.len() / 2);
    if early.is_empty() { 1.0 } else { middle(late) / middle(early) }
}

/// The larger of the clock's step and the step in which the subject's answers come, over the length of a sample.
pub(crate) fn coarseness(samples: &[&Sample], clock_step_ns: u64) -> f64 {
    let length = stats::median(&mut samples.iter().map(|sample| sample.ns as f64).collect::<Vec<_>>());
    let enough = samples.len() >= ENOUGH_FOR_A_QUANTUM;
    let seen = if enough { stats::quantum(samples.iter().map(|sample| sample.ns)) } else { 0 };
    if samples.is_empty() { 0.0 } else { seen.max(clock_step_ns) as f64 / length.max(1.0) }
}

fn nan_if_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// From here on a sample is long: several of the steps in which a core's clock is moved.
const LONG_NS: u64 = 10_000_000;
const LONG_DRIFT: f64 = 0.10;
/// Part of a scheduler's slice that no hand-over takes.
const SLICE_NS: f64 = 200_000.0;
/// With fewer values the ends of a 99 % interval are the smallest and the largest, however close these happen to be.
pub(crate) const ENOUGH_FOR_AN_INTERVAL: usize = 8;
/// With so many random differences a common divisor above 2 is no accident.
const ENOUGH_FOR_A_QUANTUM: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::fake::{self, Fake, World};

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

    const QUIET: Probe = Probe { ghz: 3.0, ipc: 4.0 };

    fn sample(ns: u64, handover: u64) -> Sample {
        let (before, after, verdict) = (QUIET, QUIET, Verdict::Clean);
        Sample { round: 0, iterations: 10, ns, wall_ns: ns + handover, preemptions: 0, before, after, verdict }
    }

    /// What a sample is taken for among others that nothing disturbs and whose handover takes 1000 ns.
    fn verdict(odd: Sample) -> Verdict {
        let mut samples = vec![sample(5000, 1000); 9];
        samples.push(odd);
        judge(&mut samples, QUIET, &Plan::quick());
        assert!(samples[..9].iter().all(|sample| sample.verdict == Verdict::Clean));
        samples[9].verdict
    }

    #[test]
    fn a_sample_counts_up_to_each_limit() {
        let rejected = |reason| Verdict::Rejected(reason);
        let plan = Plan::quick();
        assert_eq!(verdict(Sample { preemptions: 1, ..sample(5000, 1000) }), Verdict::Clean);
        assert_eq!(verdict(Sample { preemptions: 1, ..sample(5000, 1001) }), rejected(Reason::Preempted));
        assert_eq!(verdict(sample(5000, 202_000)), Verdict::Clean);
        assert_eq!(verdict(sample(5000, 202_001)), rejected(Reason::Waited));
        let low = Probe { ipc: plan.ipc_floor * QUIET.ipc, ..QUIET };
        let lower = Probe { ipc: low.ipc - 0.001, ..low };
        assert_eq!(verdict(Sample { before: low, after: low, ..sample(5000, 1000) }), Verdict::Clean);
        assert_eq!(verdict(Sample { before: lower, ..sample(5000, 1000) }), rejected(Reason::Neighbour));
        assert_eq!(verdict(Sample { after: lower, ..sample(5000, 1000) }), rejected(Reason::Neighbour));
        let faster = |part: f64| Probe { ghz: QUIET.ghz * (1.0 + part), ..QUIET };
        assert_eq!(verdict(Sample { before: faster(0.0149), ..sample(5000, 1000) }), Verdict::Clean);
        assert_eq!(verdict(Sample { before: faster(0.0151), ..sample(5000, 1000) }), rejected(Reason::Frequency));
        assert_eq!(verdict(Sample { after: faster(0.0160), ..sample(5000, 1000) }), rejected(Reason::Frequency));
        assert_eq!(verdict(Sample { before: faster(0.09), ..sample(10_000_000, 1000) }), Verdict::Clean);
        assert_eq!(verdict(Sample { before: faster(0.11), ..sample(10_000_000, 1000) }), rejected(Reason::Frequency));
        assert_eq!(verdict(Sample { before: faster(0.09), ..sample(9_999_999, 1000) }), rejected(Reason::Frequency));
        let generous = Plan { ghz_drift: 0.2, ..plan };
        let mut long = [Sample { before: faster(0.15), ..sample(10_000_000, 1000) }];
        judge(&mut long, QUIET, &generous);
        assert_eq!(long[0].verdict, Verdict::Clean, "the plan may allow more");
    }

    fn estimate_of(samples: &[Sample], plan: &Plan) -> Estimate {
        match outcome(samples, 1, plan) {
            Outcome::Estimate(estimate) => estimate,
            Outcome::Void { reason } => panic!("{reason}"),
        }
    }

    #[test]
    fn an_estimate_says_how_much_it_is_to_be_trusted() {
        let plan = Plan { min_samples: 8, width: 0.01, ..Plan::quick() };
        let dirty = Sample { verdict: Verdict::Rejected(Reason::Neighbour), ..sample(5000, 1000) };
        let of = |clean: usize, rejected: usize| {
            let estimate = estimate_of(&[vec![sample(5000, 1000); clean], vec![dirty.clone(); rejected]].concat(), &plan);
            (estimate.few, estimate.narrow, estimate.clean, estimate.total)
        };
        assert_eq!(of(8, 0), (false, true, 8, 8));
        assert_eq!(of(8, 8), (false, true, 8, 16));
        assert_eq!(of(8, 9), (true, true, 8, 17));
        assert_eq!(of(7, 0), (true, false, 7, 7));
        let faster = Probe { ghz: 5.0, ..QUIET };
        let estimate = estimate_of(&vec![Sample { after: faster, ..sample(5000, 1000) }; 8], &plan);
        assert_eq!((estimate.ns.value, estimate.cycles.value, estimate.ghz), (500.0, 2000.0, 4.0));
        assert_eq!(estimate.ns.high, 500.0 + 500.0 / 5000.0, "no narrower than a step of the clock");
    }

    #[test]
    fn drift_is_the_later_half_over_the_earlier() {
        let of = |times: &[u64]| estimate_of(&times.iter().map(|&ns| sample(ns, 1000)).collect::<Vec<_>>(), &Plan::quick()).drift;
        assert_eq!(of(&[4000, 4000, 6000, 6000]), 1.5);
        assert_eq!(of(&[4000, 6000, 6000]), 1.5, "the middle one is of the later half");
        assert_eq!(of(&[4000]), 1.0);
    }

    #[test]
    fn nothing_clean_says_what_disturbed() {
        let of = |reason| Sample { verdict: Verdict::Rejected(reason), ..sample(5000, 1000) };
        let counts = [(Reason::Preempted, 1), (Reason::Waited, 2), (Reason::Neighbour, 3), (Reason::Frequency, 4)];
        let samples: Vec<_> = counts.iter().flat_map(|&(reason, count)| vec![of(reason); count]).collect();
        let Outcome::Void { reason } = outcome(&samples, 1, &Plan::quick()) else { panic!() };
        let told =
            "none of 10 samples is clean: 1 preempted, 2 waited for the core, 3 beside a neighbour, 4 while the frequency changed";
        assert!(reason.starts_with(told), "{reason}");
    }

    #[test]
    fn coarseness_is_the_larger_step_over_a_samples_length() {
        let of = |times: &[u64], step| {
            let samples: Vec<_> = times.iter().map(|&ns| sample(ns, 1000)).collect();
            coarseness(&samples.iter().collect::<Vec<_>>(), step)
        };
        let quantised = [1000, 1100, 1200, 1000, 1000, 900, 1000, 1300];
        assert_eq!((of(&quantised, 20), of(&quantised, 200)), (0.1, 0.2));
        assert_eq!(of(&quantised[..7], 20), 0.02, "seven may have a common divisor by accident");
        assert_eq!((of(&[], 20), of(&[0], 20)), (0.0, 20.0));
    }

    #[test]
    fn a_series_is_spoiled_if_no_sample_of_it_counts() {
        let of = |verdicts: &[Verdict]| {
            let samples = verdicts.iter().map(|&verdict| Sample { verdict, ..sample(5000, 1000) }).collect();
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
        assert_eq!((each.first_call_ns, each.iterations), (all.first_call_ns / 4.0, 4 * all.iterations));
        assert_eq!(each.estimate().unwrap().cycles, all.estimate().unwrap().cycles.times(0.25));
        assert_eq!(each.coarseness(), all.coarseness());
    }
}
