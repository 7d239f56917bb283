//! What strangers hand us, damaged at random from seeds of every kind: `campaigns/fuzz` looks
//! further.

#[path = "../fuzz/src/corpus.rs"]
mod corpus;
#[path = "../fuzz/src/input.rs"]
mod input;

use std::fs;
use std::path::Path;

/// Inputs made of each seed. Journals are copies with their syncs, and what a runner says needs a
/// process: they have fewer.
const EACH: usize = 400;
const EACH_SLOW: usize = 40;

#[test]
fn every_seed_and_its_damaged_kin_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut seeds: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert!(seeds.len() >= 20, "{}", seeds.len());
    let mut random = fastrand::Rng::with_seed(23);
    for path in seeds {
        let seed = fs::read(&path).unwrap();
        input::check(&seed);
        for _ in 0..if matches!(seed[0], b'j' | b'h') { EACH_SLOW } else { EACH } {
            input::check(&damaged(&seed, &mut random));
        }
    }
}

#[test]
fn what_a_fuzzer_kept_holds() {
    let inputs = corpus::inputs(include_bytes!("../fuzz/corpus.bin"));
    assert!(inputs.len() >= 500, "{}", inputs.len());
    inputs.into_iter().for_each(input::check);
}

/// A seed with some bytes changed, cut, doubled or moved; its first byte stays.
fn damaged(seed: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(1..5) {
        let (from, to) = (random.usize(1..=bytes.len()), random.usize(1..=bytes.len()));
        let (from, to) = (from.min(to), from.max(to));
        match random.u8(0..5) {
            0 => bytes[from..to.min(from + 4)].iter_mut().for_each(|byte| *byte = random.u8(..)),
            1 => bytes.truncate(to),
            2 => bytes.extend_from_within(from..to),
            3 => drop(bytes.drain(from..to)),
            _ => bytes[from..to].reverse(),
        }
        bytes.truncate(1 << 16);
    }
    bytes
}
