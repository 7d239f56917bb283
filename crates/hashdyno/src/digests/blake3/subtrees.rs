//! The `blake3` crate as a kernel: it hashes whole subtrees, many chunks at a time.
//!
//! ```text
//! chunks so far: 6       chunks at hand: 5
//! subtree_len:   2, then 2, then 1           the largest that begins there and is not too long
//! a subtree:     its value from the crate -> `Tree::push`, which merges it with its neighbours
//! ```
//!
//! The crate makes no root of a subtree here, since more of the message may come (`tree.rs`).

use blake3::Hasher;
use blake3::hazmat::HasherExt;

use super::end;
use super::node::{self, CHUNK_LEN, ChainingValue, Form, Portable};
#[cfg(target_arch = "x86_64")]
use super::node::{Avx512, CHUNK_END, CHUNK_START, ROOT, Split};
#[cfg(target_arch = "x86_64")]
use super::one;
use super::tree::{Tree, subtree_len};
#[cfg(target_arch = "x86_64")]
use crate::OneShot;
use crate::State;
#[cfg(target_arch = "x86_64")]
use crate::kernel::one_shot;
use crate::parts::arrays::Mapped;

/// For any CPU on which the crate has vectors.
pub(super) fn absorb(state: &mut State, chunks: &[u8]) {
    absorb_by::<Portable>(state, chunks);
}

/// As [`absorb`], where there are vectors for a single chunk, too.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn absorb_by_rows(state: &mut State, chunks: &[u8]) {
    absorb_by::<Avx512>(state, chunks);
}

/// As [`absorb_by_rows`], by `rows::split`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn absorb_by_split_rows(state: &mut State, chunks: &[u8]) {
    absorb_by::<Split>(state, chunks);
}

/// What a kernel does with whole messages: one chunk has no use for lanes, and what is longer the
/// crate does without a state of ours.
#[cfg(target_arch = "x86_64")]
macro_rules! one_shot_by_rows {
    ($features:literal, $rows:ident) => {
        one_shot!(
            $features, [] [] size_of::<ChainingValue>(),
            |message, out| {
                if message.len() <= CHUNK_LEN {
                    let value = one::$rows::value(message, 0, CHUNK_START, CHUNK_END | ROOT);
                    out.copy_from_slice(bytemuck::bytes_of(&value));
                } else {
                    digest_long(message, out);
                }
            }
        )
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) const ONE_SHOT_SPLIT: OneShot = one_shot_by_rows!("avx512f,avx512vl", split);
#[cfg(target_arch = "x86_64")]
pub(super) const ONE_SHOT_AVX512VL: OneShot = one_shot_by_rows!("avx512f,avx512vl", avx512vl);
#[cfg(target_arch = "x86_64")]
pub(super) const ONE_SHOT_SSE41: OneShot = one_shot_by_rows!("sse4.1", sse41);
#[cfg(target_arch = "x86_64")]
pub(super) const ONE_SHOT_SSE2: OneShot = one_shot_by_rows!("sse2", sse2);

/// The same where one chunk is soonest done by general registers.
#[cfg(target_arch = "x86_64")]
pub(super) const ONE_SHOT_BY_WORDS: OneShot =
    one_shot!([] [] size_of::<ChainingValue>(), |message, out| digest_by_words(message, out));

#[cfg(target_arch = "x86_64")]
#[inline]
fn digest_by_words(message: &[u8], out: &mut [u8]) {
    if message.len() <= CHUNK_LEN {
        node::digest_chunk(message, out);
    } else {
        digest_long(message, out);
    }
}

/// A message of more than a chunk.
#[cfg(target_arch = "x86_64")]
pub(super) fn digest_long(message: &[u8], out: &mut [u8]) {
    out.copy_from_slice(blake3::hash(message).as_bytes());
}

#[inline(always)]
pub(super) fn absorb_by<F: Form>(state: &mut State, chunks: &[u8]) {
    if end::reached::<F>(state, chunks) {
        return;
    }
    let tree = Tree::of(state);
    let mut chunks = chunks.as_chunks::<CHUNK_LEN>().0;
    while let Some(first) = chunks.first() {
        // A subtree's size is a power of two, and its place a multiple of the size.
        let count = subtree_len(tree.chunks(), chunks.len());
        let (subtree, rest) = chunks.split_at(count);
        match count {
            1 => tree.push_chunk::<F>(first),
            _ => tree.push::<F>(chaining_value(subtree, tree.chunks()), count as u64),
        }
        chunks = rest;
    }
}

/// What whole chunks amount to that are a subtree, and not the whole message.
fn chaining_value(subtree: &[[u8; CHUNK_LEN]], chunks_before: u64) -> ChainingValue {
    let bytes = Hasher::new()
        // The counter of each chunk is its number in the message.
        .set_input_offset(chunks_before * CHUNK_LEN as u64)
        .update(subtree.as_flattened())
        .finalize_non_root();
    bytemuck::cast::<_, ChainingValue>(bytes).mapped(u32::from_le)
}
