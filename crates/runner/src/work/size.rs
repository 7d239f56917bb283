//! What one call is given: one message, or many.
//!
//! The text of a size, in studies, records and arguments, and the value that it is:
//!
//! ```text
//! 5000                 One       a message of 5000 bytes, pseudo-random; in JSON a number
//! 4096:zeros           Filled    a message of something else
//! 1000x0-600           Many      1000 messages of 0 to 600 bytes
//! 1000 rows of 5-40    Column    a column of strings
//! ```
//!
//! Messages are made from the size alone: their bytes are the same in every process and in every
//! run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::column::{Column, ROWS_OF};
use super::payload::{Filled, MAX_PAYLOAD, Payload};
use crate::text;

/// What a cell's calls are given; its figures are of one message, whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "expected a message length in bytes, many messages such as '1000x64' or \
        '1000x0-600', a column such as '1000 rows of 5-40', or a message of something else such \
        as '4096:zeros' or '4096:a'"
)]
pub enum Size {
    /// One message of so many bytes, which are pseudo-random.
    One(usize),
    /// One message of something else.
    Filled(Filled),
    /// Many messages.
    Many(Shape),
    /// The rows of a column of strings.
    Column(Column),
}

impl Size {
    /// How many messages a call is given.
    pub fn count(self) -> u64 {
        match self {
            Self::One(_) | Self::Filled(_) => 1,
            Self::Many(shape) => shape.count as u64,
            Self::Column(column) => column.rows() as u64,
        }
    }

    /// What the messages hold.
    pub fn payload(self) -> Payload {
        if let Self::Filled(filled) = self { filled.payload() } else { Payload::Random }
    }

    /// The length of each message, where all have the same.
    pub fn each(self) -> Option<usize> {
        match self {
            Self::One(len) => Some(len),
            Self::Filled(filled) => Some(filled.len()),
            Self::Many(shape) => (shape.shortest == shape.longest).then_some(shape.longest),
            Self::Column(column) => column.each(),
        }
    }

    /// How many bytes a call is given.
    pub fn bytes(self) -> u64 {
        match self {
            Self::One(len) => len as u64,
            Self::Filled(filled) => filled.len() as u64,
            Self::Many(shape) => shape.lens().map(|len| len as u64).sum(),
            Self::Column(column) => column.bytes(),
        }
    }

    /// Bytes of a message, of many their mean.
    pub fn mean(self) -> f64 {
        self.bytes() as f64 / self.count() as f64
    }

    /// The message, or all of them one after another, those of a column after their offsets: the
    /// same bytes whoever asks.
    pub fn messages(self) -> Vec<u8> {
        if let Self::Column(column) = self {
            return column.layout();
        }
        if let Self::Filled(filled) = self {
            return filled.message();
        }
        let mut bytes = vec![0; self.bytes() as usize];
        fastrand::Rng::with_seed(self.bytes()).fill(&mut bytes);
        bytes
    }

    /// In words: `5 bytes`, `1000 messages of 0 to 600 bytes`.
    pub fn describe(self) -> String {
        match self {
            Self::One(len) => format!("{len} bytes"),
            Self::Filled(filled) => format!("{} bytes of {}", filled.len(), filled.payload()),
            Self::Many(Shape { count, shortest, longest }) if shortest == longest => {
                format!("{count} messages of {longest} bytes")
            }
            Self::Many(Shape { count, shortest, longest }) => {
                format!("{count} messages of {shortest} to {longest} bytes")
            }
            Self::Column(column) => column.describe(),
        }
    }

    /// The length of the one message; nothing for many.
    pub fn one(self) -> Option<usize> {
        match self {
            Self::One(len) => Some(len),
            Self::Filled(filled) => Some(filled.len()),
            Self::Many(_) | Self::Column(_) => None,
        }
    }
}

impl FromStr for Size {
    type Err = String;

    /// A number is the length of one message; with a colon behind it what it is filled with
    /// follows; a column has its rows; anything else is many.
    fn from_str(text: &str) -> Result<Self, String> {
        // The sign decides, so that an error names the one form that was meant.
        if text.contains(':') {
            return text.parse().map(Self::Filled);
        }
        if text.contains(ROWS_OF) {
            return text.parse().map(Self::Column);
        }
        match text::number(text).and_then(|len| usize::try_from(len).ok()) {
            Some(len) => Ok(Self::One(len)),
            None => text.parse().map(Self::Many),
        }
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::One(0)
    }
}

impl From<usize> for Size {
    fn from(len: usize) -> Self {
        Self::One(len)
    }
}

impl From<Shape> for Size {
    fn from(shape: Shape) -> Self {
        Self::Many(shape)
    }
}

impl fmt::Display for Size {
    /// As a study writes it; "bytes" may follow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(len) => len.fmt(f),
            Self::Filled(filled) => filled.fmt(f),
            Self::Many(shape) => shape.fmt(f),
            Self::Column(column) => column.fmt(f),
        }
    }
}

impl Payload {
    /// A message of `len` bytes.
    pub fn of(self, len: usize) -> Size {
        match self {
            Self::Random => Size::One(len),
            payload => Size::Filled(Filled::new(len, payload)),
        }
    }
}

