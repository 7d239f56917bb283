//! The loop: probes around samples, samples in rounds, rounds until the intervals are narrow or the
//! time is up.

use std::io;
use std::time::Duration;

use fastrand::Rng;

use crate::Subject;
use crate::calibrate::{Calibration, Target, calibrate, timed};
use crate::clock::{Clock, Instrument};
use crate::core::Core;
use crate::group::{Cell, Group, LEAST_PAIRS};
use crate::guard::Limits;
use crate::machine::Machine;
use crate::order::Order;
use crate::plan::Plan;
use crate::probe::{Baseline, Probe};
use crate::sample::{self, CoreState, Sample, Verdict};
use crate::series::{self, Outcome, Series};

/// Measures groups of subjects on one core.
pub struct Engine {
    plan: Plan,
    instrument: Box<dyn Instrument>,
    core: usize,
    clock: Clock,
    baseline: Baseline,
    seeds: Rng,
    /// How many times in a row the wait for a quiet core was in vain.
    vain: u32,
    limit: Option<Duration>,
}

impl Engine {
    /// Pins the calling thread to the least disturbed core that it may use (processes and threads
    /// that it starts from now on inherit the core: start the subjects after this, and a progress
    /// display's thread before), measures the clock, and learns what an undisturbed core answers.
    /// Dropping the engine lifts the pin.
    ///
    /// # Errors
    /// The thread cannot be pinned, or the clock does not move.
    pub fn new(plan: Plan) -> io::Result<Engine> {
        let core = Core::quietest()?;
        let number = core.number;
        Ok(Engine { core: number, ..Engine::with(plan, Box::new(core))? })
    }

    /// An engine on another instrument, such as [`fake::World`](crate::fake::World); its core is
    /// number 0.
    ///
    /// # Errors
    /// The clock does not move.
    pub fn with(plan: Plan, mut instrument: Box<dyn Instrument>) -> io::Result<Engine> {
        let clock = Clock::measure(&mut *instrument)?;
        let seeds = Rng::with_seed(plan.seed);
        let mut engine = Engine {
            plan,
            instrument,
            core: 0,
            clock,
            baseline: Baseline::default(),
            seeds,
            vain: 0,
            limit: None,
        };
        for _ in 0..FIRST_PROBES {
            engine.probe();
        }
        Ok(engine)
    }

    /// Measures a group: one short sample of each per round, in a new random order each round.
    ///
    /// Ends when every interval has the wanted width, when the group's budget is spent, or after
    /// the largest number of rounds. Where two subjects lack the pairs of a ratio then, it goes on
    /// for them, to three times as many rounds at most (sixty where these are more) and forty times
    /// the budget; before such a round it waits for a neighbour to go. It waits for one budget in
    /// all, and for half as long as the last time where that was in vain; then pairs of a shared
    /// core are enough. It has one round in any case. What it waits for are marks of the core,
    /// never times, so that its end depends on no comparison. A subject that fails or whose times
    /// cannot be true is voided; the others go on.
    pub fn measure(&mut self, subjects: &mut [&mut dyn Subject]) -> Vec<Series> {
        let most = self.plan.budget.saturating_mul(subjects.len() as u32 * OVERDRAFT);
        let limit = self.limit.unwrap_or(most);
        let (start, limit) = (self.instrument.now(), nanos(limit));
        let budget = nanos(self.plan.budget) * subjects.len() as u64;
        let (deadline, last) = (start + budget.min(limit), start.saturating_add(limit));
        let mut order = Order::new(subjects.len(), self.seeds.u64(..));
        let mut group =
            Group(subjects.iter_mut().map(|subject| self.calibrated(&mut **subject)).collect());
        let early = self.instrument.now() + nanos(self.plan.span);
        let (mut check, mut end) = (self.plan.min_samples, None);
        let mut patience = budget >> self.vain.min(MOST_VAIN);
        let (step_ns, plan) = (self.clock.step_ns, self.plan.clone());
        for round in 0.. {
            let now = self.instrument.now();
            let spent = round > 0 && (round >= self.plan.max_samples || now > deadline);
            if spent {
                let end = *end.get_or_insert(EXTENSION * round.max(2 * LEAST_PAIRS));
                self.judge(&mut group);
                let left = last.saturating_sub(now);
                let paired = |states: &[CoreState]| group.all_paired(states);
                if round >= end || left == 0 || self.is_enough(paired, &mut patience, left) {
                    break;
                }
            }
            self.round(round, order.next_round(), &mut group, if spent { last } else { deadline });
            if let Some(factor) = self.plan.few_beyond.filter(|_| round + 1 == LOOK) {
                group.part_with_the_slow(factor);
            }
            if group.depends_on_marks(round + 1) {
                self.judge(&mut group);
            }
            if round + 1 >= check && self.instrument.now() > early {
                self.judge(&mut group);
                let left = last.saturating_sub(self.instrument.now());
                let narrow = |states: &[CoreState]| group.all_narrow(states, step_ns, &plan);
                if narrow(&CoreState::ALL) && self.is_enough(narrow, &mut patience, left) {
                    break;
                }
                check += check / 4 + 1;
            }
        }
        self.judge(&mut group);
        let state = group.state();
        self.vain *= u32::from(!state.is_quiet());
        let Group(cells) = group;
        cells
            .into_iter()
            .map(|cell| self.concluded(cell.calibration, cell.samples, cell.failure, state))
            .collect()
    }

