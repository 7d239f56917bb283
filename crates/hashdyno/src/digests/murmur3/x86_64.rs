//! Murmur3 with the keys found in vectors: multiplications for them would stand in the way of the
//! steps, which wait for each other.
//!
//! ```text
//! vectors:            keys of run 0    keys of run 1    keys of run 2 ..      128 bytes each
//! general registers:                   steps of run 0   steps of run 1 ..
//! ```
//!
//! The steps are one chain of rotations and sums. Products and rotations of keys wait for nothing
//! and go through memory, one run ahead (`parts/ahead.rs`). Messages below `FEW` end before the
//! lead pays.

use std::arch::x86_64::*;
use std::mem::transmute;

use bytemuck::{cast, cast_ref};

use super::{A, C, F, Murmur3a, Murmur3c, Murmur3f, after_a, after_f, step_a, step_c, step_f};
use crate::parts::ahead::ahead;
use crate::parts::arrays::Mapped;
use crate::parts::checksum::{Checksum, checksum_kernel};
use crate::parts::lanes::x86_64::AVX512DQ;
use crate::{Features, Kernel};

/// Keys are found for so many bytes at a time.
const RUN: usize = 128;

/// Up to how many bytes that is no faster; for [`Murmur3f`], which has fewer multiplications, up to
/// how many.
const FEW: usize = 2 * RUN - 1;
const FEW_F: usize = 4 * RUN - 1;

/// Declares a kernel: name, needs, features, checksum, up to how many bytes it is no faster; what
/// sums up by single blocks; what makes 64 bytes keys, and what takes the keys of a run.
macro_rules! by_runs {
    (
        $kernel:ident: $name:literal, $needs:expr, $features:literal, $checksum:ident
        beyond $few:ident, $after:ident, $keys:ident, $take:expr
    ) => {
        pub(super) const $kernel: Kernel = {
            #[inline]
            #[target_feature(enable = $features)]
            #[allow(unused_unsafe, reason = "some want none")]
            fn after(
                register: <$checksum as Checksum>::Register,
                blocks: &[u8],
            ) -> <$checksum as Checksum>::Register {
                if blocks.len() <= $few {
                    // SAFETY: this function is compiled for the features.
                    unsafe { $after(register, blocks) }
                } else {
                    after_runs(register, blocks)
                }
            }

            #[inline(never)]
            #[target_feature(enable = $features)]
            #[allow(unused_unsafe, reason = "some want none")]
            fn after_runs(
                mut register: <$checksum as Checksum>::Register,
                blocks: &[u8],
            ) -> <$checksum as Checksum>::Register {
                // Keys go through memory, one run ahead: the steps load them.
                let (runs, rest) = blocks.as_chunks::<RUN>();
                ahead(&mut register, runs, |words| $keys(words), $take);
                // SAFETY: this function is compiled for the features.
                unsafe { $after(register, rest) }
            }
    checksum_kernel!($name, $needs, $features, $checksum, after, ..=$few => unsafe $after)
        };
    };
}

by_runs!(
    MURMUR3A: "avx2", Features::AVX2, "avx2", Murmur3a beyond FEW, after_a, keys_a,
    |hash, run| {
        cast_ref::<_, [u32; RUN / 4]>(run).iter().for_each(|key| *hash = step_a(*hash, *key));
    }
);
by_runs!(
    MURMUR3C: "avx2", Features::AVX2, "avx2", Murmur3c beyond FEW, after_each_c, keys_c,
    |hash, run| {
        cast_ref::<_, [[u32; 4]; RUN / 16]>(run)
            .iter()
            .for_each(|keys| *hash = step_c(*hash, *keys));
    }
);
by_runs!(
    MURMUR3F: "avx512dq", AVX512DQ, "avx512f,avx512vl,avx512dq", Murmur3f beyond FEW_F,
    after_f, keys_f,
    |hash, run| {
        cast_ref::<_, [[u64; 2]; RUN / 16]>(run)
            .iter()
            .for_each(|keys| *hash = step_f(*hash, *keys));
    }
);

#[inline]
#[target_feature(enable = "avx2")]
fn keys_a(words: &[u8; 64]) -> [u8; 64] {
    let [a, b] = A.mapped(|factor| _mm256_set1_epi32(factor as i32));
    keys_32(words, a, _mm256_set1_epi32(15), b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn keys_c(words: &[u8; 64]) -> [u8; 64] {
    let [c1, c2, c3, c4] = C;
    keys_32(
        words,
        cast([C; 2]),
        _mm256_setr_epi32(15, 16, 17, 18, 15, 16, 17, 18),
        cast([[c2, c3, c4, c1]; 2]),
    )
}

/// The words after some blocks, whose keys are found in vectors of 16 bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn after_each_c(hash: [u32; 4], blocks: &[u8]) -> [u32; 4] {
    blocks.as_chunks().0.iter().fold(hash, |hash, block: &[u8; 16]| {
        // SAFETY: this function's own condition.
        step_c(hash, unsafe { keys_of_block(block) })
    })
}

/// As [`keys_c`], of one block.
#[inline]
#[target_feature(enable = "avx2")]
fn keys_of_block(block: &[u8; 16]) -> [u32; 4] {
    let [c1, c2, c3, c4] = C;
    let (turn, back) = (_mm_setr_epi32(15, 16, 17, 18), _mm_setr_epi32(17, 16, 15, 14));
    let products = _mm_mullo_epi32(cast(*block), cast(C));
    cast(_mm_mullo_epi32(
        _mm_or_si128(_mm_sllv_epi32(products, turn), _mm_srlv_epi32(products, back)),
        cast([c2, c3, c4, c1]),
    ))
}

/// Times `first`, turned, times `second`, all word by word.
#[inline]
#[target_feature(enable = "avx2")]
fn keys_32(words: &[u8; 64], first: __m256i, turn: __m256i, second: __m256i) -> [u8; 64] {
    // AVX2 rotates by two shifts, whose distances differ from word to word.
    let back = _mm256_sub_epi32(_mm256_set1_epi32(32), turn);
    let mut words: [__m256i; 2] = cast(*words);
    for words in &mut words {
        let products = _mm256_mullo_epi32(*words, first);
        *words = _mm256_mullo_epi32(
            _mm256_or_si256(_mm256_sllv_epi32(products, turn), _mm256_srlv_epi32(products, back)),
            second,
        );
    }
    cast(words)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn keys_f(words: &[u8; 64]) -> [u8; 64] {
    let by =
        |one: u64, other: u64| _mm512_broadcast_i32x4(_mm_set_epi64x(other as i64, one as i64));
    // SAFETY: 64 bytes are a vector, and a vector is 64 bytes.
    unsafe {
        // AVX-512DQ multiplies words of 64 bits, which AVX2 does not.
        let products = _mm512_mullo_epi64(transmute::<[u8; 64], __m512i>(*words), by(F[0], F[1]));
        transmute(_mm512_mullo_epi64(_mm512_rolv_epi64(products, by(31, 33)), by(F[1], F[0])))
    }
}
