//! What a [`Design`] is to the loop that is the same for all of them.

use super::blocks::Blocks;
use super::{Design, Trailer};
use crate::lanes::Word;
use crate::padding::Endian;
use crate::{Digest, State};

/// Numbers and functions of a design, none of which depends on the lanes.
#[derive(Clone, Copy)]
pub(crate) struct Shape<W> {
    /// As [`Design::MIN_FILL`].
    pub(super) min_fill: usize,
    /// Bytes of a block.
    pub(super) block: usize,
    /// 2^64 divided by that, rounded up.
    reciprocal: u64,
    /// How many words the chain has.
    pub(super) chain: usize,
    /// As [`Design::SINGLE`].
    pub(super) single: usize,
    /// The first byte after a message.
    pub(super) mark: u8,
    /// As [`Design::HOLDS_LAST_BLOCK`].
    pub(super) holds_last_block: bool,
    /// As [`Design::TINY`].
    pub(super) tiny: bool,
    /// As [`Design::trailer`], and what it depends on.
    pub(super) trailer: fn(&Digest, usize, u64) -> [u64; 4],
    pub(super) depends_on: Trailer,
    /// The order of the bytes of a length.
    pub(super) endian: Endian,
    /// As [`Design::adjust`], if that does anything, of one message.
    pub(super) adjust: Option<fn(&mut [W], Place)>,
    /// Puts the digest of the message that ends in this state.
    pub(super) output: fn(&State, &mut [u8]),
}

/// The most words that a chain has.
pub(super) const MAX_CHAIN: usize = 64;

/// Which block is to come.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Its number in the tail.
    pub(super) block: usize,
    /// How many bytes of the message the tail has.
    pub(super) rest: usize,
    /// How many bytes the message has.
    pub(super) message_len: u64,
}

impl<W: Word> Shape<W> {
    /// That of a design.
    pub(super) const fn of<D, const CHAIN: usize, const WORDS: usize>() -> Self
    where
        D: Design<W, CHAIN, WORDS>,
    {
        assert!(D::BLOCK == WORDS * size_of::<W>(), "a block has `WORDS` words");
        assert!(CHAIN <= MAX_CHAIN, "a chain of lanes that is finished alone has no room");
        Self {
            min_fill: D::MIN_FILL,
            block: D::BLOCK,
            reciprocal: u64::MAX / D::BLOCK as u64 + 1,
            chain: CHAIN,
            single: D::SINGLE,
            mark: D::PADDING.mark,
            holds_last_block: D::HOLDS_LAST_BLOCK,
            tiny: D::TINY,
            trailer: D::trailer,
            depends_on: D::TRAILER,
            endian: D::PADDING.endian,
            adjust: if D::ADJUSTS { Some(adjust::<D, W, CHAIN, WORDS>) } else { None },
            output: output::<D, W, CHAIN, WORDS>,
        }
    }

    /// The same with another byte behind messages.
    pub(super) const fn marked(self, mark: u8) -> Self {
        Self { mark, ..self }
    }

    /// Of a message of that length, the blocks of its body, and the bytes left for its tail. By a
    /// product: a division by a number that is no constant takes several times as long.
    #[inline(always)]
    pub(super) fn split(&self, len: usize) -> (usize, usize) {
        let body = ((u128::from(self.reciprocal) * len as u128) >> 64) as usize;
        match len - body * self.block {
            0 if self.holds_last_block && len > 0 => (body - 1, self.block),
            rest => (body, rest),
        }
    }

    /// The trailer of messages of length 0, which others of the digest have a part of.
    pub(super) fn first_trailer(&self, digest: &Digest) -> [u64; 4] {
        (self.trailer)(digest, 0, 0)
    }

    /// The blocks of a message with such a body, and so many bytes in its tail.
    #[inline(always)]
    pub(super) fn blocks(&self, body: usize, rest: usize) -> Blocks {
        Blocks { body, total: body + if rest < self.single { 1 } else { 2 } }
    }
}

fn adjust<D, W, const CHAIN: usize, const WORDS: usize>(
    chain: &mut [W],
    Place { block, rest, message_len }: Place,
) where
    D: Design<W, CHAIN, WORDS>,
    W: Word,
{
    D::adjust(|word, value| chain[word] = value, block, rest, message_len);
}

fn output<D, W, const CHAIN: usize, const WORDS: usize>(state: &State, out: &mut [u8])
where
    D: Design<W, CHAIN, WORDS>,
    W: Word,
{
    let words = D::output::<W>(state.read(), out.len());
    out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
}
