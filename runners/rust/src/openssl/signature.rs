//! OpenSSL's signatures: the key is read once, each call begins anew and does the message at once.
//!
//! ```text
//! once       d2i_PrivateKey, or of Ed25519 EVP_PKEY_new_raw_private_key; EVP_MD_CTX_new
//! each call  EVP_DigestSignInit and EVP_DigestSign, or EVP_DigestVerifyInit and EVP_DigestVerify
//! freed      context and key with the job
//! ```
//!
//! EVP_DigestSign takes the whole message. Ed25519 has no other call, because it reads the message
//! twice. It came with 1.1.1, so older versions offer no signatures.

use std::ffi::{CString, c_int, c_long};
use std::ptr::null_mut;

use runner::serve::{CipherTask, One, Work};
use runner::{CIPHERS, Direction, Family, Kind, Mode, Offer};

use super::{Opaque, OpenSsl};

type Begin = unsafe extern "C" fn(Opaque, *mut Opaque, Opaque, Opaque, Opaque) -> c_int;

/// The functions, all of which versions from 1.1.1 have.
#[derive(Clone, Copy)]
struct Functions {
    read: unsafe extern "C" fn(c_int, *mut Opaque, *mut *const u8, c_long) -> Opaque,
    read_raw: unsafe extern "C" fn(c_int, Opaque, *const u8, usize) -> Opaque,
    free: unsafe extern "C" fn(Opaque),
    begin_sign: Begin,
    sign: unsafe extern "C" fn(Opaque, *mut u8, *mut usize, *const u8, usize) -> c_int,
    begin_verify: Begin,
    verify: unsafe extern "C" fn(Opaque, *const u8, usize, *const u8, usize) -> c_int,
}

/// A context and a key, ours alone.
struct Keyed<'a> {
    openssl: &'a OpenSsl,
    functions: Functions,
    context: Opaque,
    key: Opaque,
    /// An `EVP_MD`, which is never freed; null where the scheme has its own.
    md: Opaque,
}

impl OpenSsl {
    /// The schemes of the protocol that this version has.
    pub(super) fn signatures(&self) -> impl Iterator<Item = Offer> {
        let there = self.signature_functions().is_some();
        let all = CIPHERS.iter().filter(move |cipher| there && cipher.mode == Mode::Signature);
        all.map(|cipher| Offer {
            kind: Kind::Cipher,
            name: cipher.name.to_owned(),
            variants: cipher.directions().iter().map(ToString::to_string).collect(),
        })
    }

    fn signature_functions(&self) -> Option<Functions> {
        let library = &self.api.library;
        // SAFETY: the types are those of openssl/evp.h; the library stays loaded.
        unsafe {
            Some(Functions {
                read: *library.get("d2i_PrivateKey").ok()?,
                read_raw: *library.get("EVP_PKEY_new_raw_private_key").ok()?,
                free: *library.get("EVP_PKEY_free").ok()?,
                begin_sign: *library.get("EVP_DigestSignInit").ok()?,
                sign: *library.get("EVP_DigestSign").ok()?,
                begin_verify: *library.get("EVP_DigestVerifyInit").ok()?,
                verify: *library.get("EVP_DigestVerify").ok()?,
            })
        }
    }

    pub(super) fn start_signature(
        &self,
        task: &CipherTask,
        input: Vec<u8>,
    ) -> Result<Box<dyn Work + '_>, String> {
        let functions = self.signature_functions().ok_or("no EVP_DigestSign in this libcrypto")?;
        let (context, key) = (self.new_context(), read(functions, task));
        let md = if task.cipher.family == Family::Ed25519 { null_mut() } else { self.sha256() };
        let keyed = Keyed { openssl: self, functions, context, key, md };
        if context.is_null() || key.is_null() {
            return Err(format!("no {}, or not this key", task.cipher.name));
        }
        let tag_len = task.cipher.tag_len();
        let len = input.len();
        Ok(match task.direction {
            Direction::Sign => {
                Box::new(One::new(input, tag_len, move |from: &[u8], to: &mut [u8]| {
                    keyed.sign(from, to)
                }))
            }
            _ => Box::new(One::new(input, len - tag_len, move |from: &[u8], to: &mut [u8]| {
                let (message, signature) = from.split_at(to.len());
                to.copy_from_slice(message);
                keyed.verify(message, signature)
            })),
        })
    }

    /// An `EVP_MD_CTX`, or null.
    fn new_context(&self) -> Opaque {
        // SAFETY: it takes nothing.
        unsafe { (self.api.context_new)() }
    }

    fn sha256(&self) -> Opaque {
        let name = CString::new("SHA256").expect("no byte of it is 0");
        // SAFETY: a C string; what is found is the library's, and is not freed.
        unsafe { (self.api.by_name)(name.as_ptr()) }
    }
}

/// The private key, or null.
fn read(functions: Functions, task: &CipherTask) -> Opaque {
    let (mut at, len) = (task.key.as_ptr(), task.key.len());
    // SAFETY: the key has the length that is given.
    unsafe {
        match task.cipher.family {
            Family::Ed25519 => (functions.read_raw)(EVP_PKEY_ED25519, null_mut(), at, len),
            Family::Ecdsa => (functions.read)(EVP_PKEY_EC, null_mut(), &raw mut at, len as c_long),
            _ => (functions.read)(EVP_PKEY_RSA, null_mut(), &raw mut at, len as c_long),
        }
    }
}

impl Keyed<'_> {
    #[inline]
    fn sign(&self, message: &[u8], signature: &mut [u8]) -> bool {
        let Functions { begin_sign, sign, .. } = self.functions;
        let mut len = signature.len();
        // SAFETY: context and key live until `self` is dropped; the lengths are those of the
        // slices.
        unsafe {
            begin_sign(self.context, null_mut(), self.md, null_mut(), self.key) == 1
                && sign(
                    self.context,
                    signature.as_mut_ptr(),
                    &raw mut len,
                    message.as_ptr(),
                    message.len(),
                ) == 1
                // `len` comes in as room and goes out as length.
                && len == signature.len()
        }
    }

    #[inline]
    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        let Functions { begin_verify, verify, .. } = self.functions;
        // SAFETY: as above.
        unsafe {
            begin_verify(self.context, null_mut(), self.md, null_mut(), self.key) == 1
                && verify(
                    self.context,
                    signature.as_ptr(),
                    signature.len(),
                    message.as_ptr(),
                    message.len(),
                ) == 1
        }
    }
}

impl Drop for Keyed<'_> {
    fn drop(&mut self) {
        // SAFETY: both were made for this value, and are freed once; null is allowed.
        unsafe {
            (self.openssl.api.context_free)(self.context);
            (self.functions.free)(self.key);
        }
    }
}

/// openssl/obj_mac.h.
const EVP_PKEY_RSA: c_int = 6;
const EVP_PKEY_EC: c_int = 408;
const EVP_PKEY_ED25519: c_int = 1087;
