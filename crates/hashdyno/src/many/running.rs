//! Messages that come in pieces, many at a time: whole blocks of each are taken into a chain of its
//! own.

use std::slice;

use super::Batch;
use super::out::MAX_LANES;
use super::queue::Queue;
use super::step::{Room, Rows};
use crate::lanes::Word;
use crate::{Messages, State};

/// Takes all blocks of every message into its chain. The chains stand where digests else do.
#[inline(never)]
pub(super) fn run<W: Word>(batch: &mut Batch<'_>, room: &Room<'_, W>, lanes: usize) {
    let shape = room.shape;
    let chain_len = shape.chain * size_of::<W>();
    assert!(batch.out.len() == batch.messages.len() * chain_len, "each message has its chain");
    let mut turns = turns(batch.messages, chain_len, shape.block, lanes, shape.min_fill);
    while let Some(blocks) = turns.next(batch) {
        let group = &turns.group;
        // SAFETY: there is a vector for each word, and nothing else is lent of it meanwhile.
        let words = unsafe { slice::from_raw_parts_mut(room.chain, shape.chain * lanes) };
        load(batch.out, &group[..lanes], words);
        let rows = group.map(|(_, left)| left.as_ptr());
        // SAFETY: a kernel's own step, for its own lanes; each message has so many blocks left.
        unsafe {
            let chain = room.chain.cast();
            (room.step.blocks)(chain, chain, &Rows::of_lanes(&rows, None), 0, blocks);
        }
        // SAFETY: as above.
        let words = unsafe { slice::from_raw_parts_mut(room.chain, shape.chain * lanes) };
        store(words, lanes, &group[..turns.count], batch.out);
    }
}

/// The turns that a batch makes: in each the messages in the lanes take as many blocks as the
/// shortest of them has left.
struct Turns<'a, C> {
    queue: Queue<'a, C>,
    /// A message in each lane, with its number: what is left of it.
    group: [(usize, &'a [u8]); MAX_LANES],
    /// How many of these are there, and how many blocks they take.
    count: usize,
    blocks: usize,
    chain_len: usize,
    block_len: usize,
    lanes: usize,
    min_fill: usize,
}

/// The turns that these messages make. No generic function, so that its closure has one type for
/// all kernels, and what depends on it is compiled once.
fn turns<'a>(
    messages: Messages<'a>,
    chain_len: usize,
    block_len: usize,
    lanes: usize,
    min_fill: usize,
) -> Turns<'a, impl Fn(usize) -> usize> {
    Turns {
        queue: Queue::new(messages, move |len| len / block_len),
        group: [(0, &[][..]); MAX_LANES],
        count: 0,
        blocks: 0,
        chain_len,
        block_len,
        lanes,
        min_fill,
    }
}

impl<C: Fn(usize) -> usize> Turns<'_, C> {
    /// Begins a turn; gives how many blocks each message takes. The kernel for one takes what is
    /// left of messages that are too few for the lanes.
    #[inline(never)]
    fn next(&mut self, batch: &mut Batch<'_>) -> Option<usize> {
        let taken = self.blocks * self.block_len;
        for (_, left) in &mut self.group[..self.count] {
            *left = &left[taken..];
        }
        loop {
            self.drop_finished();
            if self.count * 16 > self.min_fill * self.lanes {
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
