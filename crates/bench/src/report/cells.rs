//! How figures are written.

use gauge::{Interval, Ratio};

use crate::judge::{Judgement, Verdict};
pub use crate::text::figure;

/// Half the width of the interval, in percent of the value.
pub fn spread(interval: &Interval) -> String {
    let percent = 50.0 * (interval.high - interval.low) / interval.value;
    format!("±{percent:.1}%")
}

/// A ratio and its interval: `1.84x (1.83 to 1.86)`.
pub fn ratio(ratio: &Ratio) -> String {
    if ratio.low == ratio.high {
        return format!("{}x", figure(ratio.value));
    }
    format!("{}x ({} to {})", figure(ratio.value), figure(ratio.low), figure(ratio.high))
}

/// A verdict in words.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "does not hold",
        Verdict::NotDistinguishable => "not distinguishable",
        Verdict::NotMeasured => "not measured",
    }
}

/// A judgement in one line.
pub fn judgement(judgement: &Judgement) -> String {
    match &judgement.ratio {
        Some(found) => format!("{}: {} ({})", verdict(judgement.verdict), ratio(found), judgement.detail),
        None => format!("{}: {}", verdict(judgement.verdict), judgement.detail),
    }
}
