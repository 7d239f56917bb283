//! Prints what crates of others answer for digests that few libraries have, a line `name length
//! digest engine` for each message: `cargo run --release > FILE`, then `names.py FOLDER FILE`. No
//! part of any crate here: put it as src/main.rs into an empty project, print.rs beside it, with
//! these dependencies: blake2b_simd = "=1.0.5", blake2s_simd = "=1.0.5", fletcher = "=1.0.0",
//! hashers = "=1.0.1", skein = "=0.2.0"

mod print;

use print::all;
use skein::digest::{Digest, consts::*};

/// The words of a message, the first byte lowest, the last filled up with zeros.
fn words<const SIZE: usize, W>(message: &[u8], word: fn([u8; SIZE]) -> W) -> Vec<W> {
    let padded = |chunk: &[u8]| {
        let mut bytes = [0; SIZE];
        bytes[..chunk.len()].copy_from_slice(chunk);
        bytes
    };
    message.chunks(SIZE).map(|chunk| word(padded(chunk))).collect()
}

fn main() {
    all("blake2bp", "blake2b-simd-1.0.5", |m| {
        blake2b_simd::blake2bp::blake2bp(m).as_bytes().to_vec()
    });
    all("blake2sp", "blake2s-simd-1.0.5", |m| {
        blake2s_simd::blake2sp::blake2sp(m).as_bytes().to_vec()
    });
    let engine = "rustcrypto-skein-0.2.0";
    all("skein256-128", engine, |m| skein::Skein256::<U16>::digest(m).to_vec());
    all("skein256-160", engine, |m| skein::Skein256::<U20>::digest(m).to_vec());
    all("skein256-224", engine, |m| skein::Skein256::<U28>::digest(m).to_vec());
    all("skein512-128", engine, |m| skein::Skein512::<U16>::digest(m).to_vec());
    all("skein512-160", engine, |m| skein::Skein512::<U20>::digest(m).to_vec());
    all("skein1024-384", engine, |m| skein::Skein1024::<U48>::digest(m).to_vec());
    all("skein1024-512", engine, |m| skein::Skein1024::<U64>::digest(m).to_vec());
    let engine = "fletcher-crate-1.0.0";
    all("fletcher16", engine, |m| fletcher::calc_fletcher16(m).to_be_bytes().to_vec());
    all("fletcher32", engine, |m| {
        fletcher::calc_fletcher32(&words(m, u16::from_le_bytes)).to_be_bytes().to_vec()
    });
    all("fletcher64", engine, |m| {
        fletcher::calc_fletcher64(&words(m, u32::from_le_bytes)).to_be_bytes().to_vec()
    });
    let engine = "hashers-crate-1.0.1";
    // Its djb2 takes bytes by an exclusive or.
    all("djb2a", engine, |m| (hashers::oz::djb2(m) as u32).to_be_bytes().to_vec());
    all("sdbm", engine, |m| (hashers::oz::sdbm(m) as u32).to_be_bytes().to_vec());
}
