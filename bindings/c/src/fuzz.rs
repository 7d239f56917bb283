//! What libFuzzer does with the ABI (`fuzz/`), with its seeds and with bytes at random.

#[path = "../fuzz/src/case.rs"]
mod case;
#[path = "../../../crates/cli/fuzz/src/corpus.rs"]
mod corpus;

/// Cases at random; `campaigns/fuzz abi` looks further.
const CASES: u64 = 3000;

#[test]
fn every_seed_and_random_calls_hold() {
    let seeds = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds")).unwrap();
    let seeds: Vec<_> = seeds.map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect();
    assert!(seeds.len() >= 4);
    seeds.iter().for_each(|seed| case::check(seed));
    let mut state = 23u64;
    let mut random = || {
        // Numbers by Knuth's MMIX generator; the upper bits are the good ones.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for _ in 0..CASES {
        let bytes: Vec<u8> = (0..400).map(|_| random()).collect();
        case::check(&bytes);
    }
}

#[test]
fn what_a_fuzzer_kept_holds() {
    let inputs = corpus::inputs(include_bytes!("../fuzz/corpus.bin"));
    assert!(inputs.len() >= 200, "{}", inputs.len());
    inputs.into_iter().for_each(case::check);
}
