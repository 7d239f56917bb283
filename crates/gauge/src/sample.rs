//! One sample, and whether it counts.

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::probe::Probe;
use crate::stats;

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

/// The state of the core that a figure belongs to. Samples of two states are never mixed: a
/// neighbour on the physical core slows what is bound by throughput, and hardly what is bound by
/// latency.
#[derive(
    Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
#[serde(rename_all = "kebab-case")]
pub enum CoreState {
    /// The core was the engine's alone.
    #[default]
    Quiet,
    /// A neighbour shared it, steadily.
    Shared,
}

impl CoreState {
    /// All of them, the better one first.
    pub const ALL: [CoreState; 2] = [CoreState::Quiet, CoreState::Shared];

    /// Whether the core was the engine's alone.
    pub fn is_quiet(&self) -> bool {
        *self == CoreState::Quiet
    }
}

/// Whether a sample counts, and in which state of the core.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It counts, for a quiet core.
    Clean,
    /// It counts, for a shared core: both probes saw a neighbour, and the same.
    Shared,
    /// It counts for nothing.
    Rejected(Reason),
}

impl Verdict {
    /// The state that the sample counts for, if it counts.
    pub fn state(self) -> Option<CoreState> {
        match self {
            Verdict::Clean => Some(CoreState::Quiet),
            Verdict::Shared => Some(CoreState::Shared),
            Verdict::Rejected(_) => None,
        }
    }
}

/// Why a sample does not count.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The scheduler took the core away from the engine's thread, and handing over took longer than
    /// it usually does: a runner that starts the moment it is told to takes the core, too, and
    /// handing over to it takes less time.
    Preempted,
    /// Handing over to the subject and back took far longer than it usually does: something else
    /// ran on the core.
    Waited,
    /// A neighbour came, went or changed: one probe issued fewer instructions per cycle than this
    /// core can, and the other many more or many fewer than that. In records of before: any sample
    /// beside a neighbour.
    Neighbour,
    /// The frequency changed between the probes.
    Frequency,
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

    /// The mean of the instructions per cycle before and after.
    pub(crate) fn ipc(&self) -> f64 {
        (self.before.ipc + self.after.ipc) / 2.0
    }

    fn handover_ns(&self) -> f64 {
        self.wall_ns.saturating_sub(self.ns) as f64
    }
}

/// Those of judged `samples` that count for `state`.
pub(crate) fn counted(samples: &[Sample], state: CoreState) -> impl Iterator<Item = &Sample> {
    samples.iter().filter(move |sample| sample.verdict.state() == Some(state))
}

/// Whether two of a shared core's instructions per cycle are so near that the neighbour did the
/// same.
pub(crate) fn alike(one: f64, other: f64) -> bool {
    one.max(other) <= one.min(other) * (1.0 + LEVEL)
}

/// Marks each sample, given the `best` answer of an undisturbed core. Pure: a report may judge a
/// record again.
pub(crate) fn judge(samples: &mut [Sample], best: Probe, plan: &Plan) {
    let usual =
        stats::quantile(&mut samples.iter().map(Sample::handover_ns).collect::<Vec<_>>(), 0.25);
    for sample in samples {
        let shares =
            [sample.before, sample.after].map(|probe| probe.ipc < plan.ipc_floor * best.ipc);
        let steady = alike(sample.before.ipc, sample.after.ipc);
        sample.verdict = match (reason(sample, usual, plan), shares) {
            (Some(reason), _) => Verdict::Rejected(reason),
            (None, [false, false]) => Verdict::Clean,
            (None, [true, true]) if steady => Verdict::Shared,
            (None, _) => Verdict::Rejected(Reason::Neighbour),
        };
    }
}

/// What disturbed a sample, whoever shares the core.
fn reason(sample: &Sample, usual_handover: f64, plan: &Plan) -> Option<Reason> {
    let Sample { before, after, .. } = sample;
    let tests = [
        (sample.preemptions > 0 && sample.handover_ns() > usual_handover, Reason::Preempted),
        (sample.handover_ns() > 2.0 * usual_handover + SLICE_NS, Reason::Waited),
        ((before.ghz / after.ghz - 1.0).abs() > drift_allowed(sample, plan), Reason::Frequency),
    ];
    tests.into_iter().find_map(|(disturbed, reason)| disturbed.then_some(reason))
}

/// By what part the frequencies before and after may differ. Within a long sample the clock does
/// move, and a mean over both ends is near the truth; a short one is asked for a core that stands
/// still.
fn drift_allowed(sample: &Sample, plan: &Plan) -> f64 {
    if sample.ns >= LONG_NS { plan.ghz_drift.max(LONG_DRIFT) } else { plan.ghz_drift }
}

