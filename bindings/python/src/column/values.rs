//! The layouts of Arrow's columns of bytes, checked before they are read.
//!
//! The formats of Arrow that hold bytes, and their buffers behind the first, which says which rows
//! are there:
//!
//! ```text
//! u z      offsets of 32 bits, data          Small
//! U Z      offsets of 64 bits, data          Large
//! w:LEN    data                              Rows
//! vu vz    views, data ..., lengths of data  Views
//! n        none                              Empty
//! ```
//!
//! Checked: offsets are sorted and not negative, views and indices lie inside, lengths are lengths.
//! Not checked, because nobody can: that a buffer is as long as its offsets say.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Range;
use std::{ptr, slice};

use hashdyno::Messages;
use thiserror::Error;

use super::views::{View, Viewed};
use crate::arrow::ArrowArray;

/// Why a column cannot be hashed.
#[derive(Debug, Error)]
pub enum Problem {
    #[error(
        "expected a column of strings or binary, got Arrow's format '{0}'\nhint: cast it first"
    )]
    Kind(String),
    #[error("the column is damaged: {0}")]
    Damaged(String),
}

/// A column's values.
pub enum Values<'a> {
    /// Strings and binary.
    Small { data: &'a [u8], offsets: Cow<'a, [i32]> },
    /// Large strings and large binary.
    Large { data: &'a [u8], offsets: Cow<'a, [i64]> },
    /// Binary of fixed size, of one byte at least.
    Rows { data: &'a [u8], width: usize },
    /// As many empty values.
    Empty(usize),
    /// Views of strings and binary.
    Views { values: Viewed<'a>, nulls: Nulls<'a> },
}

/// Which values are missing.
#[derive(Clone, Copy)]
pub enum Nulls<'a> {
    /// None.
    None,
    /// All.
    All,
    /// Those whose bit is 0; the first value's is number `offset`.
    Bits { bits: &'a [u8], offset: usize },
}

impl<'a> Values<'a> {
    /// The values of an array of that format.
    ///
    /// # Errors
    /// If they are no bytes, or the array contradicts itself.
    pub fn read(format: &str, array: &'a ArrowArray) -> Result<Self, Problem> {
        let rows = rows(array)?;
        match format {
            "u" | "z" => {
                let offsets = items::<i32>(array, 1, rows)?;
                Ok(Self::Small { data: bytes(array, &offsets)?, offsets })
            }
            "U" | "Z" => {
                let offsets = items::<i64>(array, 1, rows)?;
                Ok(Self::Large { data: bytes(array, &offsets)?, offsets })
            }
            "vu" | "vz" => Self::views(array, rows, Nulls::of(format, array)?),
            "n" => Ok(Self::Empty(rows.len())),
            _ => match format.strip_prefix("w:").and_then(|width| width.parse().ok()) {
                Some(0) => Ok(Self::Empty(rows.len())),
                Some(width) => Self::rows(array, rows, width),
                None => Err(Problem::Kind(format.to_owned())),
            },
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Small { offsets, .. } => offsets.len().saturating_sub(1),
            Self::Large { offsets, .. } => offsets.len().saturating_sub(1),
            Self::Rows { data, width } => data.len() / width,
            Self::Empty(count) => *count,
            Self::Views { values, .. } => values.len(),
        }
    }

