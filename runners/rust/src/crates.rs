//! Crates of one or a few digests each; an implementation is called by its crate's name.
//!
//! Each crate is called in the way that its documentation shows for a whole message. Integers
//! become bytes in the order that our digest has.

use std::hash::Hasher;

use blake_hash::{Blake224, Blake256, Blake384, Blake512, Digest};
use blake2b_simd::blake2bp::blake2bp;
use blake2s_simd::blake2sp::blake2sp;
use fletcher::calc_fletcher16;
use komihash::v5::komihash;
use metrohash::{MetroHash64, MetroHash128};
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3, rapidhash_v3_nano_inline};
use simd_adler32::Adler32;
use twox_hash::{XxHash3_64, XxHash3_128, XxHash32, XxHash64};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};
use xxhash_rust::{xxh32::xxh32, xxh64::xxh64};

use crate::functions::Functions;
use crate::lock;

/// Adds checksums that are integers: our name, the implementation's, the function of a message, the
/// order of the bytes.
macro_rules! checksums {
    ($functions:ident: $(
        $name:literal $implementation:literal $len:literal $function:expr, $bytes:ident;
    )*) => {$(
        $functions.add($name, $implementation, $len, |message, out| {
            out.copy_from_slice(&$function(message).$bytes())
        });
    )*};
}

/// Adds digests that are bytes: our name, the implementation's, the function of a message.
macro_rules! digests {
    ($functions:ident: $(
        $name:literal $implementation:literal $len:literal $function:expr;
    )*) => {$(
        $functions.add($name, $implementation, $len, |message, out| {
            out.copy_from_slice($function(message).as_ref())
        });
    )*};
}

mod crc_fast;
mod rscrypto; // after the macros, which it calls

/// All of theirs that we have, too.
pub fn load() -> Functions {
    // Cargo.lock fixes them all, and it comes with this package.
    let mut functions = Functions::new("rust", env!("CARGO_PKG_VERSION"), lock::versions(CRATES));
    digests! { functions:
        "blake-224" "blake-hash" 28 Blake224::digest;
        "blake-256" "blake-hash" 32 Blake256::digest;
        "blake-384" "blake-hash" 48 Blake384::digest;
        "blake-512" "blake-hash" 64 Blake512::digest;
        "blake2bp" "blake2b_simd" 64 |message| *blake2bp(message).as_array();
        "blake2sp" "blake2s_simd" 32 |message| *blake2sp(message).as_array();
        "blake3" "blake3" 32 |message| <[u8; 32]>::from(blake3::hash(message));
    }
    checksums! { functions:
        "adler32" "simd-adler32" 4 adler32, to_be_bytes;
        "crc32b" "crc32fast" 4 crc32fast::hash, to_be_bytes;
        "fletcher16" "fletcher" 2 calc_fletcher16, to_be_bytes;
        "komihash" "komihash" 8 |message| komihash(message, 0), to_be_bytes;
        "metrohash64" "metrohash" 8 metrohash64, to_le_bytes;
        "metrohash128" "metrohash" 16 metrohash128, to_le_bytes;
        "rapidhash" "rapidhash" 8 rapidhash_v3, to_be_bytes;
        "rapidhash-nano" "rapidhash" 8
            |message| rapidhash_v3_nano_inline::<true, false>(message, &DEFAULT_RAPID_SECRETS),
            to_be_bytes;
        "xxh32" "twox-hash" 4 |message| XxHash32::oneshot(0, message), to_be_bytes;
        "xxh32" "xxhash-rust" 4 |message| xxh32(message, 0), to_be_bytes;
        "xxh64" "twox-hash" 8 |message| XxHash64::oneshot(0, message), to_be_bytes;
        "xxh64" "xxhash-rust" 8 |message| xxh64(message, 0), to_be_bytes;
        "xxh3" "twox-hash" 8 XxHash3_64::oneshot, to_be_bytes;
        "xxh3" "xxhash-rust" 8 xxh3_64, to_be_bytes;
        "xxh128" "twox-hash" 16 XxHash3_128::oneshot, to_be_bytes;
        "xxh128" "xxhash-rust" 16 xxh3_128, to_be_bytes;
    }
    crc_fast::add(&mut functions);
    rscrypto::add(&mut functions);
    functions
}

fn adler32(message: &[u8]) -> u32 {
    let mut adler = Adler32::new();
    adler.write(message);
    adler.finish()
}

fn metrohash64(message: &[u8]) -> u64 {
    let mut hasher = MetroHash64::with_seed(0);
    hasher.write(message);
    hasher.finish()
}

fn metrohash128(message: &[u8]) -> u128 {
    let mut hasher = MetroHash128::with_seed(0);
    hasher.write(message);
    let (low, high) = hasher.finish128();
    u128::from(high) << 64 | u128::from(low)
}

const CRATES: &[&str] = &[
    "blake-hash",
    "blake2b_simd",
    "blake2s_simd",
    "blake3",
    "crc-fast",
    "crc32fast",
    "fletcher",
    "komihash",
    "metrohash",
    "rapidhash",
    "rscrypto",
    "simd-adler32",
    "twox-hash",
    "xxhash-rust",
];
