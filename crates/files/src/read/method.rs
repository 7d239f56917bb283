//! What computes a file's digest: a digest of all of it, with or without a key, or of its parts.
//!
//! ```text
//! Whole    md5             16 bytes
//! Keyed    hmac-sha256     32 bytes; values are compared in constant time
//! Parts    s3-etag         16 bytes and 4: the number of parts, 0 if the file has none
//!                          b1946ac92492d2347c6235b4d2611184-3
//! ```
//!
//! Lists, commands and reading speak of methods only. A new kind of digest is one more `Kind`.

use constant_time_eq::constant_time_eq;
use data_encoding::{BASE64, HEXLOWER};
use hashdyno::composite::{Composed, Composite, CompositeHasher};
use hashdyno::{Cpu, Digest, Hasher, KeyError, KeyedHasher, Messages, Output, digest_many_on};

use crate::read::key::Keyed;

/// What computes a file's digest. Values are bytes; where the number of parts is written behind a
/// digest, it is their last four, 0 of a file that was not made in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The one name used in output.
    pub name: &'static str,
    /// Length of the value in bytes.
    pub output_len: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Whole(&'static Digest),
    Keyed(Keyed),
    Parts(Composite),
}

/// Bytes of the number of parts.
const COUNT: usize = 4;

const USABLE: &str = "no file is begun under a key that its digest refuses";

impl From<&'static Digest> for Method {
    fn from(digest: &'static Digest) -> Self {
        Self { name: digest.name, output_len: digest.output_len, kind: Kind::Whole(digest) }
    }
}

impl From<Keyed> for Method {
    fn from(keyed: Keyed) -> Self {
        let (name, output_len) = (keyed.name(), keyed.digest().output_len);
        Self { name, output_len, kind: Kind::Keyed(keyed) }
    }
}

impl From<Composite> for Method {
    fn from(composite: Composite) -> Self {
        let count = if composite.counts_parts() { COUNT } else { 0 };
        Self {
            name: composite.name,
            output_len: composite.output_len() + count,
            kind: Kind::Parts(composite),
        }
    }
}

