//! How many iterations make a sample.

use crate::clock::Instrument;
use crate::guard;
use crate::{Implausible, Subject};

/// What calibration found.
pub(crate) struct Calibration {
    /// Iterations per sample.
    pub iterations: u64,
    /// The first iteration ever, cold.
    pub first_call_ns: f64,
}

/// One run by both clocks.
pub(crate) struct Timing {
    /// By the subject's clock.
    pub ns: u64,
    /// By the engine's, handing over included.
    pub wall_ns: u64,
}

/// What calibration aims at, in nanoseconds.
pub(crate) struct Target {
    /// Length of a sample.
    pub sample: u64,
    /// Go on for at least this long.
    pub warmup: u64,
    /// Give up after this long.
    pub patience: u64,
}

/// Runs `iterations` and checks the subject's answer against the time that passed here.
pub(crate) fn timed(
    instrument: &mut dyn Instrument,
    subject: &mut dyn Subject,
    iterations: u64,
) -> Result<Timing, String> {
    let start = instrument.now();
    let answer = subject.run(iterations).map_err(|error| error.to_string())?;
    let timing =
        Timing { ns: answer.as_nanos() as u64, wall_ns: instrument.now().saturating_sub(start) };
    guard::claim(iterations, timing.ns, timing.wall_ns)
        .map_err(|implausible| implausible.to_string())?;
    Ok(timing)
}

/// Finds the iterations that last as long as `target` wants, by the fastest of at least two runs
/// that are long enough: a run that was interrupted looks longer than it is.
pub(crate) fn calibrate(
    instrument: &mut dyn Instrument,
    subject: &mut dyn Subject,
    target: &Target,
) -> Result<Calibration, String> {
    let start = instrument.now();
    let first_call_ns = timed(instrument, subject, 1)?.ns as f64;
    let (mut iterations, mut settled, mut fastest) = (1, 0, u64::MAX);
    loop {
        let timing = timed(instrument, subject, iterations)?;
        let spent = instrument.now() - start;
        let factor = target.sample as f64 / timing.ns.max(1) as f64;
        if factor < LONG_ENOUGH {
            (settled, fastest) = (settled + 1, fastest.min(timing.ns));
            if settled >= 2 && spent >= target.warmup {
                return Ok(Calibration {
                    iterations: scale(iterations, target.sample as f64 / fastest as f64),
                    first_call_ns,
                });
            }
        } else if spent > target.patience || iterations >= MOST {
            return Err(Implausible::Claim { iterations, ns: timing.ns, wall_ns: timing.wall_ns }
                .to_string());
        } else {
            (settled, fastest) = (0, u64::MAX);
            iterations = scale(iterations, factor.min(GROWTH));
        }
    }
}

fn scale(iterations: u64, factor: f64) -> u64 {
    (iterations as f64 * factor).ceil().clamp(1.0, MOST as f64) as u64
}

/// A sample counts as long enough when the target is no more than this many times as long.
const LONG_ENOUGH: f64 = 1.25;
/// Largest growth at a time: a clock that first answers 0 must not run away.
const GROWTH: f64 = 16.0;
/// No work in this world needs more iterations to be seen by a clock.
const MOST: u64 = 1 << 40;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, World};

    fn calibrated(world: &World, fake: &mut Fake) -> Result<Calibration, String> {
        let target = Target { sample: 100_000, warmup: 0, patience: 80_000_000 };
        calibrate(&mut world.clone(), fake, &target)
    }

    #[test]
    fn finds_the_iterations_for_the_target() {
        let world = World::new();
        for (cycles, iterations) in
            [(35.0, 10_000), (350.0, 1000), (35_000.0, 10), (3_500_000.0, 1)]
        {
            let found = calibrated(&world, &mut Fake::new(&world, cycles)).unwrap();
            let error = found.iterations as f64 / iterations as f64 - 1.0;
            assert!(error.abs() < 0.01, "{cycles} cycles: {} iterations", found.iterations);
        }
    }

    #[test]
    fn the_cold_call_is_told_apart() {
        let world = World::new();
        let found = calibrated(&world, &mut Fake::new(&world, 350.0).cold(857_000.0)).unwrap();
        assert_eq!((found.first_call_ns, found.iterations), (857_100.0, 1000));
    }

    /// The runs that calibration makes of a subject of that many nanoseconds.
    fn runs(ns: f64, warmup: u64) -> usize {
        let world = World::new();
        let count = std::rc::Rc::new(std::cell::Cell::new(0));
        let counted = count.clone();
        let mut fake = Fake::new(&world, ns * 3.5).reports(move |ns| {
            counted.set(counted.get() + 1);
            ns
        });
        calibrate(
            &mut world.clone(),
            &mut fake,
            &Target { sample: 100_000, warmup, patience: 80_000_000 },
        )
        .unwrap();
        count.get()
    }

    #[test]
    fn two_runs_that_are_long_enough_suffice_after_the_warm_up() {
        assert_eq!(
            runs(81_000.0, 0),
            3,
            "the first call, then two of four fifths of the target and more"
        );
        assert_eq!(runs(80_000.0, 0), 4, "of four fifths the number grows once");
        // Two calls and handing over take 110 us each; the third ends at 330 us.
        assert_eq!((runs(100_000.0, 330_000), runs(100_000.0, 331_000)), (3, 4));
    }

    #[test]
    fn an_interrupted_run_does_not_shorten_the_sample() {
        let world = World::new();
        for interrupted in 0..8 {
            let mut calls = 0;
            let mut fake = Fake::new(&world, 350.0).disturbed(move |ns| {
                calls += 1;
                if calls == interrupted { ns + 3e6 } else { ns }
            });
            let iterations = calibrated(&world, &mut fake).unwrap().iterations;
            assert!((990..1010).contains(&iterations), "run {interrupted}: {iterations}");
        }
    }

    #[test]
    fn a_frozen_clock_or_a_unit_too_large_ends_in_words() {
        let world = World::new();
        let frozen =
            calibrated(&world, &mut Fake::new(&world, 350.0).reports(|_| 0.0)).err().unwrap();
        assert!(frozen.contains("claims 0 ns"), "{frozen}");
        let unit =
            calibrated(&world, &mut Fake::new(&world, 350.0).reports(|ns| ns / 1e6)).err().unwrap();
        assert!(unit.contains("claims") && unit.contains("hint:"), "{unit}");
    }

    #[test]
    fn a_unit_too_small_ends_in_words() {
        let world = World::new();
        let error = calibrated(&world, &mut Fake::new(&world, 35_000.0).reports(|ns| ns * 1000.0))
            .err()
            .unwrap();
        assert!(error.contains("claims 10000000 ns"), "{error}");
    }
}
