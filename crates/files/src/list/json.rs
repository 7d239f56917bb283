//! JSON lines: `{"name":"a.txt","size":6,"modified":"2026-01-31T12:00:00Z","digests":{"md5":"..."}}`. A name that is not UTF-8
//! is `name_bytes`, in hexadecimal.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_json::{Map, Value};

use super::{Claim, Entry};
use crate::algorithm;

/// The entry of a line.
pub(crate) fn entry(line: &[u8]) -> Option<Entry> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let name = name(value.as_object()?, "name")?;
    let claims = value.get("digests")?.as_object()?.iter().map(|(digest, text)| claim(digest, text));
    let claims = claims.collect::<Option<Vec<_>>>().filter(|claims| !claims.is_empty())?;
    let modified = value.get("modified").and_then(Value::as_str).and_then(|text| text.parse().ok());
    let size = match value.get("size") {
        None => None,
        Some(size) => Some(size.as_u64()?),
    };
    (!name.contains(&0)).then_some(Entry { name, claims, size, modified })
}

fn claim(digest: &str, text: &Value) -> Option<Claim> {
    let digest = algorithm::alone(algorithm::by_name(digest)?);
    Claim::new(digest, &HEXLOWER_PERMISSIVE.decode(text.as_str()?.as_bytes()).ok()?)
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
    entry.modified.iter().for_each(|time| drop(object.insert("modified".to_owned(), time.to_string().into())));
    let digests = entry.claims.iter().map(|claim| (claim.digests[0].name.to_owned(), HEXLOWER.encode(&claim.value).into()));
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
