//! ring's digests.

use ring::digest;

use crate::functions::Functions;
use crate::lock;

/// All that it has.
pub fn load() -> Functions {
    let mut functions = Functions::new("ring", &lock::version("ring"), []);
    for (name, algorithm) in [
        ("sha1", &digest::SHA1_FOR_LEGACY_USE_ONLY),
        ("sha256", &digest::SHA256),
        ("sha384", &digest::SHA384),
        ("sha512", &digest::SHA512),
        ("sha512-256", &digest::SHA512_256),
    ] {
        functions.add(name, "digest", algorithm.output_len(), |message, out| {
            out.copy_from_slice(digest::digest(algorithm, message).as_ref());
        });
    }
    functions
}
