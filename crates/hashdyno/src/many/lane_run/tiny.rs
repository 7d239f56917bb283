//! Messages of which no more than seven bytes are left: one block, most of whose words are zero.

use super::super::queue::{Shortest, TINY_LEN};
use super::super::{Design, from_little_endian, load, splat};
use super::{CALLS, LaneRun};
use crate::Messages;
use crate::parts::lanes::{Lanes, Word};

/// What is left of messages, one in each lane, when there is but one block to come and no more than
/// seven bytes in it.
pub(super) struct TinyTail<L: Lanes, const CHAIN: usize> {
    chain: [L; CHAIN],
    /// The bytes with the mark behind them, the first lowest: 4 or 8 in the first word; 4 in the
    /// second, where words have no more.
    words: [L; 2],
    /// How many bits the messages have.
    bits: L,
    /// The length of the messages if no byte is left of them.
    len_if_empty: Option<u64>,
}

impl<L: Lanes, const CHAIN: usize> TinyTail<L, CHAIN> {
    /// Of messages of one length, shorter than [`ONE_WORD_LEN`], which the blocks before have taken
    /// up.
    #[inline(always)]
    pub fn of_empty_tails(chain: [L; CHAIN], mark: u8, len: usize) -> Self {
        let splat = |number: usize| L::splat(L::Word::cut(number as u64));
        Self {
            chain,
            words: [splat(mark.into()), splat(0)],
            bits: splat(8 * len),
            len_if_empty: Some(len as u64),
        }
    }
}

impl<D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'_, '_, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// A full set of messages shorter than [`TINY_LEN`], from place `first` on.
    #[inline(always)]
    pub(super) fn tiny_of(
        &mut self,
        shortest: &Shortest<L::Word>,
        first: usize,
    ) -> TinyTail<L, CHAIN> {
        self.numbers[..L::COUNT].copy_from_slice(&shortest.numbers[first..][..L::COUNT]);
        let words = [load(&shortest.low, first), load(&shortest.high, first)];
        TinyTail {
            chain: splat(self.initial),
            words,
            bits: load(&shortest.bits, first),
            len_if_empty: None,
        }
    }

    /// A full set of rows shorter than [`TINY_LEN`], from number `first` on.
    #[inline(always)]
    pub(super) fn tiny_of_rows(&mut self, first: usize) -> Option<TinyTail<L, CHAIN>> {
        let Messages::Rows { data, width } = self.batch.messages else { return None };
        if !D::TINY || self.taken > 0 || width >= TINY_LEN {
            return None;
        }
        let words = L::tiny_rows(&data[first * width..], width, D::mark(self.batch.digest))?;
        for (lane, number) in self.numbers[..L::COUNT].iter_mut().enumerate() {
            *number = first + lane;
        }
        let bits = L::splat(L::Word::cut(8 * width as u64));
        Some(TinyTail { chain: splat(self.initial), words, bits, len_if_empty: None })
    }

    /// The last block of messages of which no more than some bytes are left: the words known to be
    /// zero are so to the compiler.
    #[inline(always)]
    pub(super) fn absorb_tiny(&mut self, tail: TinyTail<L, CHAIN>) {
        let TinyTail { mut chain, words, bits, len_if_empty } = tail;
        let mut block = [L::splat(L::Word::cut(0)); WORDS];
        block[0] = words[0];
        if size_of::<L::Word>() == 4 {
            block[1] = words[1];
        }
        let mut block = from_little_endian(block, D::ENDIAN);
        D::finish_tiny(self.batch.digest, &mut block, &mut chain, bits);
        if D::ADJUSTS
            && let Some(len) = len_if_empty
        {
            D::adjust(|word, value| chain[word] = L::splat(value), 0, 0, len);
        }
        if CALLS {
            self.compress(&mut chain, &block);
        } else {
            D::compress(&mut chain, &block);
        }
        // A call takes some per cent of four lanes of 16 bytes, and of HAVAL by AVX-512. It would
        // store a long chain whole, of which a digest has some words.
        let inlines = const {
            let bytes = size_of::<L>();
            CHAIN > 16 || bytes < 32 || bytes == 64 && CHAIN == 8
        };
        if inlines {
            self.put_out_inlined(chain);
        } else {
            self.put_out_apart(&chain);
        }
    }
}
