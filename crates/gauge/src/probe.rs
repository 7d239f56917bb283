//! The two instruction sequences that ask a core how it is doing, and the best answers seen.

use std::collections::VecDeque;
use std::hint::black_box;

use serde::{Deserialize, Serialize};

use crate::clock::Instrument;
use crate::stats;

/// Latency assumed of one chain step in cycles: a 64-bit multiplication (3) whose factor is the xor
/// (1) of the last product.
///
/// True of Intel since Nehalem and AMD since Zen. On another processor `ghz` is off by one constant
/// factor, and cycles with it; comparisons are not, because every series has the same factor.
pub const CHAIN_CYCLES: f64 = 4.0;

/// Instructions in one group of independent ones: four times xor, xor, add, adc, and half of a
/// loop's two.
pub const GROUP_INSTRUCTIONS: f64 = 17.0;

/// The state of the core at one moment.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Core frequency in GHz, from the dependent chain.
    pub ghz: f64,
    /// Independent instructions per cycle. It falls, to half and less, when a neighbour shares the
    /// core.
    pub ipc: f64,
}

impl Probe {
    /// Probes the core: about ten microseconds. `reading_ns`, what reading the clock costs, is
    /// taken off.
    ///
    /// Each sequence is run twice and the faster one counts, so that a timer interrupt within the
    /// probe is not taken for a disturbed core. Both are first run briefly untimed: another process
    /// may have been here, and their code is cold.
    pub fn take(instrument: &mut dyn Instrument, reading_ns: f64) -> Probe {
        instrument.chain(CHAIN_STEPS / 32);
        instrument.independent(GROUP_STEPS / 32);
        let chain = fastest(instrument, |instrument| instrument.chain(CHAIN_STEPS), reading_ns);
        let groups =
            fastest(instrument, |instrument| instrument.independent(GROUP_STEPS), reading_ns);
        let ghz = CHAIN_STEPS as f64 * CHAIN_CYCLES / chain;
        Probe {
            ghz: rounded(ghz),
            ipc: rounded(GROUP_STEPS as f64 * GROUP_INSTRUCTIONS / (groups * ghz)),
        }
    }
}

/// To the fourth decimal: finer than a probe can tell, and a record has two for every sample.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

fn fastest(instrument: &mut dyn Instrument, work: fn(&mut dyn Instrument), reading_ns: f64) -> f64 {
    let mut time = || {
        let start = instrument.now();
        work(instrument);
        instrument.now().saturating_sub(start)
    };
    (time().min(time()) as f64 - reading_ns).max(1.0)
}

/// What an undisturbed core of this machine answers: a high quantile of the probes seen so far.
///
/// It is the engine's, not a group's, so that a neighbour who comes and stays is still recognised.
/// The frequency is the recent one, which heat and boost move; of the instructions per cycle the
/// best is kept, however long the neighbour stays.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    recent: VecDeque<Probe>,
    added: usize,
    best_ipc: f64,
}

impl Baseline {
    /// Adds a probe; the oldest is forgotten when there are many.
    pub fn add(&mut self, probe: Probe) {
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(probe);
        self.added += 1;
        if self.added.is_multiple_of(REMEMBERED / 2) {
            self.best_ipc = self.best().ipc;
        }
    }

    /// The nine-tenths quantile of recent frequencies, and the best such quantile of instructions
    /// per cycle so far.
    ///
    /// The very best are not taken: a chain that was interrupted twice makes the instructions per
    /// cycle look too high.
    pub fn best(&self) -> Probe {
        let quantile = |of: fn(&Probe) -> f64| {
            stats::quantile(&mut self.recent.iter().map(of).collect::<Vec<_>>(), 0.9)
        };
        Probe {
            ghz: quantile(|probe| probe.ghz),
            ipc: quantile(|probe| probe.ipc).max(self.best_ipc),
        }
    }
}

/// `steps` (rounded down to a multiple of 8) dependent steps. The xor between two multiplications
/// keeps the compiler from multiplying the factors first; the values come out of black boxes, so
/// that none is known when compiling.
#[inline(never)]
pub(crate) fn chain(steps: u64) {
    let (mut x, mask, factor) = black_box((1u64, 0x0123_4567_89ab_cdef, 0x5851_f42d_4c95_7f2d));
    for _ in 0..black_box(steps) / 8 {
        for _ in 0..8 {
            x = (x ^ mask).wrapping_mul(factor);
        }
    }
    black_box(x);
}

/// `steps` (rounded down to a multiple of 2) groups of independent work. 128-bit sums, because
/// vector units have no carry: the compiler must leave them in general registers. Their high halves
/// are used, so that the `adc` are not dropped.
#[inline(never)]
pub(crate) fn independent(steps: u64) {
    let (mask, term) = black_box((
        0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834_u128,
        0x1082_276b_f3a2_7251_u128 << 30 | 1,
    ));
    let (mut a, mut b, mut c, mut d) = black_box((1u128, 2u128, 3u128, 4u128));
    for _ in 0..black_box(steps) / 2 {
        for _ in 0..2 {
            a = (a ^ mask).wrapping_add(term);
            b = (b ^ mask).wrapping_add(term);
            c = (c ^ mask).wrapping_add(term);
            d = (d ^ mask).wrapping_add(term);
        }
    }
    let sum = a ^ b ^ c ^ d;
    black_box(sum as u64 ^ (sum >> 64) as u64);
}

/// About 2.5 microseconds each at 3.5 GHz: long against the clock's step, short against the sample.
const CHAIN_STEPS: u64 = 2048;
const GROUP_STEPS: u64 = 2048;
/// Recent probes in the baseline.
const REMEMBERED: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{IPC, READING_NS, World};

    #[test]
    fn frequency_and_ipc_come_out_as_planted() {
        let probe = Probe::take(&mut World::new().ghz(|_| 2.7).ipc(|_| 3.0), READING_NS);
        assert!(
            (probe.ghz / 2.7 - 1.0).abs() < 0.001 && (probe.ipc / 3.0 - 1.0).abs() < 0.001,
            "{probe:?}"
        );
    }

    #[test]
    fn a_neighbour_halves_ipc_and_leaves_frequency() {
        let quiet = Probe::take(&mut World::new(), READING_NS);
        let shared = Probe::take(&mut World::new().ipc(|_| IPC / 2.0), READING_NS);
        assert!((shared.ipc / quiet.ipc - 0.5).abs() < 0.01);
        assert!((shared.ghz / quiet.ghz - 1.0).abs() < 0.001);
    }

    #[test]
    fn the_baseline_ignores_a_few_wild_probes_and_remembers_the_good_ones() {
        let mut baseline = Baseline::default();
        for index in 0..100 {
            baseline.add(Probe { ghz: 3.5, ipc: if index % 20 == 0 { 90.0 } else { 4.5 } });
        }
        for _ in 0..500 {
            baseline.add(Probe { ghz: 3.5, ipc: 2.2 });
        }
        assert_eq!(baseline.best().ipc, 4.5);
    }

    #[test]
    fn a_neighbour_who_stays_for_long_does_not_become_the_baseline_and_a_slower_clock_does() {
        let mut baseline = Baseline::default();
        for _ in 0..REMEMBERED {
            baseline.add(Probe { ghz: 3.5, ipc: 4.5 });
        }
        for _ in 0..3 * REMEMBERED {
            baseline.add(Probe { ghz: 3.1, ipc: 2.2 });
        }
        assert_eq!(baseline.best(), Probe { ghz: 3.1, ipc: 4.5 });
    }
}
