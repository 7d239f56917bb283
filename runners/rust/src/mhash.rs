//! mhash's digests: `mhash_init`, `mhash`, `mhash_deinit`.
//!
//! mhash has no call for a whole message, and no way to begin a context anew. So each message costs
//! an allocation, as in every program that uses mhash: `mhash_init` makes the context,
//! `mhash_deinit` writes the digest and frees the context. `mhash_get_block_size` gives the length
//! of the digest, whatever its name says.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::dlopen::{Shared, text};
use crate::functions::Functions;

/// The mhash of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("libmhash.so.2")?;
    // SAFETY: the types are those of mhash.h: `hashid` is an enum, `mutils_word32` 32 bits, and
    // `MHASH` a pointer.
    let (count, name, digest_len, init, update, finish) = unsafe {
        (
            library.function::<unsafe extern "C" fn() -> c_uint>("mhash_count")?,
            library.function::<unsafe extern "C" fn(c_uint) -> *const c_char>(
                "mhash_get_hash_name_static",
            )?,
            library.function::<unsafe extern "C" fn(c_uint) -> c_uint>("mhash_get_block_size")?,
            library.function::<unsafe extern "C" fn(c_uint) -> *mut c_void>("mhash_init")?,
            library.function::<unsafe extern "C" fn(*mut c_void, *const u8, c_uint) -> c_int>(
                "mhash",
            )?,
            library.function::<unsafe extern "C" fn(*mut c_void, *mut u8)>("mhash_deinit")?,
        )
    };
    // `mhash_count` gives the highest number, and some numbers below it are not in use.
    // SAFETY: numbers up to the count are allowed; those that there are not have no name.
    let theirs: BTreeMap<_, _> =
        unsafe { (0..=count()).filter_map(|id| Some((text(name(id))?, id))).collect() };
    let mut functions = Functions::new("mhash", &library.version(), [("path", library.path)]);
    for (ours, id) in NAMES.iter().filter_map(|(ours, name)| Some((ours, *theirs.get(*name)?))) {
        // SAFETY: the number is one of the library's.
        let len = unsafe { digest_len(id) } as usize;
        let reversed = REVERSED.contains(ours);
        functions.add(ours, "mhash", len, move |message, out| {
            // SAFETY: `out` has the digest's length; a message that the protocol allows is shorter
            // than 2^32 bytes; the context is made here and freed by `mhash_deinit`.
            unsafe {
                let context = init(id);
                update(context, message.as_ptr(), message.len() as c_uint);
                finish(context, out.as_mut_ptr());
            }
            if reversed {
                out.reverse();
            }
        });
    }
    Ok(functions)
}

/// Checksums that it writes least significant byte first.
const REVERSED: &[&str] = &["adler32", "crc32b"];

/// Our name and theirs. Its Tiger writes each word the other way round, as PHP's did before 5.4:
/// not the same digest.
const NAMES: &[(&str, &str)] = &[
    ("adler32", "ADLER32"),
    ("crc32-bzip2", "CRC32"),
    ("crc32b", "CRC32B"),
    ("gost", "GOST"),
    ("haval128-3", "HAVAL128"),
    ("haval160-3", "HAVAL160"),
    ("haval192-3", "HAVAL192"),
    ("haval224-3", "HAVAL224"),
    ("haval256-3", "HAVAL256"),
    ("md2", "MD2"),
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("ripemd128", "RIPEMD128"),
    ("ripemd160", "RIPEMD160"),
    ("ripemd256", "RIPEMD256"),
    ("ripemd320", "RIPEMD320"),
    ("sha1", "SHA1"),
    ("sha224", "SHA224"),
    ("sha256", "SHA256"),
    ("sha384", "SHA384"),
    ("sha512", "SHA512"),
    ("snefru128", "SNEFRU128"),
    ("snefru256", "SNEFRU256"),
    ("whirlpool", "WHIRLPOOL"),
];
