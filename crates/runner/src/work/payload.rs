//! What the bytes of a message are.
//!
//! Most figures are of pseudo-random messages. Some programs treat zeros or one letter in a special
//! way, and documents measured with such messages. So a study may name the payload: `4096:zeros`,
//! `4096:a`, `4096:file`.
//!
//! The file is one for the whole process, and is set before the first message needs it.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::text;

/// What a message holds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Payload {
    /// Pseudo-random bytes.
    #[default]
    Random,
    /// The byte 0, repeated.
    Zeros,
    /// The letter a, repeated.
    A,
    /// A file of the user's, repeated as far as the message is longer.
    File,
}

impl Payload {
    /// Says what [`Payload::File`] is, for the whole process.
    ///
    /// # Errors
    /// In words: the file is empty, or there is another already.
    pub fn use_file(bytes: Vec<u8>) -> Result<(), String> {
        if bytes.is_empty() {
            return Err("the file is empty: expected one byte at least".to_owned());
        }
        match FILE.get_or_init(|| bytes.clone()) == &bytes {
            true => Ok(()),
            false => Err("a second file: expected one at most".to_owned()),
        }
    }

    /// What [`Payload::File`] is, once it is said.
    pub fn file() -> Option<&'static [u8]> {
        FILE.get().map(Vec::as_slice)
    }

    /// Whether a message of this can be made.
    pub fn is_here(self) -> bool {
        self != Self::File || Self::file().is_some()
    }

    /// What is repeated.
    fn bytes(self) -> &'static [u8] {
        match self {
            Self::A => b"a",
            Self::File => Self::file().expect("a study with a file is refused without one"),
            Self::Random | Self::Zeros => &[0],
        }
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Zeros => "zeros",
            Self::A => "a",
            Self::File => "file",
        })
    }
}

/// A message that is not pseudo-random, `4096:zeros`, `4096:a` or `4096:file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Filled {
    len: usize,
    payload: Payload,
}

impl Filled {
    pub(super) fn new(len: usize, payload: Payload) -> Self {
        Self { len, payload }
    }

    /// Bytes.
    pub(super) fn len(self) -> usize {
        self.len
    }

    /// What it holds.
    pub(super) fn payload(self) -> Payload {
        self.payload
    }

    /// The message.
    pub(super) fn message(self) -> Vec<u8> {
        self.payload.bytes().iter().copied().cycle().take(self.len).collect()
    }
}

impl FromStr for Filled {
    type Err = String;

    /// `4096:zeros`, `4096:a`, `4096:file`.
    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (len, payload) = text.split_once(':')?;
            let payload = [Payload::Zeros, Payload::A, Payload::File]
                .into_iter()
                .find(|known| known.to_string() == payload)?;
            let len = usize::try_from(text::number(len)?).ok().filter(|&len| len <= MAX_PAYLOAD)?;
            Some(Self { len, payload })
        };
        read().ok_or_else(|| {
            format!(
                "'{text}' is not a message: expected a length, 1 GiB at most, and zeros, a or \
                     file, such as 4096:a"
            )
        })
    }
}

impl TryFrom<String> for Filled {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Filled> for String {
    fn from(filled: Filled) -> Self {
        filled.to_string()
    }
}

impl fmt::Display for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.len, self.payload)
    }
}

static FILE: OnceLock<Vec<u8>> = OnceLock::new();

/// The longest payload in bytes.
pub(crate) const MAX_PAYLOAD: usize = 1 << 30;
