//! One series against another.

use std::collections::HashMap;

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::sample::{CoreState, ENOUGH_FOR_AN_INTERVAL, Sample, alike, counted};
use crate::series::{Estimate, Series};
use crate::stats::{self, Interval};

/// How many times as long one series takes as another.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The estimate.
    pub value: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// The state of the core in both.
    #[serde(default, skip_serializing_if = "CoreState::is_quiet")]
    pub state: CoreState,
}

/// How a ratio stands to a threshold.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The whole interval lies above.
    Above,
    /// The whole interval lies below.
    Below,
    /// The threshold lies in the interval: the measurement does not tell.
    NotDistinguishable,
}

impl Ratio {
    /// How the ratio stands to `threshold`; 1.0 asks which of the two takes longer.
    pub fn verdict(&self, threshold: f64) -> Relation {
        if self.low > threshold {
            Relation::Above
        } else if self.high < threshold {
            Relation::Below
        } else {
            Relation::NotDistinguishable
        }
    }
}

impl Ratio {
    fn new(Interval { value, low, high }: Interval, state: CoreState) -> Ratio {
        Ratio { value, low, high, state }
    }
}

/// A ratio of times on a quiet core, or of what has no core, such as printed figures.
impl From<Interval> for Ratio {
    fn from(interval: Interval) -> Ratio {
        Ratio::new(interval, CoreState::Quiet)
    }
}

/// Time of `a` over time of `b`, for two series of one group: the median of the ratios within each
/// round, so that whatever drifted hit both alike. Only rounds in which both count for one state
/// of the core are taken, all of the same state: that of the estimates, else the other one. `None`
/// where neither has eight.
pub fn paired(a: &Series, b: &Series, confidence: f64) -> Option<Ratio> {
    let (of_a, of_b) = (a.estimate()?.state, b.estimate()?.state);
    [of_a.max(of_b)].into_iter().chain(CoreState::ALL).find_map(|state| {
        let both = pairs(&a.samples, &b.samples, state);
        let mut ratios: Vec<f64> =
            both.map(|(a, b)| a.ns_per_iteration() / b.ns_per_iteration()).collect();
        let enough = ratios.len() >= ENOUGH_FOR_AN_INTERVAL;
        enough.then(|| {
            let interval = stats::median_interval(&mut ratios, confidence)
                .widened(a.coarseness() + b.coarseness());
            Ratio::new(interval, state)
        })
    })
}

/// The rounds in which both count for `state`; of a shared core, beside the same neighbour.
pub(crate) fn pairs<'a>(
    a: &'a [Sample],
    b: &'a [Sample],
    state: CoreState,
) -> impl Iterator<Item = (&'a Sample, &'a Sample)> {
    let others: HashMap<u32, &Sample> =
        counted(b, state).map(|sample| (sample.round, sample)).collect();
    counted(a, state)
        .filter_map(move |sample| Some((sample, *others.get(&sample.round)?)))
        .filter(move |(a, b)| state.is_quiet() || alike(a.ipc(), b.ipc()))
}

/// Time of `a` over time of `b`, for series measured apart: the ratio of the medians, its interval
/// by resampling each. `None` where either has fewer than eight samples that count, or where they
/// count for two states of the core: two neighbours are two states.
pub fn unpaired(a: &Series, b: &Series, confidence: f64) -> Option<Ratio> {
    quotient(a, b, confidence, Sample::ns_per_iteration)
}

/// Time of `a` over time of `b`, where no samples are left: the ratio of the estimates, with as
/// much room as both intervals leave. `None` where they are of two states of the core.
pub fn of_estimates(a: &Estimate, b: &Estimate) -> Option<Ratio> {
    let interval = Interval {
        value: a.ns.value / b.ns.value,
        low: a.ns.low / b.ns.high,
        high: a.ns.high / b.ns.low,
    };
    is_one_state(a, b).then(|| Ratio::new(interval, a.state))
}

fn is_one_state(a: &Estimate, b: &Estimate) -> bool {
    a.state == b.state && (a.state.is_quiet() || alike(a.ipc, b.ipc))
}

/// As [`unpaired`], of core cycles instead of time: for series measured at different frequencies of
/// one kind of core.
pub fn unpaired_cycles(a: &Series, b: &Series, confidence: f64) -> Option<Ratio> {
    quotient(a, b, confidence, Sample::cycles_per_iteration)
}

