//! Messages that come in pieces, many at a time: whole blocks of each are taken into a chain of its
//! own.

use super::out::MAX_LANES;
use super::queue::Queue;
use super::step::Step;
use super::{Batch, Design, columns, to_memory_order};
use crate::State;
use crate::lanes::Lanes;

/// A message in each lane, with its number: what is left of it.
type Group<'a> = [(usize, &'a [u8]); MAX_LANES];

/// Takes all blocks of every message into its chain. The chains stand where digests else do.
#[inline(always)]
pub(super) fn run<D, L, const CHAIN: usize, const WORDS: usize>(
    batch: &mut Batch<'_>,
    step: Step<[L; CHAIN], [L; WORDS]>,
) where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let chain_len = CHAIN * size_of::<L::Word>();
    assert!(batch.out.len() == batch.messages.len() * chain_len, "each message has its chain");
    let mut queue = Queue::new(batch.messages, |len| len / D::BLOCK);
    let mut group = [(0, &[][..]); MAX_LANES];
    loop {
        let mut count = queue.take(&mut group[..L::COUNT]);
        if count == 0 {
            return;
        }
        count = unfinished::<D, L, CHAIN, WORDS>(&mut group, count);
        while count * 16 > D::MIN_FILL * L::COUNT {
            // Lanes without a message take the first one, for nothing.
            let first = group[0];
            group[count..L::COUNT].fill(first);
            let blocks = group.iter().take(count).map(|(_, left)| left.len() / D::BLOCK).min();
            let blocks = blocks.expect("there is a message");
            let mut chain = columns::read::<L, CHAIN>(|lane| batch.chain(group[lane].0, chain_len));
            for block in 0..blocks {
                let words = L::read::<WORDS>(|lane| &group[lane].1[block * D::BLOCK..][..D::BLOCK]);
                // SAFETY: a kernel's own step, for its own lanes.
                unsafe { step(&mut chain, &to_memory_order(words, D::ENDIAN)) };
            }
            for (lane, (number, left)) in group[..count].iter_mut().enumerate() {
                columns::write(
                    &mut chain,
                    lane,
                    &mut batch.out[*number * chain_len..][..chain_len],
                );
                *left = &left[blocks * D::BLOCK..];
            }
            count = unfinished::<D, L, CHAIN, WORDS>(&mut group, count);
        }
        for (number, left) in &group[..count] {
            batch.absorb_one(*number, chain_len, left);
        }
    }
}

/// Brings the messages of a group that have a block left to its front, and counts them.
#[inline(always)]
fn unfinished<D, L, const CHAIN: usize, const WORDS: usize>(
    group: &mut Group<'_>,
    count: usize,
) -> usize
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let mut kept = 0;
    for lane in 0..count {
        if group[lane].1.len() >= D::BLOCK {
            group[kept] = group[lane];
            kept += 1;
        }
    }
    kept
}

impl<'a> Batch<'a> {
    /// The chain of a message.
    #[inline(always)]
    fn chain(&self, number: usize, chain_len: usize) -> &[u8] {
        &self.out[number * chain_len..][..chain_len]
    }

    /// Takes blocks into the chain of a message by the kernel for one.
    #[inline(never)]
    fn absorb_one(&mut self, number: usize, chain_len: usize, blocks: &[u8]) {
        let chain = &mut self.out[number * chain_len..][..chain_len];
        let mut state = State::new();
        state.fill(chain);
        self.one.absorb(&mut state, blocks);
        chain.copy_from_slice(state.as_bytes());
        state.wipe();
    }
}