/// The larger of the clock's step and the step in which the subject's answers come, over the length
/// of a sample.
pub(crate) fn coarseness(samples: &[&Sample], clock_step_ns: u64) -> f64 {
    let length =
        stats::median(&mut samples.iter().map(|sample| sample.ns as f64).collect::<Vec<_>>());
    let enough = samples.len() >= ENOUGH_FOR_A_QUANTUM;
    let seen = if enough { stats::quantum(samples.iter().map(|sample| sample.ns)) } else { 0 };
    if samples.is_empty() { 0.0 } else { seen.max(clock_step_ns) as f64 / length.max(1.0) }
}

/// From here on a sample is long: several of the steps in which a core's clock is moved.
const LONG_NS: u64 = 10_000_000;
const LONG_DRIFT: f64 = 0.10;
/// By what part the instructions per cycle beside one neighbour may differ. Of samples beside a
/// steady neighbour of a rented machine nine of ten did by less between their two probes.
const LEVEL: f64 = 0.15;
/// Part of a scheduler's slice that no hand-over takes.
const SLICE_NS: f64 = 200_000.0;
/// With eight random differences a common divisor above 2 is no accident.
const ENOUGH_FOR_A_QUANTUM: usize = 8;

/// With fewer values the ends of a 99 % interval are the smallest and the largest, however close
/// these happen to be.
pub(crate) const ENOUGH_FOR_AN_INTERVAL: usize = 8;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const QUIET: Probe = Probe { ghz: 3.0, ipc: 4.0 };

    pub(crate) fn sample(ns: u64, handover: u64) -> Sample {
        let (before, after, verdict) = (QUIET, QUIET, Verdict::Clean);
        Sample {
            round: 0,
            iterations: 10,
            ns,
            wall_ns: ns + handover,
            preemptions: 0,
            before,
            after,
            verdict,
        }
    }

    /// What a sample is taken for among others that nothing disturbs and whose handover takes 1000
    /// ns.
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
        assert_eq!(
            verdict(Sample { preemptions: 1, ..sample(5000, 1001) }),
            rejected(Reason::Preempted)
        );
        assert_eq!(verdict(sample(5000, 202_000)), Verdict::Clean);
        assert_eq!(verdict(sample(5000, 202_001)), rejected(Reason::Waited));
        let low = Probe { ipc: plan.ipc_floor * QUIET.ipc, ..QUIET };
        let lower = Probe { ipc: low.ipc - 0.001, ..low };
        assert_eq!(
            verdict(Sample { before: low, after: low, ..sample(5000, 1000) }),
            Verdict::Clean
        );
        let shared = |before, after| verdict(Sample { before, after, ..sample(5000, 1000) });
        assert_eq!(shared(lower, lower), Verdict::Shared);
        assert_eq!(shared(low, lower), rejected(Reason::Neighbour), "one is of a quiet core");
        let far = Probe { ipc: lower.ipc / (1.0 + LEVEL) - 0.001, ..lower };
        let near = Probe { ipc: far.ipc + 0.002, ..lower };
        assert_eq!(shared(lower, near), Verdict::Shared);
        assert_eq!(shared(near, lower), Verdict::Shared);
        assert_eq!(shared(far, lower), rejected(Reason::Neighbour));
        let switched = Sample { before: lower, after: lower, preemptions: 1, ..sample(5000, 1001) };
        assert_eq!(verdict(switched), rejected(Reason::Preempted), "disturbed in any state");
        assert_eq!(
            verdict(Sample { before: lower, ..sample(5000, 1000) }),
            rejected(Reason::Neighbour)
        );
        assert_eq!(
            verdict(Sample { after: lower, ..sample(5000, 1000) }),
            rejected(Reason::Neighbour)
        );
        let faster = |part: f64| Probe { ghz: QUIET.ghz * (1.0 + part), ..QUIET };
        assert_eq!(
            verdict(Sample { before: faster(0.0149), ..sample(5000, 1000) }),
            Verdict::Clean
        );
        assert_eq!(
            verdict(Sample { before: faster(0.0151), ..sample(5000, 1000) }),
            rejected(Reason::Frequency)
        );
        assert_eq!(
            verdict(Sample { after: faster(0.0160), ..sample(5000, 1000) }),
            rejected(Reason::Frequency)
        );
        assert_eq!(
            verdict(Sample { before: faster(0.09), ..sample(10_000_000, 1000) }),
            Verdict::Clean
        );
        assert_eq!(
            verdict(Sample { before: faster(0.11), ..sample(10_000_000, 1000) }),
            rejected(Reason::Frequency)
        );
        assert_eq!(
            verdict(Sample { before: faster(0.09), ..sample(9_999_999, 1000) }),
            rejected(Reason::Frequency)
        );
        let generous = Plan { ghz_drift: 0.2, ..plan };
        let mut long = [Sample { before: faster(0.15), ..sample(10_000_000, 1000) }];
        judge(&mut long, QUIET, &generous);
        assert_eq!(long[0].verdict, Verdict::Clean, "the plan may allow more");
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
}
