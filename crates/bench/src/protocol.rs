//! The words of the runner protocol, version 1 (docs/PROTOCOL.md), as both sides use them.

use std::collections::BTreeMap;
use std::{fmt, sync::Arc};

use hashdyno::{Cpu, Digest, Features, hex};

use crate::cipher::LONGEST;
use crate::{Cipher, Direction, RunnerError};

/// The longest payload in bytes.
pub(crate) const MAX_PAYLOAD: usize = 1 << 30;

/// The longest answer in bytes that is spelled in hexadecimal; longer ones follow their line as they are.
pub(crate) const MAX_SPELLED: usize = 16 << 10;

/// The longest answer in bytes that a host takes: base64 twice of the longest message, and then some.
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
        let mut word = || words.next().filter(|word| !word.is_empty()).map(decode).ok_or_else(malformed);
        let (name, version) = (word()?, word()?);
        let fact = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), decode(value)));
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
    /// A digest's implementations, the default first (none named: there is one); a cipher's directions.
    pub variants: Vec<String>,
}

impl Offer {
    /// A digest in these implementations.
    pub fn digest(name: impl Into<String>, implementations: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { kind: Kind::Digest, name: name.into(), variants: implementations.into_iter().map(Into::into).collect() }
    }

    /// Reads a line of the answer to `list`.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let kind = match words.next()? {
            "digest" => Kind::Digest,
            "cipher" => Kind::Cipher,
            _ => return None,
        };
        let mut words = words.map(str::to_owned);
        let offer = Self { kind, name: words.next()?, variants: words.collect() };
        let whole = !offer.name.is_empty() && offer.variants.iter().all(|word| !word.is_empty());
        whole.then_some(offer)
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Digest => "digest",
            Kind::Cipher => "cipher",
        };
        write!(f, "{kind} {}", self.name)?;
        self.variants.iter().try_for_each(|variant| write!(f, " {variant}"))
    }
}

/// What a runner is to do over and over.
#[derive(Clone, Debug)]
pub enum Job {
    /// Nothing: the bare loop, to be reported beside the others and never silently subtracted.
    Empty,
    /// To open a small file, read it and close it.
    Open {
        /// Where it is.
        path: String,
        /// What is in it.
        holds: Arc<[u8]>,
    },
    /// The digest of one message.
    Digest {
        /// The runner's name for the digest.
        name: String,
        /// One of the offer's variants; the default if `None`.
        implementation: Option<String>,
        /// Length of the answer in bytes, where the digest can give any.
        output_len: Option<usize>,
        /// What to hash.
        message: Arc<[u8]>,
        /// The right answer; `None` if it is not known, and then only change is noticed.
        expected: Option<Arc<[u8]>>,
    },
    /// A message through a cipher, one way.
    Cipher {
        /// Which.
        cipher: Cipher,
        /// Which way.
        direction: Direction,
        /// Of the cipher's `key_len`.
        key: Vec<u8>,
        /// Of the cipher's `iv_len`.
        iv: Vec<u8>,
        /// The message, or the ciphertext and its tag.
        input: Arc<[u8]>,
        /// The other of the two.
        expected: Arc<[u8]>,
    },
}

impl Job {
    /// `digest` of `message` by the offer's default implementation, to be compared with our portable kernel's answer.
    pub fn digest(digest: &Digest, offer: &Offer, message: Arc<[u8]>) -> Self {
        let expected = portable(digest, &message);
        Self::digest_expecting(digest, offer, message, Some(expected))
    }

    /// The same with an answer that is known already, or of which only change is to be noticed.
    pub fn digest_expecting(digest: &Digest, offer: &Offer, message: Arc<[u8]>, expected: Option<Vec<u8>>) -> Self {
        Self::Digest {
            name: offer.name.clone(),
            implementation: None,
            output_len: digest.extendable.then_some(digest.output_len),
            message,
            expected: expected.map(Arc::from),
        }
    }

    /// `cipher` on `message`, which is whole blocks, or on what it becomes: key and initialisation vector are the same bytes in
    /// every job.
    pub fn cipher(cipher: Cipher, direction: Direction, message: Arc<[u8]>) -> Self {
        let key: Vec<u8> = (0x40..).take(cipher.key_len).collect();
        let iv: Vec<u8> = (0x10..).take(cipher.iv_len()).collect();
        let sealed = cipher.seal(&key, &iv, &message).into();
        Self::published(cipher, direction, [key, iv], [message, sealed])
    }

