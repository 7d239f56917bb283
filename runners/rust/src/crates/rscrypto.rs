//! The crate rscrypto: one for all, with kernels of its own.
//!
//! Its digests and checksums are types with an associated function for a whole message. The macros
//! are the ones of `crates`, so this module stands behind them there.

use ::rscrypto as theirs;
use theirs::{Checksum, Digest, FastHash};

use crate::functions::Functions;

/// All of its digests and checksums that we have, too.
pub fn add(functions: &mut Functions) {
    digests! { functions:
        "sha224" "rscrypto" 28 theirs::Sha224::digest;
        "sha256" "rscrypto" 32 theirs::Sha256::digest;
        "sha384" "rscrypto" 48 theirs::Sha384::digest;
        "sha512" "rscrypto" 64 theirs::Sha512::digest;
        "sha512-256" "rscrypto" 32 theirs::Sha512_256::digest;
        "sha3-224" "rscrypto" 28 theirs::Sha3_224::digest;
        "sha3-256" "rscrypto" 32 theirs::Sha3_256::digest;
        "sha3-384" "rscrypto" 48 theirs::Sha3_384::digest;
        "sha3-512" "rscrypto" 64 theirs::Sha3_512::digest;
        "blake2b-256" "rscrypto" 32 theirs::Blake2b256::digest;
        "blake2b-512" "rscrypto" 64 theirs::Blake2b512::digest;
        "blake2s-128" "rscrypto" 16 theirs::Blake2s128::digest;
        "blake2s-256" "rscrypto" 32 theirs::Blake2s256::digest;
        "blake3" "rscrypto" 32 theirs::Blake3::digest;
    }
    checksums! { functions:
        "crc32b" "rscrypto" 4 theirs::Crc32::checksum, to_be_bytes;
        "crc32c" "rscrypto" 4 theirs::Crc32C::checksum, to_be_bytes;
        "crc64-xz" "rscrypto" 8 theirs::Crc64::checksum, to_be_bytes;
        "xxh3" "rscrypto" 8 theirs::Xxh3::hash, to_be_bytes;
        "xxh128" "rscrypto" 16 theirs::Xxh3_128::hash, to_be_bytes;
    }
}
