//! Lists as they are written, byte for byte, and as they are read again.

mod read;
mod written;

use std::io::{self, Read};

use files::algorithm::{alone, blake2b, by_name};
use files::key::Secret;
use files::list::{
    Algorithm, Claim, Entry, Format, Grammar, ListLine, Note, Reader, Version, WriteError, Writer,
};
use files::method::Method;
use hashdyno::Mode;
use zeroize::Zeroizing;

const HELLO: &[u8] = b"hello\n";
const MD5: &str = "b1946ac92492d2347c6235b4d2611184";

fn digest(name: &str) -> Method {
    by_name(name).unwrap().into()
}

/// What is known of a file of that name that holds `hello`.
fn entry(name: impl AsRef<[u8]>, digests: &[&str]) -> Entry {
    let claim = |name: &&str| Claim {
        digests: alone(digest(name)),
        value: by_name(name).unwrap().digest(HELLO),
    };
    Entry {
        name: name.as_ref().to_vec(),
        claims: digests.iter().map(claim).collect(),
        size: Some(6),
        modified: None,
    }
}

fn try_write(format: Format, zero: bool, entry: &Entry) -> Result<Vec<u8>, WriteError> {
    let digests: Vec<_> = entry.claims.iter().map(|claim| claim.digests[0].clone()).collect();
    let mut writer = Writer::new(Vec::new(), format, &digests).zero(zero);
    writer.start(b"/home/a b", b"hashdeep -c\nmd5")?;
    writer.entry(entry)?;
    writer.finish()?;
    Ok(writer.into_inner())
}

fn written(format: Format, entry: &Entry) -> String {
    String::from_utf8(try_write(format, false, entry).unwrap()).unwrap()
}

/// Every line of a list of that name.
fn lines(grammar: Grammar, name: &str, list: &[u8]) -> Vec<ListLine> {
    let mut reader = Reader::named(list, grammar, name);
    std::iter::from_fn(|| reader.next_line().unwrap()).collect()
}

/// The names and digests of the entries of a list; `None` of what is no entry.
fn read(name: &str, list: &[u8]) -> Vec<Option<(String, Vec<&'static str>)>> {
    let digests = |entry: &Entry| entry.claims.iter().map(|claim| claim.digests[0].name).collect();
    let said = |entry: Entry| (String::from_utf8_lossy(&entry.name).into_owned(), digests(&entry));
    lines(Grammar::ANY, name, list).into_iter().map(|line| line.entry.map(said)).collect()
}

fn only(algorithm: Algorithm) -> Grammar {
    Grammar { algorithm, exact: true, base64: false, least: 0 }
}
