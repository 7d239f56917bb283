//! Errors of keys, seeds, secrets and derived keys. Each text names the value that was given and
//! the values that are expected.

use thiserror::Error;

/// Why there is no such [`crate::Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// HMAC is not defined for the digest.
    #[error("{digest} has no HMAC: expected a cryptographic hash of fixed length, such as sha256")]
    NoHmac {
        /// Its name.
        digest: &'static str,
    },
    /// HMAC puts digests into a block of the digest (RFC 2104, section 2), and this one is longer.
    #[error(
        "{digest} has no HMAC: its digest of {len} bytes is longer than its block of {block} bytes"
    )]
    LongerThanBlock {
        /// Its name.
        digest: &'static str,
        /// The length of the digest in bytes.
        len: usize,
        /// The length of its block in bytes.
        block: usize,
    },
    /// The digest has no keyed mode of its own.
    #[error(
        "{digest} has no keyed mode of its own: expected a BLAKE2, BLAKE3, Skein, SipHash or \
            HighwayHash; HMAC makes one of any cryptographic hash"
    )]
    NoKeyedMode {
        /// Its name.
        digest: &'static str,
    },
    /// The digest derives no keys.
    #[error("{digest} derives no keys: expected blake3; HKDF does with any HMAC")]
    NoDerivation {
        /// Its name.
        digest: &'static str,
    },
    /// The digest takes no seed.
    #[error("{digest} takes no seed: expected an xxHash, a Murmur3 or a SpookyHash")]
    NoSeed {
        /// Its name.
        digest: &'static str,
    },
    /// The digest takes no secret.
    #[error("{digest} takes no secret: expected xxh3 or xxh128")]
    NoSecret {
        /// Its name.
        digest: &'static str,
    },
    /// The digest takes keys, but none of that length.
    #[error("{digest} takes no key of {len} bytes: expected {}", lens(*least, *most))]
    Length {
        /// Its name.
        digest: &'static str,
        /// The length of the key in bytes.
        len: usize,
        /// That of the shortest.
        least: usize,
        /// That of the longest.
        most: usize,
    },
    /// The digest takes seeds, but none so great.
    #[error("{digest} takes no seed of {seed}: expected 0 to {}", u32::MAX)]
    Seed {
        /// Its name.
        digest: &'static str,
        /// The seed.
        seed: u64,
    },
    /// PBKDF2 with no iterations.
    #[error("0 iterations: expected one at least")]
    NoIterations,
    /// A derived key would be too long.
    #[error("{digest} derives no key of {len} bytes: expected {most} at most")]
    TooLong {
        /// The digest's name.
        digest: &'static str,
        /// The length asked for, in bytes.
        len: usize,
        /// The greatest length.
        most: usize,
    },
}

/// Lengths as text.
fn lens(least: usize, most: usize) -> String {
    match most {
        _ if least == most => least.to_string(),
        usize::MAX => format!("{least} at least"),
        _ => format!("{least} to {most}"),
    }
}

impl KeyError {
    /// Nothing, if the digest takes a key of that length.
    pub(crate) fn unless_len(
        digest: &'static str,
        len: usize,
        least: usize,
        most: usize,
    ) -> Result<(), Self> {
        if (least..=most).contains(&len) {
            Ok(())
        } else {
            Err(Self::Length { digest, len, least, most })
        }
    }
}
