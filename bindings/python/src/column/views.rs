//! Views: strings and binary as Polars has them. A short value lies in its view. Of a longer one,
//! the view has four bytes, and where it lies.
//!
//! ```text
//! word      0       1                 2                 3
//! short     length  value, zeros
//! longer    length  first four bytes  number of buffer  offset in it
//! ```

use std::borrow::Cow;
use std::hint::select_unpredictable;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// A value, or where it lies.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct View([u32; 4]);

impl View {
    /// Of a value of more than [`SHORT`] bytes, which begins at this offset of the first buffer.
    #[inline(always)]
    pub fn of_long(value: &[u8], offset: u32) -> Self {
        let prefix = value.first_chunk().expect("a long value has four bytes");
        Self([value.len() as u32, u32::from_ne_bytes(*prefix), 0, offset])
    }

    /// Of a value of [`SHORT`] bytes at most.
    #[inline(always)]
    pub fn of_short(value: &[u8]) -> Self {
        let mut view = [value.len() as u32, 0, 0, 0];
        bytemuck::bytes_of_mut(&mut view)[4..4 + value.len()].copy_from_slice(value);
        Self(view)
    }
}

/// Views and their buffers.
pub struct Viewed<'a> {
    views: Cow<'a, [View]>,
    /// One at least.
    buffers: Vec<&'a [u8]>,
}

impl<'a> Viewed<'a> {
    /// Views that point into these buffers.
    pub fn new(views: Cow<'a, [View]>, mut buffers: Vec<&'a [u8]>) -> Self {
        if buffers.is_empty() {
            buffers.push(&[]);
        }
        Self { views, buffers }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// The value of a row; none if it lies outside of its buffer.
    #[inline(always)]
    pub fn value(&self, row: usize) -> Option<&[u8]> {
        let View([len, _, index, offset]) = self.views[row];
        let (is_short, len) = (len as usize <= SHORT, len as usize);
        // Without a branch: whether the next value is short, nobody can predict.
        let index = select_unpredictable(is_short, 0, index as usize);
        let offset = select_unpredictable(is_short, row * size_of::<View>() + 4, offset as usize);
        let buffer = *self.buffers.get(index)?;
        let own = bytemuck::cast_slice(&self.views);
        select_unpredictable(is_short, own, buffer).get(offset..)?.get(..len)
    }

    /// Hands the values of these rows to `taken`. None if one lies outside of its buffer.
    ///
    /// By a branch, since what takes a value one by one has a branch for its length, too: the CPU
    /// guesses wrong once for both.
    #[inline(always)]
    pub fn each(&self, rows: Range<usize>, mut taken: impl FnMut(&[u8])) -> Option<()> {
        for view in &self.views[rows] {
            let View([len, _, index, offset]) = *view;
            taken(if len as usize <= SHORT {
                &bytemuck::bytes_of(view)[4..][..len as usize]
            } else {
                self.buffers.get(index as usize)?.get(offset as usize..)?.get(..len as usize)?
            });
        }
        Some(())
    }
}

/// Bytes of a value that its view holds itself.
pub const SHORT: usize = 12;
