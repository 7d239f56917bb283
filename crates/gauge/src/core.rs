//! The core of this machine that a measurement runs on.

use std::io;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::Pid;

use crate::clock::Instrument;
use crate::probe;

/// The calling thread on one core, until this is dropped. Processes started meanwhile inherit the
/// core.
pub(crate) struct Core {
    /// The core's number, as the kernel counts.
    pub number: usize,
    allowed: CpuSet,
    start: Instant,
}

impl Core {
    /// Pins the calling thread to the core, among those it may use, that others disturb least.
    pub fn quietest() -> io::Result<Core> {
        let allowed = sched_getaffinity(THIS_THREAD)?;
        let numbers: Vec<usize> = (0..CpuSet::count())
            .rev()
            .filter(|&core| allowed.is_set(core).unwrap_or(false))
            .collect();
        // From the last down, evenly spread: the first cores usually serve the interrupts.
        let spread = numbers.iter().step_by(numbers.len().div_ceil(CANDIDATES).max(1));
        let mut lost = Vec::new();
        for &number in spread {
            pin(number)?;
            lost.push((lost_time(), number));
        }
        let (_, number) = lost
            .into_iter()
            .min_by_key(|&(lost, _)| lost)
            .ok_or_else(|| io::Error::other("no core to run on"))?;
        pin(number)?;
        Ok(Core { number, allowed, start: Instant::now() })
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        // It was allowed before; if it no longer is, the thread stays where it is, and nothing
        // depends on it.
        let _ = sched_setaffinity(THIS_THREAD, &self.allowed);
    }
}

impl Instrument for Core {
    fn now(&mut self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn chain(&mut self, steps: u64) {
        probe::chain(steps);
    }

    fn independent(&mut self, steps: u64) {
        probe::independent(steps);
    }

    fn preemptions(&mut self) -> u64 {
        getrusage(UsageWho::RUSAGE_THREAD)
            .map_or(0, |usage| usage.involuntary_context_switches() as u64)
    }
}

fn pin(number: usize) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(number)?;
    Ok(sched_setaffinity(THIS_THREAD, &set)?)
}

/// Time taken away from a thread that does nothing but read the clock: the sum of all gaps longer
/// than a reading can explain.
fn lost_time() -> Duration {
    let start = Instant::now();
    let (mut last, mut lost) = (start, Duration::ZERO);
    while last - start < AUDITION {
        let now = Instant::now();
        if now - last > Duration::from_micros(1) {
            lost += now - last;
        }
        last = now;
    }
    lost
}

const THIS_THREAD: Pid = Pid::from_raw(0);
/// Cores tried, and for how long each: longer than a scheduler's slice, so that a busy one shows.
const CANDIDATES: usize = 8;
const AUDITION: Duration = Duration::from_millis(8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_to_one_allowed_core_and_gives_it_back() {
        let before = sched_getaffinity(THIS_THREAD).unwrap();
        let core = Core::quietest().unwrap();
        let during = sched_getaffinity(THIS_THREAD).unwrap();
        assert_eq!(
            (0..CpuSet::count()).filter(|&n| during.is_set(n).unwrap()).collect::<Vec<_>>(),
            [core.number]
        );
        assert!(before.is_set(core.number).unwrap());
        drop(core);
        assert_eq!(sched_getaffinity(THIS_THREAD).unwrap(), before);
    }
}
