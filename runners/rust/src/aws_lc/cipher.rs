//! AWS-LC's ciphers: the key is kept. ECB, CBC and CTR, and GCM where it encrypts, work in place,
//! so each call copies the message first. It has no CCM that takes messages of any length.

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce};
use aws_lc_rs::cipher::{
    self, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::iv::FixedLength;
use runner::Direction::{Decrypt, Encrypt};
use runner::{CIPHERS, Mode};

use crate::functions::Functions;

/// Adds AES in ECB, CBC, CTR and GCM. Its ChaCha20-Poly1305 is not offered.
pub(super) fn add(functions: &mut Functions) {
    for cipher in CIPHERS {
        match cipher.mode {
            Mode::Ecb => add_mode(functions, cipher, EncryptingKey::ecb, DecryptingKey::ecb),
            Mode::Cbc => add_mode(functions, cipher, EncryptingKey::cbc, DecryptingKey::cbc),
            Mode::Ctr => add_mode(functions, cipher, EncryptingKey::ctr, DecryptingKey::ctr),
            Mode::Gcm => add_gcm(functions, cipher),
            _ => {}
        }
    }
}

type MakeKey<K> = fn(UnboundCipherKey) -> Result<K, Unspecified>;

fn add_mode(
    functions: &mut Functions,
    cipher: &'static runner::Cipher,
    encrypting: MakeKey<EncryptingKey>,
    decrypting: MakeKey<DecryptingKey>,
) {
    let algorithm = match cipher.key_len {
        16 => &cipher::AES_128,
        24 => &cipher::AES_192,
        _ => &cipher::AES_256,
    };
    let unbound = move |key: &[u8]| UnboundCipherKey::new(algorithm, key);
    functions.add_cipher(cipher.name, Encrypt, move |task| {
        let key = unbound(&task.key).and_then(encrypting).map_err(|error| error.to_string())?;
        let iv = FixedLength::try_from(task.iv.as_slice()).ok();
        Ok(move |message: &[u8], out: &mut [u8]| {
            out.copy_from_slice(message);
            let context = iv
                .as_ref()
                .map_or(EncryptionContext::None, |iv| EncryptionContext::Iv128(copy(iv)));
            // `encrypt` draws a random vector. `less_safe_encrypt` takes the vector of the job.
            key.less_safe_encrypt(out, context).is_ok()
        })
    });
    functions.add_cipher(cipher.name, Decrypt, move |task| {
        let key = unbound(&task.key).and_then(decrypting).map_err(|error| error.to_string())?;
        let iv = FixedLength::try_from(task.iv.as_slice()).ok();
        Ok(move |sealed: &[u8], out: &mut [u8]| {
            out.copy_from_slice(sealed);
            let context = iv
                .as_ref()
                .map_or(DecryptionContext::None, |iv| DecryptionContext::Iv128(copy(iv)));
            key.decrypt(out, context).is_ok()
        })
    });
}

/// A context owns its vector, and the type has no `Clone`.
fn copy(iv: &FixedLength<16>) -> FixedLength<16> {
    FixedLength::from(iv.as_ref())
}

fn add_gcm(functions: &mut Functions, cipher: &'static runner::Cipher) {
    let algorithm = match cipher.key_len {
        16 => &aead::AES_128_GCM,
        24 => &aead::AES_192_GCM,
        _ => &aead::AES_256_GCM,
    };
    let key = |key: &[u8]| {
        aead::UnboundKey::new(algorithm, key)
            .map(LessSafeKey::new)
            .map_err(|error| error.to_string())
    };
    let seal = |key: &LessSafeKey, iv: &[u8], message: &mut [u8]| {
        let tag = key.seal_in_place_separate_tag(nonce(iv), Aad::empty(), message).ok()?;
        tag.as_ref().try_into().ok()
    };
    functions.add_gcm(cipher.name, key, seal, |key, iv, sealed, tag, out| {
        key.open_separate_gather(nonce(iv), Aad::empty(), sealed, tag, out).is_ok()
    });
}

fn nonce(iv: &[u8]) -> Nonce {
    Nonce::try_assume_unique_for_key(iv).expect("12 bytes")
}
