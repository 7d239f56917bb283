//! The C ABI: [`case`] makes calls of the bytes. `campaigns/fuzz` compiles it and starts it.
#![no_main]

use abi as _;

#[path = "case.rs"]
mod case;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| case::check(bytes));
