//! Figures of a record have five digits, wherever they come from: more than a report shows, and
//! fewer than a random fraction takes.
//!
//! So a summary gives every verdict of the record that it was made from. A verdict compares figures
//! with bounds. A figure of sixteen digits in the one and of five in the other could fall on two
//! sides of a bound. Therefore figures are cut when they are read, and when a ratio is computed.

use gauge::{Cost, Estimate, Interval, Outcome, Ratio, Series};

fn figure(value: f64) -> f64 {
    // Through text: a power of ten by floating point would not give the nearest five digits.
    format!("{value:.4e}").parse().unwrap_or(value)
}

fn interval(Interval { value, low, high }: Interval) -> Interval {
    Interval { value: figure(value), low: figure(low), high: figure(high) }
}

/// The ratio with five digits.
pub(super) fn ratio(Ratio { value, low, high, state }: Ratio) -> Ratio {
    Ratio { value: figure(value), low: figure(low), high: figure(high), state }
}

/// The costs with five digits.
pub(super) fn cost(Cost { call, byte, worst, state }: Cost) -> Cost {
    Cost { call: interval(call), byte: interval(byte), worst: figure(worst), state }
}

/// Gives the figures of a series five digits; its samples stay as they are.
pub(super) fn series(series: &mut Series) {
    series.first_call_ns = figure(series.first_call_ns);
    if let Outcome::Estimate(Estimate { ns, cycles, ghz, ipc, drift, .. }) = &mut series.outcome {
        [ns, cycles].into_iter().for_each(|of| *of = interval(*of));
        [ghz, ipc, drift].into_iter().for_each(|of| *of = figure(*of));
    }
}
