//! What cannot be true is not printed: clocks that lie, rates that no core reaches, times that do
//! not grow with the data.

use thiserror::Error;

use crate::sample::{self, ENOUGH_FOR_AN_INTERVAL, Sample};

mod limits;

pub use limits::Limits;

/// Why a figure cannot be true.
#[derive(Error, Clone, Debug, PartialEq)]
pub enum Implausible {
    /// The subject's clock and the engine's contradict each other.
    #[error(
        "the subject claims {ns} ns for {iterations} iterations that took {wall_ns} ns here\n\
         hint: its clock stands still or is too coarse, or its unit is not nanoseconds"
    )]
    #[allow(missing_docs)]
    Claim { iterations: u64, ns: u64, wall_ns: u64 },
    /// A clock moves in steps that are too large for the samples.
    #[error(
        "a sample lasts {per_sample:.1} steps of the subject's clock or ours: expected at least \
            100\nhint: let it read a finer clock"
    )]
    #[allow(missing_docs)]
    CoarseClock { per_sample: f64 },
    /// More bytes per second than the core can load or the memory can deliver.
    #[error(
        "{rate:.1} GB/s at {bytes} bytes: {what} at most {limit:.1} GB/s\nhint: is all the data \
            processed? is the unit right?"
    )]
    #[allow(missing_docs)]
    Rate { bytes: u64, rate: f64, limit: f64, what: &'static str },
    /// Time does not grow with the data as any core must make it grow.
    #[error(
        "{more} bytes take {delta_ns:.1} ns longer than {bytes} bytes: a core needs {least_ns:.1} \
            ns only to load them\nhint: the data is skipped"
    )]
    #[allow(missing_docs)]
    Flat { bytes: u64, more: u64, delta_ns: f64, least_ns: f64 },
    /// Time grows, but not in proportion.
    #[error(
        "from {bytes} to {more} bytes each doubling takes {per_doubling:.2} times as long: \
            expected 1.6 to 2.4\nhint: is it the same work at both sizes?"
    )]
    #[allow(missing_docs)]
    Growth { bytes: u64, more: u64, per_doubling: f64 },
    /// Too few events for a rate.
    #[error("{count} events are too few for a rate: expected at least {least}")]
    #[allow(missing_docs)]
    FewEvents { count: u64, least: u64 },
}

/// Whether `count` events are enough for a rate.
///
/// # Errors
/// [`Implausible`]: they are fewer than `least`.
pub fn events(count: u64, least: u64) -> Result<(), Implausible> {
    if count >= least { Ok(()) } else { Err(Implausible::FewEvents { count, least }) }
}

/// Whether a run can be true: the subject claims no more time than passed here. (Two clocks of one
/// machine run apart by far less than one per cent; the two microseconds allow for a subject's
/// clock that counts in microseconds.)
pub(crate) fn claim(iterations: u64, ns: u64, wall_ns: u64) -> Result<(), Implausible> {
    let possible = ns as f64 <= 1.01 * wall_ns as f64 + 2000.0;
    if possible { Ok(()) } else { Err(Implausible::Claim { iterations, ns, wall_ns }) }
}

/// Whether a series can be true: in its least disturbed sample the subject claims at least a tenth
/// of the time that passed here, and a clock's step, the subject's or ours, is at most a hundredth
/// of a sample. Where samples are few, each of them may have waited for its turn on the core.
pub(crate) fn clock(samples: &[&Sample], clock_step_ns: u64) -> Result<(), Implausible> {
    let wait = if samples.len() < ENOUGH_FOR_AN_INTERVAL { TURN_NS } else { 0 };
    let stretch =
        |sample: &Sample| sample.wall_ns.saturating_sub(wait) as f64 / sample.ns.max(1) as f64;
    let closest = samples.iter().min_by(|a, b| stretch(a).total_cmp(&stretch(b)));
    if let Some(&&Sample { iterations, ns, wall_ns, .. }) =
        closest.filter(|sample| stretch(sample) > 10.0)
    {
        return Err(Implausible::Claim { iterations, ns, wall_ns });
    }
    let coarseness = sample::coarseness(samples, clock_step_ns);
    if coarseness <= 0.01 {
        Ok(())
    } else {
        Err(Implausible::CoarseClock { per_sample: 1.0 / coarseness })
    }
}

/// How long others may keep the core when several of them want it.
const TURN_NS: u64 = 20_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_events_are_no_rate() {
        assert!(events(100, 100).is_ok());
        assert_eq!(
            events(3, 100).unwrap_err().to_string(),
            "3 events are too few for a rate: expected at least 100"
        );
    }

    #[test]
    fn a_claim_may_be_a_hundredth_and_two_microseconds_too_long() {
        assert!(
            claim(1, 0, 0).is_ok()
                && claim(1, 2000, 0).is_ok()
                && claim(1, 103_000, 100_000).is_ok()
        );
        assert!(claim(1, 2001, 0).is_err());
        let error = claim(7, 103_001, 100_000).unwrap_err();
        assert_eq!(error, Implausible::Claim { iterations: 7, ns: 103_001, wall_ns: 100_000 });
    }

    #[test]
    fn the_least_disturbed_sample_says_whether_a_clock_can_be_true() {
        let sample = |ns, wall_ns| {
            let quiet = crate::Probe { ghz: 3.5, ipc: 4.5 };
            let verdict = crate::Verdict::Clean;
            Sample {
                round: 0,
                iterations: 3,
                ns,
                wall_ns,
                preemptions: 0,
                before: quiet,
                after: quiet,
                verdict,
            }
        };
        let judged = |samples: &[Sample], step| {
            let many = samples.iter().cycle().take(ENOUGH_FOR_AN_INTERVAL);
            clock(&many.collect::<Vec<_>>(), step)
        };
        assert_eq!(judged(&[sample(1000, 10_000), sample(1000, 90_000)], 10), Ok(()));
        let slow = judged(&[sample(1000, 90_000), sample(1000, 10_001)], 10);
        assert_eq!(slow, Err(Implausible::Claim { iterations: 3, ns: 1000, wall_ns: 10_001 }));
        let (turn, over) = (sample(1000, TURN_NS + 10_000), sample(1000, TURN_NS + 10_001));
        assert!(judged(std::slice::from_ref(&turn), 10).is_err());
        assert_eq!((clock(&[&turn], 10), clock(&[&over], 10).is_err()), (Ok(()), true));
        assert_eq!(
            judged(&[sample(0, 10)], 0),
            Ok(()),
            "what lasts no time is taken for a nanosecond"
        );
        let told = judged(&[sample(1000, 1000)], 11).unwrap_err().to_string();
        assert!(
            told.starts_with("a sample lasts 90.9 steps of the subject's clock or ours"),
            "{told}"
        );
    }
}
