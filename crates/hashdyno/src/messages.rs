/// Many messages, however the caller has them.
#[derive(Clone, Copy, Debug)]
pub enum Messages<'a> {
    /// A slice each.
    Slices(&'a [&'a [u8]]),
    /// One buffer; message i is `data[offsets[i]..offsets[i + 1]]`. Arrow's binary and string layout.
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
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Slices(slices) => slices.len(),
            Self::Offsets { offsets, .. } => offsets.len().saturating_sub(1),
            Self::LargeOffsets { offsets, .. } => offsets.len().saturating_sub(1),
            Self::Rows { data, width } => data.len() / width,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Message number `index`.
    ///
    /// # Panics
    /// If there is no such message, or the offsets are not ascending or reach out of the data.
    #[inline]
    pub fn message(&self, index: usize) -> &'a [u8] {
        match *self {
            Self::Slices(slices) => slices[index],
            Self::Offsets { data, offsets } => &data[offsets[index] as usize..offsets[index + 1] as usize],
            Self::LargeOffsets { data, offsets } => &data[offsets[index] as usize..offsets[index + 1] as usize],
            Self::Rows { data, width } => &data[index * width..][..width],
        }
    }
}
