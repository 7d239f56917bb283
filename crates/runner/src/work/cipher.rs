//! The ciphers that can be measured.

use std::fmt;

use data_encoding::BASE64;

use super::aes::Aes;

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

    /// Whether messages of `len` bytes can be measured: whole blocks, up to what the host holds
    /// against an answer. CCM counts its bytes in three bytes where the nonce has twelve.
    pub fn takes(self, len: usize) -> bool {
        let longest = if self.mode == Mode::Ccm { (1 << 24) - 1 } else { LONGEST };
        len.is_multiple_of(16) && len <= longest
    }

    /// Whether an input of `len` bytes can be right: whole blocks and, on the way back, what makes
    /// the ciphertext longer.
    pub fn accepts(self, direction: Direction, len: usize) -> bool {
        match (self.mode, direction) {
            (Mode::Envelope, _) => true,
            (_, Direction::Encrypt) => len.is_multiple_of(16),
            (_, Direction::Decrypt) => {
                len.checked_sub(self.tag_len()).is_some_and(|len| len.is_multiple_of(16))
            }
        }
    }

    /// The ciphertext of whole blocks, and the tag; or the envelope. `key` and `iv` have their
    /// lengths.
    pub fn seal(self, key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
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
