//! Prints what crates of others answer for the hash functions of data frames, a line `name length
//! digest` for each message: `cargo run --release > FILE`, then `frames.py FOLDER FILE`. No part of
//! any crate here: put it as src/main.rs into an empty project with these dependencies: komihash =
//! "=0.4.1", metrohash = "=1.0.7", rapidhash = "=4.5.1"

use metrohash::{MetroHash64, MetroHash128};
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3, rapidhash_v3_nano_inline};
use std::hash::Hasher;

fn all(name: &str, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let print = |len: String, message: &[u8]| {
        let hex: String = digest(message).iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{name} {len} {hex}");
    };
    let lens = [511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192, 65543];
    for len in (0..301).chain(lens) {
        let message: Vec<u8> = (0..len).map(|i| (i * 131 + 17 * len + (i >> 8)) as u8).collect();
        print(len.to_string(), &message);
    }
    let pattern: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let swept: Vec<u8> = (0..4096).flat_map(|len| digest(&pattern[..len])).collect();
    print("check".into(), b"123456789");
    print("sweep".into(), &swept);
}

fn main() {
    all("rapidhash", |m| rapidhash_v3(m).to_be_bytes().into());
    all("rapidhash-nano", |m| {
        let hash = rapidhash_v3_nano_inline::<true, false>(m, &DEFAULT_RAPID_SECRETS);
        hash.to_be_bytes().into()
    });
    all("komihash", |m| komihash::v5::komihash(m, 0).to_be_bytes().into());
    all("metrohash64", |m| {
        let mut hasher = MetroHash64::with_seed(0);
        hasher.write(m);
        hasher.finish().to_le_bytes().into()
    });
    all("metrohash128", |m| {
        let mut hasher = MetroHash128::with_seed(0);
        hasher.write(m);
        let (low, high) = hasher.finish128();
        [low.to_le_bytes(), high.to_le_bytes()].concat()
    });
}
