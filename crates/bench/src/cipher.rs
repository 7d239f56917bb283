//! The ciphers that can be measured, and what a study may name.

use std::fmt;
use std::sync::Arc;

use hashdyno::{Digest, Features};

use crate::aes::Aes;
use crate::{Job, Offer};

/// AES in a mode, under the name that OpenSSL gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cipher {
    /// `aes-256-gcm`.
    pub name: &'static str,
    /// Length of the key in bytes.
    pub key_len: usize,
    /// How blocks are put together.
    pub mode: Mode,
}

/// How the blocks of a message are put together. None is padded: messages are whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each block by itself.
    Ecb,
    /// Each block after the one before.
    Cbc,
    /// A stream of encrypted counters; the first is the initialisation vector.
    Ctr,
    /// A counter stream, and a tag by CBC: two encryptions for each block.
    Ccm,
    /// A counter stream, and a tag by multiplication.
    Gcm,
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From message to ciphertext, and a tag if the mode has one.
    Encrypt,
    /// Back, and the tag must be right.
    Decrypt,
}

/// What can be measured: a digest, or a cipher in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Any of the registry.
    Digest(&'static Digest),
    /// Any of [`CIPHERS`].
    Cipher(Cipher, Direction),
}

macro_rules! ciphers {
    ($($name:literal $key_len:literal $mode:ident),* $(,)?) => {
        /// Every cipher there is.
        pub const CIPHERS: &[Cipher] = &[$(Cipher { name: $name, key_len: $key_len, mode: Mode::$mode }),*];
    };
}

ciphers! {
    "aes-128-ecb" 16 Ecb, "aes-192-ecb" 24 Ecb, "aes-256-ecb" 32 Ecb,
    "aes-128-cbc" 16 Cbc, "aes-192-cbc" 24 Cbc, "aes-256-cbc" 32 Cbc,
    "aes-128-ctr" 16 Ctr, "aes-192-ctr" 24 Ctr, "aes-256-ctr" 32 Ctr,
    "aes-128-ccm" 16 Ccm, "aes-192-ccm" 24 Ccm, "aes-256-ccm" 32 Ccm,
    "aes-128-gcm" 16 Gcm, "aes-192-gcm" 24 Gcm, "aes-256-gcm" 32 Gcm,
}

/// The longest message of a cipher in bytes: its answer is a line, twice as long.
pub(crate) const LONGEST: usize = 16 << 10;

impl Algorithm {
    /// `sha256`, or `aes-256-gcm decrypt`.
    pub fn find(name: &str) -> Option<Self> {
        match name.split_once(' ') {
            Some((name, direction)) => Some(Self::Cipher(Cipher::find(name)?, Direction::find(direction)?)),
            None => hashdyno::find(name).map(Self::Digest),
        }
    }

    /// Whether two names are of one algorithm; names that nobody knows are what they are.
    pub(crate) fn same(a: &str, b: &str) -> bool {
        a == b || Self::find(a).is_some_and(|found| Self::find(b) == Some(found))
    }

    /// The ways to compute it among those of its offer; a cipher has one.
    pub(crate) fn implementations(self, offer: &Offer) -> &[String] {
        match self {
            Self::Digest(_) => &offer.variants,
            Self::Cipher(..) => &[],
        }
    }

    /// The CPU features that somebody's implementation of it may have a use for, as far as our kernels and the mode tell.
    pub(crate) fn uses(self) -> Features {
        match self {
            Self::Digest(digest) => digest.kernels.iter().fold(Features::empty(), |used, kernel| used | kernel.needs),
            Self::Cipher(Cipher { mode: Mode::Gcm, .. }, _) => Features::AES | Features::PCLMULQDQ,
            Self::Cipher(..) => Features::AES,
        }
    }

    /// To do it to `message` by the offer's default implementation, with the right answer.
    pub(crate) fn job(self, offer: &Offer, message: Arc<[u8]>) -> Job {
        match self {
            Self::Digest(digest) => Job::digest(digest, offer, message),
            Self::Cipher(cipher, direction) => Job::cipher(cipher, direction, message),
        }
    }
}

impl Cipher {
    /// The cipher of that name.
    pub fn find(name: &str) -> Option<Self> {
        CIPHERS.iter().find(|cipher| cipher.name == name).copied()
    }

    /// Length in bytes of what must differ from message to message.
    pub fn iv_len(self) -> usize {
        match self.mode {
            Mode::Ecb => 0,
            Mode::Cbc | Mode::Ctr => 16,
            Mode::Ccm | Mode::Gcm => 12,
        }
    }

    /// Length in bytes of the tag that follows the ciphertext.
    pub fn tag_len(self) -> usize {
        if matches!(self.mode, Mode::Ccm | Mode::Gcm) { 16 } else { 0 }
    }

    /// The ciphertext of whole blocks, and the tag. `key` and `iv` have their lengths.
    pub(crate) fn seal(self, key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
        let aes = Aes::new(key);
        let whole = || iv.try_into().expect("16 bytes");
        let nonce = || iv.try_into().expect("12 bytes");
        match self.mode {
            Mode::Ecb => aes.ecb(message),
            Mode::Cbc => aes.cbc(whole(), message),
            Mode::Ctr => aes.ctr(whole(), 16, message),
            Mode::Ccm => aes.ccm(nonce(), message),
            Mode::Gcm => aes.gcm(nonce(), message),
        }
    }
}

impl Direction {
    /// `encrypt` or `decrypt`.
    pub fn find(name: &str) -> Option<Self> {
        [Self::Encrypt, Self::Decrypt].into_iter().find(|direction| direction.to_string() == name)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
        })
    }
}
