//! Chunks in the lanes of vectors, and the nodes above them, too.

use super::end;
use super::node::{Avx2, BLOCK_LEN, CHUNK_END, CHUNK_LEN, CHUNK_START, ChainingValue, Form, Node, ORDER, PARENT, ROOT};
use super::subtrees::{chaining_value, subtree_len};
use super::tree::Tree;
use crate::digests::blake::arx::{Word, round, unroll};
use crate::lanes::Lanes;
use crate::lanes::x86_64::U32x8;
use crate::{Batch, State};

/// Large subtrees by the crate; up to sixteen chunks eight at a time, however many there are, and a single one by rows.
#[target_feature(enable = "avx2")]
pub(super) fn absorb(state: &mut State, chunks: &[u8]) {
    if end::reached::<Avx2>(state, chunks) {
        return;
    }
    let tree = Tree::of(state);
    let mut chunks = chunks.as_chunks::<CHUNK_LEN>().0;
    while !chunks.is_empty() {
        let (before, len) = (tree.chunks(), subtree_len(tree.chunks(), chunks.len()));
        let large = len >= MOST;
        let (taken, rest) = chunks.split_at(if large { len } else { chunks.len().min(MOST - before as usize % MOST) });
        match taken {
            _ if large => tree.push::<Avx2>(chaining_value(taken, before), len as u64),
            [chunk] => tree.push_chunk::<Avx2>(chunk, CHUNK_LEN),
            _ => push_chunks(tree, taken),
        }
        chunks = rest;
    }
}

/// From so many chunks on, a subtree is for the crate.
const MOST: usize = 16;

/// Aligned as vectors are, and with it the stack of the function that has it: else the compiler spills to places that straddle lines.
#[repr(align(32))]
struct Aligned([ChainingValue; MOST]);

/// Appends two to [`MOST`] chunks to a tree.
#[inline(always)]
fn push_chunks(tree: &mut Tree, chunks: &[[u8; CHUNK_LEN]]) {
    let mut values = Aligned([[0; 8]; MOST]);
    let mut values = &mut values.0[..chunks.len()];
    let counters = (tree.chunks()..).step_by(U32x8::COUNT);
    for ((chunks, values), counter) in chunks.chunks(U32x8::COUNT).zip(values.chunks_mut(U32x8::COUNT)).zip(counters) {
        match chunks {
            [chunk] => values[0] = Avx2::chunk(chunk, CHUNK_LEN, counter).chaining_value::<Avx2>(),
            _ => leaves::<U32x8>(chunks, counter, values),
        }
    }
    while !values.is_empty() {
        let available = 1 << values.len().ilog2();
        let len = available.min(1 << (tree.chunks() as usize | MOST).trailing_zeros());
        let (subtree, rest) = values.split_at_mut(len);
        let halves = reduced(subtree);
        for value in halves.iter() {
            tree.push::<Avx2>(*value, (len / halves.len()) as u64);
        }
        values = rest;
    }
}

/// The two halves of a subtree, or its only chunk: what is above them may be the root.
#[inline(always)]
fn reduced(mut values: &mut [ChainingValue]) -> &[ChainingValue] {
    while values.len() > 2 {
        let pairs = values.len() / 2;
        match pairs {
            2 => {
                for pair in 0..2 {
                    values[pair] = Node::parent(values[2 * pair], values[2 * pair + 1]).chaining_value::<Avx2>();
                }
            }
            _ => parents::<U32x8>(values),
        }
        values = &mut values[..pairs];
    }
    values
}

/// Messages of one chunk, eight at a time; longer ones alone.
#[target_feature(enable = "avx2")]
pub(super) fn many(batch: &mut Batch<'_>) {
    let blocks = |len: usize| len.min(CHUNK_LEN + 1).div_ceil(BLOCK_LEN);
    let mut groups = batch.groups::<{ U32x8::COUNT }, _>(2, blocks);
    while let Some(group) = groups.next(batch) {
        roots::<U32x8>(&group, batch);
    }
}

/// The digests of messages, one in each lane.
#[inline(always)]
fn roots<L: Lanes<Word = u32>>(group: &[(usize, &[u8])], batch: &mut Batch<'_>) {
    let mut tails = [[0; BLOCK_LEN]; MOST_LANES];
    let mut last = [usize::MAX; MOST_LANES];
    for (lane, (index, message)) in group.iter().enumerate() {
        if message.len() > CHUNK_LEN {
            // A lane without a message of its own has the first's again.
            if lane == 0 || *index != group[0].0 {
                batch.digest_one(*index);
            }
            continue;
        }
        last[lane] = message.len().saturating_sub(1) / BLOCK_LEN;
        L::pad(&mut tails[lane], message, message.len() - last[lane] * BLOCK_LEN, 0, [0; 4]);
    }
    let blocks = last.into_iter().filter(|last| *last != usize::MAX).max().map_or(0, |last| last + 1);
    let mut chain = initial::<L>();
    for block in 0..blocks {
        let words = L::read::<16>(|lane| match last[lane] > block && last[lane] != usize::MAX {
            true => &group[lane].1[block * BLOCK_LEN..][..BLOCK_LEN],
            false => &tails[lane],
        });
        let start = if block == 0 { CHUNK_START } else { 0 };
        let mut lens_and_flags = [L::splat(BLOCK_LEN as u32), L::splat(start)];
        let row = L::words(&mut lens_and_flags);
        for lane in 0..L::COUNT {
            if last[lane] == block {
                row[lane] = (group[lane].1.len() - block * BLOCK_LEN) as u32;
                row[L::COUNT + lane] = start | CHUNK_END | ROOT;
            }
        }
        let [lens, flags] = lens_and_flags;
        compress(&mut chain, &words, [L::splat(0), L::splat(0), lens, flags]);
        for (lane, (index, _)) in group.iter().enumerate() {
            if last[lane] == block {
                let words = L::words(&mut chain);
                let digest: ChainingValue = std::array::from_fn(|word| words[word * L::COUNT + lane]);
                batch.output(*index).copy_from_slice(bytemuck::bytes_of(&digest));
            }
        }
    }
}

const MOST_LANES: usize = 8;

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
        compress(&mut chain, &words, [counter[0], counter[1], L::splat(BLOCK_LEN as u32), L::splat(flags)]);
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
        let zero = L::splat(0);
        compress(&mut chain, &words, [zero, zero, L::splat(BLOCK_LEN as u32), L::splat(PARENT)]);
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

/// One block in each lane; `last` is the last row of words: counter, length and flags.
#[inline(always)]
fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 8], words: &[L; 16], last: [L; 4]) {
    let [h0, h1, h2, h3, h4, h5, h6, h7] = *chain;
    let [c0, c1, c2, c3, ..] = initial::<L>();
    let mut v = [h0, h1, h2, h3, h4, h5, h6, h7, c0, c1, c2, c3, last[0], last[1], last[2], last[3]];
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
