//! Rows for AVX-512. The message stays in two or four vectors, and one permutation or two fetch
//! what a round takes.
//!
//! ```text
//! words of 32 bits:  rows a b c d: xmm, four words each    message: ymm 0 .. 7, ymm 8 .. 15
//!     VPERMI2D takes any 8 of the 16 words: the inputs of rows 0 and 1, then of rows 2 and 3
//! words of 64 bits:  rows a b c d: ymm, four words each    message: four ymm of four words
//!     VPERMI2Q takes any 4 of 8 words: twice, and a mask chooses for each word
//! ```
//!
//! Rotations are one instruction here (VPRORD, VPRORQ). BLAKE2 has zeros in place of BLAKE's
//! constants.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Input, compression_by_rows};
use crate::Features;
use crate::digests::blake::arx::unroll;
use crate::parts::arrays::Mapped;
use crate::parts::barrier;

/// What the functions here need.
pub(in crate::digests) const NEEDS: Features = Features::AVX512F.union(Features::AVX512VL);

compression_by_rows!(
    "avx512f,avx512vl" rounds_u32 next_u32: u32 in __m128i;
    message_u32 input_u32 _mm_add_epi32 _mm_xor_si128 xor_right_u32 _mm_shuffle_epi32
);
compression_by_rows!(
    "avx512f,avx512vl" rounds_u64 next_u64: u64 in __m256i;
    message_u64 input_u64 _mm256_add_epi64 _mm256_xor_si256 xor_right_u64
    _mm256_permute4x64_epi64
);

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(in crate::digests) fn xor_right_u32<const DISTANCE: i32>(a: __m128i, b: __m128i) -> __m128i {
    _mm_ror_epi32::<DISTANCE>(_mm_xor_si128(a, b))
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn xor_right_u64<const DISTANCE: i32>(a: __m256i, b: __m256i) -> __m256i {
    _mm256_ror_epi64::<DISTANCE>(_mm256_xor_si256(a, b))
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn input_u32([low, high]: [__m256i; 2], input: &Input<u32>) -> [__m128i; 4] {
    let (orders, constants) =
        (cast::<_, [__m256i; 2]>(input.order), cast::<_, [__m256i; 2]>(input.constants));
    // Two rows by one permutation.
    let [x01, x23] = [0, 1].mapped(|i| {
        _mm256_xor_si256(_mm256_permutex2var_epi32(low, orders[i], high), constants[i])
    });
    [
        _mm256_castsi256_si128(x01),
        _mm256_extracti128_si256::<1>(x01),
        _mm256_castsi256_si128(x23),
        _mm256_extracti128_si256::<1>(x23),
    ]
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn input_u64([m0, m1, m2, m3]: [__m256i; 4], input: &Input<u64>) -> [__m256i; 4] {
    let (orders, constants) =
        (cast::<_, [__m256i; 4]>(input.order), cast::<_, [__m256i; 4]>(input.constants));
    [0, 1, 2, 3].mapped(|i| {
        let low = _mm256_permutex2var_epi64(m0, orders[i], m1);
        let high = _mm256_permutex2var_epi64(m2, orders[i], m3);
        // The permutation ignores bit 3 of an order, by which the mask tells words 8 to 15.
        let upper = _mm256_cmpgt_epi64_mask(orders[i], _mm256_set1_epi64x(7));
        _mm256_xor_si256(_mm256_mask_blend_epi64(upper, low, high), constants[i])
    })
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn message_u32(message: [u32; 16]) -> [__m256i; 2] {
    cast::<_, [__m256i; 2]>(message).mapped(|vector| barrier(vector))
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn message_u64(message: [u64; 16]) -> [__m256i; 4] {
    cast::<_, [__m256i; 4]>(message).mapped(|vector| barrier(vector))
}

/// The vector itself, in a register: the compiler would gather its words from memory again for
/// every permutation, one by one, at a loss of a fourth.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn barrier(vector: __m256i) -> __m256i {
    barrier::register!(ymm_reg vector)
}
