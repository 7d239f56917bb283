//! Everything that is read from strangers: [`input`] says how. `campaigns/fuzz` compiles it and
//! starts it.
#![no_main]

mod input;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| input::check(bytes));
