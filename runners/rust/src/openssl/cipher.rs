//! OpenSSL's ciphers through EVP: the key is set once, each call sets the initialisation vector and
//! does the message.
//!
//! ```text
//! once       EVP_CIPHER_fetch (3.0) or EVP_get_cipherbyname; EVP_CIPHER_CTX_new; the key
//! each call  tag to check, if one; EVP_CipherInit_ex with the vector alone; of CCM the length;
//!            EVP_CipherUpdate; EVP_CipherFinal_ex; tag that was made, if one
//! freed      the context with the job; a fetched cipher never
//! ```
//!
//! EVP_CipherInit_ex does both directions by its last argument; -1 keeps the direction.

use std::ffi::{CString, c_int, c_void};
use std::hint::black_box;
use std::ptr::{null, null_mut};

use runner::serve::{CipherTask, Work};
use runner::{CIPHERS, Cipher, Direction, Kind, Mode, Offer};

use super::{Api, Opaque, OpenSsl};

impl OpenSsl {
    /// The ciphers that this version has.
    pub(super) fn ciphers(&self) -> impl Iterator<Item = Offer> {
        let offer = |cipher: &Cipher| Offer {
            kind: Kind::Cipher,
            name: cipher.name.to_owned(),
            variants: vec!["encrypt".to_owned(), "decrypt".to_owned()],
        };
        let ciphers = CIPHERS.iter().filter(|cipher| cipher.mode != Mode::Signature);
        ciphers.filter(|cipher| self.has(cipher)).map(offer)
    }

    /// Whether it can be set up: 3.0 finds ciphers that it then cannot start.
    fn has(&self, cipher: &Cipher) -> bool {
        let task = CipherTask {
            cipher: *cipher,
            direction: Direction::Encrypt,
            key: (0..).take(cipher.key_len).collect(),
            iv: vec![0; cipher.iv_len()],
        };
        !self.find_cipher(cipher.name).is_null()
            && self.start_cipher(task, vec![0; 32]).is_ok_and(|mut message| message.once())
    }

    /// An `EVP_CIPHER` that is never freed, or null: a runner asks for a few.
    fn find_cipher(&self, name: &str) -> Opaque {
        let Ok(name) = CString::new(name) else { return null_mut() };
        // SAFETY: a C string; null is the default library context, and no properties.
        unsafe {
            match self.api.cipher_fetch {
                Some(fetch) => fetch(null_mut(), name.as_ptr(), null()),
                None => (self.api.cipher_by_name)(name.as_ptr()),
            }
        }
    }

    pub(super) fn start_cipher(
        &self,
        task: CipherTask,
        mut input: Vec<u8>,
    ) -> Result<Message<'_>, String> {
        let CipherTask { cipher, direction, key, iv } = task;
        let encrypt = direction == Direction::Encrypt;
        let tag = if encrypt {
            vec![0; cipher.tag_len()]
        } else {
            input.split_off(input.len() - cipher.tag_len())
        };
        let len = c_int::try_from(input.len()).map_err(|_| "too long for an int")?;
        let output = vec![0; input.len() + 16];
        // SAFETY: it takes nothing; null is handled below.
        let context = unsafe { (self.api.cipher_context_new)() };
        // A stream is set back by nothing but its key, and GCM-SIV makes the keys of a message of
        // it.
        let keyed_anew = matches!(cipher.mode, Mode::Stream | Mode::GcmSiv);
        let again = if keyed_anew { key.clone() } else { Vec::new() };
        let message = Message {
            api: &self.api,
            context,
            cipher,
            encrypt,
            again,
            iv,
            input,
            len,
            output,
            tag,
        };
        let md = self.find_cipher(cipher.name);
        if context.is_null() || md.is_null() {
            return Err(format!("no cipher {}", cipher.name));
        }
        // SAFETY: context and cipher are there; the key has the cipher's length, and the tag the
        // one that is given. CCM wants to know the lengths of nonce and tag before the key.
        let done = unsafe {
            let set = |what, len, at| (self.api.cipher_control)(context, what, len, at) == 1;
            (self.api.cipher_init)(context, md, null_mut(), null(), null(), c_int::from(encrypt))
                == 1
                && (cipher.tag_len() == 0 || set(EVP_CTRL_AEAD_SET_IVLEN, 12, null_mut()))
                && (cipher.mode != Mode::Ccm
                    || set(EVP_CTRL_AEAD_SET_TAG, 16, message.tag_if_known()))
                && (self.api.cipher_init)(context, null_mut(), null_mut(), key.as_ptr(), null(), -1)
                    == 1
                && (self.api.set_padding)(context, 0) == 1
        };
        if done { Ok(message) } else { Err(format!("{} cannot be set up", cipher.name)) }
    }
}

pub(super) struct Message<'a> {
    api: &'a Api,
    /// An `EVP_CIPHER_CTX`, ours alone.
    context: Opaque,
    cipher: Cipher,
    encrypt: bool,
    /// The key, where each call must set it.
    again: Vec<u8>,
    iv: Vec<u8>,
    input: Vec<u8>,
    /// That of `input`.
    len: c_int,
    /// As long as the input, and a block.
    output: Vec<u8>,
    /// What comes out behind the ciphertext, or went in.
    tag: Vec<u8>,
}

impl Message<'_> {
    fn tag_if_known(&self) -> *mut c_void {
        if self.encrypt { null_mut() } else { self.tag.as_ptr().cast_mut().cast() }
    }

    #[inline]
    fn once(&mut self) -> bool {
        let (api, context) = (self.api, self.context);
        let input = black_box(self.input.as_slice());
        let or_null = |bytes: &[u8]| if bytes.is_empty() { null() } else { bytes.as_ptr() };
        let (key, iv) = (or_null(&self.again), or_null(&self.iv));
        let (tagged, ccm) = (!self.tag.is_empty(), self.cipher.mode == Mode::Ccm);
        let mut len = 0;
        // SAFETY: the context lives until `self` is dropped; key and vector have their lengths,
        // the input the one that is given, the output room for a block more, and the tag 16 bytes.
        unsafe {
            let tag = self.tag.as_mut_ptr().cast();
            (self.encrypt
                || !tagged
                || (api.cipher_control)(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1)
                && (api.cipher_init)(context, null_mut(), null_mut(), key, iv, -1) == 1
                && (!ccm
                    || (api.cipher_update)(context, null_mut(), &raw mut len, null(), self.len)
                        == 1)
                && (api.cipher_update)(
                    context,
                    self.output.as_mut_ptr(),
                    &raw mut len,
                    input.as_ptr(),
                    self.len,
                ) == 1
                // CCM checks its tag in the update, so a decryption ends there.
                && (ccm && !self.encrypt
                    || (api.cipher_final)(
                        context,
                        self.output.as_mut_ptr().add(self.input.len()),
                        &raw mut len,
                    ) == 1)
                && (!self.encrypt
                    || !tagged
                    || (api.cipher_control)(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1)
        }
    }
}

impl Work for Message<'_> {
    fn answer(&self) -> Vec<u8> {
        let sealed = if self.encrypt { self.tag.as_slice() } else { &[] };
        [&self.output[..self.input.len()], sealed].concat()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        let done = (0..calls).all(|_| self.once());
        if done {
            Ok(())
        } else {
            Err("EVP_CipherInit_ex, Update or Final failed, or the tag is wrong".to_owned())
        }
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made for this value, and is freed once; null is allowed.
        unsafe { (self.api.cipher_context_free)(self.context) }
    }
}

const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
