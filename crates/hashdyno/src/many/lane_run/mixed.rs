//! Messages of mixed lengths: each lane has a row, which is its body and then its own tail.

use super::super::Design;
use super::super::blocks::Blocks;
use super::{Group, LaneRun};
use crate::lanes::Lanes;

impl<'a, D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'a, '_, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Prepares a lane: the row of the body, and the tail behind it, padded.
    #[inline(always)]
    pub(super) fn start(&mut self, lane: usize, message: &'a [u8]) {
        let rest = D::tail_len(message.len());
        let (body, tail) = ((message.len() - rest) / D::BLOCK, D::tail_blocks(rest));
        let len = self.taken + message.len() as u64;
        let trailer = D::trailer(self.batch.digest, rest, len);
        let mark = D::mark(self.batch.digest);
        L::pad(&mut self.tail(lane)[..tail * D::BLOCK], message, rest, mark, trailer);
        (self.rows[lane], self.lanes[lane]) =
            (message.as_ptr(), Blocks { body, total: body + tail });
    }

    /// Prepares the lanes that are behind their bodies for a block; one whose message has ended has
    /// its last again.
    #[inline(always)]
    pub(super) fn turn_to_tails(
        &mut self,
        group: &Group<'a>,
        chain: &mut [L; CHAIN],
        block: usize,
    ) {
        for lane in 0..L::COUNT {
            let Blocks { body, total } = self.lanes[lane];
            if block < body {
                continue;
            }
            let at = block.min(total - 1) - body;
            self.rows[lane] =
                self.tail(lane)[at * D::BLOCK..].as_ptr().wrapping_sub(block * D::BLOCK);
            if D::ADJUSTS {
                let (words, len) = (L::words(chain), group[lane].1.len());
                D::adjust(
                    |word, value| words[word * L::COUNT + lane] = value,
                    at,
                    len - body * D::BLOCK,
                    self.taken + len as u64,
                );
            }
        }
    }

    /// The tail of a lane.
    #[inline(always)]
    pub(super) fn tail(&mut self, lane: usize) -> &mut [u8] {
        assert!(lane < L::COUNT);
        // SAFETY: two vectors for each word of a block have room for two blocks of each lane, in
        // `run`, which outlives `self` and leaves them alone; nothing else is borrowed of them
        // meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.tails.add(lane * 2 * D::BLOCK), 2 * D::BLOCK) }
    }
}
