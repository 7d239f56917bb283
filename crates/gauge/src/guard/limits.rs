//! What a core of this machine can do at most.

use std::hint::black_box;

use super::Implausible;
use crate::clock::Instrument;
use crate::machine::Machine;
use crate::stats::Interval;

/// What this machine can do at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Best frequency seen, in GHz.
    pub ghz: f64,
    /// First-level data cache of one core, in bytes.
    pub first_cache: u64,
    /// Largest cache that is one core's own, in bytes.
    pub own_cache: u64,
    /// Measured: bytes of a working set, and the bytes per nanosecond at which one core read it.
    pub memory: Option<(u64, f64)>,
}

impl Limits {
    /// The limits of a core of `machine` that runs at `ghz`.
    pub fn of(machine: &Machine, ghz: f64) -> Limits {
        let data = |level| {
            machine
                .caches
                .iter()
                .filter(move |cache| cache.level == level && cache.kind != "Instruction")
        };
        let first_cache = data(1).map(|cache| cache.bytes).max().unwrap_or(64 << 10);
        let own_cache = data(2).map(|cache| cache.bytes).max().unwrap_or(first_cache);
        Limits { ghz, first_cache, own_cache, memory: None }
    }

    /// Measures how fast one core reads `working_set` bytes, for judging rates at that size and
    /// above: the best of three passes. Worth it only beyond the core's own caches; takes as long
    /// as reading the set four times.
    pub fn measure_memory(&mut self, instrument: &mut dyn Instrument, working_set: u64) {
        let words = vec![1u64; (working_set / 8) as usize];
        let mut pass = || {
            let start = instrument.now();
            black_box(words.iter().fold(0u64, |sum, &word| sum.wrapping_add(word)));
            instrument.now() - start
        };
        let best = pass().min(pass()).min(pass()).max(1);
        self.memory = Some((working_set, working_set as f64 / best as f64));
    }

    /// Whether `bytes` can be processed in `ns`.
    ///
    /// # Errors
    /// [`Implausible`]: the rate is above what a core of this machine can load.
    pub fn rate(&self, bytes: u64, ns: f64) -> Result<(), Implausible> {
        let rate = bytes as f64 / ns;
        let (limit, what) = self.most(bytes);
        if rate <= limit { Ok(()) } else { Err(Implausible::Rate { bytes, rate, limit, what }) }
    }

    /// What is wrong with a curve of (bytes, ns per message), ascending by bytes. Empty when
    /// nothing is.
    ///
    /// From 4 KiB on, time must grow by at least what loading the further bytes takes, beyond the
    /// fastest of the shorter messages (a shorter one may take a slower path), and each doubling
    /// must multiply it by 1.6 to 2.4, once the cost of the smallest message is taken off as the
    /// cost of the call. Doublings are judged only where the data outweighs the call; the upper
    /// bound only within the core's own caches.
    pub fn growth(&self, curve: &[(u64, Interval)]) -> Vec<Implausible> {
        let steps = 1..curve.len();
        steps
            .filter(|&to| curve[to].0 >= LARGE)
            .filter_map(|to| self.flat(&curve[..to], curve[to]).or_else(|| self.step(curve, to)))
            .collect()
    }

    fn flat(
        &self,
        shorter: &[(u64, Interval)],
        (more, more_ns): (u64, Interval),
    ) -> Option<Implausible> {
        let &(bytes, ns) = shorter.iter().min_by(|a, b| a.1.low.total_cmp(&b.1.low))?;
        let least_ns = (more - bytes) as f64 / self.most(more).0;
        let flat = more_ns.high - ns.low < least_ns;
        flat.then_some(Implausible::Flat {
            bytes,
            more,
            delta_ns: more_ns.value - ns.value,
            least_ns,
        })
    }

    fn step(&self, curve: &[(u64, Interval)], to: usize) -> Option<Implausible> {
        let (smallest, (bytes, ns), (more, more_ns)) = (curve[0], curve[to - 1], curve[to]);
        let call = if smallest.0 * 8 <= bytes { smallest.1.value } else { 0.0 };
        let (data, more_data) = (ns.value - call, more_ns.value - call);
        if bytes < LARGE || data < call {
            return None;
        }
        let per_doubling = (more_data / data).powf(1.0 / (more as f64 / bytes as f64).log2());
        let most = if more <= self.own_cache { 2.4 } else { f64::INFINITY };
        (!(1.6..=most).contains(&per_doubling)).then_some(Implausible::Growth {
            bytes,
            more,
            per_doubling,
        })
    }

    /// Bytes per nanosecond at most, and who says so.
    fn most(&self, bytes: u64) -> (f64, &'static str) {
        match self.memory {
            Some((working_set, rate)) if bytes >= working_set => {
                (MEMORY_ALLOWANCE * rate, "twice what this core was seen to read is")
            }
            _ if bytes <= self.first_cache => (FIRST_CACHE_LOADS * self.ghz, "a core loads"),
            _ => (SECOND_CACHE_LOADS * self.ghz, "a core's second cache delivers"),
        }
    }
}

