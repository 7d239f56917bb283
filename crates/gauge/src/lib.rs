//! The engine of the dynamometer: times subjects in turn on one core and says how sure it is.
//!
//! A [`Subject`] is anything that can be told "run `n` iterations" and answers how long they took.
//! [`Engine::measure`] takes a group of them and interleaves short samples in a seeded random
//! order. Before and after each sample the [`probe`] asks the core how fast its clock runs and how
//! many instructions it issues per cycle. That gives the [`CoreState`] of each sample: of a quiet
//! core or of one that a neighbour shares. Disturbed samples are kept, marked and left out. An
//! estimate is a median and its bootstrap interval, of samples of one state; two series are set
//! against each other by [`paired`].
//!
//! ```
//! use gauge::{Engine, Outcome, Plan, Relation, fake, paired};
//!
//! let world = fake::World::new(); // on real time: Engine::new(Plan::quick())?
//! let mut engine = Engine::with(Plan::quick(), Box::new(world.clone())).unwrap();
//! let (mut fast, mut slow) = (fake::Fake::new(&world, 350.0), fake::Fake::new(&world, 360.5));
//! let series = engine.measure(&mut [&mut fast, &mut slow]);
//!
//! let Outcome::Estimate(estimate) = &series[0].outcome else { panic!() };
//! assert_eq!(
//!     format!("{:.1} ns, {:.0} cycles", estimate.ns.value, estimate.cycles.value),
//!     "100.0 ns, 350 cycles"
//! );
//! let ratio = paired(&series[1], &series[0], 0.99).unwrap();
//! assert_eq!(ratio.verdict(1.0), Relation::Above);
//! ```

#![forbid(unsafe_code)]

mod calibrate;
mod clock;
mod core;
mod engine;
pub mod fake;
mod fit;
mod group;
pub mod guard;
mod machine;
mod order;
mod plan;
pub mod probe;
mod ratio;
mod sample;
mod series;
pub mod stats;

pub use clock::{Clock, Instrument};
pub use engine::Engine;
pub use fit::{Cost, fit};
pub use guard::{Implausible, Limits};
pub use machine::{Cache, Machine};
pub use plan::Plan;
pub use probe::Probe;
pub use ratio::{Ratio, Relation, of_estimates, paired, unpaired, unpaired_cycles};
pub use sample::{CoreState, Reason, Sample, Verdict};
pub use series::{Estimate, Outcome, Series};
pub use stats::Interval;

/// Something that can be timed.
pub trait Subject {
    /// Runs `iterations` of the work and returns how long they took by the subject's own clock, its
    /// set-up left out.
    ///
    /// An error voids the subject's series, with the error as the reason; the other subjects of the
    /// group go on.
    ///
    /// # Errors
    /// Whatever keeps the subject from running: it voids the subject's series, and is its reason.
    /// The others of the group go on.
    fn run(&mut self, iterations: u64) -> std::io::Result<std::time::Duration>;
}
