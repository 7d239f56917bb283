//! Libgcrypt's ciphers: the key is set once, each call sets the initialisation vector and does the
//! message, out of place.
//!
//! ```text
//! gcry_cipher_open, gcry_cipher_setkey                    once; the handle is closed with the job
//! GCM-SIV: gcry_cipher_ctl(GCRYCTL_RESET)                 each call
//! gcry_cipher_setiv, of CTR gcry_cipher_setctr            each call
//! CCM: gcry_cipher_ctl(GCRYCTL_SET_CCM_LENGTHS)           each call: message, no data, tag
//! GCM-SIV decrypts: GCRYCTL_SET_DECRYPTION_TAG            each call
//! gcry_cipher_encrypt or gcry_cipher_decrypt              each call
//! gcry_cipher_gettag or gcry_cipher_checktag              each call, of modes with a tag
//! ```
//!
//! GCM-SIV needs Libgcrypt 1.10. `Api::has` opens each mode once and so knows it.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

use runner::serve::CipherTask;
use runner::{CIPHERS, Cipher, Direction, Family, Mode};

use crate::dlopen::Shared;
use crate::functions::Functions;

/// Adds every cipher that this version has.
pub(super) fn add(functions: &mut Functions, library: &Shared) -> Result<(), String> {
    let api = Api::find(library)?;
    for cipher in CIPHERS {
        let Some((mode, algorithm)) = mode(cipher.mode).zip(algorithm(cipher)) else { continue };
        if !api.has(algorithm, mode) {
            continue;
        }
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            functions.add_cipher(cipher.name, direction, move |task| {
                let handle = Handle::open(api, algorithm, mode, task)?;
                let (mode, iv) = (task.cipher.mode, task.iv.clone());
                let encrypts = direction == Direction::Encrypt;
                Ok(move |input: &[u8], output: &mut [u8]| {
                    if encrypts {
                        handle.encrypt(mode, &iv, input, output)
                    } else {
                        handle.decrypt(mode, &iv, input, output)
                    }
                })
            });
        }
    }
    Ok(())
}

type SetVector = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_uint;
type Crypt = unsafe extern "C" fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;

/// The functions of gcrypt.h, under their names there; each answers 0 if all is well.
#[derive(Clone, Copy)]
struct Api {
    open: unsafe extern "C" fn(*mut *mut c_void, c_int, c_int, c_uint) -> c_uint,
    close: unsafe extern "C" fn(*mut c_void),
    set_key: SetVector,
    set_iv: SetVector,
    set_counter: SetVector,
    control: unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, usize) -> c_uint,
    encrypt: Crypt,
    decrypt: Crypt,
    tag: unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_uint,
    check_tag: SetVector,
}

impl Api {
    fn find(library: &Shared) -> Result<Self, String> {
        // SAFETY: the types are those of gcrypt.h.
        unsafe {
            Ok(Self {
                open: library.function("gcry_cipher_open")?,
                close: library.function("gcry_cipher_close")?,
                set_key: library.function("gcry_cipher_setkey")?,
                set_iv: library.function("gcry_cipher_setiv")?,
                set_counter: library.function("gcry_cipher_setctr")?,
                control: library.function("gcry_cipher_ctl")?,
                encrypt: library.function("gcry_cipher_encrypt")?,
                decrypt: library.function("gcry_cipher_decrypt")?,
                tag: library.function("gcry_cipher_gettag")?,
                check_tag: library.function("gcry_cipher_checktag")?,
            })
        }
    }
}

impl Api {
    /// Whether this version opens the algorithm in that mode.
    fn has(self, algorithm: c_int, mode: c_int) -> bool {
        let mut raw = null_mut();
        // SAFETY: the handle is written, and closed once; null is allowed.
        unsafe {
            let opened = (self.open)(&raw mut raw, algorithm, mode, 0) == 0;
            (self.close)(raw);
            opened
        }
    }
}

/// A `gcry_cipher_hd_t` with its key.
struct Handle {
    api: Api,
    raw: *mut c_void,
}

impl Handle {
    fn open(api: Api, algorithm: c_int, mode: c_int, task: &CipherTask) -> Result<Self, String> {
        let mut handle = Self { api, raw: null_mut() };
        // SAFETY: the handle is written, and the key has the length that is given.
        let done = unsafe {
            (api.open)(&raw mut handle.raw, algorithm, mode, 0) == 0
                && (api.set_key)(handle.raw, task.key.as_ptr(), task.key.len()) == 0
        };
        if done { Ok(handle) } else { Err(format!("{} cannot be set up", task.cipher.name)) }
    }

