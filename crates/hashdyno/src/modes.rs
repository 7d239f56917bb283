//! What a digest can do beside the hashing of a message: a table that the digest's own file fills
//! in, so that nothing else knows which digest has a key, a seed or other lengths.

use crate::{Digest, KeyError, Keyed};

/// What a digest can do beside the hashing of a message. A digest that can do one thing more says
/// that one: `modes: &Modes { keyed, ..Modes::NONE }`.
pub(crate) struct Modes {
    /// How messages begin under a key of the digest's own keyed mode.
    pub(crate) keyed: fn(&'static Digest, key: &[u8]) -> Result<Keyed, KeyError>,
    /// How messages begin from which keys are derived.
    pub(crate) deriving: fn(&'static Digest, context: &str) -> Result<Keyed, KeyError>,
    /// How messages begin under a seed.
    pub(crate) seeded: fn(&'static Digest, seed: u64) -> Result<Keyed, KeyError>,
    /// How messages begin under a secret.
    pub(crate) with_secret: fn(&'static Digest, secret: &[u8]) -> Result<Keyed, KeyError>,
    /// The most bytes that the digest can have, or 0 if it has one length only.
    pub(crate) longest: fn(&Digest) -> usize,
    /// The digest with a length in bytes that it can have; its names are still the same.
    pub(crate) of_len: fn(&Digest, len: usize) -> Digest,
    /// Whether bytes from outside can be the state after that many blocks. Most states are words of
    /// any value, but some code relies on the values of its state.
    pub(crate) admits: fn(&Digest, state: &[u8], blocks: u64) -> bool,
    /// The block that HMAC takes, in bytes, if it is not [`Digest::block_len`].
    pub(crate) hmac_block_len: Option<usize>,
    /// Whether HMAC takes the digest, although it is extendable, at the length given when none is
    /// asked for.
    pub(crate) hmac_at_usual_len: bool,
}

impl Modes {
    /// No key, no seed, no secret, and any state. A digest has the one length, or any if it is
    /// extendable.
    pub(crate) const NONE: Self = Self {
        keyed: |digest, _| Err(KeyError::NoKeyedMode { digest: digest.name }),
        deriving: |digest, _| Err(KeyError::NoDerivation { digest: digest.name }),
        seeded: |digest, _| Err(KeyError::NoSeed { digest: digest.name }),
        with_secret: |digest, _| Err(KeyError::NoSecret { digest: digest.name }),
        longest: |digest| if digest.extendable { usize::MAX } else { 0 },
        of_len: |digest, len| Digest { output_len: len, ..*digest },
        admits: |_, _, _| true,
        hmac_block_len: None,
        hmac_at_usual_len: false,
    };
}
