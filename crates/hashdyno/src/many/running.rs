//! Messages that come in pieces, many at a time: whole blocks of each are taken into a chain of its
//! own.

use super::groups::least_full;
use super::out::MAX_LANES;
use super::queue::Queue;
use super::step::Step;
use super::{Batch, Design, to_memory_order};
use crate::parts::lanes::{Lanes, Word};
use crate::{Messages, State};

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
    let mut turns =
        turns(batch.messages, chain_len, D::BLOCK, L::COUNT, least_full(L::COUNT, D::MIN_FILL));
    while let Some(blocks) = turns.next(batch) {
        let group = &turns.group;
        let mut chain: [L; CHAIN] = bytemuck::Zeroable::zeroed();
        load(batch.out, &group[..L::COUNT], L::words(&mut chain));
        for block in 0..blocks {
            let words = L::read::<WORDS>(|lane| &group[lane].1[block * D::BLOCK..][..D::BLOCK]);
            // SAFETY: a kernel's own step, for its own lanes.
            unsafe { (step.compress)(&mut chain, &to_memory_order(words, D::ENDIAN)) };
        }
        store(L::words(&mut chain), L::COUNT, &group[..turns.count], batch.out);
    }
}

/// The turns that a batch makes: in each the messages in the lanes take as many blocks as the
/// shortest of them has left.
pub(super) struct Turns<'a, C> {
    queue: Queue<'a, C>,
    /// A message in each lane, with its number: what is left of it.
    group: [(usize, &'a [u8]); MAX_LANES],
    /// How many of these are there, and how many blocks they take.
    count: usize,
    blocks: usize,
    chain_len: usize,
    block_len: usize,
    lanes: usize,
    /// How many messages are enough for the lanes.
    least: usize,
}

/// The turns that these messages make. No generic function, so that its closure has one type for
/// all kernels, and what depends on it is compiled once.
pub(super) fn turns<'a>(
    messages: Messages<'a>,
    chain_len: usize,
    block_len: usize,
    lanes: usize,
    least: usize,
) -> Turns<'a, impl Fn(usize) -> usize> {
    Turns {
        queue: Queue::new(messages, move |len| len / block_len),
        group: [(0, &[][..]); MAX_LANES],
        count: 0,
        blocks: 0,
        chain_len,
        block_len,
        lanes,
        least,
    }
}

impl<C: Fn(usize) -> usize> Turns<'_, C> {
    /// Begins a turn; gives how many blocks each message takes. The kernel for one takes what is
    /// left of messages that are too few for the lanes.
    #[inline(never)]
    pub(super) fn next(&mut self, batch: &mut Batch<'_>) -> Option<usize> {
        let taken = self.blocks * self.block_len;
        for (_, left) in &mut self.group[..self.count] {
            *left = &left[taken..];
        }
        loop {
            self.drop_finished();
            if self.count >= self.least {
                break;
            }
            for (number, left) in &self.group[..self.count] {
                batch.absorb_one(*number, self.chain_len, left);
            }
            self.count = self.queue.take(&mut self.group[..self.lanes]);
            if self.count == 0 {
                return None;
            }
        }
        // Lanes without a message take the first one, for nothing.
        let first = self.group[0];
        self.group[self.count..self.lanes].fill(first);
        let blocks = self.group[..self.count].iter().map(|(_, left)| left.len() / self.block_len);
        self.blocks = blocks.min().expect("there is a message");
        Some(self.blocks)
    }

    /// Brings the messages that have a block left to the front.
    fn drop_finished(&mut self) {
        let mut kept = 0;
        for lane in 0..self.count {
            if self.group[lane].1.len() >= self.block_len {
                self.group[kept] = self.group[lane];
                kept += 1;
            }
        }
        self.count = kept;
    }
}

/// Brings the chains of a message in each lane into columns of words.
#[inline(never)]
fn load<W: Word>(chains: &[u8], group: &[(usize, &[u8])], words: &mut [W]) {
    let (lanes, chain_len) = (group.len(), size_of_val(words) / group.len());
    for (lane, (number, _)) in group.iter().enumerate() {
        let chain = chains[number * chain_len..][..chain_len].chunks_exact(size_of::<W>());
        for (word, bytes) in words[lane..].iter_mut().step_by(lanes).zip(chain) {
            *word = bytemuck::pod_read_unaligned(bytes);
        }
    }
}

/// Brings the columns of the first lanes back.
#[inline(never)]
fn store<W: Word>(words: &[W], lanes: usize, group: &[(usize, &[u8])], chains: &mut [u8]) {
    let chain_len = size_of_val(words) / lanes;
    for (lane, (number, _)) in group.iter().enumerate() {
        let chain = chains[number * chain_len..][..chain_len].chunks_exact_mut(size_of::<W>());
        for (word, bytes) in words[lane..].iter().step_by(lanes).zip(chain) {
            bytes.copy_from_slice(bytemuck::bytes_of(word));
        }
    }
}

impl Batch<'_> {
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
