//! The cost model: what a call costs and what a byte costs.

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::sample::{CoreState, alike};
use crate::series::Series;
use crate::stats::{self, Interval};

/// Time = `call` + `byte` x length.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Cost {
    /// Nanoseconds per call.
    pub call: Interval,
    /// Nanoseconds per byte.
    pub byte: Interval,
    /// The largest relative error of the model over the sizes it was fitted to: 0.2 means that at
    /// one size the time is 20 % off what the model says, and the two numbers tell less than the
    /// table does.
    pub worst: f64,
    /// The state of the core in every size that it was fitted to.
    #[serde(default, skip_serializing_if = "CoreState::is_quiet")]
    pub state: CoreState,
}

/// Fits the cost model to one subject's series at several sizes in bytes, by least squares of the
/// relative errors: a size of 5 bytes then weighs as much as one of 5000. The intervals come from
/// resampling every series' clean samples.
///
/// All are of one state of the core: the quiet one if that gives two sizes, else the shared one
/// beside the usual neighbour. Sizes of another state are left out. `None` where fewer than two
/// different sizes have an estimate in the same state.
pub fn fit(series: &[(u64, &Series)], confidence: f64) -> Option<Cost> {
    CoreState::ALL.into_iter().find_map(|state| fit_in(state, series, confidence))
}

fn fit_in(state: CoreState, series: &[(u64, &Series)], confidence: f64) -> Option<Cost> {
    let estimates = || series.iter().filter_map(|(_, series)| series.estimate());
    let ipc = estimates().filter(|found| found.state == state).map(|found| found.ipc);
    let usual = stats::median(&mut ipc.collect::<Vec<_>>());
    let is_in = |series: &Series| {
        series.estimate().is_some_and(|found| {
            found.state == state && (state.is_quiet() || alike(found.ipc, usual))
        })
    };
    let mut points: Vec<(f64, Vec<f64>)> = series
        .iter()
        .filter(|(_, series)| is_in(series))
        .map(|&(bytes, series)| (bytes as f64, series.clean_ns()))
        .collect();
    points.retain(|(_, samples)| !samples.is_empty());
    if points.iter().all(|&(bytes, _)| bytes == points[0].0) {
        return None;
    }
    let medians: Vec<_> = points
        .iter()
        .map(|(bytes, samples)| (*bytes, stats::median(&mut samples.clone())))
        .collect();
    let (call, byte) = line(&medians);
    let (mut calls, mut bytes): (Vec<_>, Vec<_>) = resampled_lines(&points).unzip();
    Some(Cost {
        call: stats::percentile_interval(call, &mut calls, confidence),
        byte: stats::percentile_interval(byte, &mut bytes, confidence),
        worst: medians
            .iter()
            .map(|(size, ns)| ((call + byte * size) / ns - 1.0).abs())
            .fold(0.0, f64::max),
        state,
    })
}

fn resampled_lines(points: &[(f64, Vec<f64>)]) -> impl Iterator<Item = (f64, f64)> {
    let (mut rng, mut scratch) = (Rng::with_seed(SEED), Vec::new());
    (0..stats::RESAMPLES).map(move |_| {
        let medians = points.iter().map(|(bytes, samples)| {
            (*bytes, stats::resampled_median(samples, &mut scratch, &mut rng))
        });
        line(&medians.collect::<Vec<_>>())
    })
}

/// Intercept and slope of the line through `(x, y)` that minimises the sum of squared errors
/// relative to y.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let mut sums = [0.0; 5];
    for &(x, y) in points {
        let weight = 1.0 / (y * y);
        for (sum, term) in sums.iter_mut().zip([1.0, x, y, x * x, x * y]) {
            *sum += weight * term;
        }
    }
    let [w, x, y, xx, xy] = sums;
    let slope = (w * xy - x * y) / (w * xx - x * x);
    ((y - slope * x) / w, slope)
}

/// A record must give the same cost whenever it is read.
const SEED: u64 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// No other line near it has a smaller sum.
    #[test]
    fn the_sum_of_squared_relative_errors_is_least() {
        let points = [(0.0, 10.0), (1.0, 11.0), (64.0, 90.0), (1000.0, 5000.0)];
        let sum = |(call, byte): (f64, f64)| -> f64 {
            points.iter().map(|(x, y)| ((call + byte * x) / y - 1.0).powi(2)).sum()
        };
        let (call, byte) = line(&points);
        for part in [0.999, 1.001] {
            assert!(sum((call * part, byte)) > sum((call, byte)), "{call} {byte}");
            assert!(sum((call, byte * part)) > sum((call, byte)), "{call} {byte}");
        }
    }
}
