//! ring's digests, ciphers and signatures.
//!
//! ring is compiled in, and its version is that of Cargo.lock. Of AES it has GCM alone, without
//! keys of 192 bits. `LessSafeKey` takes the vector of the job; ring's other keys count vectors
//! themselves.

use ring::aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::digest;
use ring::rand::SystemRandom;
use ring::signature::{
    self, Ed25519KeyPair, KeyPair, RsaKeyPair, UnparsedPublicKey, VerificationAlgorithm,
};
use runner::Direction::{Sign, Verify};

use crate::functions::Functions;
use crate::lock;

/// Its digests, its AES-GCM and its signatures. Its ChaCha20-Poly1305 is not offered.
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
    add_signatures(&mut functions);
    functions
}

/// The key is read once; a public key is read by each call that verifies, as ring has it.
fn add_signatures(functions: &mut Functions) {
    functions.add_cipher("rsa-2048", Sign, |task| {
        let key = RsaKeyPair::from_der(&task.key).map_err(|error| error.to_string())?;
        let random = SystemRandom::new();
        Ok(move |message: &[u8], out: &mut [u8]| {
            key.sign(&signature::RSA_PKCS1_SHA256, &random, message, out).is_ok()
        })
    });
    functions.add_cipher("ed25519", Sign, |task| {
        let key = Ed25519KeyPair::from_seed_unchecked(&task.key);
        let key = key.map_err(|error| error.to_string())?;
        Ok(move |message: &[u8], out: &mut [u8]| {
            out.copy_from_slice(key.sign(message).as_ref());
            true
        })
    });
    add_verify(functions, "rsa-2048", &signature::RSA_PKCS1_2048_8192_SHA256, |key| {
        Some(RsaKeyPair::from_der(key).ok()?.public().as_ref().to_vec())
    });
    // At the end of RFC 5915's structure stands the public key, a point that is not compressed.
    add_verify(functions, "ecdsa-p256", &signature::ECDSA_P256_SHA256_ASN1, |key| {
        Some(key.last_chunk::<65>()?.to_vec())
    });
    add_verify(functions, "ed25519", &signature::ED25519, |key| {
        Some(Ed25519KeyPair::from_seed_unchecked(key).ok()?.public_key().as_ref().to_vec())
    });
}

fn add_verify(
    functions: &mut Functions,
    name: &'static str,
    scheme: &'static dyn VerificationAlgorithm,
    public: fn(&[u8]) -> Option<Vec<u8>>,
) {
    functions.add_cipher(name, Verify, move |task| {
        let key = public(&task.key).ok_or("not this key")?;
        let key = UnparsedPublicKey::new(scheme, key);
        Ok(move |input: &[u8], out: &mut [u8]| {
            let (message, signature) = input.split_at(out.len());
            out.copy_from_slice(message);
            key.verify(message, signature).is_ok()
        })
    });
}

fn nonce(iv: &[u8]) -> Nonce {
    Nonce::try_assume_unique_for_key(iv).expect("12 bytes")
}
