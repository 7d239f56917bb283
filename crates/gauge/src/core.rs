//! The core of this machine that a measurement runs on.

use std::io;
use std::time::{Duration, Instant};

use crate::clock::Instrument;
use crate::probe;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
use linux::{Allowed, preemptions};
#[cfg(not(target_os = "linux"))]
use other::{Allowed, preemptions};

/// The calling thread on one core, until this is dropped. Processes started meanwhile inherit the
/// core.
pub(crate) struct Core {
    /// The core's number, as the kernel counts.
    pub number: usize,
    allowed: Allowed,
    start: Instant,
}

impl Core {
    /// Pins the calling thread to the core, among those it may use, that others disturb least.
    pub fn quietest() -> io::Result<Core> {
        let allowed = Allowed::now()?;
        let numbers: Vec<usize> = allowed.numbers().rev().collect();
        // From the last down, evenly spread: the first cores usually serve the interrupts.
        let spread = numbers.iter().step_by(numbers.len().div_ceil(CANDIDATES).max(1));
        let (start, mut lost) = (Instant::now(), Vec::new());
        for &number in spread {
            allowed.pin(number)?;
            lost.push((lost_time(|| start.elapsed()), number));
        }
        let (_, number) = lost
            .into_iter()
            .min_by_key(|&(lost, _)| lost)
            .ok_or_else(|| io::Error::other("no core to run on"))?;
        allowed.pin(number)?;
        Ok(Core { number, allowed, start: Instant::now() })
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.allowed.give_back();
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
        preemptions()
    }
}

/// Time taken away from a thread that does nothing but read this clock: the sum of all gaps longer
/// than a reading can explain.
fn lost_time(mut clock: impl FnMut() -> Duration) -> Duration {
    let start = clock();
    let (mut last, mut lost) = (start, Duration::ZERO);
    while last - start < AUDITION {
        let now = clock();
        if now - last > Duration::from_micros(1) {
            lost += now - last;
        }
        last = now;
    }
    lost
}

/// Cores tried, and for how long each: longer than a scheduler's slice, so that a busy one shows.
const CANDIDATES: usize = 8;
const AUDITION: Duration = Duration::from_millis(8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_more_than_a_microsecond_are_lost() {
        let readings = |gap: Duration| {
            let (mut now, mut count) = (Duration::from_secs(1), 0);
            let lost = lost_time(|| {
                count += 1;
                now += if count % 10 == 0 { gap } else { Duration::from_nanos(500) };
                now
            });
            (lost, count)
        };
        // It ends as soon as eight milliseconds have passed: 35 short steps and four gaps.
        let gap = Duration::from_millis(2) - Duration::from_nanos(35 * 500 / 4);
        assert_eq!(readings(gap), (gap * 4, 40));
        assert_eq!(readings(Duration::from_nanos(1001)).0, Duration::from_nanos(1001) * 1454);
        assert_eq!(readings(Duration::from_micros(1)).0, Duration::ZERO);
    }
}
