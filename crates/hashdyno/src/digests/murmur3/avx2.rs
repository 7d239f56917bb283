//! The hash of 32 bits, whose keys are found eight at a time.

use std::arch::x86_64::*;

use super::{A, after_a, step_a};

/// Keys are found in vectors, those of so many bytes at a time.
const RUN: usize = 128;

/// From how many bytes on that is faster.
const WORTH: usize = 2 * RUN;

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn after(hash: u32, blocks: &[u8]) -> u32 {
    if blocks.len() < WORTH { after_a(hash, blocks) } else { after_runs(hash, blocks) }
}

/// The multiplications for the keys would stand in the way of the steps, which wait for each other.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn after_runs(mut hash: u32, blocks: &[u8]) -> u32 {
    let (runs, rest) = blocks.as_chunks();
    let (first, others) = runs.split_first().expect("WORTH is more than a run");
    let (mut one, mut other) = ([0; RUN / 4], [0; RUN / 4]);
    let (mut current, mut next) = (&mut one, &mut other);
    find_keys(first, current);
    for run in others {
        // One run ahead, so that none of the steps waits for its key on its way through memory.
        find_keys(run, next);
        for &key in current.iter() {
            hash = step_a(hash, key);
        }
        (current, next) = (next, current);
    }
    for &key in current.iter() {
        hash = step_a(hash, key);
    }
    after_a(hash, rest)
}

/// Not inlined, so that the keys are taken from memory: to take them out of a vector would stand in the way, too.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn find_keys(run: &[u8; RUN], found: &mut [u32; RUN / 4]) {
    for (found, words) in found.as_chunks_mut::<8>().0.iter_mut().zip(run.as_chunks::<32>().0) {
        *found = bytemuck::cast(keys(bytemuck::cast(*words)));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn keys(words: __m256i) -> __m256i {
    let [a, b] = A.map(|factor| _mm256_set1_epi32(factor as i32));
    let keys = _mm256_mullo_epi32(words, a);
    _mm256_mullo_epi32(_mm256_or_si256(_mm256_slli_epi32::<15>(keys), _mm256_srli_epi32::<17>(keys)), b)
}
