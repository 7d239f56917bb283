//! Messages of one length: what their tails have in common is made once.
//!
//! A tail is read in units, a multiple of what lanes read at a time. Units that a message fills are
//! read where it lies. The unit that holds its last bytes is the lane's own, if there is such a
//! unit. All units behind are the same for every message, and are read from one place.

use bytemuck::Zeroable;

use super::super::Design;
use super::super::blocks::Blocks;
use super::{Group, LaneRun};
use crate::parts::arrays::Mapped;
use crate::parts::lanes::{Lanes, Word, join};

/// The tails of messages of one length: the bytes that are none of a message's are the same in all
/// of them.
pub(super) struct SameLength<W, const WORDS: usize> {
    /// The length of the messages; `usize::MAX` if there are none yet.
    pub(super) len: usize,
    pub(super) blocks: Blocks,
    /// So many bytes of a tail are read from where the message lies.
    pub(super) direct_len: usize,
    /// Behind those, each message has its own up to this place, where there are any.
    pub(super) own_end: usize,
    /// The trailer, if what each message has of its own reaches it.
    pub(super) own_trailer: [u64; 4],
    /// Two blocks, the same for all messages from there on.
    pub(super) shared: [[W; WORDS]; 2],
}

impl<W: Word, const WORDS: usize> SameLength<W, WORDS> {
    /// Of no messages.
    pub(super) fn none() -> Self {
        Self {
            len: usize::MAX,
            blocks: Blocks { body: 0, total: 0 },
            direct_len: 0,
            own_end: 0,
            own_trailer: [0; 4],
            shared: Zeroable::zeroed(),
        }
    }

    /// Whether blocks consist of whole units, so that no piece that lanes read reaches from one
    /// into the next.
    #[inline(always)]
    pub(super) const fn fits<L: Lanes<Word = W>>() -> bool {
        (WORDS * size_of::<W>()).is_multiple_of(unit::<L, WORDS>())
    }

    /// Of messages of a length, which makes so many blocks; `trailer` joins the last 32 bytes of
    /// the last of them.
    #[inline(never)]
    pub(super) fn new<L: Lanes<Word = W>>(
        len: usize,
        blocks: Blocks,
        mark: u8,
        trailer: [u64; 4],
    ) -> Self {
        let block = WORDS * size_of::<W>();
        let (tail_len, padded) = (len - blocks.body * block, (blocks.total - blocks.body) * block);
        let (direct_len, own_end) = (
            tail_len / unit::<L, WORDS>() * unit::<L, WORDS>(),
            tail_len.next_multiple_of(unit::<L, WORDS>()),
        );
        let mut shared: [[W; WORDS]; 2] = Zeroable::zeroed();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(shared.as_flattened_mut());
        if direct_len == own_end && tail_len < padded {
            bytes[tail_len] = mark;
        }
        join(&mut bytes[..padded], trailer);
        Self {
            len,
            blocks,
            direct_len,
            own_end,
            own_trailer: if own_end == padded { trailer } else { [0; 4] },
            shared,
        }
    }
}

