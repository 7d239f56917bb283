//! The ciphers that can be measured.
//!
//! A cipher is a row of `ciphers!`: family, mode, names and the length of the key in bytes. All
//! lengths follow from family and mode: the initialisation vector, the tag, the messages that it
//! takes. docs/PROTOCOL.md has the same as a table.
//!
//! `seal` is the answer that runners are held against, by plain code of our own or by RustCrypto's
//! crates. Its speed does not count.

use std::fmt;

use data_encoding::BASE64;

use super::aes::Aes;
use super::family::Family;
use super::others;
use super::signature::MESSAGE;

/// A block cipher in a mode, a stream cipher or a keyed digest, under the name that OpenSSL gives
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cipher {
    /// `aes-256-gcm`.
    pub name: &'static str,
    /// Length of the key in bytes.
    pub key_len: usize,
    /// What is done with a block.
    pub family: Family,
    /// How blocks are put together.
    pub mode: Mode,
}

/// How the blocks of a message are put together. Only an envelope is padded: elsewhere messages are
/// whole blocks.
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
    /// A tag by multiplication, and a counter stream that begins with it (RFC 8452): a nonce that
    /// is used twice shows no more than that a message was sent twice.
    GcmSiv,
    /// Each block between the ciphertext and the message of the one before (infinite garble
    /// extension), as OpenSSL has it.
    Ige,
    /// Each block under a tweak of its place (IEEE 1619), with two keys.
    Xts,
    /// A stream of bytes that is added to the message.
    Stream,
    /// A stream, and a tag by Poly1305.
    Poly1305,
    /// A tag alone.
    Hmac,
    /// A signature with a private key, and what a public one says of it.
    Signature,
    /// What document 002 makes in PHP: padding (PKCS #7), CBC, base64 of that, `::`, the
    /// initialisation vector, and base64 of the whole. More work than CBC, so it is a cipher of its
    /// own.
    Envelope,
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From message to ciphertext, and a tag if the mode has one.
    Encrypt,
    /// Back, and the tag must be right.
    Decrypt,
    /// From message to tag, of what has nothing else.
    Authenticate,
    /// From message to signature.
    Sign,
    /// From message and signature to the message, if the signature is its.
    Verify,
}

macro_rules! ciphers {
    ($($family:ident $mode:ident: $($name:literal $key_len:literal),*;)*) => {
        /// Every cipher there is. An HMAC's key has the length of OpenSSL's own benchmark, or that
        /// of RFC 4231's vectors.
        pub const CIPHERS: &[Cipher] = &[$($(Cipher {
            name: $name,
            key_len: $key_len,
            family: Family::$family,
            mode: Mode::$mode,
        }),*),*];
    };
}

ciphers! {
    Aes Ecb: "aes-128-ecb" 16, "aes-192-ecb" 24, "aes-256-ecb" 32;
    Aes Cbc: "aes-128-cbc" 16, "aes-192-cbc" 24, "aes-256-cbc" 32;
    Aes Ctr: "aes-128-ctr" 16, "aes-192-ctr" 24, "aes-256-ctr" 32;
    Aes Ccm: "aes-128-ccm" 16, "aes-192-ccm" 24, "aes-256-ccm" 32;
    Aes Gcm: "aes-128-gcm" 16, "aes-192-gcm" 24, "aes-256-gcm" 32;
    Aes GcmSiv: "aes-128-gcm-siv" 16, "aes-256-gcm-siv" 32;
    Aes Envelope: "aes-256-cbc-envelope" 32;
    Aes Ige: "aes-128-ige" 16, "aes-192-ige" 24, "aes-256-ige" 32;
    Aes Xts: "aes-128-xts" 32, "aes-256-xts" 64;
    ChaCha20 Poly1305: "chacha20-poly1305" 32;
    Camellia Cbc: "camellia-128-cbc" 16, "camellia-192-cbc" 24, "camellia-256-cbc" 32;
    Des Cbc: "des-cbc" 8;
    DesEde3 Cbc: "des-ede3-cbc" 24;
    Blowfish Cbc: "bf-cbc" 16;
    Cast5 Cbc: "cast5-cbc" 16;
    Idea Cbc: "idea-cbc" 16;
    Rc2 Cbc: "rc2-cbc" 16;
    Seed Cbc: "seed-cbc" 16;
    Rc4 Stream: "rc4" 16;
    Rsa Signature: "rsa-2048" 1191;
    Ecdsa Signature: "ecdsa-p256" 121;
    Ed25519 Signature: "ed25519" 32;
    Hmac Hmac: "hmac-md5" 16, "hmac-sha1" 20, "hmac-sha256" 20, "hmac-sha512" 20;
}

/// The longest message in bytes of any cipher.
pub(crate) const LONGEST: usize = 64 << 20;

impl Cipher {
    /// The cipher of that name.
    pub fn find(name: &str) -> Option<Self> {
        CIPHERS.iter().find(|cipher| cipher.name == name).copied()
    }

