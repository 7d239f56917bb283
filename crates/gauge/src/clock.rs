//! What the engine measures with, and how fine that clock is.

use std::io;

use serde::{Deserialize, Serialize};

/// A clock and a core to probe: the pinned core of this machine, or the virtual one of
/// [`fake`](crate::fake).
pub trait Instrument {
    /// Nanoseconds since some fixed moment; never goes back.
    fn now(&mut self) -> u64;
    /// Executes `steps` dependent steps of [`CHAIN_CYCLES`](crate::probe::CHAIN_CYCLES) cycles
    /// each.
    fn chain(&mut self, steps: u64);
    /// Executes `steps` groups of [`GROUP_INSTRUCTIONS`](crate::probe::GROUP_INSTRUCTIONS)
    /// independent instructions.
    fn independent(&mut self, steps: u64);
    /// How often the calling thread has lost its core to another so far.
    fn preemptions(&mut self) -> u64;
}

/// The clock as measured: its smallest step and the cost of reading it, both in nanoseconds.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Clock {
    /// Smallest difference, other than none, between two readings that follow each other. Where
    /// reading takes longer than the clock's own tick, this is the time that a reading takes:
    /// either way nothing shorter can be told apart.
    pub step_ns: u64,
    /// Mean time of one reading.
    pub cost_ns: f64,
}

impl Clock {
    /// Measures the clock of `instrument`; an error when it does not move.
    ///
    /// # Errors
    /// The clock does not move.
    pub fn measure(instrument: &mut dyn Instrument) -> io::Result<Clock> {
        let start = instrument.now();
        let (mut last, mut reads, mut moves, mut step_ns) = (start, 0u64, 0, u64::MAX);
        while moves < MOVES {
            let now = instrument.now();
            reads += 1;
            if now > last {
                step_ns = step_ns.min(now - last);
                moves += 1;
                last = now;
            } else if reads > (moves + 1) * PATIENCE {
                return Err(io::Error::other(
                    "this machine's monotonic clock stands still\nhint: try another clock source",
                ));
            }
        }
        Ok(Clock { step_ns, cost_ns: (last - start) as f64 / reads as f64 })
    }

    /// The shortest sample that this clock can tell to a thousandth, in nanoseconds.
    pub fn shortest_sample(&self) -> u64 {
        1000 * self.step_ns
    }
}

/// Steps to watch: enough to see the smallest, few enough to cost well under a millisecond with a
/// fine clock.
const MOVES: u64 = 300;
/// Readings without a step before the clock is called frozen; more than a 15.6 ms tick takes.
const PATIENCE: u64 = 10_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{READING_NS, World};

    #[test]
    fn a_coarse_clock_is_measured_exactly() {
        let clock = Clock::measure(&mut World::new().step(1000)).unwrap();
        assert_eq!(clock.step_ns, 1000);
        assert!((clock.cost_ns - 20.0).abs() < 0.2, "{clock:?}");
        assert_eq!(clock.shortest_sample(), 1_000_000);
    }

    #[test]
    fn a_fine_clock_steps_by_what_a_reading_costs() {
        let mut world = World::new();
        assert_eq!(Clock::measure(&mut world).unwrap(), Clock { step_ns: 20, cost_ns: 20.0 });
        assert_eq!(world.time(), (1 + MOVES) as f64 * READING_NS, "no more is read than is needed");
    }

    #[test]
    fn a_frozen_clock_is_an_error() {
        let mut world = World::new().step(u64::MAX);
        let error = Clock::measure(&mut world).unwrap_err();
        assert!(error.to_string().contains("stands still"));
        assert_eq!(
            world.time(),
            (2 + PATIENCE) as f64 * READING_NS,
            "after so many readings and the one before"
        );
    }
}
