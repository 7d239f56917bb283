//! A virtual world: a clock and a core that do exactly what a test says, so that every rule of the
//! engine can be tested without waiting and without luck.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use fastrand::Rng;

use crate::Subject;
use crate::clock::Instrument;
use crate::probe::{CHAIN_CYCLES, GROUP_INSTRUCTIONS};

/// Frequency of an undisturbed virtual core in GHz.
pub const GHZ: f64 = 3.5;

/// Instructions per cycle of an undisturbed virtual core.
pub const IPC: f64 = 4.5;

/// The virtual clock and core. Clones share the same time.
#[derive(Clone)]
pub struct World(Rc<RefCell<State>>);

/// A property of the core at a time in nanoseconds.
type Course = Box<dyn Fn(f64) -> f64>;

struct State {
    now: f64,
    step: u64,
    ghz: Course,
    ipc: Course,
    preemptions: u64,
}

impl World {
    /// A steady, undisturbed core and a clock that counts single nanoseconds and costs
    /// [`READING_NS`] to read.
    pub fn new() -> World {
        let state = State {
            now: 0.0,
            step: 1,
            ghz: Box::new(|_| GHZ),
            ipc: Box::new(|_| IPC),
            preemptions: 0,
        };
        World(Rc::new(RefCell::new(state)))
    }

    /// The core's frequency over time.
    pub fn ghz(self, course: impl Fn(f64) -> f64 + 'static) -> World {
        self.0.borrow_mut().ghz = Box::new(course);
        self
    }

    /// The core's instructions per cycle over time: half of [`IPC`] is a neighbour on the same
    /// core.
    pub fn ipc(self, course: impl Fn(f64) -> f64 + 'static) -> World {
        self.0.borrow_mut().ipc = Box::new(course);
        self
    }

    /// The clock's step in nanoseconds; `u64::MAX` is a clock that stands still.
    pub fn step(self, step: u64) -> World {
        self.0.borrow_mut().step = step;
        self
    }

    /// The true time in nanoseconds.
    pub fn time(&self) -> f64 {
        self.0.borrow().now
    }

    /// Lets time pass.
    pub fn wait(&self, ns: f64) {
        self.0.borrow_mut().now += ns;
    }

    /// Takes the core away from the engine's thread for a time.
    pub fn preempt(&self, ns: f64) {
        self.wait(ns);
        self.0.borrow_mut().preemptions += 1;
    }

    /// Spends `cycles` of the core; `throughput` says that they are bound by instructions per
    /// cycle, not by latency.
    fn spend(&self, cycles: f64, throughput: bool) {
        let ns = {
            let state = self.0.borrow();
            let slowdown = if throughput { IPC / (state.ipc)(state.now) } else { 1.0 };
            cycles * slowdown / (state.ghz)(state.now)
        };
        self.wait(ns);
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl Instrument for World {
    fn now(&mut self) -> u64 {
        self.wait(READING_NS);
        let State { now, step, .. } = *self.0.borrow();
        now as u64 / step * step
    }

    fn chain(&mut self, steps: u64) {
        self.spend(steps as f64 * CHAIN_CYCLES, false);
    }

    fn independent(&mut self, steps: u64) {
        self.spend(steps as f64 * GROUP_INSTRUCTIONS / IPC, true);
    }

    fn preemptions(&mut self) -> u64 {
        self.0.borrow().preemptions
    }
}

/// A subject that takes a known number of cycles per iteration in its world.
pub struct Fake {
    world: World,
    cycles: f64,
    cold_ns: f64,
    throughput: bool,
    noise: f64,
    rng: Rng,
    handover: Box<dyn FnMut() -> f64>,
    disturbance: Box<dyn FnMut(f64) -> f64>,
    report: Box<dyn FnMut(f64) -> f64>,
    fails_after: usize,
}

impl Fake {
    /// A subject of exactly `cycles` per iteration, bound by throughput.
    pub fn new(world: &World, cycles: f64) -> Fake {
        Fake {
            world: world.clone(),
            cycles,
            cold_ns: 0.0,
            throughput: true,
            noise: 0.0,
            rng: Rng::new(),
            handover: Box::new(|| HANDOVER_NS),
            disturbance: Box::new(|ns| ns),
            report: Box::new(|ns| ns),
            fails_after: usize::MAX,
        }
    }

    /// Bound by latency: a neighbour does not slow it.
    pub fn bound_by_latency(mut self) -> Fake {
        self.throughput = false;
        self
    }

    /// Takes up to `part` longer, each run anew; `seed` says how.
    pub fn noise(mut self, part: f64, seed: u64) -> Fake {
        (self.noise, self.rng) = (part, Rng::with_seed(seed));
        self
    }

    /// The first run takes this many nanoseconds more.
    pub fn cold(mut self, ns: f64) -> Fake {
        self.cold_ns = ns;
        self
    }

    /// Nanoseconds that handing over to the subject takes, each run anew.
    pub fn handover(mut self, ns: impl FnMut() -> f64 + 'static) -> Fake {
        self.handover = Box::new(ns);
        self
    }

    /// Turns the time that a run should take into the time that it does take.
    pub fn disturbed(mut self, disturbance: impl FnMut(f64) -> f64 + 'static) -> Fake {
        self.disturbance = Box::new(disturbance);
        self
    }

    /// Turns the time that a run took into the time that the subject claims.
    pub fn reports(mut self, report: impl FnMut(f64) -> f64 + 'static) -> Fake {
        self.report = Box::new(report);
        self
    }

    /// Every run after this many is an error.
    pub fn fails_after(mut self, runs: usize) -> Fake {
        self.fails_after = runs;
        self
    }
}

impl Subject for Fake {
    fn run(&mut self, iterations: u64) -> io::Result<Duration> {
        self.fails_after = self
            .fails_after
            .checked_sub(1)
            .ok_or_else(|| io::Error::other("the subject has died"))?;
        self.world.wait((self.handover)());
        let start = self.world.time();
        self.world.wait(std::mem::take(&mut self.cold_ns));
        let cycles = self.cycles * iterations as f64 * (1.0 + self.noise * self.rng.f64());
        self.world.spend(cycles, self.throughput);
        let due = self.world.time() - start;
        let took = (self.disturbance)(due).max(due);
        self.world.wait(took - due);
        Ok(Duration::from_nanos((self.report)(took).round() as u64))
    }
}

/// What one reading of the virtual clock costs.
pub const READING_NS: f64 = 20.0;
/// What handing over to a virtual subject costs: about that of a process on a pipe.
pub const HANDOVER_NS: f64 = 10_000.0;
