//! Chunks in the lanes of vectors, and the nodes above them, too.
//!
//! ```text
//! value(bytes)    1 chunk:              by rows (`one.rs`)
//!                 up to 64 chunks:      all chunks in lanes, then pairs in lanes, level by level
//!                 more:                 the largest power of two left, the rest right
//! ```
//!
//! The values of up to 64 chunks lie on the stack. Each level up has half the nodes of the level
//! below. So the last levels, of one or two pairs, are done by rows again.

use super::lanes::{Words, compress, initial, put_values};
use super::node::{
    Avx2, BLOCK_LEN, CHUNK_END, CHUNK_LEN, CHUNK_START, ChainingValue, PARENT, ROOT,
};
use super::tree::{Tree, subtree_len};
use super::{end, node, one, subtrees};
use crate::digests::blake::arx::Word;
use crate::digests::blake::rows;
use crate::kernel::one_shot;
use crate::parts::arrays::from_fn;
use crate::parts::lanes::Lanes;
use crate::{Cpu, OneShot, State};

/// What the kernel for one does with whole messages: the tree from the root down, with no state.
pub(super) const ONE_SHOT: OneShot =
    one_shot!("avx2", [] [] size_of::<ChainingValue>(), |message, out| digest(message, out));

/// The same where one chunk is soonest done by general registers.
pub(super) const ONE_SHOT_BY_WORDS: OneShot = one_shot!(
    "avx2", [] [] size_of::<ChainingValue>(),
    |message, out| {
        if message.len() <= CHUNK_LEN {
            node::digest_chunk(message, out);
        } else {
            digest(message, out);
        }
    }
);

#[target_feature(enable = "avx2")]
#[inline]
fn digest(message: &[u8], out: &mut [u8]) {
    if message.len() > CHUNK_LEN && crate_takes_avx2() {
        subtrees::digest_long(message, out);
    } else {
        out.copy_from_slice(bytemuck::bytes_of(&value(message, 0, ROOT)));
    }
}

/// Whether the crate goes by AVX2: where there is no AVX-512, which a mask of [`Cpu`] does not hide
/// from it. Its assembly is faster than the lanes here, most of all for two to seven chunks.
fn crate_takes_avx2() -> bool {
    !Cpu::native().has(rows::avx512::NEEDS)
}

/// The value of the node above the chunks of `bytes`, or of their only one; the first of them is
/// number `first`.
#[target_feature(enable = "avx2")]
fn value(bytes: &[u8], first: u64, flags: u32) -> ChainingValue {
    if bytes.len() <= CHUNK_LEN {
        one::avx2::value(bytes, first, CHUNK_START, CHUNK_END | flags)
    } else {
        one::parent(&halves(bytes, first), flags)
    }
}

/// The values of the two nodes below the one above the chunks of `bytes`, which are two at least.
#[target_feature(enable = "avx2")]
fn halves(bytes: &[u8], first: u64) -> [ChainingValue; 2] {
    let chunks = bytes.len().div_ceil(CHUNK_LEN);
    if chunks <= FEW {
        halves_of::<FEW>(bytes, first)
    } else if chunks <= MAX_CHUNKS {
        halves_of::<MAX_CHUNKS>(bytes, first)
    } else {
        // The left subtree is full and no smaller than the right one (BLAKE3's paper, 2.1).
        let left = 1 << (chunks - 1).ilog2();
        let (left_bytes, right_bytes) = bytes.split_at(left * CHUNK_LEN);
        [value(left_bytes, first, 0), value(right_bytes, first + left as u64, 0)]
    }
}

/// As [`halves`], of no more than `LEN` chunks.
#[target_feature(enable = "avx2")]
fn halves_of<const LEN: usize>(bytes: &[u8], first: u64) -> [ChainingValue; 2] {
    let mut values = [[0; 8]; LEN];
    let (chunks, last) = bytes.as_chunks();
    leaves(chunks, first, &mut values);
    let mut count = chunks.len();
    if !last.is_empty() {
        values[count] = value(last, first + count as u64, 0);
        count += 1;
    }
    below_top(&mut values[..count])
}

/// The values of the two nodes below the one above chunks of which these are the values, two at
/// least.
#[target_feature(enable = "avx2")]
pub(super) fn below_top(mut values: &mut [ChainingValue]) -> [ChainingValue; 2] {
    while values.len() > 2 {
        parents(values);
        let count = values.len().div_ceil(2);
        values = &mut values[..count];
    }
    [values[0], values[1]]
}