    /// What a group from now on may take at most, instead of forty times its budget: no round
    /// begins after that, the first excepted.
    pub fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    /// Which of `subjects` has the shortest of a few samples, to choose among processes that do the
    /// same: no part of a measurement. Ends when one budget for each is spent. `None` if all fail.
    pub fn fastest(&mut self, subjects: &mut [&mut dyn Subject]) -> Option<usize> {
        let deadline = self.instrument.now() + nanos(self.plan.budget) * subjects.len() as u64;
        let mut order = Order::new(subjects.len(), self.seeds.u64(..));
        let mut group =
            Group(subjects.iter_mut().map(|subject| self.calibrated(&mut **subject)).collect());
        for round in 0..LOOK {
            self.round(round, order.next_round(), &mut group, deadline);
        }
        let alive = group.0.iter().enumerate().filter(|(_, cell)| cell.failure.is_none());
        let times = alive.filter_map(|(place, cell)| Some((place, cell.shortest()?)));
        times.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(place, _)| place)
    }

    /// One sample of `subject`, of one iteration, between two probes: for work that changes from
    /// one sample to the next, so that [`Engine::measure`] cannot repeat it. Not judged yet:
    /// [`Engine::conclude`] does that.
    ///
    /// # Errors
    /// In words: the subject failed, or took no time.
    pub fn once(&mut self, subject: &mut dyn Subject, round: u32) -> Result<Sample, String> {
        let before = self.probe();
        self.sample(round, subject, 1, before)
    }

    /// The series of samples that [`Engine::once`] took, judged; void where there is a `failure`.
    /// Each may say how many iterations it stands for, and these may differ.
    pub fn conclude(&self, samples: Vec<Sample>, failure: Option<String>) -> Series {
        let iterations = samples.first().map_or(0, |sample| sample.iterations);
        let calibration = Calibration { iterations, first_call_ns: f64::NAN };
        self.concluded(calibration, samples, failure, CoreState::Quiet)
    }

    /// Number of the core that everything runs on.
    pub fn core(&self) -> usize {
        self.core
    }

    /// The clock as measured.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The plan that is followed.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What an undisturbed core answers, from all probes so far.
    pub fn baseline(&self) -> Probe {
        self.baseline.best()
    }

    /// The limits of this core of `machine`, at the best frequency seen; rates of working sets from
    /// `working_set` on are held against a measurement of the memory, made now.
    pub fn limits(&mut self, machine: &Machine, working_set: Option<u64>) -> Limits {
        let mut limits = Limits::of(machine, self.baseline().ghz);
        if let Some(bytes) = working_set {
            limits.measure_memory(&mut *self.instrument, bytes);
        }
        limits
    }

    fn calibrated<'a>(&mut self, subject: &'a mut (dyn Subject + 'a)) -> Cell<'a> {
        let target = Target {
            sample: nanos(self.plan.sample).max(self.clock.shortest_sample()),
            warmup: nanos(self.plan.warmup),
            patience: nanos(self.plan.budget),
        };
        let (calibration, failure) = match calibrate(&mut *self.instrument, subject, &target) {
            Ok(calibration) => (calibration, None),
            Err(reason) => (Calibration { iterations: 0, first_call_ns: f64::NAN }, Some(reason)),
        };
        Cell::new(subject, calibration, failure)
    }

    /// One sample of each that has its turn. The probe after one is the probe before the next.
    fn round(&mut self, round: usize, order: &[usize], group: &mut Group<'_>, deadline: u64) {
        let mut before = self.probe();
        for &index in order {
            let cell = &mut group.0[index];
            if !cell.has_turn(round) {
                continue;
            }
            if round > 0 && self.instrument.now() > deadline {
                return;
            }
            match self.sample(round as u32, &mut *cell.subject, cell.calibration.iterations, before)
            {
                Ok(sample) => {
                    before = sample.after;
                    cell.samples.push(sample);
                }
                Err(reason) => {
                    cell.failure = Some(reason);
                    before = self.probe();
                }
            }
        }
    }

    fn sample(
        &mut self,
        round: u32,
        subject: &mut dyn Subject,
        iterations: u64,
        before: Probe,
    ) -> Result<Sample, String> {
        let switches = self.instrument.preemptions();
        let timing = timed(&mut *self.instrument, subject, iterations)?;
        let after = self.probe();
        Ok(Sample {
            round,
            iterations,
            ns: timing.ns,
            wall_ns: timing.wall_ns,
            preemptions: self.instrument.preemptions() - switches,
            before,
            after,
            verdict: Verdict::Clean,
        })
    }

    /// Marks the samples of every subject by what is known of the core by now.
    fn judge(&self, group: &mut Group<'_>) {
        let best = self.baseline();
        group.0.iter_mut().for_each(|cell| sample::judge(&mut cell.samples, best, &self.plan));
    }

    fn concluded(
        &self,
        calibration: Calibration,
        mut samples: Vec<Sample>,
        failure: Option<String>,
        state: CoreState,
    ) -> Series {
        sample::judge(&mut samples, self.baseline(), &self.plan);
        let outcome = match failure {
            Some(reason) => Outcome::Void { reason },
            None => series::outcome(&samples, self.clock.step_ns, &self.plan, state),
        };
        let Calibration { iterations, first_call_ns } = calibration;
        Series { iterations, clock_step_ns: self.clock.step_ns, samples, first_call_ns, outcome }
    }

    /// Whether a group `has` what it wants of a quiet core; or of a shared one, where the wait for
    /// a quiet one has used up all `patience`. It waits for `most` nanoseconds at most.
    fn is_enough(
        &mut self,
        has: impl Fn(&[CoreState]) -> bool,
        patience: &mut u64,
        most: u64,
    ) -> bool {
        if has(&[CoreState::Quiet]) {
            return true;
        }
        *patience -= self.await_quiet((*patience).min(most));
        *patience == 0 && has(&CoreState::ALL)
    }

    /// Probes until the core issues what it can, for `patience` nanoseconds at most; returns how
    /// many it took. Remembers whether that was in vain.
    fn await_quiet(&mut self, patience: u64) -> u64 {
        let (start, floor) = (self.instrument.now(), self.plan.ipc_floor * self.baseline().ipc);
        loop {
            let waited = self.instrument.now() - start;
            if self.probe().ipc >= floor {
                self.vain = 0;
                return waited.min(patience);
            }
            if waited >= patience {
                self.vain += u32::from(patience > 0);
                return patience;
            }
        }
    }

    fn probe(&mut self) -> Probe {
        let probe = Probe::take(&mut *self.instrument, self.clock.cost_ns);
        self.baseline.add(probe);
        probe
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// How many times as many rounds it may take for that.
const EXTENSION: usize = 3;

/// How many times its budget a group of long calls may take for that: each of 64 MiB takes longer
/// than a quick budget.
const OVERDRAFT: u32 = 40;

/// Rounds of a first look. A process that is unlucky in where its pages lie is so in all of them.
const LOOK: usize = 5;

/// The wait for a neighbour is halved this many times at most: a thousandth of a budget.
const MOST_VAIN: u32 = 10;

/// Probes before the first group: about two milliseconds.
const FIRST_PROBES: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, IPC, World};

    /// A compiler that shortens a probe's loop makes its core look impossibly fast, however busy
    /// the machine is.
    #[test]
    fn the_real_cores_probes_do_all_their_work() {
        let Probe { ghz, ipc } = Engine::new(Plan::quick()).unwrap().baseline();
        assert!(ghz < 8.0 && ipc < 12.0, "{ghz} GHz, {ipc} instructions per cycle");
        // And no more than their work: the best of hundreds of probes is not that of a core of 300
        // MHz.
        assert!(ghz > 0.3, "{ghz} GHz");
    }

    #[test]
    fn an_engine_says_what_it_knows() {
        let mut engine = Engine::with(Plan::quick(), Box::new(World::new())).unwrap();
        assert_eq!((engine.core(), engine.plan(), engine.clock().step_ns), (0, &Plan::quick(), 20));
        let machine = Machine { caches: Vec::new(), ..Machine::default() };
        let Probe { ghz, ipc } = engine.baseline();
        assert!((ghz - 3.5).abs() < 0.01 && (ipc - IPC).abs() < 0.01);
        assert_eq!(engine.limits(&machine, None), Limits::of(&machine, ghz));
        assert_eq!(
            engine.limits(&machine, Some(1 << 16)).memory,
            Some((1 << 16, (1 << 16) as f64 / 20.0))
        );
        let real = Engine::new(Plan::quick()).unwrap();
        let allowed = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0)).unwrap();
        assert!(allowed.is_set(real.core()).unwrap(), "the thread is on the core that it says");
    }

    #[test]
    fn samples_that_are_taken_one_by_one_are_judged_together() {
        let world = World::new();
        let mut engine = Engine::with(Plan::quick(), Box::new(world.clone())).unwrap();
        let mut fake = Fake::new(&world, 350_000.0).fails_after(21);
        let samples: Vec<_> = (0..20).map(|round| engine.once(&mut fake, round).unwrap()).collect();
        assert_eq!((samples[7].round, samples[7].iterations, samples[7].ns), (7, 1, 100_000));
        let series = engine.conclude(samples.clone(), None);
        assert_eq!((series.iterations, series.estimate().unwrap().clean), (1, 20));
        assert!(series.first_call_ns.is_nan());
        let failed = engine.conclude(samples, Some("it died".to_owned()));
        assert_eq!(failed.outcome, Outcome::Void { reason: "it died".to_owned() });
        assert_eq!(engine.conclude(Vec::new(), Some(String::new())).iterations, 0);
        engine.once(&mut fake, 20).unwrap();
        assert_eq!(engine.once(&mut fake, 21).unwrap_err(), "the subject has died");
    }
}
