//! Ciphers other than AES, by RustCrypto's crates, SEED by the RFC, and HMAC by our own digests:
//! what those that are measured are held against.

use blowfish::Blowfish;
use camellia::{Camellia128, Camellia192, Camellia256};
use cast5::Cast5;
use chacha20poly1305::ChaCha20Poly1305;
use chacha20poly1305::aead::AeadInOut;
use des::cipher::{Array, Block, BlockCipherEncrypt, KeyInit, StreamCipher};
use des::{Des, TdesEde3};
use idea::Idea;
use rc2::Rc2;
use rc4::Rc4;

use super::family::Family;
use super::seed;

/// The ciphertext of `message`, and the tag, or the tag alone. `key` and `iv` have their lengths,
/// and the message is whole blocks.
pub(super) fn seal(family: Family, name: &str, key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
    match (family, key.len()) {
        (Family::Aes, _) => unreachable!("it has a file of its own"),
        (Family::Rsa | Family::Ecdsa | Family::Ed25519, _) => {
            unreachable!("signatures are known, not computed")
        }
        (Family::Blowfish, _) => cbc::<Blowfish>(key, iv, message),
        (Family::Camellia, 16) => cbc::<Camellia128>(key, iv, message),
        (Family::Camellia, 24) => cbc::<Camellia192>(key, iv, message),
        (Family::Camellia, _) => cbc::<Camellia256>(key, iv, message),
        (Family::Cast5, _) => cbc::<Cast5>(key, iv, message),
        (Family::ChaCha20, _) => poly1305(key, iv, message),
        (Family::Des, _) => cbc::<Des>(key, iv, message),
        (Family::DesEde3, _) => cbc::<TdesEde3>(key, iv, message),
        (Family::Hmac, _) => hmac(digest_of(name), key, message),
        (Family::Idea, _) => cbc::<Idea>(key, iv, message),
        (Family::Rc2, _) => cbc::<Rc2>(key, iv, message),
        (Family::Rc4, _) => rc4(key, message),
        (Family::Seed, _) => seed::cbc(key, iv, message),
    }
}

/// Cipher block chaining (SP 800-38A, 6.2), whole blocks.
fn cbc<C: BlockCipherEncrypt + KeyInit>(key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
    let cipher = C::new_from_slice(key).expect("a key of its length");
    let mut sealed = message.to_vec();
    let mut chain = Block::<C>::try_from(iv).expect("a block");
    for block in Block::<C>::slice_as_chunks_mut(&mut sealed).0 {
        block.iter_mut().zip(&chain).for_each(|(byte, before)| *byte ^= before);
        cipher.encrypt_block(block);
        chain.clone_from(block);
    }
    sealed
}

fn rc4(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut sealed = message.to_vec();
    Rc4::new_from_slice(key).expect("16 bytes").apply_keystream(&mut sealed);
    sealed
}

/// RFC 8439, 2.8, without associated data.
fn poly1305(key: &[u8], nonce: &[u8], message: &[u8]) -> Vec<u8> {
    let cipher = ChaCha20Poly1305::new_from_slice(key).expect("32 bytes");
    let nonce = Array::try_from(nonce).expect("12 bytes");
    let mut sealed = message.to_vec();
    let tag = cipher
        .encrypt_inout_detached(&nonce, &[], sealed.as_mut_slice().into())
        .expect("less than 256 GiB");
    sealed.extend(tag);
    sealed
}

/// The digest of an HMAC, which its name ends in.
fn digest_of(cipher: &str) -> &'static hashdyno::Digest {
    let name = cipher.strip_prefix("hmac-").expect("an HMAC's name begins so");
    hashdyno::find(name).expect("a digest of ours")
}

/// RFC 2104, for keys of a block at most.
fn hmac(digest: &'static hashdyno::Digest, key: &[u8], message: &[u8]) -> Vec<u8> {
    // A longer key would be hashed first (RFC 2104, 2). No cipher of the list has one.
    let padded = |byte: u8| {
        let mut block = vec![byte; digest.block_len];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = digest.digest(&[padded(0x36), message.to_vec()].concat());
    digest.digest(&[padded(0x5c), inner.to_vec()].concat()).to_vec()
}
