//! The ciphers that can be measured, and what a study may name.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use hashdyno::{Digest, Features};

use crate::aes::Aes;
use crate::protocol::{MAX_PAYLOAD, unhex};
use crate::{Job, Offer, Size};

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

/// How the blocks of a message are put together. Only an envelope is padded: elsewhere messages are whole blocks.
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
    /// What document 002 makes in PHP: padding (PKCS #7), CBC, base64 of that, `::`, the initialisation vector, and base64 of
    /// the whole. More work than CBC, so it is a cipher of its own.
    Envelope,
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
    "aes-256-cbc-envelope" 32 Envelope,
}

/// The longest message in bytes of any cipher.
pub(crate) const LONGEST: usize = 64 << 20;

impl Algorithm {
    /// `sha256`, or `aes-256-gcm decrypt`.
    pub fn find(name: &str) -> Option<Self> {
        match name.split_once(' ') {
            Some((name, direction)) => Some(Self::Cipher(Cipher::find(name)?, Direction::find(direction)?)),
            None => hashdyno::find(name).map(Self::Digest),
        }
    }

    /// Whether it can be measured on messages of that size.
    pub(crate) fn takes(self, size: Size) -> bool {
        match self {
            Self::Digest(_) => size.bytes() <= MAX_PAYLOAD as u64,
            Self::Cipher(cipher, _) => size.one().is_some_and(|len| cipher.takes(len)),
        }
    }

    /// The sizes that it takes, in words.
    pub(crate) fn limits(self) -> &'static str {
        match self {
            Self::Digest(_) => "expected 1 GiB (1073741824 bytes) at most",
            Self::Cipher(..) => "expected one message of whole blocks, 64 MiB at most, with CCM less than 16 MiB",
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
            Self::Digest(digest) => digest.kernels().fold(Features::empty(), |used, kernel| used | kernel.needs()),
            Self::Cipher(Cipher { mode: Mode::Gcm, .. }, _) => Features::AES | Features::PCLMULQDQ,
            Self::Cipher(..) => Features::AES,
        }
    }

    /// To do it to messages of that size, which it takes, by the offer's default implementation, with the right answer.
    pub(crate) fn job(self, offer: &Offer, size: Size) -> Job {
        let messages = size.messages().into();
        match (self, size) {
            (Self::Digest(digest), Size::One(_)) => Job::digest(digest, offer, messages),
            (Self::Digest(digest), Size::Many(shape)) => Job::many(digest, offer, shape.lens().collect(), messages),
            (Self::Cipher(cipher, direction), _) => Job::cipher(cipher, direction, messages),
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
            Mode::Cbc | Mode::Ctr | Mode::Envelope => 16,
            Mode::Ccm | Mode::Gcm => 12,
        }
    }

    /// Length in bytes of the tag that follows the ciphertext.
    pub fn tag_len(self) -> usize {
        if matches!(self.mode, Mode::Ccm | Mode::Gcm) { 16 } else { 0 }
    }

    /// Whether messages of `len` bytes can be measured: whole blocks, up to what the host holds against an answer. CCM counts its
    /// bytes in three bytes where the nonce has twelve.
    pub(crate) fn takes(self, len: usize) -> bool {
        let longest = if self.mode == Mode::Ccm { (1 << 24) - 1 } else { LONGEST };
        len.is_multiple_of(16) && len <= longest
    }

    /// Whether an input of `len` bytes can be right: whole blocks and, on the way back, what makes the ciphertext longer.
    pub(crate) fn accepts(self, direction: Direction, len: usize) -> bool {
        match (self.mode, direction) {
            (Mode::Envelope, _) => true,
            (_, Direction::Encrypt) => len.is_multiple_of(16),
            (_, Direction::Decrypt) => len.checked_sub(self.tag_len()).is_some_and(|len| len.is_multiple_of(16)),
        }
    }

    /// The ciphertext of whole blocks, and the tag; or the envelope. `key` and `iv` have their lengths.
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
            Mode::Envelope => envelope(&aes.cbc(whole(), &padded(message)), iv),
        }
    }
}

/// PKCS #7 (RFC 5652, 6.3): as many bytes as are missing to a whole block, one at least, each the count of them.
fn padded(message: &[u8]) -> Vec<u8> {
    let missing = 16 - message.len() % 16;
    let mut padded = message.to_vec();
    padded.resize(message.len() + missing, missing as u8);
    padded
}

/// Document 002's `base64_encode($encrypted . '::' . $iv)`, whose `$encrypted` is base64 already: `openssl_encrypt` without
/// `OPENSSL_RAW_DATA` makes it so.
fn envelope(sealed: &[u8], iv: &[u8]) -> Vec<u8> {
    let mut inner = STANDARD.encode(sealed).into_bytes();
    inner.extend([b"::", iv].concat());
    STANDARD.encode(inner).into_bytes()
}

/// The published vectors of a cipher as jobs, each with its source.
pub(crate) fn vectors(cipher: Cipher, direction: Direction) -> impl Iterator<Item = (Job, &'static str)> {
    let lines = include_str!("vectors.txt").lines().filter(move |line| line.split(' ').next() == Some(cipher.name));
    lines.map(move |line| {
        let mut words = line.splitn(6, ' ').skip(1);
        let mut bytes =
            || words.next().and_then(|word| if word == "-" { Some(Vec::new()) } else { unhex(word) }).expect("hexadecimal");
        let (secret, texts) = ([bytes(), bytes()], [bytes().into(), bytes().into()]);
        (Job::published(cipher, direction, secret, texts), words.next().expect("a source"))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_aes_has_a_published_vector_and_ours_gives_it() {
        for cipher in CIPHERS.iter().filter(|cipher| cipher.mode != Mode::Envelope) {
            assert_eq!(vectors(*cipher, Direction::Encrypt).count(), 1, "{}", cipher.name);
            for (job, source) in vectors(*cipher, Direction::Encrypt) {
                let Job::Cipher { key, iv, input, expected, .. } = job else { panic!("a cipher's job") };
                assert_eq!(cipher.seal(&key, &iv, &input), *expected, "{} {source}", cipher.name);
            }
        }
    }

    /// By PHP 8.2: `base64_encode(openssl_encrypt($message, 'aes-256-cbc', $key, 0, $iv) . '::' . $iv)`.
    #[test]
    fn the_envelope_is_the_documents() {
        let cipher = Cipher::find("aes-256-cbc-envelope").unwrap();
        let key: Vec<u8> = (0x40..0x60).collect();
        let iv: Vec<u8> = (0x10..0x20).collect();
        let sealed = |message: &[u8]| String::from_utf8(cipher.seal(&key, &iv, message)).unwrap();
        assert_eq!(
            sealed(b"aaaaaaaaaaaaaaaa"),
            "K1lqYzUwLzJVVjczZzVlKytwdFJFMzg0d21LYnptMytMR1N0eS9NcXVBYz06OhAREhMUFRYXGBkaGxwdHh8="
        );
        assert_eq!(sealed(b"abc"), "QUlOaTc3ZlB2L2t1NTU2QnBLRmxhQT09OjoQERITFBUWFxgZGhscHR4f");
    }
}
