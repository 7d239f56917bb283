//! What a digest is wanted for: the rows of `purposes.toml`.
//!
//! A row names the digests that fit by their security and bits, or algorithms one by one. A purpose
//! with `no`, such as `passwords`, has no algorithm.
//!
//! ```text
//! [[purpose]]
//! name = "deduplication"
//! also = ["dedup", "duplicates", "chunk-store", "content-address"]
//! title = "Find equal files or chunks by their digest alone"
//! sizes = [8192]
//! security = ["sound"]
//! ```

use std::sync::LazyLock;

use bench::Algorithm;
use hashdyno::{ALL, Security};
use serde::Deserialize;

/// A row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purpose {
    pub name: String,
    /// Other names of it.
    #[serde(default)]
    pub also: Vec<String>,
    pub title: String,
    /// Bytes of a message, where the user names none.
    #[serde(default)]
    pub sizes: Vec<usize>,
    /// Digests of this security fit.
    #[serde(default)]
    security: Vec<String>,
    /// Or these algorithms alone.
    #[serde(default)]
    only: Vec<String>,
    /// The shortest digest that fits; of a cipher the shortest key.
    #[serde(default)]
    bits: usize,
    pub because: String,
    /// What looks right and is not.
    #[serde(default)]
    pub never: Option<String>,
    /// Why nothing fits.
    #[serde(default)]
    pub no: Option<String>,
    /// What to take where nothing fits.
    #[serde(default)]
    pub instead: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    purpose: Vec<Purpose>,
}

/// Every purpose.
pub fn all() -> &'static [Purpose] {
    static ROWS: LazyLock<Vec<Purpose>> = LazyLock::new(|| {
        let rows: Rows = toml::from_str(include_str!("purposes.toml")).expect("it is tested");
        rows.purpose
    });
    &ROWS
}

/// The purpose of that name, whatever stands between its letters.
pub fn find(name: &str) -> Option<&'static Purpose> {
    let letters = |name: &str| -> String {
        let kept = name.chars().filter(|letter| letter.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    all().iter().find(|purpose| purpose.names().any(|known| letters(known) == letters(name)))
}

impl Purpose {
    /// Its name and its other names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.also).map(String::as_str)
    }

    /// The algorithms that fit, as a study writes them.
    pub fn algorithms(&self) -> Vec<&str> {
        if !self.only.is_empty() {
            return self.only.iter().map(String::as_str).collect();
        }
        let fits = |security: Security| self.security.contains(&security.to_string());
        let digests = ALL.into_iter().filter(|digest| fits(digest.security));
        digests.filter(|digest| 8 * digest.output_len >= self.bits).map(|one| one.name).collect()
    }
}

/// The security of an algorithm in a word, and its bits.
pub fn strength(algorithm: &str) -> (String, usize) {
    match Algorithm::find(algorithm) {
        Some(Algorithm::Digest(digest)) => (digest.security.to_string(), 8 * digest.output_len),
        Some(Algorithm::Cipher(cipher, _)) => ("cipher".to_owned(), 8 * cipher.key_len),
        None => (String::new(), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_has_an_answer() {
        for purpose in all() {
            let Purpose { name, no, instead, sizes, .. } = purpose;
            assert_eq!(no.is_some(), !instead.is_empty(), "{name}");
            assert_eq!(no.is_some(), purpose.algorithms().is_empty(), "{name}");
            assert_eq!(no.is_some(), sizes.is_empty(), "{name}");
            assert!(!purpose.because.is_empty() && !purpose.title.is_empty(), "{name}");
            for algorithm in purpose.algorithms() {
                assert!(strength(algorithm).1 >= purpose.bits, "{name}: {algorithm}");
            }
            assert!(
                purpose.security.iter().all(|word| {
                    ["sound", "legacy", "broken", "checksum"].contains(&word.as_str())
                }),
                "{name}"
            );
        }
        let names: Vec<_> = all().iter().flat_map(Purpose::names).collect();
        let different: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(names.len(), different.len(), "two purposes have one name");
    }

    #[test]
    fn no_digest_is_advised_that_does_not_fit() {
        for name in ["file-integrity", "deduplication", "token-storage", "signatures", "hmac"] {
            let purpose = find(name).expect(name);
            for algorithm in purpose.algorithms() {
                assert_eq!(strength(algorithm).0, "sound", "{name}: {algorithm}");
            }
        }
        for name in ["passwords", "Password Storage", "php session ids", "KDF"] {
            assert!(find(name).is_some_and(|purpose| purpose.no.is_some()), "{name}");
        }
        assert!(find("no-such").is_none());
    }
}
