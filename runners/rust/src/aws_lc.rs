//! AWS-LC's digests and ciphers, through aws-lc-rs.
//!
//! The library is compiled into this program by `aws-lc-sys`, so its version is that of Cargo.lock,
//! and nothing is loaded at run time. `digest::digest` is the call for a whole message. It needs no
//! context and frees nothing. Its symbols have a prefix, so they never meet the symbols of
//! libcrypto.

mod cipher;

use aws_lc_rs::digest;

use crate::functions::Functions;
use crate::lock;

/// Its digests that hashdyno has, and its AES.
pub fn load() -> Functions {
    let facts = lock::versions(&["aws-lc-sys"]);
    let mut functions = Functions::new("aws-lc", &lock::version("aws-lc-rs"), facts);
    for (name, algorithm) in [
        ("sha1", &digest::SHA1_FOR_LEGACY_USE_ONLY),
        ("sha224", &digest::SHA224),
        ("sha256", &digest::SHA256),
        ("sha384", &digest::SHA384),
        ("sha512", &digest::SHA512),
        ("sha512-256", &digest::SHA512_256),
        ("sha3-256", &digest::SHA3_256),
        ("sha3-384", &digest::SHA3_384),
        ("sha3-512", &digest::SHA3_512),
    ] {
        functions.add(name, "digest", algorithm.output_len(), |message, out| {
            out.copy_from_slice(digest::digest(algorithm, message).as_ref());
        });
    }
    cipher::add(&mut functions);
    functions
}
