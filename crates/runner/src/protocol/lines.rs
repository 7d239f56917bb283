//! The lines of the runner protocol, version 1 (docs/PROTOCOL.md), as both sides use them.
//!
//! ```text
//! runner 1 php 8.2.36 zts=0 path=/usr/bin/php8.2     Greeting: version 1, name, version, facts
//! digest md5 hash function                           Offer: the default implementation first
//! many md5 hashdyno_many
//! column md5 hashdyno-hex own-hex
//! cipher aes-256-cbc encrypt decrypt                 Offer: the directions
//! ```
//!
//! Words are separated by one blank each, and no word is empty. In a greeting a blank within a word
//! is `%20`. Reading inverts writing, which the tests hold.

use std::collections::BTreeMap;
use std::fmt;

use super::RunnerError;
use crate::text::unhex;
use crate::work::{Algorithm, LONGEST};

/// The longest answer to `list` in bytes: a hundred times that of a runner with every digest.
pub(crate) const MAX_LIST: usize = 1 << 20;

/// The longest answer in bytes that is spelled in hexadecimal; longer ones follow their line as
/// they are.
pub(crate) const MAX_SPELLED: usize = 16 << 10;

/// The longest answer in bytes that a host takes: base64 twice of the longest message, and then
/// some.
pub(crate) const MAX_ANSWER: usize = 2 * LONGEST;

/// What a runner says of itself at once when it starts: the receipt of every figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The library that is measured.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whatever else decides the figures: the library's path, CPU capability words, build flags.
    pub facts: BTreeMap<String, String>,
}

impl Greeting {
    /// Reads the line `runner 1 NAME VERSION [KEY=VALUE ...]`.
    ///
    /// # Errors
    /// [`RunnerError`]: it is no greeting, of another version, or malformed.
    pub fn parse(line: &str) -> Result<Self, RunnerError> {
        let mut words = line.split(' ');
        if words.next() != Some("runner") {
            return Err(RunnerError::WrongMagic { line: line.to_owned() });
        }
        let version = words.next().unwrap_or_default();
        if version != "1" {
            return Err(RunnerError::WrongVersion { version: version.to_owned() });
        }
        let malformed = || RunnerError::Malformed {
            request: "greeting".to_owned(),
            line: line.to_owned(),
            expected: "'runner 1 NAME VERSION [KEY=VALUE ...]', no word empty",
        };
        let mut word =
            || words.next().filter(|word| !word.is_empty()).map(decode).ok_or_else(malformed);
        let (name, version) = (word()?, word()?);
        let fact =
            |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), decode(value)));
        let facts = words.map(fact).collect::<Option<_>>().ok_or_else(malformed)?;
        Ok(Self { name, version, facts })
    }
}

impl fmt::Display for Greeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "runner 1 {} {}", encode(&self.name), encode(&self.version))?;
        self.facts.iter().try_for_each(|(key, value)| write!(f, " {key}={}", encode(value)))
    }
}

/// What an offer is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A digest or checksum, in one or more implementations.
    Digest,
    /// A digest or checksum of many messages, by interfaces that take them all at once.
    Many,
    /// A digest or checksum of a column, in one or more implementations.
    Column,
    /// A cipher, in one or two directions.
    Cipher,
}

/// Something that a runner can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it is.
    pub kind: Kind,
    /// The runner's own name for it.
    pub name: String,
    /// A digest's implementations, the default first (none named: there is one), one at least of
    /// many messages; a cipher's directions.
    pub variants: Vec<String>,
}

impl Offer {
    /// A digest in these implementations.
    pub fn digest(
        name: impl Into<String>,
        implementations: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self::of(Kind::Digest, name, implementations)
    }

    /// A digest of many messages in these implementations, one at least.
    pub fn many(
        name: impl Into<String>,
        implementations: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self::of(Kind::Many, name, implementations)
    }

    fn of(
        kind: Kind,
        name: impl Into<String>,
        variants: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self { kind, name: name.into(), variants: variants.into_iter().map(Into::into).collect() }
    }

    /// The ways to compute `algorithm` that this offer of it names; a cipher has one, without a
    /// name.
    pub fn implementations(&self, algorithm: Algorithm) -> &[String] {
        match algorithm {
            Algorithm::Digest(_) => &self.variants,
            Algorithm::Cipher(..) => &[],
        }
    }

    /// Reads a line of the answer to `list`.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let kind = match words.next()? {
            "digest" => Kind::Digest,
            "many" => Kind::Many,
            "column" => Kind::Column,
            "cipher" => Kind::Cipher,
            _ => return None,
        };
        let mut words = words.map(str::to_owned);
        let offer = Self { kind, name: words.next()?, variants: words.collect() };
        let whole = !offer.name.is_empty() && offer.variants.iter().all(|word| !word.is_empty());
        let needs_one = matches!(kind, Kind::Many | Kind::Column);
        (whole && !(needs_one && offer.variants.is_empty())).then_some(offer)
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Digest => "digest",
            Kind::Many => "many",
            Kind::Column => "column",
            Kind::Cipher => "cipher",
        };
        write!(f, "{kind} {}", self.name)?;
        self.variants.iter().try_for_each(|variant| write!(f, " {variant}"))
    }
}

/// `text` with its blanks, controls and percent signs as `%XX`, so that it is one word; other bytes
/// as they are.
fn encode(text: &str) -> String {
    let word = |c: char| match c {
        '%' | '\0'..=' ' | '\x7f' => format!("%{:02X}", c as u32),
        _ => c.to_string(),
    };
    text.chars().map(word).collect()
}

/// The text that [`encode`] made a word of; a percent sign that no two digits follow stands for
/// itself.
fn decode(word: &str) -> String {
    let mut parts = word.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(unhex) {
            Some(byte) => bytes.extend(byte.iter().chain(&part.as_bytes()[2..])),
            None => bytes.extend(b"%".iter().chain(part.as_bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_survives_the_line() {
        let facts = [("path", "/a b/100%"), ("ia32cap", "0x1:0x2"), ("empty", "")];
        let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let greeting = Greeting { name: "open ssl".into(), version: "3.0.22 25 Aug".into(), facts };
        assert_eq!(Greeting::parse(&greeting.to_string()).unwrap(), greeting);
    }

    #[test]
    fn a_greeting_without_receipt_is_none() {
        assert!(matches!(Greeting::parse("hello"), Err(RunnerError::WrongMagic { .. })));
        assert!(matches!(Greeting::parse(""), Err(RunnerError::WrongMagic { .. })));
        assert!(matches!(Greeting::parse("runner 2 php 8"), Err(RunnerError::WrongVersion { .. })));
        for line in ["runner 1 php", "runner 1 php ", "runner 1  8.2", "runner 1 php 8.2 jit"] {
            assert!(matches!(Greeting::parse(line), Err(RunnerError::Malformed { .. })), "{line}");
        }
    }

    #[test]
    fn an_offer_survives_the_line() {
        for line in [
            "digest md5",
            "digest haval128,3 hash",
            "many md5 avx2x8 loop",
            "column md5 hashdyno-hex own-hex",
            "cipher aes-256-cbc encrypt decrypt",
        ] {
            assert_eq!(Offer::parse(line).unwrap().to_string(), line);
        }
        for line in [
            "",
            "digest",
            "digest ",
            "digest md5  hash",
            "many md5",
            "column md5",
            "md5",
            "digestmd5 x",
        ] {
            assert_eq!(Offer::parse(line), None, "{line}");
        }
    }
}
