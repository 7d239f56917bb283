//! How figures are written.

use gauge::{Interval, Ratio};

use crate::judge::{Judgement, Verdict};
pub use crate::text::figure;

/// Half the width of the interval, in percent of the value.
pub fn spread(interval: &Interval) -> String {
    let percent = 50.0 * (interval.high - interval.low) / interval.value;
    format!("±{percent:.1}%")
}

/// A cost that a fit gave, with its spread. A fit may give less than nothing, which no call takes:
/// then its upper bound.
pub fn cost(interval: &Interval) -> String {
    if interval.value > 0.0 {
        format!("{} {}", figure(interval.value), spread(interval))
    } else {
        time(interval)
    }
}

/// The same without its spread.
pub fn time(interval: &Interval) -> String {
    match (interval.value > 0.0, interval.high > 0.0) {
        (true, _) => figure(interval.value),
        (false, true) => format!("<{}", figure(interval.high)),
        (false, false) => String::new(),
    }
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
        Some(found) => {
            format!("{}: {} ({})", verdict(judgement.verdict), ratio(found), judgement.detail)
        }
        None => format!("{}: {}", verdict(judgement.verdict), judgement.detail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_call_takes_less_than_nothing() {
        let interval = |value, low, high| Interval { value, low, high };
        assert_eq!(cost(&interval(2.0, 1.9, 2.1)), "2.000 ±5.0%");
        assert_eq!(cost(&interval(-0.9593, -0.961, 0.25)), "<0.2500");
        assert_eq!(cost(&interval(-0.9593, -0.961, -0.957)), "");
    }
}