    /// Makes ready for a message of `len` bytes, its tag apart.
    fn begin(&self, mode: Mode, iv: &[u8], len: usize) -> bool {
        let set = if mode == Mode::Ctr { self.api.set_counter } else { self.api.set_iv };
        let mut lengths = [len as u64, 0, TAG as u64];
        // SAFETY: the handle is open; the vector has the length that is given, and CCM's lengths
        // are three 64-bit numbers. GCM-SIV takes a second vector after a reset only, which leaves
        // the key.
        unsafe {
            (mode != Mode::GcmSiv
                || (self.api.control)(self.raw, GCRYCTL_RESET, null_mut(), 0) == 0)
                && (iv.is_empty() || set(self.raw, iv.as_ptr(), iv.len()) == 0)
                && (mode != Mode::Ccm
                    || (self.api.control)(
                        self.raw,
                        GCRYCTL_SET_CCM_LENGTHS,
                        lengths.as_mut_ptr().cast(),
                        size_of_val(&lengths),
                    ) == 0)
        }
    }

    fn encrypt(&self, mode: Mode, iv: &[u8], message: &[u8], output: &mut [u8]) -> bool {
        let (sealed, tag) = output.split_at_mut(message.len());
        // SAFETY: the handle is open; all lengths are those of the slices.
        self.begin(mode, iv, message.len())
            && unsafe {
                (self.api.encrypt)(
                    self.raw,
                    sealed.as_mut_ptr(),
                    sealed.len(),
                    message.as_ptr(),
                    message.len(),
                ) == 0
                    && (tag.is_empty()
                        || (self.api.tag)(self.raw, tag.as_mut_ptr(), tag.len()) == 0)
            }
    }

    fn decrypt(&self, mode: Mode, iv: &[u8], input: &[u8], output: &mut [u8]) -> bool {
        let (sealed, tag) = input.split_at(output.len());
        let (at, len) = (tag.as_ptr().cast_mut().cast(), tag.len());
        // SAFETY: the handle is open; all lengths are those of the slices. GCM-SIV wants the tag
        // before the message, and reads it only.
        self.begin(mode, iv, sealed.len())
            && unsafe {
                (mode != Mode::GcmSiv
                    || (self.api.control)(self.raw, GCRYCTL_SET_DECRYPTION_TAG, at, len) == 0)
                    && (self.api.decrypt)(
                        self.raw,
                        output.as_mut_ptr(),
                        output.len(),
                        sealed.as_ptr(),
                        sealed.len(),
                    ) == 0
                    && (tag.is_empty()
                        || (self.api.check_tag)(self.raw, tag.as_ptr(), tag.len()) == 0)
            }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: it is ours alone, and closed once; null is allowed.
        unsafe { (self.api.close)(self.raw) }
    }
}

/// The number in `enum gcry_cipher_modes`; none for what is more than a mode.
fn mode(mode: Mode) -> Option<c_int> {
    match mode {
        Mode::Ecb => Some(1),
        Mode::Cbc => Some(3),
        Mode::Ctr => Some(6),
        Mode::Ccm => Some(8),
        Mode::Gcm => Some(9),
        Mode::Poly1305 => Some(10),
        Mode::Xts => Some(13),
        Mode::GcmSiv => Some(16),
        Mode::Envelope | Mode::Ige | Mode::Stream | Mode::Hmac | Mode::Signature => None,
    }
}

/// The number in `enum gcry_cipher_algos`; RC2 is another there, and an HMAC is no cipher.
fn algorithm(cipher: &Cipher) -> Option<c_int> {
    let halves = if cipher.mode == Mode::Xts { 2 } else { 1 };
    // The numbers of 16, 24 and 32 bytes of key follow each other.
    let by_key_len = |of_16: c_int| of_16 + (cipher.key_len / halves / 8) as c_int - 2;
    match cipher.family {
        Family::Aes => Some(by_key_len(7)),
        Family::Blowfish => Some(4),
        Family::Camellia => Some(by_key_len(310)),
        Family::Cast5 => Some(3),
        Family::ChaCha20 => Some(316),
        Family::Des => Some(302),
        Family::DesEde3 => Some(2),
        Family::Idea => Some(1),
        Family::Seed => Some(309),
        Family::Hmac | Family::Rc2 | Family::Rc4 => None,
        Family::Rsa | Family::Ecdsa | Family::Ed25519 => None,
    }
}

const GCRYCTL_RESET: c_int = 4;
const GCRYCTL_SET_CCM_LENGTHS: c_int = 69;
const GCRYCTL_SET_DECRYPTION_TAG: c_int = 80;
const TAG: usize = 16;
