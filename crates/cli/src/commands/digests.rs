//! Digests by the names that a user gave.
//!
//! `sum`, `check` and `copy` take names from users. An unknown name is exit code 2 with the nearest
//! known name. `what` is the option or command that refuses composite digests, for the message.

use files::algorithm;
use files::method::Method;
use hashdyno::Digest;

use crate::failure::BadInput;
use crate::nearest;

/// What computes the digests of these names, each once; parts that may have any length have that
/// one, if it is told.
pub fn methods(names: &[String], part_len: Option<usize>) -> Result<Vec<Method>, BadInput> {
    let mut methods = Vec::with_capacity(names.len());
    for name in names {
        let method = method(name)?;
        let cut = method.composite().zip(part_len).and_then(|(it, len)| it.with_part_len(len));
        let method = cut.map_or(method, Method::from);
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let cuts = |method: &Method| method.composite().is_some_and(|composite| composite.adjustable);
    if part_len.is_some() && !methods.iter().any(cuts) {
        return Err(BadInput::new(
            "--part-size is for digests whose parts may have any length",
            "-a s3-etag, s3-sha256, s3-sha1, s3-crc32c, s3-crc32 or btih",
        ));
    }
    Ok(methods)
}

/// The same digests, of that many bits each.
pub fn of_bits(methods: &[Method], bits: usize) -> Result<Vec<Method>, BadInput> {
    let mut others = Vec::with_capacity(methods.len());
    for digest in whole(methods, "--length")? {
        let other = digest.of_bits(bits).map(Method::from).map_err(|error| {
            let hint = "--length is for BLAKE2, BLAKE3, Skein, SHAKE, TurboSHAKE, KT and Ascon-XOF";
            BadInput::new(error.to_string(), hint)
        })?;
        if !others.contains(&other) {
            others.push(other);
        }
    }
    Ok(others)
}

/// What computes the digest of that name.
pub fn method(name: &str) -> Result<Method, BadInput> {
    let unknown = || {
        BadInput::new(
            format!("unknown algorithm '{name}'"),
            nearest::digest(name, "`hashdyno list` names all"),
        )
    };
    algorithm::method(name).ok_or_else(unknown)
}

/// The digests of these names, each once; `what` takes no composite one.
pub fn digests(names: &[String], what: &str) -> Result<Vec<&'static Digest>, BadInput> {
    whole(&methods(names, None)?, what)
}

/// These digests, if they take messages as a whole; `what` takes no other.
pub fn whole(methods: &[Method], what: &str) -> Result<Vec<&'static Digest>, BadInput> {
    without_parts(methods, what)?;
    Ok(methods.iter().filter_map(Method::digest).collect())
}

/// An error if a digest is made of parts: `what` takes none such.
pub fn without_parts(methods: &[Method], what: &str) -> Result<(), BadInput> {
    match methods.iter().find(|method| method.composite().is_some()) {
        None => Ok(()),
        Some(method) => Err(BadInput::new(
            format!("{what} has no digests of parts, and {} is one", method.name),
            "`hashdyno list` names the digests",
        )),
    }
}
