//! The C ABI: [`case`] makes calls of the bytes. `campaigns/fuzz` compiles it and starts it.
#![no_main]

use abi as _;

// By its path, as for the tests of the library: then its modules lie beside it.
#[path = "case.rs"]
mod case;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| case::check(bytes));
