//! What computes a file's digest: a digest of all of it, or of its parts.

use data_encoding::{BASE64, HEXLOWER};
use hashdyno::composite::{Composed, Composite, CompositeHasher};
use hashdyno::{Digest, Hasher, Output};

/// What computes a file's digest. Values are bytes; where the number of parts is written behind a
/// digest, it is their last four, 0 of a file that was not made in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The one name used in output.
    pub name: &'static str,
    /// Length of the value in bytes.
    pub output_len: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Whole(&'static Digest),
    Parts(Composite),
}

/// Bytes of the number of parts.
const COUNT: usize = 4;

impl From<&'static Digest> for Method {
    fn from(digest: &'static Digest) -> Self {
        Self { name: digest.name, output_len: digest.output_len, kind: Kind::Whole(digest) }
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
    /// The digest, if it takes a file as a whole.
    pub fn digest(&self) -> Option<&'static Digest> {
        match self.kind {
            Kind::Whole(digest) => Some(digest),
            Kind::Parts(_) => None,
        }
    }

    /// The composite digest, if it is one.
    pub fn composite(&self) -> Option<&Composite> {
        match &self.kind {
            Kind::Whole(_) => None,
            Kind::Parts(composite) => Some(composite),
        }
    }

    /// The value of a file of that name and, if it is known, of that length: one that is being
    /// hashed.
    pub fn begin(&self, name: &[u8], len: Option<u64>) -> Running {
        match &self.kind {
            Kind::Whole(digest) => Running::Whole(Box::new(Hasher::new(digest))),
            Kind::Parts(composite) => {
                Running::Parts(*self, Box::new(composite.hasher_of(name, len)))
            }
        }
    }

    /// The value as programs write it: in hexadecimal, or as is usual of a composite digest.
    pub fn text(&self, value: &[u8]) -> String {
        match &self.kind {
            Kind::Whole(_) => HEXLOWER.encode(value),
            Kind::Parts(composite) => {
                let (digest, parts) = split(composite, value);
                composite.text(digest, parts)
            }
        }
    }

    /// The value in Base64.
    pub fn base64(&self, value: &[u8]) -> String {
        match &self.kind {
            Kind::Whole(_) => BASE64.encode(value),
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
    /// In parts.
    Parts(Method, Box<CompositeHasher>),
}

impl Running {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Whole(hasher) => hasher.update(bytes),
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
            Self::Parts(method, hasher) => method.value(hasher.finish()),
        }
    }
}