/// From here on data outweighs everything else.
const LARGE: u64 = 4096;
/// Two 64-byte loads a cycle: the most that any x86-64 core issues today.
const FIRST_CACHE_LOADS: f64 = 128.0;
/// One line a cycle from the second cache.
const SECOND_CACHE_LOADS: f64 = 64.0;
/// Wider loads and better prefetching may beat our plain loop, but not by this much.
const MEMORY_ALLOWANCE: f64 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::World;

    fn limits() -> Limits {
        Limits { ghz: 3.5, first_cache: 48 << 10, own_cache: 2 << 20, memory: None }
    }

    fn curve(points: &[(u64, f64)]) -> Vec<(u64, Interval)> {
        points.iter().map(|&(bytes, ns)| (bytes, Interval::exact(ns))).collect()
    }

    /// Every row of document 004's CCM tables, in thousands of bytes per second at 16, 64, 256,
    /// 1024 and 8192 bytes: timed calls that processed nothing.
    #[rustfmt::skip]
    const CCM: [[f64; 5]; 12] = [
        [200365.33, 800696.25, 3102322.94, 13201750.13, 97693786.72],
        [163051.27, 670455.73, 2802082.08, 10882962.04, 86794149.59],
        [148341.26, 624862.52, 2301010.13, 9963371.90, 80643708.39],
        [1883127.76, 6801801.14, 29266139.01, 116423620.55, 923975421.59],
        [1852558.99, 7296866.50, 26249618.66, 111128004.21, 888443721.19],
        [1848782.98, 6957998.60, 30595526.19, 119388729.54, 900597589.56],
        [566649.79, 2260079.99, 9047626.23, 36136656.22, 290717300.14],
        [527075.14, 2054599.77, 8411362.98, 33620335.68, 269745719.67],
        [475223.48, 1902728.96, 7536691.72, 30394535.47, 243236223.48],
        [1946916.60, 7748243.37, 31004389.03, 124000400.52, 995969144.96],
        [1857845.40, 7390659.61, 29722367.06, 118374762.52, 945152500.32],
        [1857778.00, 7427410.45, 29761814.43, 119566883.39, 946774439.34],
    ];

    #[test]
    fn document_004s_ccm_rows_are_all_refused() {
        for rates in CCM {
            let points: Vec<_> = [16u64, 64, 256, 1024, 8192]
                .into_iter()
                .zip(rates)
                .map(|(bytes, rate)| (bytes, bytes as f64 / rate * 1e6))
                .collect();
            assert!(!limits().growth(&curve(&points)).is_empty(), "{points:?}");
        }
    }

    #[test]
    fn document_002s_nanoseconds_are_refused() {
        let encryption =
            [(4096, 77.96), (16384, 57.93), (65536, 193.83), (262_144, 459.91), (1 << 20, 3315.93)];
        assert!(matches!(
            limits().growth(&curve(&encryption))[0],
            Implausible::Flat { bytes: 4096, more: 16384, .. }
        ));
        assert!(encryption[2..].iter().all(|&(bytes, ns)| limits().rate(bytes, ns).is_err()));
    }

    #[test]
    fn honest_curves_pass() {
        let line = |call: f64, byte: f64| {
            let sizes = [5u64, 90, 1000, 4096, 8192, 65536, 1 << 20];
            curve(&sizes.map(|bytes| (bytes, call + byte * bytes as f64)))
        };
        for (call, byte) in [(300.0, 0.57), (1500.0, 0.012), (30.0, 0.012), (0.0, 91.0)] {
            assert_eq!(limits().growth(&line(call, byte)), [], "{call} ns and {byte} ns/byte");
        }
    }

    #[test]
    fn a_slow_path_for_short_messages_is_no_skipped_data() {
        assert_eq!(
            limits().growth(&curve(&[
                (5, 5.9),
                (64, 6.3),
                (1000, 2471.6),
                (8192, 583.2),
                (1 << 20, 56_000.0)
            ])),
            []
        );
        let flat = limits().growth(&curve(&[(64, 600.0), (1000, 2471.6), (8192, 601.0)]));
        let least_ns = (8192.0 - 64.0) / (128.0 * 3.5);
        assert_eq!(flat, [Implausible::Flat { bytes: 64, more: 8192, delta_ns: 1.0, least_ns }]);
    }

    #[test]
    fn a_subject_that_hashes_half_or_squares_is_seen() {
        let half = limits().growth(&curve(&[(16, 20.0), (4096, 2000.0), (8192, 2400.0)]));
        assert!(
            matches!(half[..], [Implausible::Growth { bytes: 4096, more: 8192, .. }]),
            "{half:?}"
        );
        let square = limits().growth(&curve(&[
            (16, 20.0),
            (4096, 2000.0),
            (8192, 8000.0),
            (16384, 32_000.0),
        ]));
        assert_eq!(square.len(), 2, "{square:?}");
    }

    #[test]
    fn beyond_the_own_cache_only_the_lower_bound_holds() {
        let edge = [(1 << 20, 30_000.0), (2 << 20, 60_000.0), (4 << 20, 300_000.0)];
        assert_eq!(limits().growth(&curve(&edge)), []);
    }

    #[test]
    fn rates_are_held_against_the_nearest_limit() {
        assert!(limits().rate(4096, 4096.0 / 440.0).is_ok());
        assert!(limits().rate(4096, 4096.0 / 460.0).is_err());
        assert!(limits().rate(1 << 20, (1 << 20) as f64 / 230.0).is_err());
        let measured = Limits { memory: Some((64 << 20, 20.0)), ..limits() };
        assert!(measured.rate(64 << 20, (64 << 20) as f64 / 39.0).is_ok());
        let error = measured.rate(64 << 20, (64 << 20) as f64 / 41.0).unwrap_err().to_string();
        assert!(error.starts_with("41.0 GB/s at 67108864 bytes: twice what"), "{error}");
    }

    #[test]
    fn memory_is_timed_with_the_instruments_clock() {
        let mut limits = limits();
        limits.measure_memory(&mut World::new(), 1 << 20);
        assert_eq!(limits.memory, Some((1 << 20, (1 << 20) as f64 / 20.0)));
    }

    #[test]
    fn the_caches_of_a_machine_are_its_limits() {
        let cache = |level, kind: &str, bytes| crate::Cache {
            level,
            kind: kind.into(),
            bytes,
            shared_by: String::new(),
        };
        let of =
            |caches: Vec<crate::Cache>| Limits::of(&Machine { caches, ..Machine::default() }, 3.0);
        let found = of(vec![
            cache(1, "Data", 32 << 10),
            cache(1, "Instruction", 64 << 10),
            cache(2, "Unified", 512 << 10),
            cache(3, "Unified", 32 << 20),
        ]);
        assert_eq!(
            found,
            Limits { ghz: 3.0, first_cache: 32 << 10, own_cache: 512 << 10, memory: None }
        );
        assert_eq!(of(vec![cache(1, "Data", 48 << 10)]).own_cache, 48 << 10);
        assert_eq!(of(vec![]).first_cache, 64 << 10);
    }

    #[test]
    fn limits_hold_to_their_ends() {
        let limits = limits();
        assert_eq!(limits.rate(48 << 10, (48 << 10) as f64 / (128.0 * 3.5)), Ok(()));
        assert_eq!(limits.rate((48 << 10) + 1, ((48 << 10) + 1) as f64 / (64.0 * 3.5)), Ok(()));
        let error =
            limits.rate((48 << 10) + 1, ((48 << 10) + 1) as f64 / (65.0 * 3.5)).unwrap_err();
        assert!(
            error.to_string().contains("a core's second cache delivers at most 224.0 GB/s"),
            "{error}"
        );
        let measured = Limits { memory: Some((1 << 20, 10.0)), ..limits };
        assert!(
            measured.rate((1 << 20) - 1, 1e6 / 200.0).is_ok()
                && measured.rate(1 << 20, 1e6 / 200.0).is_err()
        );
    }

    #[test]
    fn growth_is_judged_of_large_messages_and_beside_the_call() {
        let growth = |points: &[(u64, f64)]| limits().growth(&curve(points)).len();
        // From 4 KiB on; below, the call decides.
        assert_eq!(
            (growth(&[(2048, 1000.0), (4095, 1000.0)]), growth(&[(2048, 1000.0), (4096, 1000.0)])),
            (0, 1)
        );
        // A doubling by 1.6 to 2.4.
        for (factor, wrong) in [(1.59, 1), (1.61, 0), (2.39, 0), (2.41, 1)] {
            assert_eq!(growth(&[(4096, 1000.0), (8192, 1000.0 * factor)]), wrong, "{factor}");
            assert_eq!(
                growth(&[(4096, 1000.0), (16384, 1000.0 * factor * factor)]),
                wrong,
                "{factor} twice"
            );
        }
        // The call of the smallest message is taken off where it has at most an eighth of the
        // bytes.
        assert_eq!(growth(&[(512, 600.0), (4096, 1600.0), (8192, 2300.0)]), 0);
        assert_eq!(growth(&[(513, 600.0), (4096, 1600.0), (8192, 2300.0)]), 1);
        // Where it is more than the data, nothing is judged.
        assert_eq!(growth(&[(16, 900.0), (4096, 1700.0), (8192, 1900.0)]), 0);
        assert_eq!(growth(&[(16, 800.0), (4096, 1700.0), (8192, 1900.0)]), 1);
        assert_eq!(growth(&[(16, 800.0), (4096, 1600.0), (8192, 1900.0)]), 1, "as much");
    }
}
