//! The C ABI: algorithms, one message, a message in pieces or in parts, many messages, keys, and
//! keys of passwords.
//!
//! Every function answers misuse with a status and none lets a panic out. Pointers are checked for
//! null and alignment; that they point to as much as they are said to is the caller's part, as
//! everywhere in C.

// the contract of pointers is the same for all, and stands above and in the header
#![allow(clippy::missing_safety_doc)]

mod algorithm;
mod composite;
mod cpu;
#[cfg(test)]
mod fuzz;
mod keyed;
mod many;
mod passwords;
mod pointers;
mod running;
mod status;

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_version() -> *const std::ffi::c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
