//! ring's digests and ciphers.

use bench::Direction::{Decrypt, Encrypt};
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
        let key = |key: &[u8]| UnboundKey::new(algorithm, key).map(LessSafeKey::new).map_err(|error| error.to_string());
        functions.add_cipher(name, Encrypt, move |task| {
            let (key, iv) = (key(&task.key)?, task.iv.clone());
            Ok(move |message: &[u8], out: &mut [u8]| {
                let (sealed, tag) = out.split_at_mut(message.len());
                sealed.copy_from_slice(message);
                let nonce = Nonce::try_assume_unique_for_key(&iv).expect("12 bytes");
                let found = key.seal_in_place_separate_tag(nonce, Aad::empty(), sealed);
                found.is_ok_and(|found| {
                    tag.copy_from_slice(found.as_ref());
                    true
                })
            })
        });
        functions.add_cipher(name, Decrypt, move |task| {
            let (key, iv) = (key(&task.key)?, task.iv.clone());
            Ok(move |sealed: &[u8], out: &mut [u8]| {
                let (sealed, tag) = sealed.split_at(out.len());
                out.copy_from_slice(sealed);
                let nonce = Nonce::try_assume_unique_for_key(&iv).expect("12 bytes");
                key.open_in_place_separate_tag(nonce, Aad::empty(), tag.try_into().expect("16 bytes"), out, 0..).is_ok()
            })
        });
    }
    functions
}
