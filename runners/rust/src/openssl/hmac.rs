//! OpenSSL's HMAC as `openssl speed hmac` calls it: `HMAC_Init_ex` with the key once, and without
//! it for each message.
//!
//! EVP_MAC exists since 3.0 only. The functions of HMAC are in every version, but `HMAC_CTX_new`
//! came with 1.1.0: with 1.0.2 no HMAC is offered. The context keeps the key. It is freed with the
//! job.

use std::ffi::{CString, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use runner::serve::{CipherTask, One, Work};
use runner::{CIPHERS, Direction, Kind, Mode, Offer};

use super::{Opaque, OpenSsl};

/// The functions, which 3.0 deprecates and exports.
#[derive(Clone, Copy)]
struct Functions {
    new: unsafe extern "C" fn() -> Opaque,
    free: unsafe extern "C" fn(Opaque),
    init: unsafe extern "C" fn(Opaque, *const c_void, c_int, Opaque, Opaque) -> c_int,
    update: unsafe extern "C" fn(Opaque, *const u8, usize) -> c_int,
    finish: unsafe extern "C" fn(Opaque, *mut u8, *mut c_uint) -> c_int,
}

/// An `HMAC_CTX`, ours alone, with its key.
struct Context {
    functions: Functions,
    raw: Opaque,
}

impl OpenSsl {
    /// HMAC with the digests of the protocol that this version has.
    pub(super) fn hmacs(&self) -> impl Iterator<Item = Offer> {
        let offer = |name: &str| Offer {
            kind: Kind::Cipher,
            name: name.to_owned(),
            variants: vec![Direction::Authenticate.to_string()],
        };
        let there = self.hmac_functions().is_some();
        let named = CIPHERS.iter().filter(move |cipher| {
            there && cipher.mode == Mode::Hmac && !self.md_of(cipher.name).is_null()
        });
        named.map(move |cipher| offer(cipher.name))
    }

    fn hmac_functions(&self) -> Option<Functions> {
        let library = &self.api.library;
        // SAFETY: the types are those of openssl/hmac.h; the library stays loaded.
        unsafe {
            Some(Functions {
                new: *library.get("HMAC_CTX_new").ok()?,
                free: *library.get("HMAC_CTX_free").ok()?,
                init: *library.get("HMAC_Init_ex").ok()?,
                update: *library.get("HMAC_Update").ok()?,
                finish: *library.get("HMAC_Final").ok()?,
            })
        }
    }

    /// The digest that an HMAC's name ends in, or null.
    fn md_of(&self, name: &str) -> Opaque {
        let digest = name.strip_prefix("hmac-").and_then(|digest| CString::new(digest).ok());
        // SAFETY: a C string; what is found is the library's, and is not freed.
        digest.map_or(null_mut(), |digest| unsafe { (self.api.by_name)(digest.as_ptr()) })
    }

    pub(super) fn start_hmac(
        &self,
        task: &CipherTask,
        input: Vec<u8>,
    ) -> Result<Box<dyn Work + '_>, String> {
        let md = self.md_of(task.cipher.name);
        let functions = self.hmac_functions().filter(|_| !md.is_null());
        let functions = functions.ok_or_else(|| format!("no {}", task.cipher.name))?;
        let key_len = c_int::try_from(task.key.len()).map_err(|_| "too long for an int")?;
        // SAFETY: it takes nothing; null is handled below. The digest has a length.
        let (raw, len) = unsafe { ((functions.new)(), (self.api.size)(md)) };
        let context = Context { functions, raw };
        // SAFETY: the context is there, and the key as long as it says.
        let keyed = !raw.is_null()
            && unsafe { (functions.init)(raw, task.key.as_ptr().cast(), key_len, md, null_mut()) }
                == 1;
        let len = usize::try_from(len).ok().filter(|_| keyed);
        let len = len.ok_or("HMAC_CTX_new or HMAC_Init_ex failed")?;
        Ok(Box::new(One::new(input, len, move |message, out| context.tag(message, out))))
    }
}

impl Context {
    #[inline]
    fn tag(&self, message: &[u8], out: &mut [u8]) -> bool {
        let Functions { init, update, finish, .. } = self.functions;
        // SAFETY: the context has its key; the message is as long as it says, and the output has
        // the length of the digest.
        unsafe {
            init(self.raw, null(), 0, null_mut(), null_mut()) == 1
                && update(self.raw, message.as_ptr(), message.len()) == 1
                && finish(self.raw, out.as_mut_ptr(), null_mut()) == 1
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it was made for this value, and is freed once; null is allowed.
        unsafe { (self.functions.free)(self.raw) }
    }
}