    /// Hands the values of these numbers to `taken`, without a copy of them.
    ///
    /// # Errors
    /// If a view points outside of its buffer.
    pub fn with<T>(
        &self,
        numbers: Range<usize>,
        taken: impl FnOnce(Messages<'_>) -> T,
    ) -> Result<T, Problem> {
        Ok(match self {
            Self::Small { data, offsets } => {
                taken(Messages::Offsets { data, offsets }.range(numbers))
            }
            Self::Large { data, offsets } => {
                taken(Messages::LargeOffsets { data, offsets }.range(numbers))
            }
            Self::Rows { data, width } => {
                taken(Messages::Rows { data, width: *width }.range(numbers))
            }
            Self::Empty(_) => taken(Messages::Slices(&vec![&[][..]; numbers.len()])),
            Self::Views { values, nulls } => {
                // Not collected as a result: that would not know the length, and the list would
                // grow.
                let mut slices = Vec::with_capacity(numbers.len());
                for row in numbers {
                    let is_null = nulls.is_null(row);
                    let value = if is_null { Some(&[][..]) } else { values.value(row) };
                    slices.push(value.ok_or_else(outside)?);
                }
                taken(Messages::Slices(&slices))
            }
        })
    }

    /// Hands the values of these numbers to `taken` one by one, without a list of them.
    ///
    /// # Errors
    /// If a view points outside of its buffer.
    #[inline(always)]
    pub fn each(&self, numbers: Range<usize>, mut taken: impl FnMut(&[u8])) -> Result<(), Problem> {
        match self {
            Self::Small { data, offsets } => {
                for pair in offsets[numbers.start..=numbers.end].windows(2) {
                    taken(&data[pair[0] as usize..pair[1] as usize]); // they are sorted
                }
                Ok(())
            }
            Self::Views { values, nulls: Nulls::None } => {
                values.each(numbers, taken).ok_or_else(outside)
            }
            _ => self.with(numbers, |messages| {
                (0..messages.len()).for_each(|row| taken(messages.message(row)));
            }),
        }
    }

    fn rows(array: &'a ArrowArray, rows: Range<usize>, width: usize) -> Result<Self, Problem> {
        let bytes =
            |row: usize| row.checked_mul(width).ok_or_else(|| damaged("it is longer than memory"));
        // SAFETY: the producer's promise: the buffer has `width` bytes for each row.
        let data = unsafe { buffer::<u8>(array, 1, bytes(rows.start)?..bytes(rows.end)?) }?;
        Ok(Self::Rows { data: borrowed(data), width })
    }

    fn views(array: &'a ArrowArray, rows: Range<usize>, nulls: Nulls<'a>) -> Result<Self, Problem> {
        // SAFETY: the producer's promise: a view for each row.
        let views = unsafe { buffer::<View>(array, 1, rows) }?;
        let variadic = array
            .buffers()
            .len()
            .checked_sub(3)
            .ok_or_else(|| damaged("a view needs three buffers"))?;
        // SAFETY: the producer's promise: the last buffer holds the length of each data buffer.
        let lens = unsafe { buffer::<i64>(array, 2 + variadic, 0..variadic) }?;
        let buffers = lens.iter().enumerate().map(|(index, len)| {
            let len =
                usize::try_from(*len).map_err(|_| damaged("a buffer's length is negative"))?;
            // SAFETY: the producer's promise: that buffer has `len` bytes.
            Ok(borrowed(unsafe { buffer::<u8>(array, 2 + index, 0..len) }?))
        });
        let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
        Ok(Self::Views { values: Viewed::new(views, buffers), nulls })
    }
}

impl<'a> Nulls<'a> {
    /// Of an array of that format.
    pub fn of(format: &str, array: &'a ArrowArray) -> Result<Self, Problem> {
        let Range { start: offset, end } = rows(array)?;
        if format == "n" {
            return Ok(Self::All);
        }
        if array.null_count == 0 || array.buffers().first().is_none_or(|bits| bits.is_null()) {
            return Ok(Self::None);
        }
        // SAFETY: the producer's promise: a bit for each row.
        let bits = unsafe { buffer::<u8>(array, 0, 0..end.div_ceil(8)) }?;
        Ok(Self::Bits { bits: borrowed(bits), offset })
    }

