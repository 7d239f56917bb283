//! The tree: the sponge of its root, and that of the chunk which is not whole yet.

use bytemuck::{Pod, Zeroable};

use super::node::{ALONE, BETWEEN, END, Form, LAST_LEAF, LEAF, ROOT};
use super::{BLOCK, Lanes, OneChunk};
use crate::many::{Input, absorb};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::lanes;

/// Bytes of a chunk (RFC 9861, section 3.2).
pub(super) const CHUNK: usize = 8192;

/// What a kernel keeps of a message.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    /// Has absorbed chunk 0, or a part of it, and the digests of the others.
    root: Lanes,
    /// Has absorbed a part of another chunk.
    leaf: Lanes,
    /// Bytes of the message so far.
    taken: u64,
    /// What the kernel is to do next, as [`Tree::announce`] leaves it.
    next: u64,
}

/// What a kernel is to do with a block.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// So many bytes of it are the message's last.
    End(usize),
    /// Nothing: permute the root for more output.
    Output,
}

const MESSAGE: u64 = 0;
const OUTPUT: u64 = 1;
const LAST: u64 = 2;

impl Tree {
    /// Of no message.
    pub(super) const EMPTY: Self = Self { root: [0; 25], leaf: [0; 25], taken: 0, next: MESSAGE };

    /// Whether bytes from outside can be a tree after that many blocks: the places in the sponges
    /// follow from the number of bytes.
    pub(super) fn admits(bytes: &[u8], blocks: u64) -> bool {
        bytemuck::try_pod_read_unaligned::<Self>(bytes)
            .is_ok_and(|tree| tree.taken == blocks * BLOCK as u64 && tree.next == MESSAGE)
    }

    /// Tells the kernel what to do with the next block.
    pub(super) fn announce(&mut self, step: Step) {
        self.next = match step {
            Step::End(len) => LAST + len as u64,
            Step::Output => OUTPUT,
        };
    }

    /// Writes the first bytes of the root.
    pub(super) fn output(&self, out: &mut [u8]) {
        out.copy_from_slice(&bytemuck::bytes_of(&self.root.mapped(u64::to_le))[..out.len()]);
    }

    /// Does with blocks what was announced, or takes them.
    #[inline(always)]
    pub(super) fn step<F, L, const RATE: usize, const WORDS: usize, const LANES: usize>(
        &mut self,
        blocks: &[u8],
    ) where
        F: Form,
        L: lanes::Lanes<Word = u64>,
    {
        match self.next {
            MESSAGE => self.take::<F, L, RATE, WORDS, LANES>(blocks),
            OUTPUT => _ = F::soak::<RATE>(&mut self.root, 0, const { &[0; RATE] }),
            last => self.end::<F, RATE>(&blocks[..(last - LAST) as usize]),
        }
    }

    /// Takes whole blocks.
    #[inline(always)]
    pub(super) fn take<F, L, const RATE: usize, const WORDS: usize, const LANES: usize>(
        &mut self,
        mut blocks: &[u8],
    ) where
        F: Form,
        L: lanes::Lanes<Word = u64>,
    {
        while !blocks.is_empty() {
            let within = (self.taken % CHUNK as u64) as usize;
            let chunks = blocks.as_chunks().0;
            if LANES > 1 && within == 0 && chunks.len() > 1 {
                let chunks = &chunks[..chunks.len().min(LANES)];
                self.take_chunks::<F, L, RATE, WORDS, LANES>(chunks);
                blocks = &blocks[chunks.len() * CHUNK..];
                continue;
            }
            let (bytes, rest) = blocks.split_at(blocks.len().min(CHUNK - within));
            let sponge = if self.taken < CHUNK as u64 { &mut self.root } else { &mut self.leaf };
            let at = F::soak::<RATE>(sponge, within % RATE, bytes);
            self.taken += bytes.len() as u64;
            if within + bytes.len() == CHUNK {
                if self.taken == CHUNK as u64 {
                    F::soak::<RATE>(&mut self.root, at, &BETWEEN);
                } else {
                    F::end::<RATE>(&mut self.leaf, at, &[], &LEAF);
                    self.push_leaf::<F, RATE>();
                }
            }
            blocks = rest;
        }
    }

