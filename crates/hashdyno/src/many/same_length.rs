//! What messages of one length have in common.

use bytemuck::Zeroable;

use super::blocks::Blocks;
use crate::lanes::{Lanes, Word, join};

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
        (WORDS * size_of::<W>()).is_multiple_of(unit::<L>())
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
        let (rest, padded) = (len - blocks.body * block, (blocks.total - blocks.body) * block);
        let (direct_len, own_end) =
            (rest / unit::<L>() * unit::<L>(), rest.next_multiple_of(unit::<L>()));
        let mut shared: [[W; WORDS]; 2] = Zeroable::zeroed();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(shared.as_flattened_mut());
        if direct_len == own_end && rest < padded {
            bytes[rest] = mark;
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

/// What a tail is divided into: a multiple of what lanes read at a time, and of what [`Lanes::pad`]
/// writes.
const fn unit<L: Lanes>() -> usize {
    if L::PIECE > 32 { L::PIECE } else { 32 }
}
