//! Medians, quantiles and how sure they are.

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, ContinuousCDF};

/// A value and the interval that is meant to cover the true one.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// A value taken as exact, such as a published one.
    pub fn exact(value: f64) -> Interval {
        Interval { value, low: value, high: value }
    }

    /// Half the interval's width, relative to the value.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0 / self.value.abs()
    }

    /// Whether `value` lies in the interval, its ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The interval of `factor` times the value.
    pub fn times(self, factor: f64) -> Interval {
        Interval { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// The same value with both ends moved out by the relative `part`.
    pub(crate) fn widened(self, part: f64) -> Interval {
        let room = self.value.abs() * part;
        Interval { value: self.value, low: self.low - room, high: self.high + room }
    }
}

/// The median; `values` are reordered. NaN where there are none.
pub fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let middle = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if odd { upper } else { (below.iter().copied().fold(f64::MIN, f64::max) + upper) / 2.0 }
}

/// The value below which the part `q` of `values` lies (nearest rank); `values` are reordered. NaN
/// where there are none.
pub fn quantile(values: &mut [f64], q: f64) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let rank = ((values.len() - 1) as f64 * q).round() as usize;
    *values.select_nth_unstable_by(rank, f64::total_cmp).1
}

/// The median and its percentile-bootstrap interval, without drawing a single sample; `values` are
/// sorted.
///
/// The median of a resample is one of the values, and its rank follows the distribution of the
/// median of n uniform draws, Beta(m, n - m + 1). The quantiles of that are the ranks of the
/// interval's ends, exactly what endless resampling would give (Maritz and Jarrett 1978; Efron
/// 1979). For an even n each end takes the outer of the two middle ranks.
pub fn median_interval(values: &mut [f64], confidence: f64) -> Interval {
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return Interval::exact(f64::NAN) };
    let n = values.len();
    let end = |middle: usize, q: f64| {
        let beta = Beta::new(middle as f64, (n - middle + 1) as f64).expect("1 <= middle <= n");
        values[((beta.inverse_cdf(q) * n as f64).ceil() as usize).clamp(1, n) - 1]
    };
    let tail = (1.0 - confidence) / 2.0;
    let value = (values[last / 2] + values[n / 2]) / 2.0;
    Interval { value, low: end(n.div_ceil(2), tail), high: end(n / 2 + 1, 1.0 - tail) }
}

/// The median of one resample of `values`, drawn with replacement. `scratch` saves the allocation.
pub(crate) fn resampled_median(values: &[f64], scratch: &mut Vec<f64>, rng: &mut Rng) -> f64 {
    scratch.clear();
    scratch.extend((0..values.len()).map(|_| values[rng.usize(..values.len())]));
    median(scratch)
}

/// `value` with the percentile interval of its `resampled` values, which are reordered.
pub(crate) fn percentile_interval(value: f64, resampled: &mut [f64], confidence: f64) -> Interval {
    let tail = (1.0 - confidence) / 2.0;
    Interval { value, low: quantile(resampled, tail), high: quantile(resampled, 1.0 - tail) }
}

