//! Botan's digests and ciphers by its C interface.
//!
//! The C interface (`ffi.h`) is the only one with a stable ABI: Botan's C++ classes change with
//! each release. Its calls give 0 for success.
//!
//! ```text
//! digests      botan_hash_init once; update and final for each message, final begins anew
//! ECB          botan_block_cipher_init, set_key once; encrypt_blocks for each message
//! other modes  botan_cipher_init, set_key once; start and update with FINAL for each message
//! freed        each object with the value that owns it, by its own destroy function
//! ```
//!
//! A cipher that this build lacks is found by a failing init, and is not offered.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::rc::Rc;

use runner::{CIPHERS, Cipher, Direction, Family, Mode};

use crate::dlopen::{Shared, text};
use crate::functions::Functions;

type Init = unsafe extern "C" fn(*mut *mut c_void, *const c_char, u32) -> c_int;
type InitBlock = unsafe extern "C" fn(*mut *mut c_void, *const c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut c_void) -> c_int;
type Bytes = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
type Blocks = unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, usize) -> c_int;
type Update = unsafe extern "C" fn(
    *mut c_void,
    u32,
    *mut u8,
    usize,
    *mut usize,
    *const u8,
    usize,
    *mut usize,
) -> c_int;

/// An object of the library that is destroyed with this value.
struct Object {
    raw: *mut c_void,
    destroy: Destroy,
}

impl Object {
    /// By a method, since a closure that names the field would keep a copy of the pointer and not
    /// the object.
    fn raw(&self) -> *mut c_void {
        self.raw
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: it is ours alone, and destroyed once; null is allowed.
        unsafe { (self.destroy)(self.raw) };
    }
}

/// The Botan of this machine.
pub fn load() -> Result<Functions, String> {
    let library =
        NAMES.iter().find_map(|name| Shared::open(name).ok()).ok_or_else(|| NAMES.join(", "))?;
    // SAFETY: the type is that of ffi.h; it takes nothing.
    let version = unsafe {
        text(library.function::<unsafe extern "C" fn() -> *const c_char>("botan_version_string")?())
    };
    // "Botan 2.19.3 (release, dated 20221116, ...)"
    let version = version.unwrap_or_default().split(' ').nth(1).unwrap_or_default().to_owned();
    let mut functions = Functions::new("botan", &version, [("path", library.path.clone())]);
    add_digests(&mut functions, &library)?;
    for cipher in CIPHERS {
        match cipher.mode {
            Mode::Ecb => add_ecb(&mut functions, &library, cipher)?,
            Mode::Envelope | Mode::Ige | Mode::Stream | Mode::Hmac => {}
            _ => add_mode(&mut functions, &library, cipher)?,
        }
    }
    Ok(functions)
}

fn add_digests(functions: &mut Functions, library: &Shared) -> Result<(), String> {
    // SAFETY: the types are those of ffi.h.
    let (init, destroy, length, update, finish) = unsafe {
        (
            library.function::<Init>("botan_hash_init")?,
            library.function::<Destroy>("botan_hash_destroy")?,
            library.function::<unsafe extern "C" fn(*mut c_void, *mut usize) -> c_int>(
                "botan_hash_output_length",
            )?,
            library.function::<Bytes>("botan_hash_update")?,
            library.function::<unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int>(
                "botan_hash_final",
            )?,
        )
    };
    for &(name, theirs) in DIGESTS {
        let theirs = CString::new(theirs).map_err(|error| error.to_string())?;
        let mut hash = Object { raw: null_mut(), destroy };
        let mut len = 0;
        // SAFETY: a C string and no flags; what is written is a hash, or stays null where this
        // build lacks it.
        let found = unsafe {
            init(&raw mut hash.raw, theirs.as_ptr(), 0) == 0 && length(hash.raw, &raw mut len) == 0
        };
        if found {
            let hash = Rc::new(hash);
            functions.add(name, "hash", len, move |message, out| {
                // SAFETY: the output has the hash's length, and the message the length that is
                // given; final begins anew.
                unsafe {
                    update(hash.raw(), message.as_ptr(), message.len());
                    finish(hash.raw(), out.as_mut_ptr());
                }
            });
        }
    }
    Ok(())
}

/// ECB is the block cipher itself: there is no mode of that name.
fn add_ecb(functions: &mut Functions, library: &Shared, cipher: &Cipher) -> Result<(), String> {
    // SAFETY: the types are those of ffi.h.
    let (init, destroy, set_key, encrypt, decrypt) = unsafe {
        (
            library.function::<InitBlock>("botan_block_cipher_init")?,
            library.function::<Destroy>("botan_block_cipher_destroy")?,
            library.function::<Bytes>("botan_block_cipher_set_key")?,
            library.function::<Blocks>("botan_block_cipher_encrypt_blocks")?,
            library.function::<Blocks>("botan_block_cipher_decrypt_blocks")?,
        )
    };
    let name =
        CString::new(format!("AES-{}", 8 * cipher.key_len)).map_err(|error| error.to_string())?;
    for (direction, crypt) in [(Direction::Encrypt, encrypt), (Direction::Decrypt, decrypt)] {
        let name = name.clone();
        functions.add_cipher(cipher.name, direction, move |task| {
            let mut block = Object { raw: null_mut(), destroy };
            // SAFETY: a C string; the key has the length that is given.
            let done = unsafe {
                init(&raw mut block.raw, name.as_ptr()) == 0
                    && set_key(block.raw, task.key.as_ptr(), task.key.len()) == 0
            };
            done.then_some(()).ok_or_else(|| format!("{} cannot be set up", task.cipher.name))?;
            Ok(move |input: &[u8], output: &mut [u8]| {
                // SAFETY: input and output are as long as each other, whole blocks.
                unsafe {
                    crypt(block.raw(), input.as_ptr(), output.as_mut_ptr(), input.len() / 16) == 0
                }
            })
        });
    }
    Ok(())
}

