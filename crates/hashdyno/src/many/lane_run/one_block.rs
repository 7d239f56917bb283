//! Messages that are one block each with their padding, from where they lie into lanes.

use super::super::{Design, splat, to_memory_order};
use super::{Group, LaneRun, NOT_YET};
use crate::parts::lanes::{Lanes, Word};

impl<'a, D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'a, '_, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Whether the ends of messages go from where they lie into lanes, with their padding: not
    /// where chain and block do not fit into the registers, and go through memory anyway.
    pub(super) const READS_ENDS: bool =
        D::TINY && L::READS_ENDS && L::PIECE <= D::BLOCK && CHAIN + WORDS <= 32;

    /// Whether each message of a group is one block with its padding. Those of one length that
    /// fill pieces need no masks, and are left to `same_length.rs`.
    #[inline(always)]
    pub(super) fn is_of_one_block(&self, group: &Group<'a>) -> bool {
        if !Self::READS_ENDS || self.taken > 0 {
            return false;
        }
        let first = group[0].1.len();
        let (mut longest, mut differ) = (0, 0);
        for (_, message) in &group[..L::COUNT] {
            longest = longest.max(message.len());
            differ |= first ^ message.len();
        }
        let fits = longest < D::BLOCK && D::tail_blocks(longest) == 1;
        fits && (differ != 0 || !first.is_multiple_of(L::PIECE))
    }

    /// Digests such messages, those from `count` on for nothing.
    #[inline(always)]
    pub(super) fn absorb_one_block(&mut self, group: &Group<'a>, count: usize) {
        let digest = self.batch.digest;
        let mut chain = splat::<L, CHAIN>(self.initial);
        let words = L::read_ends(&|lane: usize| group[lane].1, D::mark(digest));
        let mut block = to_memory_order(words, D::ENDIAN);
        let mut bits = L::splat(L::Word::cut(0));
        let lanes = L::words(std::slice::from_mut(&mut bits)).iter_mut();
        for (bits, (_, message)) in lanes.zip(group) {
            *bits = L::Word::cut(8 * message.len() as u64);
        }
        D::finish_tiny(digest, &mut block, &mut chain, bits);
        self.compress(&mut chain, &block);
        self.numbers[..L::COUNT].fill(NOT_YET);
        for (number, (index, _)) in self.numbers.iter_mut().zip(&group[..count]) {
            *number = *index;
        }
        if Self::INLINED {
            self.put_out_inlined(chain);
        } else {
            self.put_out_apart(&chain);
        }
    }
}