/// The step in which `values` are counted: the greatest common divisor of their differences; 0
/// where they are all equal.
pub(crate) fn quantum(values: impl IntoIterator<Item = u64>) -> u64 {
    let mut values = values.into_iter();
    let Some(first) = values.next() else { return 0 };
    values.fold(0, |common, value| gcd(common, value.abs_diff(first)))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Resamples behind a percentile interval.
pub(crate) const RESAMPLES: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_quantiles() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(quantile(&mut [5.0, 1.0, 4.0, 2.0, 3.0], 0.75), 4.0);
        assert!(median(&mut []).is_nan() && quantile(&mut [], 0.5).is_nan());
    }

    #[test]
    fn the_exact_interval_is_what_resampling_gives() {
        let mut rng = Rng::with_seed(5);
        for count in [1, 2, 7, 20, 101, 400] {
            let mut values: Vec<f64> = (0..count).map(|_| rng.f64() + rng.f64()).collect();
            let exact = median_interval(&mut values, 0.95);
            let mut scratch = Vec::new();
            let mut medians: Vec<f64> =
                (0..4000).map(|_| resampled_median(&values, &mut scratch, &mut rng)).collect();
            let drawn = percentile_interval(exact.value, &mut medians, 0.95);
            let near = |a: f64, b: f64| (a - b).abs() <= 1.5 / (count as f64 + 1.0);
            assert!(exact.value == median(&mut values));
            assert!(
                near(exact.low, drawn.low) && near(exact.high, drawn.high),
                "{count}: {exact:?} {drawn:?}"
            );
        }
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        let mut rng = Rng::with_seed(11);
        let covered = |_: &u32| {
            let mut values: Vec<f64> = (0..60).map(|_| rng.f64()).collect();
            median_interval(&mut values, 0.95).contains(0.5)
        };
        let count = (0..2000).filter(covered).count();
        assert!((1860..=1960).contains(&count), "{count} of 2000");
    }

    #[test]
    fn the_quantum_of_a_coarse_clock() {
        assert_eq!(quantum([5000, 8000, 6000]), 1000);
        assert_eq!(quantum([5001, 8003, 6006]), 1);
        assert_eq!(quantum([7, 7, 7]), 0);
    }

    #[test]
    fn intervals_are_moved_and_widened() {
        let interval = Interval { value: -4.0, low: -5.0, high: -2.0 };
        assert_eq!(interval.half_width(), 0.375);
        assert!(
            interval.contains(-5.0)
                && interval.contains(-2.0)
                && !interval.contains(-5.1)
                && !interval.contains(-1.9)
        );
        assert_eq!(interval.times(2.0), Interval { value: -8.0, low: -10.0, high: -4.0 });
        assert_eq!(interval.widened(0.25), Interval { value: -4.0, low: -6.0, high: -1.0 });
        assert_eq!(Interval::exact(3.0), Interval { value: 3.0, low: 3.0, high: 3.0 });
    }

    #[test]
    fn quantiles_take_the_nearest_rank() {
        let mut values: Vec<f64> = (0..=10).map(f64::from).collect();
        assert_eq!(
            [0.0, 0.04, 0.06, 0.5, 0.94, 0.96, 1.0].map(|q| quantile(&mut values, q)),
            [0.0, 0.0, 1.0, 5.0, 9.0, 10.0, 10.0]
        );
        let interval = percentile_interval(7.0, &mut values, 0.8);
        assert_eq!(interval, Interval { value: 7.0, low: 1.0, high: 9.0 });
    }

    /// The ranks are those of the tables of the sign test: 6 values at 95 %, 20 at 95 %.
    #[test]
    fn few_values_have_wide_intervals() {
        let interval = |count: u32, confidence: f64| {
            let mut values: Vec<f64> = (1..=count).rev().map(f64::from).collect();
            let Interval { value, low, high } = median_interval(&mut values, confidence);
            (value, low, high)
        };
        assert_eq!(interval(1, 0.99), (1.0, 1.0, 1.0));
        assert_eq!(interval(2, 0.99), (1.5, 1.0, 2.0));
        let (value, low, high) = interval(21, 0.95);
        assert_eq!((value, 22.0 - low), (11.0, high), "the interval is symmetric");
        assert!((6.0..=7.0).contains(&low), "{low}");
        assert!(interval(21, 0.999).1 < low && interval(21, 0.5).1 > low);
        assert!(median_interval(&mut [], 0.99).value.is_nan());
    }

    #[test]
    fn the_quantum_of_few_values() {
        assert_eq!((quantum([]), quantum([5]), quantum([4, 10])), (0, 0, 6));
        assert_eq!(quantum([12, 20, 6]), 2);
    }
}