    /// The ways that it goes.
    pub fn directions(self) -> &'static [Direction] {
        match self.mode {
            Mode::Hmac => &[Direction::Authenticate],
            // A signature by ECDSA has a random number in it: no answer can be expected.
            Mode::Signature if self.family == Family::Ecdsa => &[Direction::Verify],
            Mode::Signature => &[Direction::Sign, Direction::Verify],
            _ => &[Direction::Encrypt, Direction::Decrypt],
        }
    }

    /// Bits of the key; of a private key those of its modulus or field.
    pub fn key_bits(self) -> usize {
        match self.family {
            Family::Rsa => 2048,
            Family::Ecdsa => 256,
            _ => 8 * self.key_len,
        }
    }

    /// Length in bytes of what must differ from message to message.
    pub fn iv_len(self) -> usize {
        match self.mode {
            Mode::Ecb | Mode::Stream | Mode::Hmac | Mode::Signature => 0,
            Mode::Cbc if !self.has_blocks_of_16() => 8,
            Mode::Cbc | Mode::Ctr | Mode::Xts | Mode::Envelope => 16,
            Mode::Ccm | Mode::Gcm | Mode::GcmSiv | Mode::Poly1305 => 12,
            Mode::Ige => 32,
        }
    }

    /// Length in bytes of the tag that follows the ciphertext, or of the signature that follows the
    /// message.
    pub fn tag_len(self) -> usize {
        match (self.mode, self.family) {
            (Mode::Signature, Family::Rsa) => 256,
            (Mode::Signature, Family::Ecdsa) => 71, // in DER it may have other lengths
            (Mode::Signature, _) => 64,
            (Mode::Ccm | Mode::Gcm | Mode::GcmSiv | Mode::Poly1305, _) => 16,
            _ => 0,
        }
    }

    fn has_blocks_of_16(self) -> bool {
        matches!(self.family, Family::Aes | Family::Camellia | Family::Seed)
    }

    /// Whether messages of `len` bytes can be measured: whole blocks of 16 bytes, up to what the
    /// host holds against an answer. CCM counts its bytes in three bytes where the nonce has
    /// twelve; XTS has 2^20 blocks under one tweak at most.
    pub fn takes(self, len: usize) -> bool {
        let longest = match self.mode {
            Mode::Ccm => (1 << 24) - 1,
            Mode::Xts => 1 << 24,
            _ => LONGEST,
        };
        match self.mode {
            Mode::Hmac => len <= longest,
            Mode::Signature => len == MESSAGE,
            _ => len.is_multiple_of(16) && len <= longest,
        }
    }

    /// Whether an input of `len` bytes can be right: whole blocks and, on the way back, what makes
    /// the ciphertext longer.
    pub fn accepts(self, direction: Direction, len: usize) -> bool {
        match (self.mode, direction) {
            (Mode::Envelope, Direction::Encrypt | Direction::Decrypt) => true,
            (mode, Direction::Authenticate) => mode == Mode::Hmac,
            (Mode::Hmac, _) => false,
            (Mode::Signature, Direction::Sign) => len == MESSAGE,
            (Mode::Signature, Direction::Verify) => len == MESSAGE + self.tag_len(),
            (Mode::Signature, _) | (_, Direction::Sign | Direction::Verify) => false,
            (_, Direction::Encrypt) => len.is_multiple_of(16),
            (_, Direction::Decrypt) => {
                len.checked_sub(self.tag_len()).is_some_and(|len| len.is_multiple_of(16))
            }
        }
    }

    /// The ciphertext of whole blocks, and the tag; or the envelope, or the tag alone. `key` and
    /// `iv` have their lengths.
    ///
    /// # Panics
    /// Of a signature, which is not computed.
    pub fn seal(self, key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
        if self.family != Family::Aes {
            return others::seal(self.family, self.name, key, iv, message);
        }
        let aes = || Aes::new(key);
        let whole = || iv.try_into().expect("16 bytes");
        let nonce = || iv.try_into().expect("12 bytes");
        match self.mode {
            Mode::Ecb => aes().ecb(message),
            Mode::Cbc => aes().cbc(whole(), message),
            Mode::Ctr => aes().ctr(whole(), 16, message),
            Mode::Ccm => aes().ccm(nonce(), message),
            Mode::Gcm => aes().gcm(nonce(), message),
            Mode::GcmSiv => aes().gcm_siv(key.len(), nonce(), message),
            Mode::Ige => aes().ige(iv.try_into().expect("32 bytes"), message),
            Mode::Xts => {
                let (key, tweak_key) = key.split_at(key.len() / 2);
                Aes::new(key).xts(&Aes::new(tweak_key), whole(), message)
            }
            Mode::Envelope => envelope(&aes().cbc(whole(), &padded(message)), iv),
            Mode::Stream | Mode::Poly1305 | Mode::Hmac | Mode::Signature => {
                unreachable!("no mode of AES")
            }
        }
    }
}

/// PKCS #7 (RFC 5652, 6.3): as many bytes as are missing to a whole block, one at least, each the
/// count of them.
fn padded(message: &[u8]) -> Vec<u8> {
    let missing = 16 - message.len() % 16;
    let mut padded = message.to_vec();
    padded.resize(message.len() + missing, missing as u8);
    padded
}

/// Document 002's `base64_encode($encrypted . '::' . $iv)`, whose `$encrypted` is base64 already:
/// `openssl_encrypt` without `OPENSSL_RAW_DATA` makes it so.
fn envelope(sealed: &[u8], iv: &[u8]) -> Vec<u8> {
    let mut inner = BASE64.encode(sealed).into_bytes();
    inner.extend([b"::", iv].concat());
    BASE64.encode(&inner).into_bytes()
}

impl Direction {
    /// `encrypt`, `decrypt`, `authenticate`, `sign` or `verify`.
    pub fn find(name: &str) -> Option<Self> {
        [Self::Encrypt, Self::Decrypt, Self::Authenticate, Self::Sign, Self::Verify]
            .into_iter()
            .find(|direction| direction.to_string() == name)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Authenticate => "authenticate",
            Self::Sign => "sign",
            Self::Verify => "verify",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By PHP 8.2: `base64_encode(openssl_encrypt($message, 'aes-256-cbc', $key, 0, $iv) . '::' .
    /// $iv)`.
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