    /// Takes whole chunks, one in each of the first lanes.
    #[inline(always)]
    fn take_chunks<F, L, const RATE: usize, const WORDS: usize, const LANES: usize>(
        &mut self,
        chunks: &[[u8; CHUNK]],
    ) where
        F: Form,
        L: lanes::Lanes<Word = u64>,
    {
        let begins = self.taken == 0;
        let mut tails = [[[0; RATE]; 2]; LANES];
        let mut tails = tails.each_mut().into_iter();
        let inputs = from_fn(|lane| {
            // A lane without a chunk of its own has the last one's.
            let chunk = &chunks[lane.min(chunks.len() - 1)];
            if begins && lane == 0 {
                Input::of_blocks(chunk.as_chunks().0)
            } else {
                Input::padded(chunk, &LEAF, END, tails.next().expect("one for each lane"))
            }
        });
        let mut states = [[0; 25]; LANES];
        absorb::<OneChunk<RATE, WORDS>, L, 25, WORDS, RATE, LANES>(
            [0; 25],
            &inputs,
            1,
            |lane, _, state| {
                states[lane] = from_fn(|word| state.word(word));
            },
        );
        for (chunk, state) in chunks.iter().zip(states) {
            self.taken += CHUNK as u64;
            if self.taken == CHUNK as u64 {
                self.root = state;
                let at = F::soak::<RATE>(&mut self.root, 0, chunk.as_chunks::<RATE>().1);
                F::soak::<RATE>(&mut self.root, at, &BETWEEN);
            } else {
                self.leaf = state;
                self.push_leaf::<F, RATE>();
            }
        }
    }

    /// Appends the digest of a chunk, with which so many bytes are taken.
    #[inline(always)]
    fn push_leaf<F: Form, const RATE: usize>(&mut self) {
        let digest = self.leaf.mapped(u64::to_le);
        let at = self.root_at::<RATE>(self.taken / CHUNK as u64 - 2);
        F::soak::<RATE>(&mut self.root, at, &bytemuck::bytes_of(&digest)[..200 - RATE]);
        self.leaf = [0; 25];
    }

    /// How many bytes of a block the root has after chunk 0 and so many digests, each of which is
    /// as long as the capacity.
    fn root_at<const RATE: usize>(&self, digests: u64) -> usize {
        let bytes = (CHUNK + BETWEEN.len()) as u64 + digests * (200 - RATE) as u64;
        (bytes % RATE as u64) as usize
    }

    /// Ends the message with the bytes of less than a block.
    #[inline(always)]
    pub(super) fn end<F: Form, const RATE: usize>(&mut self, rest: &[u8]) {
        let at = (self.taken % CHUNK as u64) as usize % RATE;
        if self.taken < CHUNK as u64 {
            return F::end::<RATE>(&mut self.root, at, rest, &ALONE);
        }
        F::end::<RATE>(&mut self.leaf, at, rest, &LAST_LEAF);
        let leaves = self.taken / CHUNK as u64;
        self.taken = (leaves + 1) * CHUNK as u64;
        self.push_leaf::<F, RATE>();
        // The number of digests, the number of its bytes, and the suffix.
        let bytes = leaves.to_be_bytes();
        let number = &bytes[leaves.leading_zeros() as usize / 8..];
        let mut suffix = [0; 8 + 1 + ROOT.len()];
        suffix[..number.len()].copy_from_slice(number);
        suffix[number.len()] = number.len() as u8;
        let len = number.len() + 1 + ROOT.len();
        suffix[number.len() + 1..len].copy_from_slice(&ROOT);
        let at = self.root_at::<RATE>(leaves);
        F::end::<RATE>(&mut self.root, at, &[], &suffix[..len]);
    }
}
