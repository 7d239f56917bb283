//! What came of a copy, and where its time went.
//!
//! Times are sums over all threads, so together they can be more than the time that has passed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::verify::Proof;
use crate::read::meter::Meter;

/// What came of a copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CopyReport {
    /// Files found in the sources.
    pub files: u64,
    /// Bytes of them that were read.
    pub bytes: u64,
    /// Links, pipes and devices found in folders, which are not copied.
    pub left_out: u64,
    /// What came of it at each destination, in their order.
    pub destinations: Vec<Tally>,
    /// Where the time went, summed over all threads.
    pub seconds: Seconds,
}

/// What came of a copy at one destination: each file is counted once in `copied`, `present`,
/// `earlier` or `failed`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The destination.
    pub path: PathBuf,
    /// Files copied.
    pub copied: u64,
    /// Files that were there already, with the same content.
    pub present: u64,
    /// Files that an earlier run of the same job had finished.
    pub earlier: u64,
    /// Files that are not there, or not as they should be.
    pub failed: u64,
    /// Files that got another name, because a file with other content has the planned name.
    pub renamed: u64,
    /// Files of another content that were replaced and removed.
    pub replaced: u64,
    /// Files copied without all of their times, mode and attributes.
    pub unkept: u64,
    /// Why the first of them was.
    pub unkept_reason: Option<String>,
    /// Files of which bytes were read back, by where from; in the order of [`Proof::ALL`].
    pub proofs: [u64; 4],
}

impl CopyReport {
    /// Whether every file is where it should be.
    pub fn holds(&self) -> bool {
        self.destinations.iter().all(|tally| tally.failed == 0)
    }
}

impl Tally {
    /// Files that were read back, or not, in this way.
    pub fn proved(&self, proof: Proof) -> u64 {
        self.proofs[Self::place(proof)]
    }

    pub(super) fn prove(&mut self, proof: Proof) {
        self.proofs[Self::place(proof)] += 1;
    }

    fn place(proof: Proof) -> usize {
        Proof::ALL.iter().position(|known| *known == proof).expect("ALL holds every proof")
    }
}

/// Time spent, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Reading sources.
    pub reading: f64,
    /// Computing digests of them.
    pub hashing: f64,
    /// Writing, up to the device.
    pub writing: f64,
    /// Reading back and comparing.
    pub verifying: f64,
    /// From beginning to end, by the clock on the wall.
    pub elapsed: f64,
}

/// What time is spent on.
#[derive(Clone, Copy)]
pub enum Phase {
    /// Reading sources.
    Reading,
    /// Computing digests of them.
    Hashing,
    /// Writing, up to the device.
    Writing,
    /// Reading back and comparing.
    Verifying,
}

/// Counts time and bytes, on any number of threads.
pub struct Clock {
    begun: Instant,
    /// By `Phase`, in the order of its variants.
    nanos: [AtomicU64; 4],
    /// Bytes of sources. The meter counts bytes of copies that are read back, too.
    read: AtomicU64,
    meter: Meter,
}

impl Clock {
    /// Begins now; `meter` hears of every byte read.
    pub fn new(meter: Meter) -> Self {
        Self { begun: Instant::now(), nanos: Default::default(), read: AtomicU64::new(0), meter }
    }

    /// Counts the time that `work` takes.
    pub fn time<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        self.nanos[phase as usize].fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        done
    }

    /// Counts bytes of sources.
    pub fn bytes(&self, len: u64) {
        self.read.fetch_add(len, Ordering::Relaxed);
        self.meter.add(len);
    }

    /// Where bytes are counted that are read back.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Bytes of sources, and time spent so far.
    pub fn read_off(&self) -> (u64, Seconds) {
        let of = |phase| {
            Duration::from_nanos(self.nanos[phase as usize].load(Ordering::Relaxed)).as_secs_f64()
        };
        let seconds = Seconds {
            reading: of(Phase::Reading),
            hashing: of(Phase::Hashing),
            writing: of(Phase::Writing),
            verifying: of(Phase::Verifying),
            elapsed: self.begun.elapsed().as_secs_f64(),
        };
        (self.read.load(Ordering::Relaxed), seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meter_hears_of_bytes_of_sources_and_of_copies() {
        let meter = Meter::default();
        let clock = Clock::new(meter.clone());
        clock.bytes(500);
        clock.meter().add(20);
        assert_eq!((clock.read_off().0, meter.bytes()), (500, 520));
    }
}
