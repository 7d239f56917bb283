//! Threads on cores of Linux's choice and of ours.

use std::io;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::Pid;

/// The cores that the calling thread may use.
pub(super) struct Allowed(CpuSet);

impl Allowed {
    pub fn now() -> io::Result<Self> {
        Ok(Self(sched_getaffinity(THIS_THREAD)?))
    }

    /// Their numbers, as the kernel counts, the lowest first.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..CpuSet::count()).filter(|&core| self.0.is_set(core).unwrap_or(false))
    }

    /// Keeps the calling thread on that core.
    pub fn pin(&self, number: usize) -> io::Result<()> {
        let mut set = CpuSet::new();
        set.set(number)?;
        Ok(sched_setaffinity(THIS_THREAD, &set)?)
    }

    /// Lets the calling thread use them again.
    pub fn give_back(&self) {
        // It was allowed before; if it no longer is, the thread stays where it is, and nothing
        // depends on it.
        let _ = sched_setaffinity(THIS_THREAD, &self.0);
    }
}

/// How often the calling thread lost its core.
pub(super) fn preemptions() -> u64 {
    getrusage(UsageWho::RUSAGE_THREAD)
        .map_or(0, |usage| usage.involuntary_context_switches() as u64)
}

const THIS_THREAD: Pid = Pid::from_raw(0);

#[cfg(test)]
mod tests {
    use super::super::{Core, Instrument};
    use super::*;

    /// Two threads that are busy on one core take it from each other.
    #[test]
    fn a_thread_that_shares_its_core_is_preempted() {
        use std::sync::atomic::{AtomicBool, Ordering};
        use std::time::{Duration, Instant};

        let mut core = Core::quietest().unwrap();
        let (done, start, before) = (AtomicBool::new(false), Instant::now(), core.preemptions());
        std::thread::scope(|threads| {
            // It inherits the core.
            threads.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
            while core.preemptions() == before && start.elapsed() < Duration::from_secs(10) {
                std::hint::spin_loop();
            }
            done.store(true, Ordering::Relaxed);
        });
        assert!(
            core.preemptions() > before,
            "none in {:?} on core {}",
            start.elapsed(),
            core.number
        );
    }

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