/// So many chunks are no reason to fill the stack with values.
const FEW: usize = 16;

/// So many chunks are enough for the lanes to be full in most of the nodes above them.
const MAX_CHUNKS: usize = 64;

/// Whole chunks, as many at a time as make a subtree.
#[target_feature(enable = "avx2")]
pub(super) fn absorb(state: &mut State, chunks: &[u8]) {
    if crate_takes_avx2() {
        return subtrees::absorb_by::<Avx2>(state, chunks);
    }
    if end::reached::<Avx2>(state, chunks) {
        return;
    }
    let tree = Tree::of(state);
    let mut chunks = chunks.as_chunks::<CHUNK_LEN>().0;
    while !chunks.is_empty() {
        let (taken, rest) = chunks.split_at(subtree_len(tree.chunks(), chunks.len()));
        match taken {
            [chunk] => tree.push_chunk::<Avx2>(chunk),
            _ => {
                tree.push::<Avx2>(value(taken.as_flattened(), tree.chunks(), 0), taken.len() as u64)
            }
        }
        chunks = rest;
    }
}

/// The chaining values of chunks, number `first` and so on.
#[target_feature(enable = "avx2")]
fn leaves(chunks: &[[u8; CHUNK_LEN]], first: u64, values: &mut [ChainingValue]) {
    let firsts = (first..).step_by(Words::COUNT);
    for ((chunks, values), first) in
        chunks.chunks(Words::COUNT).zip(values.chunks_mut(Words::COUNT)).zip(firsts)
    {
        match chunks {
            [chunk] => values[0] = value(chunk, first, 0),
            _ => leaves_in_lanes(chunks, first, &mut values[..chunks.len()]),
        }
    }
}

/// As [`leaves`], of no more chunks than there are lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn leaves_in_lanes(chunks: &[[u8; CHUNK_LEN]], first: u64, values: &mut [ChainingValue]) {
    let mut counter = [Words::splat(0); 2];
    let words = Words::words(&mut counter);
    for lane in 0..Words::COUNT {
        // The counter has two words: vectors of lower ones and of upper ones.
        [words[lane], words[Words::COUNT + lane]] = u32::split(u128::from(first) + lane as u128);
    }
    // A lane without a chunk of its own has the last one's.
    let chunks: [&[u8; CHUNK_LEN]; Words::COUNT] =
        from_fn(|lane| &chunks[lane.min(chunks.len() - 1)]);
    let mut chain = initial();
    for block in 0..CHUNK_LEN / BLOCK_LEN {
        let flags = match block {
            0 => CHUNK_START,
            LAST_BLOCK => CHUNK_END,
            _ => 0,
        };
        let words = Words::read(|lane| &chunks[lane][block * BLOCK_LEN..][..BLOCK_LEN]);
        compress(
            &mut chain,
            &words,
            [counter[0], counter[1], Words::splat(BLOCK_LEN as u32), Words::splat(flags)],
        );
    }
    put_values(&chain, values);
}

const LAST_BLOCK: usize = CHUNK_LEN / BLOCK_LEN - 1;

/// Replaces chaining values by those of the nodes above each two of them, and one that is left over
/// by itself.
#[target_feature(enable = "avx2")]
fn parents(values: &mut [ChainingValue]) {
    let pairs = values.len() / 2;
    if pairs <= FEW_PAIRS {
        for pair in 0..pairs {
            values[pair] = one::parent(&[values[2 * pair], values[2 * pair + 1]], 0);
        }
    } else {
        for first in (0..pairs).step_by(Words::COUNT) {
            // Two neighbouring values are the block of the node above.
            let blocks: &[[u8; BLOCK_LEN]] = bytemuck::cast_slice(&values[..2 * pairs]);
            let words = Words::read(|lane| &blocks[(first + lane).min(pairs - 1)]);
            let mut chain = initial();
            let zero = Words::splat(0);
            compress(
                &mut chain,
                &words,
                [zero, zero, Words::splat(BLOCK_LEN as u32), Words::splat(PARENT)],
            );
            put_values(&chain, &mut values[first..pairs.min(first + Words::COUNT)]);
        }
    }
    if values.len() % 2 == 1 {
        values[pairs] = values[2 * pairs];
    }
}

/// So many nodes are sooner done one by one than in lanes.
const FEW_PAIRS: usize = 2;
