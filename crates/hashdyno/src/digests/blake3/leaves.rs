//! Chunks in the lanes of vectors, and the nodes above them, too.

use super::end;
use super::node::{BLOCK_LEN, CHUNK_END, CHUNK_LEN, CHUNK_START, ChainingValue, Node, ORDER, PARENT};
use super::tree::Tree;
use crate::State;
use crate::digests::blake::arx::{Word, round, unroll};
use crate::lanes::Lanes;
use crate::lanes::x86_64::U32x8;

/// Eight chunks at a time, however many there are; one alone by rows.
#[target_feature(enable = "avx2")]
pub(super) fn absorb(state: &mut State, chunks: &[u8]) {
    let compress = |node: &mut Node| node.compress_by_avx2();
    if end::reached(state, chunks, compress) {
        return;
    }
    let tree = Tree::of(state);
    for chunks in chunks.as_chunks::<CHUNK_LEN>().0.chunks(MOST) {
        if let [chunk] = chunks {
            tree.push_chunk(chunk, CHUNK_LEN, compress);
            continue;
        }
        let mut values = Aligned([[0; 8]; MOST]);
        let mut values = &mut values.0[..chunks.len()];
        let counter = tree.chunks();
        for (number, (chunks, values)) in chunks.chunks(U32x8::COUNT).zip(values.chunks_mut(U32x8::COUNT)).enumerate() {
            leaves::<U32x8>(chunks, counter + (number * U32x8::COUNT) as u64, values);
        }
        while !values.is_empty() {
            let len = subtree_len(tree.chunks(), values.len());
            let (subtree, rest) = values.split_at_mut(len);
            let mut width = len;
            while width > 2 {
                parents::<U32x8>(&mut subtree[..width]);
                width /= 2;
            }
            for value in &subtree[..width] {
                tree.push(*value, (len / width) as u64, compress);
            }
            values = rest;
        }
    }
}

/// Aligned as vectors are, and with it the stack of the function that has it: else the compiler spills to places that straddle lines.
#[repr(align(32))]
struct Aligned([ChainingValue; MOST]);

/// How many chunks are reduced together: nearly all lanes are in use then on every level of the tree but the last.
const MOST: usize = 64;

/// How many of `available` chunks the next subtree takes: the largest power of two that divides the number of chunks `before`.
fn subtree_len(before: u64, available: usize) -> usize {
    let largest = 1 << available.ilog2();
    match before {
        0 => largest,
        _ => largest.min(1usize.checked_shl(before.trailing_zeros()).unwrap_or(largest)),
    }
}

/// The chaining values of chunks, number `first` and so on, no more than there are lanes.
#[inline(always)]
fn leaves<L: Lanes<Word = u32>>(chunks: &[[u8; CHUNK_LEN]], first: u64, values: &mut [ChainingValue]) {
    let mut counter = [L::splat(0); 2];
    let words = L::words(&mut counter);
    for lane in 0..L::COUNT {
        [words[lane], words[L::COUNT + lane]] = u32::split(u128::from(first) + lane as u128);
    }
    let mut chain = initial::<L>();
    for block in 0..CHUNK_LEN / BLOCK_LEN {
        let flags = match block {
            0 => CHUNK_START,
            LAST_BLOCK => CHUNK_END,
            _ => 0,
        };
        let words = L::read::<16>(|lane| &chunks[lane.min(chunks.len() - 1)][block * BLOCK_LEN..][..BLOCK_LEN]);
        compress(&mut chain, &words, counter, flags);
    }
    put_out(&mut chain, values);
}

const LAST_BLOCK: usize = CHUNK_LEN / BLOCK_LEN - 1;

/// Replaces chaining values by those of the nodes above each two of them, in the first half; they are an even number.
#[inline(always)]
fn parents<L: Lanes<Word = u32>>(values: &mut [ChainingValue]) {
    let pairs = values.len() / 2;
    for first in (0..pairs).step_by(L::COUNT) {
        let blocks: &[[u8; BLOCK_LEN]] = bytemuck::cast_slice(values);
        let words = L::read::<16>(|lane| &blocks[(first + lane).min(pairs - 1)]);
        let mut chain = initial::<L>();
        compress(&mut chain, &words, [L::splat(0); 2], PARENT);
        put_out(&mut chain, &mut values[first..pairs.min(first + L::COUNT)]);
    }
}

#[inline(always)]
fn initial<L: Lanes<Word = u32>>() -> [L; 8] {
    let mut chain = [L::splat(0); 8];
    for (vector, word) in chain.iter_mut().zip(u32::INITIAL) {
        *vector = L::splat(word);
    }
    chain
}

/// One whole block in each lane.
#[inline(always)]
fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 8], words: &[L; 16], counter: [L; 2], flags: u32) {
    let [h0, h1, h2, h3, h4, h5, h6, h7] = *chain;
    let [c0, c1, c2, c3, ..] = initial::<L>();
    let mut v =
        [h0, h1, h2, h3, h4, h5, h6, h7, c0, c1, c2, c3, counter[0], counter[1], L::splat(BLOCK_LEN as u32), L::splat(flags)];
    unroll!(|ROUND| if ROUND < ORDER.len() {
        const TAKES: [usize; 16] = ORDER[ROUND % ORDER.len()];
        round(&mut v, [16, 12, 8, 7], |i| words[TAKES[i]]);
    });
    for i in 0..8 {
        chain[i] = v[i] ^ v[i + 8];
    }
}

/// The first lanes' chaining values.
#[inline(always)]
fn put_out<L: Lanes<Word = u32>>(chain: &mut [L; 8], values: &mut [ChainingValue]) {
    let words = L::words(chain);
    for (lane, value) in values.iter_mut().enumerate() {
        for (number, word) in value.iter_mut().enumerate() {
            *word = words[number * L::COUNT + lane];
        }
    }
}
