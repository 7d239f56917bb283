//! RustCrypto's ciphers: the key is expanded once, each call sets the initialisation vector and
//! does the message, out of place.
//!
//! `ready` expands the key once for each job. The modes borrow the cipher, so a call makes only the
//! mode's own state, on the stack. The functions with `b2b` and `inout` go from one buffer to
//! another.

use aes::cipher::consts::{U12, U16};
use aes::cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InOutBuf, InnerIvInit, KeyInit, StreamCipher, StreamCipherCoreWrapper,
};
use aes::{Aes128, Aes192, Aes256};
use aes_gcm::aead::{AeadCore, AeadInOut};
use runner::Direction::{Decrypt, Encrypt};
use runner::serve::CipherTask;

use crate::functions::Functions;

/// Adds every mode that it has.
pub(super) fn add(functions: &mut Functions) {
    add_modes::<Aes128>(
        functions,
        ["aes-128-ecb", "aes-128-cbc", "aes-128-ctr", "aes-128-ccm", "aes-128-gcm"],
    );
    add_modes::<Aes192>(
        functions,
        ["aes-192-ecb", "aes-192-cbc", "aes-192-ctr", "aes-192-ccm", "aes-192-gcm"],
    );
    add_modes::<Aes256>(
        functions,
        ["aes-256-ecb", "aes-256-cbc", "aes-256-ctr", "aes-256-ccm", "aes-256-gcm"],
    );
    add_aead::<aes_gcm_siv::AesGcmSiv<Aes128>>(functions, "aes-128-gcm-siv");
    add_aead::<aes_gcm_siv::AesGcmSiv<Aes256>>(functions, "aes-256-gcm-siv");
    add_aead::<chacha20poly1305::ChaCha20Poly1305>(functions, "chacha20-poly1305");
}

type Block = Array<u8, U16>;

fn add_modes<C>(functions: &mut Functions, [ecb, cbc, ctr, ccm, gcm]: [&'static str; 5])
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
{
    functions.add_cipher(ecb, Encrypt, |task| {
        let (cipher, _) = ready::<C>(task)?;
        Ok(move |from: &[u8], to: &mut [u8]| {
            cipher.encrypt_blocks_b2b(blocks(from), blocks_mut(to)).is_ok()
        })
    });
    functions.add_cipher(ecb, Decrypt, |task| {
        let (cipher, _) = ready::<C>(task)?;
        Ok(move |from: &[u8], to: &mut [u8]| {
            cipher.decrypt_blocks_b2b(blocks(from), blocks_mut(to)).is_ok()
        })
    });
    functions.add_cipher(cbc, Encrypt, |task| {
        let (cipher, iv) = ready::<C>(task)?;
        Ok(move |from: &[u8], to: &mut [u8]| {
            cbc::Encryptor::inner_iv_init(&cipher, &iv)
                .encrypt_blocks_b2b(blocks(from), blocks_mut(to))
                .is_ok()
        })
    });
    functions.add_cipher(cbc, Decrypt, |task| {
        let (cipher, iv) = ready::<C>(task)?;
        Ok(move |from: &[u8], to: &mut [u8]| {
            cbc::Decryptor::inner_iv_init(&cipher, &iv)
                .decrypt_blocks_b2b(blocks(from), blocks_mut(to))
                .is_ok()
        })
    });
    for direction in [Encrypt, Decrypt] {
        functions.add_cipher(ctr, direction, |task| {
            let (cipher, iv) = ready::<C>(task)?;
            Ok(move |from: &[u8], to: &mut [u8]| {
                let core = ctr::CtrCore::<&C, ctr::flavors::Ctr128BE>::inner_iv_init(&cipher, &iv);
                StreamCipherCoreWrapper::from_core(core).apply_keystream_b2b(from, to);
                true
            })
        });
    }
    add_aead::<ccm::Ccm<C, U16, U12>>(functions, ccm);
    add_aead::<aes_gcm::AesGcm<C, U12>>(functions, gcm);
}

fn add_aead<A>(functions: &mut Functions, name: &'static str)
where
    A: KeyInit + AeadInOut + AeadCore<NonceSize = U12, TagSize = U16> + 'static,
{
    functions.add_cipher(name, Encrypt, |task| {
        let (aead, nonce) = ready_aead::<A>(task)?;
        Ok(move |from: &[u8], to: &mut [u8]| {
            let (sealed, tag) = to.split_at_mut(from.len());
            let buffer = InOutBuf::new(from, sealed).expect("as long as each other");
            let found = aead.encrypt_inout_detached(&nonce, &[], buffer);
            found.is_ok_and(|found| {
                tag.copy_from_slice(&found);
                true
            })
        })
    });
    functions.add_cipher(name, Decrypt, |task| {
        let (aead, nonce) = ready_aead::<A>(task)?;
        Ok(move |from: &[u8], to: &mut [u8]| {
            let (sealed, tag) = from.split_at(to.len());
            let buffer = InOutBuf::new(sealed, to).expect("as long as each other");
            aead.decrypt_inout_detached(&nonce, &[], buffer, tag.try_into().expect("16 bytes"))
                .is_ok()
        })
    });
}

/// The cipher with its key, and the initialisation vector, nought where the mode has none.
fn ready<C: KeyInit>(task: &CipherTask) -> Result<(C, Block), String> {
    let cipher = C::new_from_slice(&task.key).map_err(|error| error.to_string())?;
    Ok((cipher, Block::try_from(task.iv.as_slice()).unwrap_or_default()))
}

fn ready_aead<A: KeyInit>(task: &CipherTask) -> Result<(A, Array<u8, U12>), String> {
    let aead = A::new_from_slice(&task.key).map_err(|error| error.to_string())?;
    Ok((aead, Array::try_from(task.iv.as_slice()).map_err(|error| error.to_string())?))
}

fn blocks(bytes: &[u8]) -> &[Block] {
    Block::slice_as_chunks(bytes).0
}

fn blocks_mut(bytes: &mut [u8]) -> &mut [Block] {
    Block::slice_as_chunks_mut(bytes).0
}
