//! Nettle's digests: init, update and digest on one context; and its ciphers.
//!
//! `nettle_lookup_hash` finds a `struct nettle_hash`, a constant of the library with its functions.
//! The context is memory of the caller, made once for each job and freed with it. `digest` begins
//! it anew.
//!
//! `libnettle.so.8` is the ABI since Nettle 3.6. The structures below are Nettle 3's: another ABI
//! has another number in its name, and is not loaded.

mod cipher;

use std::ffi::{CString, c_char, c_int, c_uint, c_void};

use crate::dlopen::Shared;
use crate::functions::Functions;

/// `struct nettle_hash`, as Nettle 3 declares it.
#[repr(C)]
struct Hash {
    name: *const c_char,
    context_size: c_uint,
    digest_size: c_uint,
    block_size: c_uint,
    init: unsafe extern "C" fn(*mut c_void),
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

/// The Nettle of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("libnettle.so.8")?;
    // SAFETY: the types are those of nettle-meta.h and version.h.
    let (lookup, major, minor) = unsafe {
        (
            library.function::<unsafe extern "C" fn(*const c_char) -> Option<&'static Hash>>(
                "nettle_lookup_hash",
            )?,
            library.function::<unsafe extern "C" fn() -> c_int>("nettle_version_major")?,
            library.function::<unsafe extern "C" fn() -> c_int>("nettle_version_minor")?,
        )
    };
    // SAFETY: they take nothing.
    let version = unsafe { format!("{}.{}", major(), minor()) };
    let mut functions = Functions::new("nettle", &version, [("path", library.path.clone())]);
    for &(name, theirs) in NAMES {
        let text = CString::new(theirs).map_err(|error| error.to_string())?;
        // SAFETY: a C string; what comes back is null or one of the library's constants.
        if let Some(hash) = unsafe { lookup(text.as_ptr()) } {
            // Whole vectors, for their alignment.
            let mut context = vec![0_u128; (hash.context_size as usize).div_ceil(16)];
            functions.add(name, "nettle", hash.digest_size as usize, move |message, out| {
                let context = context.as_mut_ptr().cast();
                // SAFETY: the context has the size that the hash asks for and is initialised first;
                // the lengths are those of the slices.
                unsafe {
                    (hash.init)(context);
                    (hash.update)(context, message.len(), message.as_ptr());
                    (hash.digest)(context, out.len(), out.as_mut_ptr());
                }
            });
        }
    }
    cipher::add(&mut functions, &library)?;
    Ok(functions)
}

/// Our name and theirs.
const NAMES: &[(&str, &str)] = &[
    ("gost", "gosthash94"),
    ("gost-crypto", "gosthash94cp"),
    ("md2", "md2"),
    ("md4", "md4"),
    ("md5", "md5"),
    ("ripemd160", "ripemd160"),
    ("sha1", "sha1"),
    ("sha224", "sha224"),
    ("sha256", "sha256"),
    ("sha384", "sha384"),
    ("sha512", "sha512"),
    ("sha512-224", "sha512_224"),
    ("sha512-256", "sha512_256"),
    ("sha3-224", "sha3_224"),
    ("sha3-256", "sha3_256"),
    ("sha3-384", "sha3_384"),
    ("sha3-512", "sha3_512"),
    ("sm3", "sm3"),
    ("streebog-256", "streebog256"),
    ("streebog-512", "streebog512"),
];
