//! What can be measured.
//!
//! An algorithm has one name in studies, records and arguments: the name of a digest, or of a
//! cipher and its direction: `sha256`, `aes-256-gcm decrypt`, `hmac-sha256 authenticate`. Two
//! spellings of one algorithm are told to be the same by `Algorithm::same`.

use hashdyno::{Digest, Features};

use super::cipher::{Cipher, Direction, Mode};
use super::family::Family;
use super::payload::MAX_PAYLOAD;
use super::size::Size;

/// What can be measured: a digest, or a cipher in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Any of the registry.
    Digest(&'static Digest),
    /// Any of [`CIPHERS`](super::CIPHERS).
    Cipher(Cipher, Direction),
}

impl Algorithm {
    /// `sha256`, `aes-256-gcm decrypt` or `hmac-sha256 authenticate`.
    pub fn find(name: &str) -> Option<Self> {
        match name.split_once(' ') {
            Some((name, direction)) => {
                let (cipher, direction) = (Cipher::find(name)?, Direction::find(direction)?);
                cipher.directions().contains(&direction).then_some(Self::Cipher(cipher, direction))
            }
            None => hashdyno::find(name).map(Self::Digest),
        }
    }

    /// Whether it can be measured on messages of that size.
    pub fn takes(self, size: Size) -> bool {
        match self {
            Self::Digest(_) => size.bytes() <= MAX_PAYLOAD as u64,
            Self::Cipher(cipher, _) => size.one().is_some_and(|len| cipher.takes(len)),
        }
    }

    /// The sizes that it takes, in words.
    pub fn limits(self) -> &'static str {
        match self {
            Self::Digest(_) => "expected 1 GiB (1073741824 bytes) at most",
            Self::Cipher(..) => {
                "expected one message of whole blocks, 64 MiB at most, with CCM and XTS 16 MiB; of \
                    signatures one of 64 bytes"
            }
        }
    }

    /// Whether two names are of one algorithm; names that nobody knows are what they are.
    pub fn same(a: &str, b: &str) -> bool {
        a == b || Self::find(a).is_some_and(|found| Self::find(b) == Some(found))
    }

    /// The CPU features that somebody's implementation of it may have a use for, as far as our
    /// kernels and the mode tell.
    pub fn uses(self) -> Features {
        match self {
            Self::Digest(digest) => {
                digest.kernels().fold(Features::empty(), |used, kernel| used | kernel.needs())
            }
            // A cipher has no kernel of ours that tells its needs, so its mode tells them.
            Self::Cipher(Cipher { mode: Mode::Gcm | Mode::GcmSiv, .. }, _) => {
                Features::AES | Features::PCLMULQDQ
            }
            Self::Cipher(Cipher { family: Family::Aes, .. }, _) => Features::AES,
            Self::Cipher(Cipher { family: Family::ChaCha20, .. }, _) => {
                Features::AVX2 | Features::AVX512F
            }
            Self::Cipher(Cipher { family: Family::Hmac, name, .. }, _) => {
                let digest = name.strip_prefix("hmac-").and_then(hashdyno::find);
                digest.map_or(Features::empty(), |digest| Self::Digest(digest).uses())
            }
            Self::Cipher(..) => Features::empty(),
        }
    }
}
