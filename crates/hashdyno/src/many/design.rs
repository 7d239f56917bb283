//! A digest as kernels in lanes see it.

use super::to_memory_order;
use crate::Digest;
use crate::padding::{Endian, Padding};
use crate::parts::lanes::{Lanes, Word};

/// A digest as a many-message kernel sees it: a chain of `CHAIN` words, laid out as its
/// [`crate::State`], and blocks of `WORDS` words.
pub(crate) trait Design<W: Word, const CHAIN: usize, const WORDS: usize> {
    /// How many sixteenths of the lanes must be in use for the rest of a batch to be faster than by
    /// single messages.
    const MIN_FILL: usize;
    /// What follows a message.
    const PADDING: Padding;
    /// The order of the bytes in words.
    const ENDIAN: Endian = Self::PADDING.endian;
    /// Whether messages shorter than eight bytes are put into words without memory between, by
    /// [`Design::finish_tiny`]: they make one block each.
    const TINY: bool = false;
    /// Whether kernels iterate HMACs: where a digest is whole words of the chain, as they are in
    /// it, and fits into a block with its padding.
    const ITERATES: bool = false;
    /// Whether [`Design::adjust`] does anything.
    const ADJUSTS: bool = false;
    /// As [`Digest::holds_last_block`].
    const HOLDS_LAST_BLOCK: bool = false;
    /// Bytes of a block.
    const BLOCK: usize = WORDS * size_of::<W>();

    /// One block of each message.
    fn compress<L: Lanes<Word = W>>(chain: &mut [L; CHAIN], block: &[L; WORDS]);

    /// The first byte after a message: of [`Design::PADDING`], unless the digest's own is taken.
    #[inline(always)]
    fn mark(_: &Digest) -> u8 {
        Self::PADDING.mark
    }

    /// How many bytes of a message are left for its tail.
    #[inline(always)]
    fn tail_len(len: usize) -> usize {
        match len % Self::BLOCK {
            0 if Self::HOLDS_LAST_BLOCK && len > 0 => Self::BLOCK,
            tail_len => tail_len,
        }
    }

    /// How many blocks the last `tail_len` bytes of a message make with their padding: one or two.
    #[inline(always)]
    fn tail_blocks(tail_len: usize) -> usize {
        Self::PADDING.blocks(tail_len, Self::BLOCK)
    }

    /// What the last 32 bytes of the last block have in common with others of that length, as
    /// little-endian words: usually the length.
    #[inline(always)]
    fn trailer(_: &Digest, _tail_len: usize, message_len: u64) -> [u64; 4] {
        let bits = message_len << 3;
        match Self::PADDING.endian {
            Endian::Little => [0, 0, 0, bits],
            Endian::Big => [0, 0, 0, bits.swap_bytes()],
        }
    }

    /// Writes the trailer of a message in each lane into its only block, whose words are numbers,
    /// and does what [`Design::adjust`] does. Messages are [`Design::TINY`], or shorter than a
    /// block. `bits` are their lengths.
    #[inline(always)]
    fn finish_tiny<L: Lanes<Word = W>>(
        _: &Digest,
        block: &mut [L; WORDS],
        _chain: &mut [L; CHAIN],
        bits: L,
    ) {
        let word = match Self::PADDING.endian {
            Endian::Little => WORDS - 8 / size_of::<W>(),
            Endian::Big => WORDS - 1,
        };
        block[word] = bits;
    }

    /// Changes words of the chain, as `set(word, value)`, before the last blocks of a message, of
    /// which this is number `block`.
    #[inline(always)]
    fn adjust(_set: impl FnMut(usize, W), _block: usize, _tail_len: usize, _message_len: u64) {}

    /// The words of a digest as they lie in memory. `chain` is the chain behind a message's last
    /// block, `output_len` the digest's length in bytes.
    #[inline(always)]
    fn output<L: Lanes<Word = W>>(chain: [L; CHAIN], _output_len: usize) -> [L; CHAIN] {
        to_memory_order(chain, Self::ENDIAN)
    }
}