/// Many messages of one length, `1000x64`, or of mixed lengths, `1000x0-600`: message i, from 0,
/// has `shortest + (7919 i) mod (longest - shortest + 1)` bytes, so that neighbours differ and
/// every length comes as often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shape {
    count: usize,
    shortest: usize,
    longest: usize,
}

impl Shape {
    /// What is written without a count: as many as a job may have.
    pub const USUAL_COUNT: usize = MAX_MESSAGES;

    /// So many messages of these lengths in bytes, both included; nothing where a job cannot be so
    /// large.
    pub fn new(count: usize, shortest: usize, longest: usize) -> Option<Self> {
        let fits = (1..=MAX_MESSAGES).contains(&count)
            && shortest <= longest
            && longest <= MAX_PAYLOAD / count;
        fits.then_some(Self { count, shortest, longest })
    }

    /// The length of each message in bytes.
    pub fn lens(self) -> impl Iterator<Item = usize> {
        let Self { count, shortest, longest } = self;
        (0..count).map(move |index| shortest + index * STRIDE % (longest - shortest + 1))
    }
}

/// The most messages of one job: the line has a length for each, and is shorter than 64 KiB.
const MAX_MESSAGES: usize = 1000;

/// A prime: it leaves no length out.
const STRIDE: usize = 7919;

impl FromStr for Shape {
    type Err = String;

    /// `1000x5`, `1000x0-600`; without a count, `5`, [`Shape::USUAL_COUNT`] of them.
    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            |word: &str| text::number(word).and_then(|number| usize::try_from(number).ok());
        let read = || {
            let (count, lens) = text
                .split_once('x')
                .map_or((Some(Self::USUAL_COUNT), text), |(count, lens)| (number(count), lens));
            let (shortest, longest) = lens.split_once('-').unwrap_or((lens, lens));
            Self::new(count?, number(shortest)?, number(longest)?)
        };
        read().ok_or_else(|| {
            format!(
                "'{text}' is not many messages: expected a length or two in bytes, such as 64 or \
                    0-600, with a count of at most {MAX_MESSAGES} as \
                 1000x64 or 1000x0-600, and 1 GiB together"
            )
        })
    }
}

impl TryFrom<String> for Shape {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shape> for String {
    fn from(shape: Shape) -> Self {
        shape.to_string()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, shortest, longest } = self;
        write!(f, "{count}x{shortest}")?;
        if shortest == longest { Ok(()) } else { write!(f, "-{longest}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_read_as_it_is_written() {
        for text in ["1000x5", "1x0", "7x0-600", "1000x1073741"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        assert_eq!("64".parse::<Shape>().unwrap().to_string(), "1000x64");
        assert_eq!("0-600".parse::<Shape>().unwrap().to_string(), "1000x0-600");
        assert_eq!("64".parse::<Size>().unwrap(), Size::One(64));
        assert_eq!("1000x64".parse::<Size>().unwrap().to_string(), "1000x64");
        for text in [
            "",
            "x",
            "x5",
            "1000x",
            "0x5",
            "1001x5",
            "1000x1073742",
            "5-4",
            "-5",
            "5-",
            "1000x+5",
            "1000 x 5",
            "1e3",
        ] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
        for text in ["", "+64", "-0", " 64", "+1000x5", "18446744073709551616"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn mixed_lengths_are_the_rule_s() {
        let shape: Shape = "1000x0-600".parse().unwrap();
        assert_eq!(shape.lens().take(4).collect::<Vec<_>>(), [0, 106, 212, 318]);
        assert_eq!(shape.lens().max(), Some(600));
        assert_eq!(
            Size::from(shape).bytes(),
            (0..1000).map(|index| index * 7919 % 601).sum::<u64>()
        );
        let five = Size::from("1000x5".parse::<Shape>().unwrap());
        assert_eq!((five.count(), five.bytes(), five.mean()), (1000, 5000, 5.0));
        let words = [Size::One(5), five, shape.into()].map(Size::describe);
        assert_eq!(
            words,
            ["5 bytes", "1000 messages of 5 bytes", "1000 messages of 0 to 600 bytes"]
        );
    }

    #[test]
    fn a_record_has_a_number_or_a_shape() {
        let read = |text: &str| serde_json::from_str::<Size>(text);
        assert_eq!(read("5000").unwrap(), Size::One(5000));
        let many = read("\"1000x0-600\"").unwrap();
        assert_eq!(
            (many.count(), serde_json::to_string(&many).unwrap().as_str()),
            (1000, "\"1000x0-600\"")
        );
        assert!(
            read("\"many\"")
                .unwrap_err()
                .to_string()
                .contains("expected a message length in bytes")
        );
    }

    #[test]
    fn a_message_of_something_else_is_read_as_it_is_written() {
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

    #[test]
    fn a_file_is_repeated() {
        assert!(Payload::A.is_here() && !Payload::File.is_here());
        assert!(Payload::use_file(Vec::new()).unwrap_err().contains("empty"));
        Payload::use_file(b"abc".to_vec()).unwrap();
        assert!(Payload::use_file(b"abd".to_vec()).unwrap_err().contains("one at most"));
        assert!(Payload::File.is_here());
        let filled: Size = "7:file".parse().unwrap();
        assert_eq!((filled, filled.messages()), (Payload::File.of(7), b"abcabca".to_vec()));
        assert_eq!("2:file".parse::<Size>().unwrap().messages(), b"ab");
    }
}