    /// `cipher` one way, with this key and initialisation vector, on a message or on what it is known to become.
    pub(crate) fn published(
        cipher: Cipher,
        direction: Direction,
        [key, iv]: [Vec<u8>; 2],
        [message, sealed]: [Arc<[u8]>; 2],
    ) -> Self {
        let (input, expected) = match direction {
            Direction::Encrypt => (message, sealed),
            Direction::Decrypt => (sealed, message),
        };
        Self::Cipher { cipher, direction, key, iv, input, expected }
    }

    /// The same job for a runner with this offer, which may have another name for it: the right answer is the same.
    #[must_use]
    pub fn of(mut self, offer: &Offer) -> Self {
        if let Self::Digest { name, .. } = &mut self {
            name.clone_from(&offer.name);
        }
        self
    }

    /// The same job by another implementation of the offer.
    #[must_use]
    pub fn by(mut self, variant: &str) -> Self {
        if let Self::Digest { implementation, .. } = &mut self {
            *implementation = Some(variant.to_owned());
        }
        self
    }

    /// The bytes that follow the line.
    pub(crate) fn payload(&self) -> &[u8] {
        match self {
            Self::Empty => &[],
            Self::Open { path, .. } => path.as_bytes(),
            Self::Digest { message, .. } => message,
            Self::Cipher { input, .. } => input,
        }
    }

    /// The right answer, if it is known.
    pub(crate) fn expected(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Empty => Some(Arc::new([])),
            Self::Open { holds, .. } => Some(holds.clone()),
            Self::Digest { expected, .. } => expected.clone(),
            Self::Cipher { expected, .. } => Some(expected.clone()),
        }
    }
}

impl fmt::Display for Job {
    /// The line that gives the job to a runner.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("job empty"),
            Self::Open { path, .. } => write!(f, "job open len={}", path.len()),
            Self::Digest { name, implementation, output_len, message, .. } => {
                write!(f, "job digest {name} len={}", message.len())?;
                output_len.iter().try_for_each(|len| write!(f, " out={len}"))?;
                implementation.iter().try_for_each(|name| write!(f, " impl={name}"))
            }
            Self::Cipher { cipher, direction, key, iv, input, .. } => {
                write!(f, "job cipher {} {direction} len={} key={}", cipher.name, input.len(), hex(key))?;
                if iv.is_empty() { Ok(()) } else { write!(f, " iv={}", hex(iv)) }
            }
        }
    }
}

/// The right digest, by our portable kernel.
pub(crate) fn portable(digest: &Digest, message: &[u8]) -> Vec<u8> {
    let kernel = digest.bind(&Cpu::native().without(Features::all()));
    let mut output = vec![0; digest.output_len];
    digest.digest_into(&kernel, message, &mut output);
    output
}

/// The bytes that `text` spells in hexadecimal.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    rest.is_empty().then_some(())?;
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

/// `text` with its blanks, controls and percent signs as `%XX`, so that it is one word; other bytes as they are.
fn encode(text: &str) -> String {
    let word = |c: char| match c {
        '%' | '\0'..=' ' | '\x7f' => format!("%{:02X}", c as u32),
        _ => c.to_string(),
    };
    text.chars().map(word).collect()
}

/// The text that [`encode`] made a word of; a percent sign that no two digits follow stands for itself.
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
        for line in ["digest md5", "digest haval128,3 hash", "cipher aes-256-cbc encrypt decrypt"] {
            assert_eq!(Offer::parse(line).unwrap().to_string(), line);
        }
        for line in ["", "digest", "digest ", "digest md5  hash", "md5", "digestmd5 x"] {
            assert_eq!(Offer::parse(line), None, "{line}");
        }
    }

    #[test]
    fn hexadecimal_is_pairs_of_digits() {
        assert_eq!(unhex("00ffA5"), Some(vec![0, 255, 165]));
        assert_eq!(unhex(""), Some(vec![]));
        for text in ["0", "0g", "+1", "0 "] {
            assert_eq!(unhex(text), None, "{text}");
        }
    }
}
