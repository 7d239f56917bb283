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