fn add_mode(functions: &mut Functions, library: &Shared, cipher: &Cipher) -> Result<(), String> {
    // SAFETY: the types are those of ffi.h.
    let (init, destroy, set_key, start, update) = unsafe {
        (
            library.function::<Init>("botan_cipher_init")?,
            library.function::<Destroy>("botan_cipher_destroy")?,
            library.function::<Bytes>("botan_cipher_set_key")?,
            library.function::<Bytes>("botan_cipher_start")?,
            library.function::<Update>("botan_cipher_update")?,
        )
    };
    let mode = match cipher.mode {
        Mode::Cbc => "CBC/NoPadding",
        Mode::Ctr => "CTR-BE",
        // A tag of 16 bytes and a length of 3.
        Mode::Ccm => "CCM(16,3)",
        Mode::Xts => "XTS",
        Mode::Gcm | Mode::Poly1305 => "GCM",
        _ => return Ok(()),
    };
    let Some(family) = family(cipher) else { return Ok(()) };
    // `ChaCha20Poly1305` is a mode of its own name in Botan.
    let name = if cipher.mode == Mode::Poly1305 { family } else { format!("{family}/{mode}") };
    let name = CString::new(name).map_err(|error| error.to_string())?;
    let mut probe = Object { raw: null_mut(), destroy };
    // SAFETY: a C string, and a handle to write to; a build may lack the cipher.
    if unsafe { init(&raw mut probe.raw, name.as_ptr(), 0) } != 0 {
        return Ok(());
    }
    for (direction, flag) in [(Direction::Encrypt, 0), (Direction::Decrypt, 1)] {
        let name = name.clone();
        functions.add_cipher(cipher.name, direction, move |task| {
            let mut object = Object { raw: null_mut(), destroy };
            // SAFETY: a C string; the key has the length that is given.
            let done = unsafe {
                init(&raw mut object.raw, name.as_ptr(), flag) == 0
                    && set_key(object.raw, task.key.as_ptr(), task.key.len()) == 0
            };
            done.then_some(()).ok_or_else(|| format!("{} cannot be set up", task.cipher.name))?;
            let iv = task.iv.clone();
            Ok(move |input: &[u8], output: &mut [u8]| {
                let (mut written, mut consumed) = (0, 0);
                // SAFETY: all lengths are those of the slices.
                let done = unsafe {
                    start(object.raw(), iv.as_ptr(), iv.len()) == 0
                        && update(
                            object.raw(),
                            FINAL,
                            output.as_mut_ptr(),
                            output.len(),
                            &raw mut written,
                            input.as_ptr(),
                            input.len(),
                            &raw mut consumed,
                        ) == 0
                };
                // A wrong tag is an error of `update`. A mode that keeps bytes back would write
                // fewer.
                done && written == output.len()
            })
        });
    }
    Ok(())
}

/// What Botan calls a block cipher with a key of that length; it has no RC2 and no RC4 that we
/// measure.
fn family(cipher: &Cipher) -> Option<String> {
    let halves = if cipher.mode == Mode::Xts { 2 } else { 1 };
    let bits = 8 * cipher.key_len / halves;
    Some(match cipher.family {
        Family::Aes => format!("AES-{bits}"),
        Family::Blowfish => "Blowfish".to_owned(),
        Family::Camellia => format!("Camellia-{bits}"),
        Family::Cast5 => "CAST-128".to_owned(),
        Family::ChaCha20 => "ChaCha20Poly1305".to_owned(),
        Family::Des => "DES".to_owned(),
        Family::DesEde3 => "TripleDES".to_owned(),
        Family::Idea => "IDEA".to_owned(),
        Family::Seed => "SEED".to_owned(),
        Family::Hmac | Family::Rc2 | Family::Rc4 => return None,
        Family::Rsa | Family::Ecdsa | Family::Ed25519 => return None,
    })
}

/// The message ends here.
const FINAL: u32 = 1;

/// The libraries of Debian 12 and 13.
const NAMES: [&str; 2] = ["libbotan-3.so.7", "libbotan-2.so.19"];

/// Our name and theirs.
const DIGESTS: &[(&str, &str)] = &[
    ("adler32", "Adler32"),
    ("blake2b-512", "Blake2b(512)"),
    ("crc32b", "CRC32"),
    ("keccak-512", "Keccak-1600(512)"),
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("ripemd160", "RIPEMD-160"),
    ("sha1", "SHA-1"),
    ("sha224", "SHA-224"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("sha512-256", "SHA-512-256"),
    ("sha3-224", "SHA-3(224)"),
    ("sha3-256", "SHA-3(256)"),
    ("sha3-384", "SHA-3(384)"),
    ("sha3-512", "SHA-3(512)"),
    ("skein512-512", "Skein-512(512)"),
    ("sm3", "SM3"),
    ("streebog-256", "Streebog-256"),
    ("streebog-512", "Streebog-512"),
    ("tiger192-3", "Tiger(24,3)"),
    ("whirlpool", "Whirlpool"),
];