impl Method {
    /// The digest, if it takes a file as a whole, without a key.
    pub fn digest(&self) -> Option<&'static Digest> {
        match self.kind {
            Kind::Whole(digest) => Some(digest),
            Kind::Keyed(_) | Kind::Parts(_) => None,
        }
    }

    /// The digest and its key, if it has one.
    pub fn keyed(&self) -> Option<&Keyed> {
        match &self.kind {
            Kind::Keyed(keyed) => Some(keyed),
            Kind::Whole(_) | Kind::Parts(_) => None,
        }
    }

    /// The composite digest, if it is one.
    pub fn composite(&self) -> Option<&Composite> {
        match &self.kind {
            Kind::Whole(_) | Kind::Keyed(_) => None,
            Kind::Parts(composite) => Some(composite),
        }
    }

    /// Checks that the digest takes the key, if there is one.
    ///
    /// # Errors
    /// [`KeyError`]: why the digest refuses the key.
    pub fn usable(&self) -> Result<(), KeyError> {
        self.keyed().map_or(Ok(()), |keyed| keyed.key().map(drop))
    }

    /// The value of a file of that name and, if it is known, of that length: one that is being
    /// hashed.
    ///
    /// # Panics
    /// If the method is not [`Method::usable`].
    pub fn begin(&self, name: &[u8], len: Option<u64>) -> Running {
        match &self.kind {
            Kind::Whole(digest) => Running::Whole(Box::new(Hasher::new(digest))),
            Kind::Keyed(keyed) => Running::Keyed(Box::new(keyed.key().expect(USABLE).hasher())),
            Kind::Parts(composite) => {
                Running::Parts(self.clone(), Box::new(composite.hasher_of(name, len)))
            }
        }
    }

    /// The values of many files, one after another, in the lanes of one core; `None` if each is
    /// made of parts.
    ///
    /// # Panics
    /// If the method is not [`Method::usable`].
    pub fn many(&self, files: &[&[u8]]) -> Option<Vec<u8>> {
        let mut out = vec![0; files.len() * self.output_len];
        let (cpu, messages) = (Cpu::native(), Messages::Slices(files));
        match &self.kind {
            Kind::Whole(digest) => digest_many_on(digest, cpu, messages, &mut out),
            Kind::Keyed(keyed) => {
                keyed.key().expect(USABLE).digest_many_on(cpu, messages, &mut out);
            }
            Kind::Parts(_) => return None,
        }
        Some(out)
    }

    /// Whether two values are the same. Of codes under a key, it takes the same time wherever they
    /// differ.
    pub fn same(&self, one: &[u8], other: &[u8]) -> bool {
        match &self.kind {
            Kind::Keyed(_) => constant_time_eq(one, other),
            Kind::Whole(_) | Kind::Parts(_) => one == other,
        }
    }

    /// The value as programs write it: in hexadecimal, or as is usual of a composite digest.
    pub fn text(&self, value: &[u8]) -> String {
        match &self.kind {
            Kind::Whole(_) | Kind::Keyed(_) => HEXLOWER.encode(value),
            Kind::Parts(composite) => {
                let (digest, parts) = split(composite, value);
                composite.text(digest, parts)
            }
        }
    }

    /// The value in Base64.
    pub fn base64(&self, value: &[u8]) -> String {
        match &self.kind {
            Kind::Whole(_) | Kind::Keyed(_) => BASE64.encode(value),
            Kind::Parts(composite) => {
                let (digest, parts) = split(composite, value);
                composite.base64(digest, parts)
            }
        }
    }

    /// The value of a composite digest.
    ///
    /// # Panics
    /// If there are 2^32 parts or more and their number belongs to the value.
    pub fn value(&self, composed: Composed) -> Output {
        match self.composite() {
            None => composed.digest,
            Some(composite) => value(composite, &composed.digest, composed.parts)
                .expect("a file has fewer than 2^32 parts"),
        }
    }

    /// Of how many parts the value is; 0 if it does not tell.
    pub fn parts(&self, value: &[u8]) -> u64 {
        self.composite().map_or(0, |composite| split(composite, value).1)
    }

    /// The value that a text says of a composite digest.
    pub fn parse(&self, text: &str) -> Option<Output> {
        let composite = self.composite()?;
        let (digest, parts) = composite.parse(text)?;
        value(composite, &digest, parts)
    }
}

fn split<'a>(composite: &Composite, value: &'a [u8]) -> (&'a [u8], u64) {
    if !composite.counts_parts() {
        return (value, 0);
    }
    let (digest, count) = value.split_at(value.len().saturating_sub(COUNT));
    (digest, count.iter().fold(0, |count, &byte| count << 8 | u64::from(byte)))
}

/// None if the parts are more than four bytes can say.
fn value(composite: &Composite, digest: &[u8], parts: u64) -> Option<Output> {
    let count = u32::try_from(parts).ok()?.to_be_bytes();
    let count = if composite.counts_parts() { &count[..] } else { &[] };
    [digest, count].concat()[..].try_into().ok()
}

/// A file being hashed.
pub enum Running {
    /// As a whole.
    Whole(Box<Hasher>),
    /// As a whole, under a key.
    Keyed(Box<KeyedHasher>),
    /// In parts.
    Parts(Method, Box<CompositeHasher>),
}

impl Running {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Whole(hasher) => hasher.update(bytes),
            Self::Keyed(hasher) => hasher.update(bytes),
            Self::Parts(_, hasher) => hasher.update(bytes),
        }
    }

    /// The value of all bytes taken.
    ///
    /// # Panics
    /// As [`Method::value`] does.
    pub fn finish(self) -> Output {
        match self {
            Self::Whole(hasher) => hasher.finish(),
            Self::Keyed(hasher) => hasher.finish(),
            Self::Parts(method, hasher) => method.value(hasher.finish()),
        }
    }
}
