//! Nettle's ciphers: the key is set once, each call sets the initialisation vector and does the
//! message, out of place.
//!
//! ```text
//! ECB   nettle_aes128 and its like: the block cipher's own functions, all blocks in one call
//! CBC   nettle_cbc_aes128_encrypt (since 3.8), else nettle_cbc_encrypt; nettle_cbc_decrypt
//! CTR   nettle_ctr_crypt, which encrypts the counter in both directions
//! GCM   nettle_get_aeads, looked through by name
//! CCM   nettle_ccm_aes128_encrypt_message and its like; Nettle has no list of them
//! ```
//!
//! Contexts are memory of the caller. Nettle allocates nothing, so nothing but that memory is
//! freed.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use runner::serve::CipherTask;
use runner::{CIPHERS, Cipher, Direction, Family, Mode};

use crate::dlopen::Shared;
use crate::functions::Functions;

type SetKey = unsafe extern "C" fn(*mut c_void, *const u8);
type Crypt = unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8);

/// `struct nettle_cipher`, as Nettle 3 declares it.
#[repr(C)]
struct Block {
    name: *const c_char,
    context_size: c_uint,
    block_size: c_uint,
    key_size: c_uint,
    set_encrypt_key: SetKey,
    set_decrypt_key: SetKey,
    encrypt: Crypt,
    decrypt: Crypt,
}

/// `struct nettle_aead`, as Nettle 3 declares it.
#[repr(C)]
struct Aead {
    name: *const c_char,
    context_size: c_uint,
    block_size: c_uint,
    key_size: c_uint,
    nonce_size: c_uint,
    digest_size: c_uint,
    set_encrypt_key: SetKey,
    set_decrypt_key: SetKey,
    set_nonce: SetKey,
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    encrypt: Crypt,
    decrypt: Crypt,
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

/// `nettle_cbc_encrypt`, `nettle_cbc_decrypt`, `nettle_ctr_crypt`: the block cipher's context and
/// function, block size, vector or counter (changed), length, to, from.
type Chain = unsafe extern "C" fn(*const c_void, Crypt, usize, *mut u8, usize, *mut u8, *const u8);

/// `nettle_cbc_aes128_encrypt`: since 3.8, faster than the plain one.
type ChainAes = unsafe extern "C" fn(*const c_void, *mut u8, usize, *mut u8, *const u8);

/// `nettle_ccm_aes128_encrypt_message` and its inverse, which answers 1 if the tag is right: nonce,
/// associated data, length of the tag, and the output, whose length is that of the sealed message
/// one way and that of the plain one the other.
type Ccm<R> = unsafe extern "C" fn(
    *mut c_void,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    usize,
    *mut u8,
    *const u8,
) -> R;

/// Adds every cipher that this version has.
pub(super) fn add(functions: &mut Functions, library: &Shared) -> Result<(), String> {
    for cipher in CIPHERS.iter().filter(|cipher| cipher.family == Family::Aes) {
        match cipher.mode {
            Mode::Ecb | Mode::Cbc | Mode::Ctr => add_blocks(functions, library, cipher)?,
            Mode::Gcm => add_gcm(functions, library, cipher)?,
            Mode::Ccm => add_ccm(functions, library, cipher)?,
            _ => {}
        }
    }
    Ok(())
}

fn add_blocks(functions: &mut Functions, library: &Shared, cipher: &Cipher) -> Result<(), String> {
    let bits = 8 * cipher.key_len;
    // SAFETY: the types are those of nettle-meta.h, cbc.h and ctr.h; the constant is never
    // unloaded.
    let (block, cbc_encrypt, cbc_decrypt, ctr, faster) = unsafe {
        (
            &*library.function::<*const Block>(&format!("nettle_aes{bits}"))?,
            library.function::<Chain>("nettle_cbc_encrypt")?,
            library.function::<Chain>("nettle_cbc_decrypt")?,
            library.function::<Chain>("nettle_ctr_crypt")?,
            library.function::<ChainAes>(&format!("nettle_cbc_aes{bits}_encrypt")).ok(),
        )
    };
    let mode = cipher.mode;
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        let forward = direction == Direction::Encrypt || mode == Mode::Ctr;
        functions.add_cipher(cipher.name, direction, move |task| {
            let set_key = if forward { block.set_encrypt_key } else { block.set_decrypt_key };
            let mut context = context(block.context_size as usize, set_key, task);
            let start = task.iv.clone();
            Ok(move |input: &[u8], output: &mut [u8]| {
                // Nettle counts or chains in the caller's vector, so each call begins with a copy.
                let mut iv = [0; 16];
                iv[..start.len()].copy_from_slice(&start);
                let (context, len, to, from) =
                    (context.as_mut_ptr().cast(), input.len(), output.as_mut_ptr(), input.as_ptr());
                // SAFETY: the context holds the key for this direction; input and output have the
                // same length, whole blocks.
                unsafe {
                    match (mode, forward, faster) {
                        (Mode::Ctr, ..) => {
                            ctr(context, block.encrypt, 16, iv.as_mut_ptr(), len, to, from)
                        }
                        (Mode::Cbc, true, Some(faster)) => {
                            faster(context, iv.as_mut_ptr(), len, to, from)
                        }
                        (Mode::Cbc, true, None) => {
                            cbc_encrypt(context, block.encrypt, 16, iv.as_mut_ptr(), len, to, from)
                        }
                        (Mode::Cbc, false, _) => {
                            cbc_decrypt(context, block.decrypt, 16, iv.as_mut_ptr(), len, to, from)
                        }
                        (_, true, _) => (block.encrypt)(context, len, to, from),
                        (_, false, _) => (block.decrypt)(context, len, to, from),
                    }
                }
                true
            })
        });
    }
    Ok(())
}

