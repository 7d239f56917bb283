//! What a message holds: pseudo-random bytes, or a byte repeated.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text;

/// The longest payload in bytes.
pub(crate) const MAX_PAYLOAD: usize = 1 << 30;

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
}

impl Payload {
    /// The byte that is repeated.
    pub(super) fn byte(self) -> u8 {
        if self == Self::A { b'a' } else { 0 }
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Zeros => "zeros",
            Self::A => "a",
        })
    }
}

/// A message that repeats a byte, `4096:zeros` or `4096:a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Filled {
    pub(super) len: usize,
    pub(super) payload: Payload,
}

impl FromStr for Filled {
    type Err = String;

    /// `4096:zeros`, `4096:a`.
    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (len, payload) = text.split_once(':')?;
            let payload = [Payload::Zeros, Payload::A]
                .into_iter()
                .find(|known| known.to_string() == payload)?;
            let len = usize::try_from(text::number(len)?).ok().filter(|&len| len <= MAX_PAYLOAD)?;
            Some(Self { len, payload })
        };
        read().ok_or_else(|| {
            format!(
                "'{text}' is not a message of one byte: expected a length, 1 GiB at most, and zeros \
                    or a, such as 4096:a"
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Size;

    #[test]
    fn a_message_of_one_byte_is_read_as_it_is_written() {
        let filled: Size = "3:a".parse().unwrap();
        assert_eq!((filled, filled.messages()), (Payload::A.of(3), b"aaa".to_vec()));
        assert_eq!((filled.to_string(), filled.bytes()), ("3:a".to_owned(), 3));
        assert_eq!("2:zeros".parse::<Size>().unwrap().messages(), [0, 0]);
        assert_eq!(Payload::Random.of(3), Size::One(3));
        let read = serde_json::from_str::<Size>("\"3:a\"").unwrap();
        assert_eq!((read, serde_json::to_string(&read).unwrap().as_str()), (filled, "\"3:a\""));
        for text in ["3:", ":a", "3:b", "3:random", "-1:a", "1073741825:a", "3x2:a"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
