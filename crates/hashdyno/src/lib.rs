// For documentation alone, or every change of the README would compile the crate anew; its examples
// are of these families.
#![cfg_attr(
    all(
        doc,
        any(
            not(doctest),
            all(
                feature = "sha2",
                feature = "crc",
                feature = "xxhash",
                feature = "digest",
                feature = "many"
            )
        )
    ),
    doc = include_str!("../README.md")
)]
//!
//! # Where things are
//! - [`find`], [`ALL`] and the constants give a [`Digest`]: all there is to say of an algorithm.
//! - [`Digest::digest`] takes a whole message. [`Hasher`] and [`TypedHasher`] take pieces and are
//!   [`std::io::Write`]; a [`Hasher`] can be saved and restored.
//! - `digest_many` takes many [`Messages`]. It needs the feature `many`.
//! - [`Key`] is HMAC over any of them, or a digest's own keyed mode, seed or secret.
//! - [`Cpu`] says what the processor has and can be narrowed; [`Digest::bind`],
//!   [`Digest::digest_into`], [`Hasher::with_kernel`] and `digest_many_on` compute by a chosen
//!   [`Kernel`].
//! - [`MapHasher`] is the hasher of a map's keys, [`Output`] a digest by value.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
// Some families alone, kernels of x86-64 alone, and a library without `many` leave some of the
// shared code unused.
#![cfg_attr(
    not(all(target_arch = "x86_64", feature = "full", feature = "many")),
    allow(dead_code, unused_imports, unused_macros, unused_variables)
)]
#![cfg_attr(
    target_family = "wasm",
    allow(unused_unsafe, reason = "there every function for a CPU feature is safe to call")
)]

mod begun;
#[doc(hidden)]
pub mod builder;
#[cfg(feature = "composite")]
pub mod composite;
mod cpu;
mod digests;
mod function;
mod hasher;
mod kernel;
mod key;
mod known;
mod lengths;
mod many;
mod map;
mod messages;
mod modes;
mod output;
mod padding;
mod parts;
mod registry;
#[cfg(feature = "digest")]
mod rustcrypto;
#[cfg(feature = "keccak")]
pub mod sp800_185;
mod state;
pub mod typed;

use begun::{Begun, Keyed};
pub use cpu::{Cores, Cpu, Features, MaskError};
pub use digests::ALL;
#[cfg(feature = "blake2")]
pub use digests::blake2b;
#[cfg(feature = "crc")]
pub use digests::crc_combine;
pub use digests::names::*;
pub use hasher::{FittedHasher, Hasher, SavedError};
#[cfg(feature = "many")]
pub use hasher::{update_many, update_many_by};
use kernel::{Code, OneShot};
pub use kernel::{Kernel, ReadyKernel, ReadyLanes};
pub use key::{Key, KeyError, KeyedHasher, Mode};
pub use key::{hkdf, hkdf_expand, pbkdf2};
#[cfg(feature = "many")]
pub use key::{pbkdf2_many, pbkdf2_many_on};
pub use lengths::{LengthError, find, find_outside_php};
use many::Batch;
#[cfg(feature = "many")]
pub use many::{digest_many, digest_many_by, digest_many_on};
#[cfg(feature = "rayon")]
pub use many::{par_digest_many, par_digest_many_on};
pub use map::{BuildMapHasher, MapHasher};
pub use messages::Messages;
pub use output::{Output, TooLong};
pub use registry::{Digest, Purpose, Security, Spelling};
pub use state::Quad;
use state::{State, Tail};
pub use typed::TypedHasher;

/// The longest digest of fixed length, in bytes (Skein-1024-1024).
pub const MAX_OUTPUT_LEN: usize = 128;

/// The longest block of any digest, in bytes (BLAKE3's chunk, XXH3's stripe run).
pub const MAX_BLOCK_LEN: usize = 1024;

/// `bytes` in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String does not fail");
        text
    })
}