fn add_gcm(functions: &mut Functions, library: &Shared, cipher: &Cipher) -> Result<(), String> {
    // SAFETY: the types are those of nettle-meta.h and memops.h; the list ends with a null pointer
    // and is never unloaded.
    let (aeads, equal) = unsafe {
        let list =
            library.function::<unsafe extern "C" fn() -> *const *const Aead>("nettle_get_aeads")?();
        let aeads = (0..).map_while(move |index| (*list.add(index)).as_ref());
        (
            aeads,
            library.function::<unsafe extern "C" fn(*const u8, *const u8, usize) -> c_int>(
                "nettle_memeql_sec",
            )?,
        )
    };
    let name = format!("gcm_aes{}", 8 * cipher.key_len);
    // SAFETY: each has a name, a C string.
    let Some(aead) = aeads
        .into_iter()
        .find(|aead| unsafe { CStr::from_ptr(aead.name) }.to_bytes() == name.as_bytes())
    else {
        return Ok(());
    };
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        functions.add_cipher(cipher.name, direction, move |task| {
            let mut context = context(aead.context_size as usize, aead.set_encrypt_key, task);
            let iv = task.iv.clone();
            Ok(move |input: &[u8], output: &mut [u8]| {
                let context = context.as_mut_ptr().cast();
                let len = input.len().min(output.len());
                // SAFETY: the context holds the key; the nonce has the AEAD's length; the longer of
                // input and output ends with the tag's 16 bytes.
                unsafe {
                    (aead.set_nonce)(context, iv.as_ptr());
                    if direction == Direction::Encrypt {
                        (aead.encrypt)(context, len, output.as_mut_ptr(), input.as_ptr());
                        (aead.digest)(context, 16, output[len..].as_mut_ptr());
                        return true;
                    }
                    let mut tag = [0; 16];
                    (aead.decrypt)(context, len, output.as_mut_ptr(), input.as_ptr());
                    (aead.digest)(context, 16, tag.as_mut_ptr());
                    equal(tag.as_ptr(), input[len..].as_ptr(), 16) == 1
                }
            })
        });
    }
    Ok(())
}

fn add_ccm(functions: &mut Functions, library: &Shared, cipher: &Cipher) -> Result<(), String> {
    let name = |what: &str| format!("nettle_ccm_aes{}_{what}", 8 * cipher.key_len);
    // SAFETY: the types are those of ccm.h.
    let (set_key, seal, open) = unsafe {
        (
            library.function::<SetKey>(&name("set_key"))?,
            library.function::<Ccm<()>>(&name("encrypt_message"))?,
            library.function::<Ccm<c_int>>(&name("decrypt_message"))?,
        )
    };
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        functions.add_cipher(cipher.name, direction, move |task| {
            let mut context = context(CCM_CONTEXT, set_key, task);
            let (iv, encrypts) = (task.iv.clone(), direction == Direction::Encrypt);
            Ok(move |input: &[u8], output: &mut [u8]| {
                let context = context.as_mut_ptr().cast();
                let (to, from) = (output.as_mut_ptr(), input.as_ptr());
                // SAFETY: the context holds the key; the lengths are those of nonce and output, and
                // the input differs from the output by the tag.
                unsafe {
                    match encrypts {
                        true => {
                            seal(
                                context,
                                iv.len(),
                                iv.as_ptr(),
                                0,
                                std::ptr::null(),
                                16,
                                output.len(),
                                to,
                                from,
                            );
                            true
                        }
                        false => {
                            open(
                                context,
                                iv.len(),
                                iv.as_ptr(),
                                0,
                                std::ptr::null(),
                                16,
                                output.len(),
                                to,
                                from,
                            ) == 1
                        }
                    }
                }
            })
        });
    }
    Ok(())
}

/// A context of `size` bytes with the task's key; whole vectors, for their alignment.
fn context(size: usize, set_key: SetKey, task: &CipherTask) -> Vec<u128> {
    let mut context = vec![0_u128; size.div_ceil(16)];
    // SAFETY: the context has the size that the cipher asks for, and the key its length.
    unsafe { set_key(context.as_mut_ptr().cast(), task.key.as_ptr()) };
    context
}

/// More than `struct ccm_aes256_ctx`: two blocks, a length, and fifteen round keys.
const CCM_CONTEXT: usize = 512;
