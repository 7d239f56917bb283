//! Layouts of many messages: slices, Arrow's offsets of 32 or 64 bits, and rows of one width.
//!
//! Kernels ask for a message by its number and need not know the layout. Loops over all messages
//! choose by the layout once, where a choice for each message costs time. Offsets come from
//! callers, and are checked where a message is read. Lengths that are computed before may be wrong.

use std::ops::Range;

/// Many messages, however the caller has them.
#[derive(Clone, Copy, Debug)]
pub enum Messages<'a> {
    /// A slice each.
    Slices(&'a [&'a [u8]]),
    /// One buffer; message i is `data[offsets[i]..offsets[i + 1]]`. Arrow's binary and string
    /// layout.
    Offsets {
        /// The messages, one after another.
        data: &'a [u8],
        /// One more than there are messages, ascending.
        offsets: &'a [i32],
    },
    /// As [`Messages::Offsets`], with 64-bit offsets: Arrow's large layout.
    LargeOffsets {
        /// The messages, one after another.
        data: &'a [u8],
        /// One more than there are messages, ascending.
        offsets: &'a [i64],
    },
    /// Rows of the same width, one after another.
    Rows {
        /// The messages, one after another; a multiple of `width` long.
        data: &'a [u8],
        /// Length of each message in bytes, not 0.
        width: usize,
    },
}

impl<'a> Messages<'a> {
    /// How many messages there are.
    ///
    /// # Panics
    /// If the `width` of rows is 0, or the data are no whole rows.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Slices(slices) => slices.len(),
            Self::Offsets { offsets, .. } => offsets.len().saturating_sub(1),
            Self::LargeOffsets { offsets, .. } => offsets.len().saturating_sub(1),
            Self::Rows { data, width } => {
                let count = data.len() / width;
                assert!(count * width == data.len(), "the data must be whole rows");
                count
            }
        }
    }

    /// Whether there are none.
    ///
    /// # Panics
    /// As [`Messages::len`] does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Message number `index`.
    ///
    /// # Panics
    /// If there is no such message, or the offsets are not ascending or reach out of the data.
    #[inline(always)]
    pub fn message(&self, index: usize) -> &'a [u8] {
        match *self {
            Self::Slices(slices) => slices[index],
            Self::Offsets { data, offsets } => {
                &data[offsets[index] as usize..offsets[index + 1] as usize]
            }
            Self::LargeOffsets { data, offsets } => {
                &data[offsets[index] as usize..offsets[index + 1] as usize]
            }
            Self::Rows { data, width } => &data[index * width..][..width],
        }
    }

    /// The messages of these numbers.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn range(&self, numbers: Range<usize>) -> Self {
        let Range { start, end } = numbers;
        match *self {
            Self::Slices(slices) => Self::Slices(&slices[start..end]),
            // Of no offsets there are no messages to be had, which is what such a range asks for.
            Self::Offsets { offsets: [], .. } | Self::LargeOffsets { offsets: [], .. }
                if (start, end) == (0, 0) =>
            {
                *self
            }
            Self::Offsets { data, offsets } => {
                Self::Offsets { data, offsets: &offsets[start..=end] }
            }
            Self::LargeOffsets { data, offsets } => {
                Self::LargeOffsets { data, offsets: &offsets[start..=end] }
            }
            Self::Rows { data, width } => {
                Self::Rows { data: &data[start * width..end * width], width }
            }
        }
    }

    /// How many bytes they have in all; any number if offsets are not ascending.
    pub(crate) fn total_len(&self) -> usize {
        match *self {
            Self::Slices(slices) => slices.iter().map(|slice| slice.len()).sum(),
            Self::Offsets { offsets, .. } => match offsets {
                [first, .., last] => last.wrapping_sub(*first) as u32 as usize,
                _ => 0,
            },
            Self::LargeOffsets { offsets, .. } => match offsets {
                [first, .., last] => last.wrapping_sub(*first) as usize,
                _ => 0,
            },
            Self::Rows { data, .. } => data.len(),
        }
    }

    /// Length of the shortest message, the greatest number if there is none.
    pub(crate) fn shortest(&self) -> usize {
        match self.len() {
            0 => usize::MAX,
            count => self.lens(0..count).0,
        }
    }

    /// The least and the greatest length of the messages of these numbers, which are one at least;
    /// if offsets are not ascending, the greatest is none that a message can have.
    pub(crate) fn lens(&self, numbers: Range<usize>) -> (usize, usize) {
        let Range { start, end } = numbers;
        match *self {
            Self::Slices(slices) => extremes(slices[start..end].iter().map(|slice| slice.len())),
            Self::Offsets { offsets, .. } => {
                let (least, most) = extremes(
                    offsets[start..=end]
                        .windows(2)
                        .map(|pair| pair[1].wrapping_sub(pair[0]) as u32),
                );
                (least as usize, most as usize)
            }
            Self::LargeOffsets { offsets, .. } => extremes(
                offsets[start..=end].windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) as usize),
            ),
            Self::Rows { width, .. } => (width, width),
        }
    }
}

