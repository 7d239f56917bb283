//! Digests by the names that a user gave.

use files::algorithm;
use hashdyno::Digest;

use crate::failure::BadInput;
use crate::nearest;

/// The digests of these names, each once.
pub fn digests(names: &[String]) -> Result<Vec<&'static Digest>, BadInput> {
    let mut digests = Vec::with_capacity(names.len());
    for name in names {
        let digest = digest(name)?;
        if !digests.contains(&digest) {
            digests.push(digest);
        }
    }
    Ok(digests)
}

/// The same digests, of that many bits each.
pub fn of_bits(digests: &[&'static Digest], bits: usize) -> Result<Vec<&'static Digest>, BadInput> {
    let mut others = Vec::with_capacity(digests.len());
    for digest in digests {
        let other = digest.of_bits(bits).map_err(|error| {
            let hint = "--length is for BLAKE2, BLAKE3, Skein, SHAKE, TurboSHAKE, KT and Ascon-XOF";
            BadInput::new(error.to_string(), hint)
        })?;
        if !others.contains(&other) {
            others.push(other);
        }
    }
    Ok(others)
}

/// The digest of that name.
pub fn digest(name: &str) -> Result<&'static Digest, BadInput> {
    let unknown = || {
        BadInput::new(
            format!("unknown algorithm '{name}'"),
            nearest::digest(name, "`hashdyno list` names all"),
        )
    };
    algorithm::by_name(name).ok_or_else(unknown)
}
