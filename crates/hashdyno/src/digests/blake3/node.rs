//! Nodes of BLAKE3's tree, and the compression that makes them.
//!
//! A node is all of a chunk or of a parent but its last compression. The flag `ROOT` belongs to the
//! last compression of the root, and which node is the root is known only when the message ends.
//!
//! ```text
//! chunk:   block, block ..   -> chaining value -> (last block, flags)     Node
//! parent:  two chaining values are one block    -> (that block, PARENT)   Node
//! Node     chaining_value(): for the node above        root().output(): the digest
//! ```
//!
//! `Form` is the compression in one way: by general registers, or by rows in vectors.

use bytemuck::{Pod, Zeroable, cast, pod_read_unaligned};

use super::super::blake::arx::{Word, round, unroll};
#[cfg(target_arch = "x86_64")]
use super::super::blake::rows::{self, Input};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::words::copy;

pub(super) const CHUNK_LEN: usize = 1024;
pub(super) const BLOCK_LEN: usize = 64;

/// What a chunk or a subtree amounts to for the node above it.
pub(super) type ChainingValue = [u32; 8];

/// A node of the tree, all but its last compression: whether that makes a chaining value or the
/// digest is known only when the message ends.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Node {
    chaining: ChainingValue,
    block: [u32; 16],
    counter: u64,
    block_len: u32,
    flags: u32,
}

impl Node {
    /// Chunk number `counter`, shorter than [`CHUNK_LEN`] only at the end of the message.
    /// `compress` gives the next chaining value, in whatever form of its own, after a block and the
    /// lower half of what goes into the rounds.
    #[inline(always)]
    fn chunk<C: Pod>(
        chunk: &[u8],
        counter: u64,
        compress: impl Fn(C, [u32; 16], [u32; 8]) -> C,
    ) -> Self {
        let (blocks, last) = chunk.split_at(chunk.len().saturating_sub(1) / BLOCK_LEN * BLOCK_LEN);
        let (mut chain, mut flags): (C, _) = (cast(u32::INITIAL), CHUNK_START);
        for block in blocks.as_chunks().0 {
            chain = compress(chain, words(block), lower(counter, BLOCK_LEN as u32, flags));
            flags = 0;
        }
        let block = match last.first_chunk() {
            Some(block) => words(block),
            None => {
                let mut block = [0; BLOCK_LEN];
                copy(last, &mut block);
                words(&block)
            }
        };
        Self {
            chaining: cast(chain),
            block,
            counter,
            block_len: last.len() as u32,
            flags: flags | CHUNK_END,
        }
    }

    /// The node above two others.
    #[inline(always)]
    pub(super) fn parent(halves: [ChainingValue; 2]) -> Self {
        Self {
            chaining: u32::INITIAL,
            block: cast(halves),
            counter: 0,
            block_len: BLOCK_LEN as u32,
            flags: PARENT,
        }
    }

    /// What the node amounts to.
    #[inline(always)]
    pub(super) fn chaining_value<F: Form>(mut self) -> ChainingValue {
        F::compress(&mut self);
        self.chaining
    }

    /// The same node as the root of a message.
    #[inline(always)]
    pub(super) fn root(self) -> Self {
        Self { counter: 0, flags: self.flags | ROOT, ..self }
    }

    /// The digest, this node being the root.
    pub(super) fn output(self, out: &mut [u8]) {
        for (counter, out) in (0..).zip(out.chunks_mut(BLOCK_LEN)) {
            let v =
                rounds(&self.chaining, &self.block, &lower(counter, self.block_len, self.flags));
            let words: [u32; 16] =
                from_fn(|i| v[i] ^ if i < 8 { v[i + 8] } else { self.chaining[i - 8] });
            out.copy_from_slice(&bytemuck::bytes_of(&words.mapped(u32::to_le))[..out.len()]);
        }
    }

    #[inline(always)]
    fn lower(&self) -> [u32; 8] {
        lower(self.counter, self.block_len, self.flags)
    }
}

/// The lower half of what goes into the rounds; the upper is the chaining value.
#[inline(always)]
fn lower(counter: u64, block_len: u32, flags: u32) -> [u32; 8] {
    let ([a, b, c, d, ..], [low, high]) = (u32::INITIAL, u32::split(u128::from(counter)));
    [a, b, c, d, low, high, block_len, flags]
}