impl<'a> From<&'a [&'a [u8]]> for Messages<'a> {
    fn from(slices: &'a [&'a [u8]]) -> Self {
        Self::Slices(slices)
    }
}

impl<'a, const COUNT: usize> From<&'a [&'a [u8]; COUNT]> for Messages<'a> {
    fn from(slices: &'a [&'a [u8]; COUNT]) -> Self {
        Self::Slices(slices)
    }
}

impl<'a> From<&'a Vec<&'a [u8]>> for Messages<'a> {
    fn from(slices: &'a Vec<&'a [u8]>) -> Self {
        Self::Slices(slices)
    }
}

/// The least and the greatest.
fn extremes<T: Ord + Copy>(mut values: impl Iterator<Item = T>) -> (T, T) {
    let first = values.next().expect("there is one at least");
    values.fold((first, first), |(least, most), value| (least.min(value), most.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths 3, 1, 0 and 5 in each layout, after two bytes of another message.
    const DATA: &[u8] = b"..abcdefghi";
    const OFFSETS: [i32; 5] = [2, 5, 6, 6, 11];

    #[test]
    fn lengths_are_those_of_the_messages() {
        let slices = [&b"abc"[..], b"d", b"", b"efghi"];
        let large = OFFSETS.map(i64::from);
        for messages in [
            Messages::Slices(&slices),
            Messages::Offsets { data: DATA, offsets: &OFFSETS },
            Messages::LargeOffsets { data: DATA, offsets: &large },
        ] {
            assert_eq!((messages.len(), messages.total_len(), messages.shortest()), (4, 9, 0));
            assert_eq!((messages.lens(0..2), messages.lens(3..4)), ((1, 3), (5, 5)));
            assert_eq!(messages.range(1..3).len(), 2);
        }
        let rows = Messages::Rows { data: DATA, width: 11 };
        assert_eq!((rows.len(), rows.total_len(), rows.shortest()), (1, 11, 11));
    }

    #[test]
    #[should_panic(expected = "whole rows")]
    fn the_rest_of_rows_is_not_dropped() {
        Messages::Rows { data: b"abcdefgh", width: 3 }.len();
    }

    #[test]
    fn of_no_message_the_shortest_is_the_greatest_number() {
        for messages in [
            Messages::Slices(&[]),
            Messages::Offsets { data: DATA, offsets: &[] },
            Messages::Offsets { data: DATA, offsets: &[7] },
            Messages::LargeOffsets { data: DATA, offsets: &[7] },
            Messages::Rows { data: b"", width: 3 },
        ] {
            let said = (messages.is_empty(), messages.total_len(), messages.shortest());
            assert_eq!(said, (true, 0, usize::MAX));
        }
    }
}
