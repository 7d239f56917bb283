//! JSON lines:
//! `{"name":"a.txt","size":6,"modified":"2026-01-31T12:00:00Z","digests":{"md5":"..."}}`. A name
//! that is not UTF-8 is `name_bytes`, in hexadecimal.
//!
//! The journal of a copy has the same objects with keys of its own, so keys beside these are no
//! error. Keys that come twice are: which of two values counts would differ from reader to reader.

use std::fmt;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::entry::{Claim, Entry};
use crate::read::method::Method;

/// A line as it is read. A key that comes twice is an error; keys beside these are left to others.
#[derive(Deserialize)]
struct Line {
    name: Option<String>,
    name_bytes: Option<String>,
    size: Option<u64>,
    modified: Option<String>,
    digests: Digests,
}

/// Values by the names of their digests; a map would keep one of two values of one name.
struct Digests(Vec<(String, String)>);

/// The entry of a line; `method` knows the names of its digests.
pub(crate) fn entry(line: &[u8], method: impl Fn(&str) -> Option<Method>) -> Option<Entry> {
    let line: Line = serde_json::from_slice(line).ok()?;
    let name = match (line.name, line.name_bytes) {
        (Some(name), None) => name.into_bytes(),
        (None, Some(bytes)) => HEXLOWER_PERMISSIVE.decode(bytes.as_bytes()).ok()?,
        _ => return None,
    };
    let claims = line
        .digests
        .0
        .iter()
        .map(|(digest, text)| Claim::read(method(digest)?, text))
        .collect::<Option<Vec<_>>>()?;
    let modified = line.modified.and_then(|text| text.parse().ok());
    // The system takes a NUL for the end of a name and would open another file. An entry without a
    // claim would hold of any file.
    let holds = !name.is_empty() && !name.contains(&0) && !claims.is_empty();
    holds.then_some(Entry { name, claims, size: line.size, modified })
}

impl<'de> Deserialize<'de> for Digests {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Pairs)
    }
}

struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Digests;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values by the names of their digests")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Digests, M::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Digests(pairs))
    }
}

/// The line of an entry, without its end.
pub(super) fn line(entry: &Entry) -> String {
    Value::Object(object(entry)).to_string()
}

/// An entry as an object.
pub(crate) fn object(entry: &Entry) -> Map<String, Value> {
    let mut object = Map::new();
    put_name(&mut object, "name", &entry.name);
    entry.size.into_iter().for_each(|size| drop(object.insert("size".to_owned(), size.into())));
    entry
        .modified
        .iter()
        .for_each(|time| drop(object.insert("modified".to_owned(), time.to_string().into())));
    let digests = entry.claims.iter().map(|claim| {
        let digest = &claim.digests[0];
        (digest.name.to_owned(), digest.text(&claim.value).into())
    });
    object.insert("digests".to_owned(), Value::Object(digests.collect()));
    object
}

/// The name of that key.
pub(crate) fn name(object: &Map<String, Value>, key: &str) -> Option<Vec<u8>> {
    match object.get(&format!("{key}_bytes")) {
        Some(bytes) => HEXLOWER_PERMISSIVE.decode(bytes.as_str()?.as_bytes()).ok(),
        None => Some(object.get(key)?.as_str()?.as_bytes().to_vec()),
    }
}

/// Adds a name; one that is not UTF-8 in hexadecimal, with `_bytes` after its key.
pub(crate) fn put_name(object: &mut Map<String, Value>, key: &str, name: &[u8]) {
    match std::str::from_utf8(name) {
        Ok(name) => object.insert(key.to_owned(), name.into()),
        Err(_) => object.insert(format!("{key}_bytes"), HEXLOWER.encode(name).into()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_any_bytes_is_read_again() {
        for bytes in [&b"a/b.jpg"[..], b"\xff\n", "\u{e9}".as_bytes()] {
            let mut object = Map::new();
            put_name(&mut object, "source", bytes);
            assert_eq!(name(&object, "source").as_deref(), Some(bytes));
            assert_eq!(name(&object, "name"), None);
        }
    }
}
