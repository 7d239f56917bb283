//! Every kernel against the portable one: [`case`] says how. `campaigns/fuzz` compiles it and
//! starts it.
#![no_main]

#[path = "../../tests/fuzz/case.rs"]
mod case;

use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};
use xxhash_rust::{xxh32::xxh32, xxh64::xxh64};

fuzz_target!(|case: case::Case<'_>| case.check(&hashdyno::ALL, xxhash));

/// xxHash by another, because its short messages take the same code in every kernel. In all other
/// digests that code is a padding, of which the harness knows every length.
fn xxhash(name: &str, message: &[u8]) -> Option<Vec<u8>> {
    match name {
        "xxh32" => Some(xxh32(message, 0).to_be_bytes().to_vec()),
        "xxh64" => Some(xxh64(message, 0).to_be_bytes().to_vec()),
        "xxh3" => Some(xxh3_64(message).to_be_bytes().to_vec()),
        "xxh128" => Some(xxh3_128(message).to_be_bytes().to_vec()),
        _ => None,
    }
}
