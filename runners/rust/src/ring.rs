//! ring's digests and ciphers.

use ring::aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::digest;

use crate::functions::Functions;
use crate::lock;

/// All that it has.
pub fn load() -> Functions {
    let mut functions = Functions::new("ring", &lock::version("ring"), []);
    for (name, algorithm) in [
        ("sha1", &digest::SHA1_FOR_LEGACY_USE_ONLY),
        ("sha256", &digest::SHA256),
        ("sha384", &digest::SHA384),
        ("sha512", &digest::SHA512),
        ("sha512-256", &digest::SHA512_256),
    ] {
        functions.add(name, "digest", algorithm.output_len(), |message, out| {
            out.copy_from_slice(digest::digest(algorithm, message).as_ref());
        });
    }
    // ring works in place, so each call copies the message first.
    for (name, algorithm) in [("aes-128-gcm", &AES_128_GCM), ("aes-256-gcm", &AES_256_GCM)] {
        let key = |key: &[u8]| {
            UnboundKey::new(algorithm, key).map(LessSafeKey::new).map_err(|error| error.to_string())
        };
        let seal = |key: &LessSafeKey, iv: &[u8], message: &mut [u8]| {
            let tag = key.seal_in_place_separate_tag(nonce(iv), Aad::empty(), message).ok()?;
            tag.as_ref().try_into().ok()
        };
        functions.add_gcm(name, key, seal, |key, iv, sealed, tag, out| {
            out.copy_from_slice(sealed);
            key.open_in_place_separate_tag(nonce(iv), Aad::empty(), (*tag).into(), out, 0..).is_ok()
        });
    }
    functions
}

fn nonce(iv: &[u8]) -> Nonce {
    Nonce::try_assume_unique_for_key(iv).expect("12 bytes")
}
