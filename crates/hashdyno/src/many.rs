use crate::{Cpu, Digest};

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
    pub fn message(&self, index: usize) -> &'a [u8] {
        match *self {
            Self::Slices(slices) => slices[index],
            Self::Offsets { data, offsets } => &data[offsets[index] as usize..offsets[index + 1] as usize],
            Self::LargeOffsets { data, offsets } => &data[offsets[index] as usize..offsets[index + 1] as usize],
            Self::Rows { data, width } => &data[index * width..][..width],
        }
    }
}

/// The digests of many messages, on one core: that of message i at `out[i * output_len..]`.
///
/// # Panics
/// If `out` is not `messages.len() * digest.output_len` bytes long, or as [`Messages::message`] does.
pub fn digest_many(digest: &Digest, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
    assert_eq!(out.len(), messages.len() * digest.output_len, "the output must have {} bytes for each message", digest.output_len);
    let kernel = digest.bind(cpu);
    for (index, out) in out.chunks_exact_mut(digest.output_len).enumerate() {
        digest.digest_into(&kernel, messages.message(index), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    #[test]
    fn every_layout_gives_the_same() {
        let digest = find("md5").unwrap();
        let rows = Messages::Rows { data: b"abcdefghi", width: 3 };
        let layouts = [
            Messages::Slices(&[b"abc", b"def", b"ghi"]),
            Messages::Offsets { data: b"abcdefghi", offsets: &[0, 3, 6, 9] },
            Messages::LargeOffsets { data: b"abcdefghi", offsets: &[0, 3, 6, 9] },
        ];
        let run = |messages| {
            let mut out = [0; 48];
            digest_many(digest, Cpu::native(), messages, &mut out);
            out
        };
        assert_eq!(&run(rows)[16..32], &digest.digest(b"def")[..]);
        layouts.into_iter().for_each(|layout| assert_eq!(run(layout), run(rows)));
    }
}