    /// Whether that value is missing.
    pub fn is_null(&self, row: usize) -> bool {
        match *self {
            Self::None => false,
            Self::All => true,
            Self::Bits { bits, offset } => {
                bits[(offset + row) / 8] >> ((offset + row) % 8) & 1 == 0
            }
        }
    }
}

/// The indices of a dictionary's values; 0 for a null.
pub fn indices(format: &str, array: &ArrowArray, values: usize) -> Result<Vec<usize>, Problem> {
    match format {
        "c" => indices_of::<i8>(format, array, values),
        "C" => indices_of::<u8>(format, array, values),
        "s" => indices_of::<i16>(format, array, values),
        "S" => indices_of::<u16>(format, array, values),
        "i" => indices_of::<i32>(format, array, values),
        "I" => indices_of::<u32>(format, array, values),
        "l" => indices_of::<i64>(format, array, values),
        "L" => indices_of::<u64>(format, array, values),
        _ => Err(Problem::Kind(format.to_owned())),
    }
}

fn indices_of<T>(format: &str, array: &ArrowArray, values: usize) -> Result<Vec<usize>, Problem>
where
    T: Copy + TryInto<usize> + Display,
{
    let nulls = Nulls::of(format, array)?;
    // SAFETY: the producer's promise: an index of this type for each row.
    let indices = unsafe { buffer::<T>(array, 1, rows(array)?) }?;
    let index = |(row, index): (usize, &T)| match (*index).try_into() {
        _ if nulls.is_null(row) => Ok(0),
        Ok(place) if place < values => Ok(place),
        _ => Err(damaged(format!("index {index} is outside of a dictionary of {values} values"))),
    };
    indices.iter().enumerate().map(index).collect()
}

/// Which rows of its buffers an array has.
pub fn rows(array: &ArrowArray) -> Result<Range<usize>, Problem> {
    let start = usize::try_from(array.offset).ok();
    let len = usize::try_from(array.length).ok();
    let end = start.zip(len).and_then(|(start, len)| start.checked_add(len));
    let end = end.filter(|end| *end < isize::MAX as usize / size_of::<View>());
    start
        .zip(end)
        .map(|(start, end)| start..end)
        .ok_or_else(|| damaged("its length or offset is no length"))
}

/// The offsets of these rows, one more than there are.
fn items<T: Copy>(
    array: &ArrowArray,
    index: usize,
    rows: Range<usize>,
) -> Result<Cow<'_, [T]>, Problem> {
    if rows.is_empty() {
        return Ok(Cow::Borrowed(&[])); // the buffer may be missing
    }
    // SAFETY: the producer's promise: an offset for each row, and one more.
    unsafe { buffer(array, index, rows.start..rows.end + 1) }
}

/// The data that the offsets point into, which is as long as the last of them says. They must not
/// decrease.
fn bytes<'a, T: Copy + Ord + Into<i64>>(
    array: &'a ArrowArray,
    offsets: &[T],
) -> Result<&'a [u8], Problem> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Ok(&[]);
    };
    let last = usize::try_from((*last).into()).ok();
    match last {
        Some(len) if (*first).into() >= 0 && offsets.is_sorted() => {
            // SAFETY: the producer's promise: the data reaches as far as the offsets.
            Ok(borrowed(unsafe { buffer::<u8>(array, 2, 0..len) }?))
        }
        _ => Err(damaged("its offsets decrease or are negative")),
    }
}

/// Items of a buffer; copied if they are not aligned, which some producers do not care for.
///
/// # Safety
/// A buffer that is not null has at least `items.end` items, and any bits are an item.
unsafe fn buffer<T: Copy>(
    array: &ArrowArray,
    index: usize,
    items: Range<usize>,
) -> Result<Cow<'_, [T]>, Problem> {
    if items.is_empty() {
        return Ok(Cow::Borrowed(&[]));
    }
    let start = array.buffers().get(index).copied().filter(|start| !start.is_null());
    let start = start.ok_or_else(|| damaged(format!("buffer {index} is missing")))?.cast::<T>();
    let start = start.wrapping_add(items.start);
    if start.is_aligned() {
        // SAFETY: this function's own condition; the array keeps the buffer while it is borrowed.
        return Ok(Cow::Borrowed(unsafe { slice::from_raw_parts(start, items.len()) }));
    }
    let mut copy = Vec::<T>::with_capacity(items.len());
    // SAFETY: as above; the copy has room for as many items, and then holds them.
    unsafe {
        ptr::copy_nonoverlapping(
            start.cast::<u8>(),
            copy.as_mut_ptr().cast::<u8>(),
            size_of::<T>() * items.len(),
        );
        copy.set_len(items.len());
    }
    Ok(Cow::Owned(copy))
}

/// Bytes are always aligned.
fn borrowed(bytes: Cow<'_, [u8]>) -> &[u8] {
    match bytes {
        Cow::Borrowed(bytes) => bytes,
        Cow::Owned(_) => unreachable!("bytes are always aligned"),
    }
}

#[cold]
fn outside() -> Problem {
    damaged("a view is outside of its buffer")
}

fn damaged(how: impl Into<String>) -> Problem {
    Problem::Damaged(how.into())
}
