//! Every digest and checksum of PHP's `hash()`, OpenSSL and the SHA-3 contest, as values in one
//! table.
//!
//! ```
//! # #[cfg(all(feature = "md5", feature = "blake3"))] {
//! let md5 = hashdyno::find("md5").unwrap();
//! assert_eq!(hashdyno::hex(&md5.digest(b"abc")), "900150983cd24fb0d6963f7d28e17f72");
//!
//! let mut hasher = hashdyno::Hasher::new(hashdyno::find("blake3").unwrap());
//! hasher.update(b"hello ");
//! hasher.update(b"world");
//! println!("{}", hashdyno::hex(&hasher.finish()));
//!
//! for digest in hashdyno::ALL {
//!     println!("{:14} {:3} bytes  {}", digest.name, digest.output_len, digest.security);
//! }
//! # }
//! ```
//!
//! # Cargo features
//! Each family of digests is a feature of its name ([`Digest::family`]): `md5`, `sha2`, `keccak`,
//! `xxhash` ... A user compiles the families that they name. `default` has the families of PHP's
//! `hash()` and those that are sound, `full` has all. `rayon` adds `par_digest_many`, which works
//! on all cores.

// Some families alone, and kernels of x86-64 alone, use some of the shared code.
#![cfg_attr(
    not(all(target_arch = "x86_64", feature = "full")),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(target_arch = "x86_64")]
mod ahead;
#[doc(hidden)]
pub mod builder;
#[cfg(target_arch = "x86_64")]
mod chains;
mod checksum;
#[cfg(feature = "composite")]
pub mod composite;
mod cpu;
mod digests;
mod function;
mod hasher;
mod kernel;
mod lanes;
mod many;
mod mds;
mod messages;
mod padding;
mod prefetch;
mod registry;
#[cfg(target_arch = "x86_64")]
mod sha_ni;
mod state;
mod unroll;
mod words;

pub use cpu::{Cores, Cpu, Features, MaskError};
pub use digests::ALL;
#[cfg(feature = "blake2")]
pub use digests::blake2b;
#[cfg(feature = "crc")]
pub use digests::{crc_combine, crc32b, crc64_xz};
#[cfg(feature = "xxhash")]
pub use digests::{xxh3, xxh32, xxh64, xxh128};
pub use hasher::{FittedHasher, Hasher, SavedError};
use kernel::{Absorb, Whole};
pub use kernel::{Bound, BoundMany, Kernel};
use many::Batch;
#[cfg(feature = "rayon")]
pub use many::par_digest_many;
pub use many::{digest_many, digest_many_by};
pub use messages::Messages;
pub use registry::{Digest, Output, Security, Spelling, find};
pub use state::Quad;
use state::{Last, State};

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
