//! A column of strings, as engines of data have it: rows in one buffer, in Arrow's layout.
//!
//! ```text
//! 1000 rows of 5-40
//! offsets   1001 numbers of 32 bits, little-endian: 0, the end of row 1, the end of row 2 ...
//! rows      one after another, letters and digits
//! ```
//!
//! The layout is the payload of `job column`. The same column has the same bytes in each process,
//! so figures of two runs are of the same work.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::payload::MAX_PAYLOAD;
use crate::text;

/// Rows of text whose lengths are equal, `1000 rows of 64`, or mixed, `1000 rows of 5-40`: every
/// length comes as often, in a random order that is the same whoever asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Column {
    rows: usize,
    shortest: usize,
    longest: usize,
}

impl Column {
    /// `rows` rows of these lengths in bytes, both included. `None` if no job can be that large.
    pub fn new(rows: usize, shortest: usize, longest: usize) -> Option<Self> {
        let fits = (1..=MAX_ROWS).contains(&rows)
            && shortest <= longest
            && longest <= (MAX_PAYLOAD - OFFSET) / rows - OFFSET;
        fits.then_some(Self { rows, shortest, longest })
    }

    /// How many rows it has.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// The length of every row, where all have the same.
    pub(super) fn each(self) -> Option<usize> {
        (self.shortest == self.longest).then_some(self.longest)
    }

    /// Bytes of all rows.
    pub(super) fn bytes(self) -> u64 {
        let span = self.longest - self.shortest + 1;
        // Lengths go round from the shortest to the longest: whole turns, and the beginning of one.
        let (turns, rest) = (self.rows / span, self.rows % span);
        let beyond = |count: usize| count * count.saturating_sub(1) / 2;
        (self.rows * self.shortest + turns * beyond(span) + beyond(rest)) as u64
    }

    /// Arrow's two buffers of such a column, one after the other: where each row begins and the
    /// last ends, as little-endian numbers of 32 bits, then the rows, which are letters and digits.
    pub(super) fn layout(self) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(self.bytes());
        let span = self.longest - self.shortest + 1;
        let mut lens: Vec<_> = (0..self.rows).map(|row| self.shortest + row % span).collect();
        random.shuffle(&mut lens);
        let ends = lens.iter().scan(0, |end, len| {
            *end += *len as u32;
            Some(*end)
        });
        let mut layout: Vec<u8> = [0].into_iter().chain(ends).flat_map(u32::to_le_bytes).collect();
        layout.extend((0..self.bytes()).map(|_| random.alphanumeric() as u8));
        layout
    }

    /// The same with a number of rows that is at most `most`.
    #[must_use]
    pub fn at_most(self, most: usize) -> Self {
        Self { rows: self.rows.min(most), ..self }
    }

    /// In words: `1000 rows of 5 to 40 bytes`.
    pub(super) fn describe(self) -> String {
        self.to_string().replace('-', " to ") + " bytes"
    }
}

/// The rows of a [`Column::layout`] with `count` rows.
pub(crate) fn rows(layout: &[u8], count: usize) -> impl Iterator<Item = &[u8]> {
    let (offsets, data) = layout.split_at(OFFSET * (count + 1));
    let offset = |bytes: &[u8; OFFSET]| u32::from_le_bytes(*bytes) as usize;
    offsets.as_chunks().0.windows(2).map(move |pair| &data[offset(&pair[0])..offset(&pair[1])])
}

/// What stands between the numbers of a column in text.
pub(super) const ROWS_OF: &str = " rows of ";

/// The most rows of a column: their digests of 64 bytes are an answer that a host takes.
const MAX_ROWS: usize = 1_000_000;

/// Bytes of an offset.
const OFFSET: usize = 4;

impl FromStr for Column {
    type Err = String;

    /// `1000 rows of 64`, `1000 rows of 5-40`.
    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            |word: &str| text::number(word).and_then(|number| usize::try_from(number).ok());
        let read = || {
            let (rows, lens) = text.split_once(ROWS_OF)?;
            let (shortest, longest) = lens.split_once('-').unwrap_or((lens, lens));
            Self::new(number(rows)?, number(shortest)?, number(longest)?)
        };
        read().ok_or_else(|| {
            format!(
                "'{text}' is not a column: expected rows and a length or two in bytes, such as \
                    '1000 rows of 5-40', with at most {MAX_ROWS} rows and 1 GiB together"
            )
        })
    }
}

impl TryFrom<String> for Column {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Column> for String {
    fn from(column: Column) -> Self {
        column.to_string()
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, shortest, longest } = self;
        write!(f, "{rows}{ROWS_OF}{shortest}")?;
        if shortest == longest { Ok(()) } else { write!(f, "-{longest}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_read_as_it_is_written() {
        for text in ["1000 rows of 5-40", "1 rows of 0", "1000000 rows of 300"] {
            assert_eq!(text.parse::<Column>().unwrap().to_string(), text);
        }
        for text in ["", " rows of 5", "0 rows of 5", "1000001 rows of 5", "9 rows of 6-5"] {
            assert!(text.parse::<Column>().is_err(), "{text}");
        }
        assert!("1000000 rows of 1069".parse::<Column>().is_ok());
        assert!("1000000 rows of 1070".parse::<Column>().is_err());
    }

    #[test]
    fn its_layout_is_arrow_s_and_every_length_comes_as_often() {
        let column = Column::new(75, 5, 40).unwrap();
        let layout = column.layout();
        let mut lens: Vec<_> = rows(&layout, 75).map(<[u8]>::len).collect();
        assert_eq!(lens.iter().sum::<usize>() as u64, column.bytes());
        assert_eq!(layout.len() as u64, 4 * 76 + column.bytes());
        assert!(!lens.is_sorted());
        lens.sort_unstable();
        assert_eq!(lens[..6], [5, 5, 5, 6, 6, 6]);
        assert!(rows(&layout, 75).flatten().all(u8::is_ascii_alphanumeric));
        assert_eq!(Column::new(3, 0, 0).unwrap().layout(), [0; 16]);
    }
}
