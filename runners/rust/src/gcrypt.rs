//! Libgcrypt's digests by `gcry_md_hash_buffer`, and its ciphers.
//!
//! `gcry_md_hash_buffer` is Libgcrypt's call for a whole message. It keeps no context for the
//! caller, so nothing is freed here. `libgcrypt.so.20` is the ABI since 1.6. An algorithm that a
//! version lacks has the length 0, and is not offered.

mod cipher;

use std::ffi::{c_char, c_int, c_uint};
use std::ptr::null;

use crate::dlopen::{Shared, text};
use crate::functions::Functions;

/// The Libgcrypt of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("libgcrypt.so.20")?;
    // SAFETY: the types are those of gcrypt.h.
    let (check_version, control, digest_len, hash) = unsafe {
        (
            library.function::<unsafe extern "C" fn(*const c_char) -> *const c_char>(
                "gcry_check_version",
            )?,
            library.function::<unsafe extern "C" fn(c_int, ...) -> c_uint>("gcry_control")?,
            library.function::<unsafe extern "C" fn(c_int) -> c_uint>("gcry_md_get_algo_dlen")?,
            library.function::<unsafe extern "C" fn(c_int, *mut u8, *const u8, usize)>(
                "gcry_md_hash_buffer",
            )?,
        )
    };
    // SAFETY: this is how the manual has a program begin, before any other call: version, no secure
    // memory, done.
    let version = unsafe {
        let version = text(check_version(null()));
        control(GCRYCTL_DISABLE_SECMEM, 0);
        control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        version
    };
    let mut functions =
        Functions::new("libgcrypt", &version.unwrap_or_default(), [("path", library.path.clone())]);
    for &(name, algorithm) in ALGORITHMS {
        // SAFETY: any number is allowed; 0 says that this version lacks it.
        let len = unsafe { digest_len(algorithm) } as usize;
        if len > 0 {
            functions.add(name, "hash_buffer", len, move |message, out| {
                // SAFETY: `out` has the algorithm's length, and `message` the length that is given.
                unsafe { hash(algorithm, out.as_mut_ptr(), message.as_ptr(), message.len()) }
            });
        }
    }
    cipher::add(&mut functions, &library)?;
    Ok(functions)
}

const GCRYCTL_DISABLE_SECMEM: c_int = 37;
const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;

/// Our name, and the number in `enum gcry_md_algos`.
const ALGORITHMS: &[(&str, c_int)] = &[
    ("md5", 1),
    ("sha1", 2),
    ("ripemd160", 3),
    ("sha256", 8),
    ("sha384", 9),
    ("sha512", 10),
    ("sha224", 11),
    ("md4", 301),
    ("crc32b", 302),
    ("whirlpool", 305),
    ("tiger192-3", 306),
    ("tiger2", 307),
    ("gost", 308),
    ("streebog-256", 309),
    ("streebog-512", 310),
    ("gost-crypto", 311),
    ("sha3-224", 312),
    ("sha3-256", 313),
    ("sha3-384", 314),
    ("sha3-512", 315),
    ("blake2b-512", 318),
    ("blake2b-384", 319),
    ("blake2b-256", 320),
    ("blake2b-160", 321),
    ("blake2s-256", 322),
    ("blake2s-224", 323),
    ("blake2s-160", 324),
    ("blake2s-128", 325),
    ("sm3", 326),
    ("sha512-256", 327),
    ("sha512-224", 328),
];