impl<'a, D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'a, '_, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Prepares messages of one length, all of the group.
    #[inline(always)]
    pub(super) fn start_same_length(&mut self, group: &Group<'a>, len: usize) {
        // Groups of one length follow each other, so the common part is mostly there.
        if self.same_length.len != len {
            let tail_len = D::tail_len(len);
            let (body, tail) = ((len - tail_len) / D::BLOCK, D::tail_blocks(tail_len));
            let trailer = D::trailer(self.batch.digest, tail_len, self.taken + len as u64);
            self.same_length = SameLength::new::<L>(
                len,
                Blocks { body, total: body + tail },
                D::mark(self.batch.digest),
                trailer,
            );
        }
        let SameLength { blocks, direct_len, own_end, .. } = self.same_length;
        let mark = D::mark(self.batch.digest);
        for (lane, (_, message)) in group[..L::COUNT].iter().enumerate() {
            let message = &message[..len];
            (self.rows[lane], self.lanes[lane]) = (message.as_ptr(), blocks);
            // Only the unit with the last bytes of a message is copied, if there is one.
            if direct_len < own_end && !Self::READS_ENDS {
                let trailer = self.same_length.own_trailer;
                L::pad(
                    &mut self.tail(lane)[direct_len..own_end],
                    message,
                    len - blocks.body * D::BLOCK - direct_len,
                    mark,
                    trailer,
                );
            }
        }
    }

    /// The words of a block of the tails of messages of one length, and what that changes in the
    /// chain.
    #[inline(always)]
    pub(super) fn read_same_length(&self, chain: &mut [L; CHAIN], block: usize) -> [L; WORDS] {
        let SameLength { len, blocks: Blocks { body, .. }, direct_len, own_end, .. } =
            self.same_length;
        let (begin, tail_len) = ((block - body) * D::BLOCK, len - body * D::BLOCK);
        if D::ADJUSTS {
            let len = self.taken + len as u64;
            D::adjust(|word, value| chain[word] = L::splat(value), block - body, tail_len, len);
        }
        if begin >= own_end {
            // Shuffles would give the same words in each lane.
            return self.same_length.shared[block - body].mapped(L::splat);
        }
        if Self::READS_ENDS && begin + D::BLOCK > direct_len {
            let (rows, at) = (&self.rows[..L::COUNT], body * D::BLOCK + begin);
            // The mark of messages that fill a unit is in what all share, as the trailer is.
            let mark = if direct_len < own_end { D::mark(self.batch.digest) } else { 0 };
            // SAFETY: a row is a message of that length. The block has bytes of it.
            let end = |lane: usize| unsafe {
                std::slice::from_raw_parts(rows[lane].wrapping_add(at), len - at)
            };
            let mut words = L::read_ends(&end, mark);
            for (word, shared) in words.iter_mut().zip(self.same_length.shared[block - body]) {
                *word = *word | L::splat(shared);
            }
            return words;
        }
        L::read_pieces(&|lane: usize, from: usize, len: usize| {
            let at = begin + from;
            let tail = if at < direct_len {
                self.rows[lane].wrapping_add(body * D::BLOCK)
            } else if at < own_end {
                self.tails.wrapping_add(lane * 2 * D::BLOCK).cast_const()
            } else {
                self.same_length.shared.as_ptr().cast()
            };
            // SAFETY: `direct_len` and `own_end` are multiples of a piece, and so are all places;
            // so many bytes of each message, of its tail and of two blocks in common are there.
            unsafe { std::slice::from_raw_parts(tail.wrapping_add(at), len) }
        })
    }
}

/// What a tail is divided into: a multiple of what lanes read at a time, a block at most, and of
/// what [`Lanes::pad`] writes.
const fn unit<L: Lanes, const WORDS: usize>() -> usize {
    let block = WORDS * size_of::<L::Word>();
    let piece = if L::PIECE < block { L::PIECE } else { block };
    if piece > 32 { piece } else { 32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_piece_of_32_bytes_at_least_and_a_block_at_most() {
        // A piece of scalar lanes is a word; a block of two words is shorter than a unit.
        assert_eq!((unit::<u32, 16>(), unit::<u64, 16>(), unit::<u32, 2>()), (32, 32, 32));
        assert!(SameLength::<u32, 16>::fits::<u32>() && SameLength::<u64, 4>::fits::<u64>());
        assert!(!SameLength::<u32, 2>::fits::<u32>() && !SameLength::<u64, 9>::fits::<u64>());
        #[cfg(target_arch = "x86_64")]
        {
            use crate::parts::lanes::x86_64::{U32x8, U32x16};
            assert_eq!(
                (unit::<U32x8, 16>(), unit::<U32x16, 16>(), unit::<U32x16, 8>()),
                (32, 64, 32)
            );
        }
    }
}
