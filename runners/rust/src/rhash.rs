//! LibRHash's digests by `rhash_msg`.
//!
//! `rhash_msg` is the call for a whole message. It makes and frees a context in each call. A
//! digest's number is a bit, so that programs can ask for several at once. Each call here asks for
//! one.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint};

use crate::dlopen::{Shared, text};
use crate::functions::Functions;

/// The LibRHash of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("librhash.so.0")?;
    // SAFETY: the types are those of rhash.h.
    let (init, count, name, digest_len, message_digest, transmit) = unsafe {
        (
            library.function::<unsafe extern "C" fn()>("rhash_library_init")?,
            library.function::<unsafe extern "C" fn() -> c_int>("rhash_count")?,
            library.function::<unsafe extern "C" fn(c_uint) -> *const c_char>("rhash_get_name")?,
            library.function::<unsafe extern "C" fn(c_uint) -> c_int>("rhash_get_digest_size")?,
            library.function::<unsafe extern "C" fn(c_uint, *const u8, usize, *mut u8) -> c_int>(
                "rhash_msg",
            )?,
            library.function::<unsafe extern "C" fn(c_uint, *mut u8, usize, usize) -> usize>(
                "rhash_transmit",
            )?,
        )
    };
    // SAFETY: initialised first; the message takes nothing; the numbers are those of the library's
    // digests, a bit each.
    let (version, theirs) = unsafe {
        init();
        let theirs: BTreeMap<_, _> =
            (0..count()).filter_map(|bit| Some((text(name(1 << bit))?, 1 << bit))).collect();
        (transmit(RMSG_GET_LIBRARY_VERSION, std::ptr::null_mut(), 0, 0), theirs)
    };
    // A byte each, from the highest on: major, minor, patch.
    let version = format!("{}.{}.{}", version >> 24 & 255, version >> 16 & 255, version >> 8 & 255);
    let mut functions = Functions::new("librhash", &version, [("path", library.path)]);
    for (ours, id) in NAMES.iter().filter_map(|(ours, name)| Some((ours, *theirs.get(*name)?))) {
        // SAFETY: the number is one of the library's.
        let len = unsafe { digest_len(id) }.unsigned_abs() as usize;
        functions.add(ours, "rhash_msg", len, move |message, out| {
            // SAFETY: `out` has the digest's length, and `message` the length that is given.
            unsafe { message_digest(id, message.as_ptr(), message.len(), out.as_mut_ptr()) };
        });
    }
    Ok(functions)
}

const RMSG_GET_LIBRARY_VERSION: c_uint = 20;

/// Our name and theirs.
const NAMES: &[(&str, &str)] = &[
    ("blake2b-512", "BLAKE2B"),
    ("blake2s-256", "BLAKE2S"),
    ("crc32b", "CRC32"),
    ("crc32c", "CRC32C"),
    ("edonr256", "EDON-R256"),
    ("edonr512", "EDON-R512"),
    ("gost", "GOST94"),
    ("gost-crypto", "GOST94-CRYPTOPRO"),
    ("has160", "HAS-160"),
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("ripemd160", "RIPEMD-160"),
    ("sha1", "SHA1"),
    ("sha224", "SHA-224"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("sha3-224", "SHA3-224"),
    ("sha3-256", "SHA3-256"),
    ("sha3-384", "SHA3-384"),
    ("sha3-512", "SHA3-512"),
    ("snefru128", "SNEFRU-128"),
    ("snefru256", "SNEFRU-256"),
    ("streebog-256", "GOST12-256"),
    ("streebog-512", "GOST12-512"),
    ("tiger192-3", "TIGER"),
    ("whirlpool", "WHIRLPOOL"),
];