fn quotient(a: &Series, b: &Series, confidence: f64, of: fn(&Sample) -> f64) -> Option<Ratio> {
    let state = a.estimate()?.state;
    if !is_one_state(a.estimate()?, b.estimate()?) {
        return None;
    }
    let values = |series: &Series| series.clean().map(of).collect::<Vec<_>>();
    let (mut above, mut below) = (values(a), values(b));
    if above.len().min(below.len()) < ENOUGH_FOR_AN_INTERVAL {
        return None;
    }
    let (mut rng, mut scratch) = (Rng::with_seed(SEED), Vec::new());
    let mut draw = |values: &[f64]| stats::resampled_median(values, &mut scratch, &mut rng);
    let mut ratios: Vec<f64> = (0..stats::RESAMPLES).map(|_| draw(&above) / draw(&below)).collect();
    let value = stats::median(&mut above) / stats::median(&mut below);
    let interval = stats::percentile_interval(value, &mut ratios, confidence)
        .widened(a.coarseness() + b.coarseness());
    Some(Ratio::new(interval, state))
}

/// A record must give the same ratio whenever it is read.
const SEED: u64 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, World};
    use crate::{Engine, Plan};

    #[test]
    fn a_threshold_in_the_interval_or_at_its_end_decides_nothing() {
        let ratio = Ratio::from(Interval { value: 1.0, low: 0.9, high: 1.2 });
        let verdicts = [0.8, 0.9, 1.0, 1.2, 1.3].map(|threshold| ratio.verdict(threshold));
        let undecided = Relation::NotDistinguishable;
        assert_eq!(verdicts, [Relation::Above, undecided, undecided, undecided, Relation::Below]);
    }

    /// Two series of one group, the first of twice the cycles, the second at most `keep` samples
    /// long.
    fn pair_of(keep: usize, ghz: f64) -> (Series, Series) {
        let world = World::new().ghz(move |_| ghz);
        let plan = Plan { min_samples: 20, max_samples: 20, width: -1.0, ..Plan::quick() };
        let mut engine = Engine::with(plan, Box::new(world.clone())).unwrap();
        let mut series =
            engine.measure(&mut [&mut Fake::new(&world, 700.0), &mut Fake::new(&world, 350.0)]);
        let mut second = series.remove(1);
        second.samples.truncate(keep);
        (series.remove(0), second)
    }

    #[test]
    fn eight_rounds_make_a_ratio() {
        for (keep, enough) in [(8, true), (7, false)] {
            let (first, second) = pair_of(keep, 3.5);
            let ratios = [
                paired(&first, &second, 0.99),
                unpaired(&first, &second, 0.99),
                unpaired(&second, &first, 0.99),
            ];
            assert_eq!(ratios.map(|ratio| ratio.is_some()), [enough; 3], "{keep}");
            for ratio in ratios[..2].iter().flatten() {
                let room = first.coarseness() + second.coarseness();
                assert!(
                    (ratio.value - 2.0).abs() < 1e-3
                        && ratio.high - ratio.value >= room
                        && room > 0.0,
                    "{ratio:?}"
                );
            }
        }
    }

    #[test]
    fn a_ratio_of_estimates_has_the_room_of_both() {
        let (first, second) = pair_of(20, 3.5);
        let (mut a, mut b) =
            (first.estimate().unwrap().clone(), second.estimate().unwrap().clone());
        a.ns = Interval { value: 6.0, low: 4.0, high: 10.0 };
        b.ns = Interval { value: 2.0, low: 0.5, high: 4.0 };
        let Ratio { value, low, high, .. } = of_estimates(&a, &b).unwrap();
        assert_eq!((value, low, high), (3.0, 1.0, 20.0));
    }

    #[test]
    fn cycles_are_compared_across_frequencies() {
        let ((fast, _), (slow, _)) = (pair_of(20, 3.5), pair_of(20, 1.75));
        let (time, cycles) =
            (unpaired(&slow, &fast, 0.99).unwrap(), unpaired_cycles(&slow, &fast, 0.99).unwrap());
        assert!(
            (time.value - 2.0).abs() < 0.01 && (cycles.value - 1.0).abs() < 0.01,
            "{time:?} {cycles:?}"
        );
    }
}
