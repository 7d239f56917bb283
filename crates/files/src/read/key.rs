//! Keys of files: a secret, and what digests make of it.
//!
//! A list under a key has codes in place of digests: only who knows the secret can make one. The
//! secret and keys made of it are wiped from memory, and no text shows them. Each pair of mode and
//! digest is made into a key once, and keys are compared by that: two are equal if they are one.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hashdyno::{Digest, Key, KeyError, Mode};
use zeroize::Zeroizing;

/// A secret that keys are made of. A copy of it is cheap and the same secret; its memory is wiped
/// when the last copy is dropped.
#[derive(Clone)]
pub struct Secret(Arc<Shared>);

struct Shared {
    bytes: Zeroizing<Vec<u8>>,
    made: Mutex<Vec<Keyed>>,
}

/// A digest under a key. Two are equal if they come of one secret, one mode and one digest.
#[derive(Clone)]
pub struct Keyed(Arc<Inner>);

struct Inner {
    name: &'static str,
    mode: Mode,
    digest: &'static Digest,
    /// The key, or why the digest has none: told for each file, by `Method::usable`.
    key: Result<Key, KeyError>,
    /// The key as BLAKE3's tree takes it.
    tree: Option<Zeroizing<[u8; 32]>>,
}

impl Secret {
    /// A secret of these bytes.
    pub fn new(bytes: Zeroizing<Vec<u8>>) -> Self {
        Self(Arc::new(Shared { bytes, made: Mutex::default() }))
    }

    /// The digest under this secret: by HMAC, or by its own keyed mode.
    pub fn keyed(&self, mode: Mode, digest: &'static Digest) -> Keyed {
        let mut made = self.0.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.iter().find(|it| (it.mode(), it.digest()) == (mode, digest)) {
            return known.clone();
        }
        let keyed = Keyed::new(mode, digest, &self.0.bytes);
        made.push(keyed.clone());
        keyed
    }
}

impl Keyed {
    fn new(mode: Mode, digest: &'static Digest, secret: &[u8]) -> Self {
        let key = match mode {
            Mode::Hmac => Key::hmac(digest, secret),
            _ => Key::keyed(digest, secret),
        };
        let is_tree = mode == Mode::Keyed && digest.name == "blake3";
        let tree = secret.try_into().ok().filter(|_| is_tree).map(Zeroizing::new);
        Self(Arc::new(Inner { name: name(mode, digest), mode, digest, key, tree }))
    }

    /// The one name used in output: `hmac-sha256`, `keyed-blake3`.
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// What the key makes of the digest.
    pub fn mode(&self) -> Mode {
        self.0.mode
    }

    /// The digest without the key.
    pub fn digest(&self) -> &'static Digest {
        self.0.digest
    }

    /// The key.
    ///
    /// # Errors
    /// If the digest has no such mode, or the secret has a length that it does not take.
    pub fn key(&self) -> Result<&Key, KeyError> {
        self.0.key.as_ref().map_err(|error| *error)
    }

    /// The key as BLAKE3's tree takes it, if the digest is such a tree.
    pub(super) fn tree(&self) -> Option<&[u8; 32]> {
        self.0.tree.as_deref()
    }
}

/// The name of a digest in that mode.
fn name(mode: Mode, digest: &Digest) -> &'static str {
    static MADE: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let prefix = if mode == Mode::Hmac { "hmac" } else { "keyed" };
    let name = format!("{prefix}-{}", digest.name);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = made.get(&*name) {
        return known;
    }
    // Each is made once and is there as long as the process, as the digest's own.
    let name = Box::leak(name.into_boxed_str());
    made.insert(name);
    name
}

impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Keyed {}

impl fmt::Debug for Keyed {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keyed").field(&self.0.name).finish()
    }
}

impl fmt::Debug for Secret {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_makes_each_key_once_and_tells_none() {
        let secret = Secret::new(Zeroizing::new(b"hush".to_vec()));
        let sha256 = hashdyno::find("sha256").unwrap();
        let keyed = secret.keyed(Mode::Hmac, sha256);
        assert_eq!(keyed, secret.clone().keyed(Mode::Hmac, sha256));
        let other = Secret::new(Zeroizing::new(b"hush".to_vec()));
        assert_ne!(keyed, other.keyed(Mode::Hmac, sha256), "of another secret");
        assert_eq!(
            (keyed.name(), format!("{keyed:?}")),
            ("hmac-sha256", r#"Keyed("hmac-sha256")"#.into())
        );
        assert_eq!(format!("{secret:?}"), "Secret { .. }");
        let refused = secret.keyed(Mode::Keyed, sha256);
        assert!(refused.key().is_err() && refused.name() == "keyed-sha256");
    }
}
