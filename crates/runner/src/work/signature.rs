//! Signatures: `signatures.txt` has the one message, the keys and the answers.
//!
//! A line of the file has five words: scheme, private key, message, signature, source. An ECDSA
//! signature has a random part, so its signing has no expected answer. RSA by PKCS #1 v1.5 and
//! Ed25519 are deterministic.

use crate::text::unhex;

/// A signature that is known.
pub(crate) struct Known {
    /// The private key, which has the public one.
    pub(crate) key: Vec<u8>,
    /// What is signed.
    pub(crate) message: Vec<u8>,
    /// The signature.
    pub(crate) signature: Vec<u8>,
    /// Where it comes from.
    pub(crate) source: &'static str,
}

/// That of a scheme by its name.
pub(crate) fn known(name: &str) -> Option<Known> {
    let mut lines = KNOWN.lines().filter(|line| !line.starts_with('#'));
    let line = lines.find(|line| line.split(' ').next() == Some(name))?;
    let mut words = line.splitn(5, ' ').skip(1);
    let mut bytes = || unhex(words.next()?);
    let (key, message, signature) = (bytes()?, bytes()?, bytes()?);
    Some(Known { key, message, signature, source: words.next()? })
}

/// Bytes of the message.
pub(crate) const MESSAGE: usize = 64;

const KNOWN: &str = include_str!("signatures.txt");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{CIPHERS, Mode};

    #[test]
    fn every_scheme_has_a_signature_of_its_lengths() {
        let schemes: Vec<_> =
            CIPHERS.iter().filter(|cipher| cipher.mode == Mode::Signature).collect();
        assert_eq!(schemes.len(), 3);
        for cipher in schemes {
            let known = known(cipher.name).unwrap();
            assert_eq!(known.key.len(), cipher.key_len, "{}", cipher.name);
            assert_eq!(known.signature.len(), cipher.tag_len(), "{}", cipher.name);
            assert_eq!(known.message.len(), MESSAGE, "{}", cipher.name);
            assert!(!known.source.is_empty() && cipher.takes(MESSAGE) && !cipher.takes(32));
        }
        assert!(known("rsa-1024").is_none());
    }
}
