//! Prints what crates of others answer for the hash functions of data frames, a line `name length
//! digest engine` for each message: `cargo run --release > FILE`, then `frames.py FOLDER FILE`. No
//! part of any crate here: put it as src/main.rs into an empty project, print.rs beside it, with
//! these dependencies: komihash = "=0.4.1", metrohash = "=1.0.7", rapidhash = "=4.5.1"

mod print;

use metrohash::{MetroHash64, MetroHash128};
use print::all;
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3, rapidhash_v3_nano_inline};
use std::hash::Hasher;

fn main() {
    all("rapidhash", "rapidhash-crate-4.5.1", |m| rapidhash_v3(m).to_be_bytes().into());
    all("rapidhash-nano", "rapidhash-crate-4.5.1", |m| {
        let hash = rapidhash_v3_nano_inline::<true, false>(m, &DEFAULT_RAPID_SECRETS);
        hash.to_be_bytes().into()
    });
    all("komihash", "komihash-crate-0.4.1", |m| komihash::v5::komihash(m, 0).to_be_bytes().into());
    all("metrohash64", "metrohash-crate-1.0.7", |m| {
        let mut hasher = MetroHash64::with_seed(0);
        hasher.write(m);
        hasher.finish().to_le_bytes().into()
    });
    all("metrohash128", "metrohash-crate-1.0.7", |m| {
        let mut hasher = MetroHash128::with_seed(0);
        hasher.write(m);
        let (low, high) = hasher.finish128();
        [low.to_le_bytes(), high.to_le_bytes()].concat()
    });
}
