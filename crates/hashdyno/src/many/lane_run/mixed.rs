//! Messages of mixed lengths: each lane has a row, which is its body and then its own tail.

use super::super::blocks::Blocks;
use super::super::{Batch, Design};
use super::{Group, LaneRun};
use crate::State;
use crate::parts::arrays::from_fn;
use crate::parts::lanes::{Lanes, Word};

impl<'a, D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'a, '_, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Prepares a lane: the row of the body, and the tail behind it, padded.
    #[inline(always)]
    pub(super) fn start(&mut self, lane: usize, message: &'a [u8]) {
        let tail_len = D::tail_len(message.len());
        let (body, tail) = ((message.len() - tail_len) / D::BLOCK, D::tail_blocks(tail_len));
        let len = self.taken + message.len() as u64;
        let trailer = D::trailer(self.batch.digest, tail_len, len);
        let mark = D::mark(self.batch.digest);
        L::pad(&mut self.tail(lane)[..tail * D::BLOCK], message, tail_len, mark, trailer);
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

    /// Finishes the messages of the first lanes by the kernel for one. Each lane has compressed
    /// `blocks` blocks.
    #[inline(always)]
    pub(super) fn finish_one_by_one(
        &mut self,
        group: &[(usize, &[u8])],
        chain: &mut [L; CHAIN],
        blocks: usize,
    ) {
        // SAFETY: as in `tail`.
        let tails = unsafe { std::slice::from_raw_parts(self.tails, L::COUNT * 2 * D::BLOCK) };
        let left = Left { chains: L::words(chain), lanes: &self.lanes[..L::COUNT], tails, blocks };
        finish::<D, L::Word, CHAIN, WORDS>(self.batch, group, &left, self.taken);
    }
}

/// What lanes have before the messages in them are finished one by one.
struct Left<'a, W> {
    /// The chains, word by word.
    chains: &'a [W],
    lanes: &'a [Blocks],
    tails: &'a [u8],
    /// How many blocks each lane has taken.
    blocks: usize,
}

/// Finishes messages: one function for all lanes of a design.
#[inline(never)]
fn finish<D, W, const CHAIN: usize, const WORDS: usize>(
    batch: &mut Batch<'_>,
    group: &[(usize, &[u8])],
    left: &Left<'_, W>,
    taken: u64,
) where
    D: Design<W, CHAIN, WORDS>,
    W: Word,
{
    let (one, count, blocks) = (batch.one, left.lanes.len(), left.blocks);
    for (lane, (index, message)) in group.iter().enumerate() {
        let Blocks { body, total } = left.lanes[lane];
        let tail_len = message.len() - body * D::BLOCK;
        // Its digest was put out when it ended.
        if total <= blocks {
            continue;
        }
        let mut column: [W; CHAIN] = from_fn(|word| left.chains[word * count + lane]);
        let mut state = State::new();
        state.init(column);
        if blocks < body {
            one.absorb(&mut state, &message[blocks * D::BLOCK..body * D::BLOCK]);
        }
        // Block by block: `adjust` changes the chain before each of them.
        for block in blocks.max(body)..total {
            let at = block - body;
            column = state.read();
            let len = taken + message.len() as u64;
            D::adjust(|word, value| column[word] = value, at, tail_len, len);
            state.init(column);
            one.absorb(&mut state, &left.tails[(2 * lane + at) * D::BLOCK..][..D::BLOCK]);
        }
        let words = D::output::<W>(state.read(), batch.digest.output_len);
        let out = batch.output(*index);
        out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
        batch.close(*index);
    }
}