#[inline(always)]
fn rounds(chain: &ChainingValue, block: &[u32; 16], lower: &[u32; 8]) -> [u32; 16] {
    let mut v = from_fn(|i| if i < 8 { chain[i] } else { lower[i - 8] });
    unroll!(|ROUND| if const { ROUND < ORDER.len() } {
        round(&mut v, [16, 12, 8, 7], |i| block[ORDER[ROUND % ORDER.len()][i]]);
    });
    v
}

/// The next chaining value.
#[inline(always)]
fn next(chain: ChainingValue, block: [u32; 16], lower: [u32; 8]) -> ChainingValue {
    let v = rounds(&chain, &block, &lower);
    from_fn(|i| v[i] ^ v[i + 8])
}

/// A form of the compression, and chunks by it: a function each, into which it is inlined.
pub(super) trait Form {
    /// Replaces a node's chaining value by the next. In place: a copy would wait for all of its
    /// words.
    fn compress(node: &mut Node);
    /// As [`Node::chunk`].
    fn chunk(chunk: &[u8], counter: u64) -> Node;
}

/// Straight Rust.
pub(super) struct Portable;

impl Form for Portable {
    fn compress(node: &mut Node) {
        node.chaining = next(node.chaining, node.block, node.lower());
    }

    fn chunk(chunk: &[u8], counter: u64) -> Node {
        Node::chunk(chunk, counter, next)
    }
}

/// The digest of a message of a chunk at most, by general registers.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn digest_chunk(message: &[u8], out: &mut [u8]) {
    let value = Portable::chunk(message, 0).root().chaining_value::<Portable>();
    out.copy_from_slice(bytemuck::bytes_of(&value));
}

/// Declares the form by rows in vectors. It is for kernels alone that need what the rows need.
#[cfg(target_arch = "x86_64")]
macro_rules! row_form {
    ($form:ident, $rows:ident, $features:literal) => {
        #[doc = concat!("Rows in vectors, for ", $features, ".")]
        pub(super) struct $form;

        impl Form for $form {
            #[inline(always)]
            fn compress(node: &mut Node) {
                // SAFETY: see the macro.
                unsafe { $rows::compress(node) }
            }

            #[inline(always)]
            fn chunk(chunk: &[u8], counter: u64) -> Node {
                // SAFETY: see the macro.
                unsafe { $rows::chunk(chunk, counter) }
            }
        }

        mod $rows {
            use std::arch::x86_64::__m128i;

            use super::*;

            #[target_feature(enable = $features)]
            #[inline]
            fn next(chain: [__m128i; 2], block: [u32; 16], lower: [u32; 8]) -> [__m128i; 2] {
                const INPUTS: [Input<u32>; 7] = Input::<u32>::all(&ORDER, &[0; 16]);
                rows::$rows::rounds_u32::<7, 16, 12, 8, 7, 7>(chain, cast(lower), block, &INPUTS)
            }

            #[target_feature(enable = $features)]
            #[inline]
            pub(super) fn compress(node: &mut Node) {
                node.chaining = cast(next(cast(node.chaining), node.block, node.lower()));
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            pub(super) fn chunk(chunk: &[u8], counter: u64) -> Node {
                Node::chunk(chunk, counter, |chain, block, lower| next(chain, block, lower))
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
row_form!(Avx512, avx512, "avx512f,avx512vl");
#[cfg(target_arch = "x86_64")]
row_form!(Split, split, "avx512f,avx512vl");
#[cfg(target_arch = "x86_64")]
row_form!(Avx2, avx2, "avx2");

#[inline(always)]
fn words(block: &[u8; BLOCK_LEN]) -> [u32; 16] {
    pod_read_unaligned::<[u32; 16]>(block).mapped(u32::from_le)
}

pub(super) const CHUNK_START: u32 = 1;
pub(super) const CHUNK_END: u32 = 2;
pub(super) const PARENT: u32 = 4;
pub(super) const ROOT: u32 = 8;

/// Which word of the block each addition of a round takes: the same permutation again and again.
pub(super) const ORDER: [[usize; 16]; 7] = {
    let permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let (mut order, mut round) = ([[0; 16]; 7], 0);
    while round < 7 {
        let mut i = 0;
        while i < 16 {
            order[round][i] = if round == 0 { i } else { order[round - 1][permutation[i]] };
            i += 1;
        }
        round += 1;
    }
    order
};
