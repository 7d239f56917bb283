//! Prints what crates of others answer for SipHash-1-3 and HighwayHash under a key of zeros:
//! `cargo run --release > FILE`, then `prf.py VECTORS TEST FILE`. No part of any crate here: put it
//! as src/main.rs into an empty project, print.rs beside it, with these dependencies:
//! highway = "=1.3.0", siphasher = "=1.0.1"

mod print;

use highway::{HighwayHash, HighwayHasher};
use print::all;
use siphasher::{sip, sip128};

/// Words, the first byte lowest, as these digests are written.
fn bytes(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

fn main() {
    let engine = "siphasher-crate-1.0.1";
    all("siphash-1-3", engine, |m| bytes([sip::SipHasher13::new().hash(m)]));
    all("siphash-1-3-128", engine, |m| sip128::SipHasher13::new().hash(m).as_bytes().to_vec());
    let engine = "highway-crate-1.3.0";
    all("highwayhash-64", engine, |m| bytes([HighwayHasher::default().hash64(m)]));
    all("highwayhash-128", engine, |m| bytes(HighwayHasher::default().hash128(m)));
    all("highwayhash-256", engine, |m| bytes(HighwayHasher::default().hash256(m)));
}
