//! How long to measure, how exactly, and what counts as a disturbed sample.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a measurement may cost and what it must reach.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Plan {
    /// Time for one subject: a group of five may take five times this, calibration included.
    pub budget: Duration,
    /// Calibration goes on for at least this long, so that caches, predictors and JIT compilers
    /// have settled.
    pub warmup: Duration,
    /// A group does not stop early before this: samples from a single turn of the scheduler would
    /// not know what the next brings.
    pub span: Duration,
    /// Wanted length of one sample. It is raised to 1,000 steps of the clock where the clock is
    /// coarse. Short ones are better: an interrupt adds microseconds to the sample that it hits,
    /// and fewer than half of them must be hit.
    pub sample: Duration,
    /// Wanted relative half width of the interval: 0.01 is "plus or minus one per cent". Reached by
    /// all, a group stops early.
    pub width: f64,
    /// Rounds before a group may stop early; a series with fewer clean samples is marked `few`.
    pub min_samples: usize,
    /// Rounds after which a group stops in any case. A record keeps every sample, and an interval
    /// hardly narrows beyond some hundred.
    pub max_samples: usize,
    /// Probability with which an interval is meant to cover the true value.
    pub confidence: f64,
    /// Seed of the order within each round. The same seed gives the same order.
    pub seed: u64,
    /// A core is shared when a probe's instructions per cycle fall below this part of the best
    /// seen.
    pub ipc_floor: f64,
    /// A sample is left out when the frequency before and after it differ by more than this part;
    /// one of ten milliseconds and more may differ by a tenth.
    pub ghz_drift: f64,
    /// A subject that takes more than this many times as long as the fastest of its group, in a
    /// first look of a few samples, gets few samples: it does not win. `None`: all get as many.
    #[serde(default)]
    pub few_beyond: Option<f64>,
}

impl Plan {
    /// A thousand subjects in under two minutes, to one per cent.
    pub fn quick() -> Self {
        Plan {
            budget: Duration::from_millis(80),
            warmup: Duration::from_millis(2),
            span: Duration::from_millis(12),
            width: 0.01,
            min_samples: 20,
            max_samples: 120,
            ..Plan::standard()
        }
    }

    /// A thousand subjects in under ten minutes, to 0.3 per cent.
    ///
    /// The confidence is 0.99, not the customary 0.95: a table holds many comparisons, and at 0.95
    /// one in twenty would name a difference that is not there.
    pub fn standard() -> Self {
        Plan {
            budget: Duration::from_millis(450),
            warmup: Duration::from_millis(10),
            span: Duration::from_millis(40),
            sample: Duration::from_micros(40),
            width: 0.003,
            min_samples: 30,
            max_samples: 1200,
            confidence: 0.99,
            seed: 1,
            ipc_floor: 0.93,
            ghz_drift: 0.015,
            few_beyond: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_plan_takes_less_of_all_that_takes_time() {
        let (quick, standard) = (Plan::quick(), Plan::standard());
        assert!(quick.budget * 1000 < Duration::from_secs(120));
        assert!(standard.budget * 1000 < Duration::from_secs(600));
        for (less, more) in [
            (quick.warmup, standard.warmup),
            (quick.span, standard.span),
            (quick.budget, standard.budget),
        ] {
            assert!(less < more, "{less:?} {more:?}");
        }
        assert!(quick.min_samples < standard.min_samples);
        assert!(quick.max_samples < standard.max_samples);
        assert!(quick.width > standard.width);
    }
}
