//! What an unknown name may have meant.
//!
//! Names are compared by letters and digits alone, in lower case, by the measure of Jaro and
//! Winkler: it favours a common beginning. At most three names are shown. A name that is the same
//! but for its spelling excludes all others. A name without likeness is searched as a part of the
//! known names.

use std::collections::HashSet;

use bench::{CIPHERS, Study, providers};
use hashdyno::{ALL, composite};

/// A hint for the name of an algorithm; `otherwise` where nothing is near.
pub fn algorithm(name: &str, otherwise: &str) -> String {
    hint(name, digests().chain(CIPHERS.iter().map(|cipher| (cipher.name, 0.0))), otherwise)
}

/// A hint for the name of a digest, of messages as a whole or of their parts.
pub fn digest(name: &str, otherwise: &str) -> String {
    let composites = composite::ALL.iter().flat_map(composite::Composite::names);
    hint(name, digests().chain(composites.map(|name| (name, 0.0))), otherwise)
}

/// A hint for the name of a provider.
pub fn provider(name: &str, otherwise: &str) -> String {
    hint(name, providers().iter().map(|provider| (provider.name.as_str(), 0.0)), otherwise)
}

/// A hint for the name of a study.
pub fn study(name: &str, otherwise: &str) -> String {
    let known = Study::shipped();
    hint(name, known.iter().map(|study| (study.as_str(), 0.0)), otherwise)
}

/// Every name of every digest, and its handicap: `crc` means a usual CRC, not the catalogue's.
fn digests() -> impl Iterator<Item = (&'static str, f64)> {
    ALL.into_iter().flat_map(|digest| {
        let handicap = if digest.is_rare() { 0.05 } else { 0.0 };
        digest.names().map(move |name| (name, handicap))
    })
}

/// A hint for a name among those known, each with its handicap; `otherwise` where nothing is near.
pub fn hint<'a>(
    name: &str,
    known: impl Iterator<Item = (&'a str, f64)>,
    otherwise: &str,
) -> String {
    let known: Vec<_> = known.collect();
    let mut near = nearest(name, known.iter().copied());
    if near.is_empty() {
        near = containing(name, known.into_iter().map(|(known, _)| known));
    }
    match near.as_slice() {
        [] => otherwise.to_owned(),
        [one] => format!("did you mean '{one}'? {otherwise}"),
        several => format!("did you mean one of '{}'? {otherwise}", several.join("', '")),
    }
}

/// At most three known names, the nearest first; each is less near by its handicap, unless it is
/// the same.
fn nearest<'a>(name: &str, known: impl Iterator<Item = (&'a str, f64)>) -> Vec<&'a str> {
    let wanted = letters(name);
    let near = |(known, handicap): (&'a str, f64)| match likeness(&wanted, &letters(known)) {
        1.0 => (1.0, known),
        likeness => (likeness - handicap, known),
    };
    let mut near: Vec<(f64, &str)> = known.map(near).collect();
    near.retain(|(likeness, _)| *likeness > NEAR);
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.len().cmp(&b.1.len())).then(a.1.cmp(b.1)));
    // `sha256` and `SHA-256` are one name to the reader.
    let mut spelled = HashSet::new();
    near.retain(|(_, known)| spelled.insert(letters(known)));
    let best = near.first().map_or(0.0, |(likeness, _)| *likeness);
    near.into_iter()
        .filter(|(likeness, _)| best < 1.0 || *likeness == best)
        .map(|(_, known)| known)
        .take(3)
        .collect()
}

/// At most three known names of which this is a part, as `xts` is of `aes-128-xts`.
fn containing<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let part = letters(name);
    known.filter(|known| part.len() > 2 && letters(known).contains(&part)).take(3).collect()
}

/// From 0 to 1; 1 is the same name, spelled otherwise.
fn likeness(wanted: &str, known: &str) -> f64 {
    strsim::jaro_winkler(wanted, known)
}

/// The name without what people write in different ways: `SHA-256` and `sha_256` are `sha256`.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// As clap has it for commands and options, but for short names a little stricter.
const NEAR: f64 = 0.82;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_near_to_what_they_mean() {
        let says = |name: &str, meant: &str| {
            let hint = digest(name, "");
            assert!(hint.contains(&format!("'{meant}'")), "{name}: {hint:?}, expected {meant}");
        };
        for (name, meant) in [
            ("sha_256", "sha256"),
            ("sah256", "sha256"),
            ("md5sum", "md5"),
            ("blake2", "blake2b"),
            ("crc", "crc32"),
            ("crc-16/modbsu", "crc16-modbus"),
            ("crc_64_nvme", "crc64nvme"),
            ("dropbx", "dropbox"),
            ("s3etag", "s3-etag"),
            ("tigertree", "tiger-tree"),
        ] {
            says(name, meant);
        }
        assert_eq!(digest("rot13", "-"), "-");
        assert!(algorithm("aes-256-gmc", "").contains("'aes-256-gcm'"));
        assert!(algorithm("xts", "").contains("'aes-256-xts'"));
        assert!(provider("opnssl", "").contains("'openssl'"));
        assert!(study("php-hsah", "").contains("'php-hash'"));
    }
}
