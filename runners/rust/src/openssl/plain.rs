//! The functions below EVP, which every version still exports though 3.0 deprecates them: digests
//! by `MD5_Init`, `MD5_Update`, `MD5_Final` and their like, and AES-IGE, which EVP has never had.
//!
//! `openssl speed` of 1.0.2 calls `MD5` and its like, which are those three. Since 3.0 most of the
//! calls for a whole message go through EVP, so they are not what is measured here.

use std::ffi::{c_int, c_void};
use std::ptr;

use runner::Direction::{Decrypt, Encrypt};
use runner::serve::{CipherTask, One, Task, Work};
use runner::{CIPHERS, Kind, Mode, Offer};

use super::OpenSsl;

/// The implementation that goes past EVP.
pub(super) const NAME: &str = "plain";

/// Our name, those of the functions without `_Init`, `_Update` and `_Final`, and the length of the
/// digest in bytes. SHA-224 and SHA-384 are the next larger one with another beginning.
const DIGESTS: &[(&str, [&str; 3], usize)] = &[
    ("md4", ["MD4"; 3], 16),
    ("md5", ["MD5"; 3], 16),
    ("ripemd160", ["RIPEMD160"; 3], 20),
    ("sha1", ["SHA1"; 3], 20),
    ("sha224", ["SHA224", "SHA256", "SHA224"], 28),
    ("sha256", ["SHA256"; 3], 32),
    ("sha384", ["SHA384", "SHA512", "SHA384"], 48),
    ("sha512", ["SHA512"; 3], 64),
    ("whirlpool", ["WHIRLPOOL"; 3], 64),
];

/// The functions of a digest, and what they work on.
pub(super) struct Plain {
    init: unsafe extern "C" fn(*mut c_void) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    finish: unsafe extern "C" fn(*mut u8, *mut c_void) -> c_int,
    len: usize,
    state: Box<State>,
}

/// Room for the largest of the states, `SHA512_CTX` with 216 bytes, aligned as `malloc` would.
#[repr(align(16))]
struct State([u8; 512]);

impl OpenSsl {
    /// The functions of the digest of that name, if it is one of [`DIGESTS`] and they are exported.
    pub(super) fn plain(&self, name: &str) -> Option<Plain> {
        let (_, names, len) = DIGESTS.iter().find(|(known, ..)| *known == name)?;
        let [init, update, finish] = names;
        let library = &self.api.library;
        // SAFETY: the types are those of openssl/md5.h, sha.h, ripemd.h and whrlpool.h; the library
        // stays loaded as long as we run.
        unsafe {
            Some(Plain {
                init: *library.get(format!("{init}_Init")).ok()?,
                update: *library.get(format!("{update}_Update")).ok()?,
                finish: *library.get(format!("{finish}_Final")).ok()?,
                len: *len,
                state: Box::new(State([0; 512])),
            })
        }
    }

    /// The same, and the length of the answer; an error in words if it is not there.
    pub(super) fn plain_for(&self, task: Task<'_>) -> Result<(Plain, usize), String> {
        let plain = self.plain(task.name).ok_or_else(|| format!("no plain {}", task.name))?;
        let len = plain.len;
        if task.output_len.is_some_and(|wanted| wanted != len) {
            return Err(format!("{} has one length only", task.name));
        }
        Ok((plain, len))
    }

    /// AES-IGE, if this libcrypto exports it.
    pub(super) fn ige(&self) -> impl Iterator<Item = Offer> {
        let offer = |name: &str| Offer {
            kind: Kind::Cipher,
            name: name.to_owned(),
            variants: vec![Encrypt.to_string(), Decrypt.to_string()],
        };
        let there = self.ige_functions().is_some();
        let named = CIPHERS.iter().filter(move |cipher| there && cipher.mode == Mode::Ige);
        named.map(move |cipher| offer(cipher.name))
    }

    fn ige_functions(&self) -> Option<Ige> {
        let library = &self.api.library;
        // SAFETY: the types are those of openssl/aes.h; the library stays loaded.
        unsafe {
            Some(Ige {
                set_encrypt_key: *library.get("AES_set_encrypt_key").ok()?,
                set_decrypt_key: *library.get("AES_set_decrypt_key").ok()?,
                ige_encrypt: *library.get("AES_ige_encrypt").ok()?,
            })
        }
    }

    /// AES-IGE with the key expanded once.
    pub(super) fn start_ige(
        &self,
        task: &CipherTask,
        input: Vec<u8>,
    ) -> Result<Box<dyn Work + '_>, String> {
        let ige = self.ige_functions().ok_or("no AES_ige_encrypt in this libcrypto")?;
        let encrypts = task.direction == Encrypt;
        let set = if encrypts { ige.set_encrypt_key } else { ige.set_decrypt_key };
        let mut schedule = Box::new(State([0; 512])); // AES_KEY has 244 bytes
        let bits = 8 * task.key.len() as c_int;
        // SAFETY: the key has these bits, and the schedule has room for an AES_KEY.
        if unsafe { set(task.key.as_ptr(), bits, schedule.0.as_mut_ptr().cast()) } != 0 {
            return Err("AES_set_encrypt_key or AES_set_decrypt_key failed".to_owned());
        }
        let iv: [u8; 32] = task.iv.as_slice().try_into().map_err(|_| "expected 32 bytes of iv")?;
        let len = input.len();
        Ok(Box::new(One::new(input, len, move |from: &[u8], to: &mut [u8]| {
            let mut iv = iv;
            let (schedule, iv) = (schedule.0.as_ptr().cast(), iv.as_mut_ptr());
            // SAFETY: input and output have the same length, of whole blocks; the vector is written
            // to, and ours.
            unsafe {
                let (from, to) = (from.as_ptr(), to.as_mut_ptr());
                (ige.ige_encrypt)(from, to, len, schedule, iv, c_int::from(encrypts));
            }
            true
        })))
    }
}

/// The functions of AES-IGE.
#[derive(Clone, Copy)]
struct Ige {
    set_encrypt_key: unsafe extern "C" fn(*const u8, c_int, *mut c_void) -> c_int,
    set_decrypt_key: unsafe extern "C" fn(*const u8, c_int, *mut c_void) -> c_int,
    ige_encrypt: unsafe extern "C" fn(*const u8, *mut u8, usize, *const c_void, *mut u8, c_int),
}

impl Plain {
    /// The digest of `message` into `output`, which has its length; false where a call fails.
    #[inline]
    pub(super) fn digest(&mut self, message: &[u8], output: &mut [u8]) -> bool {
        let state = ptr::from_mut(&mut *self.state).cast();
        // SAFETY: the state is larger and aligned, the message as long as it says, and the output
        // has the digest's length.
        unsafe {
            (self.init)(state) == 1
                && (self.update)(state, message.as_ptr(), message.len()) == 1
                && (self.finish)(output.as_mut_ptr(), state) == 1
        }
    }
}
