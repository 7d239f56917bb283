//! Rows for AVX-512, on cores where a rotation takes two cycles and a shift one: Zen 4.
//!
//! A rotation and an xor can change places, so the row that comes late waits for no rotation:
//!
//! ```text
//!                                                                  cycles after `late`
//! avx512    (early ^ late) >>> n                                   1 + 2
//! here      (early >>> n) ^ (late >> n) ^ (late << (width - n))    1 + 1
//! ```
//!
//! The early row is rotated while the late one is computed. One ternary operation is both xors.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::avx512::{input_u32, input_u64, message_u32, message_u64};
use super::{Input, compression_by_rows};
use crate::Features;
use crate::digests::blake::arx::unroll;

/// What the functions here need.
pub(in crate::digests) const NEEDS: Features = super::avx512::NEEDS;

compression_by_rows!(
    "avx512f,avx512vl" rounds_u32 next_u32: u32 in __m128i;
    message_u32 input_u32 _mm_add_epi32 _mm_xor_si128 xor_right_u32 _mm_shuffle_epi32
);
compression_by_rows!(
    "avx512f,avx512vl" rounds_u64 next_u64: u64 in __m256i;
    message_u64 input_u64 _mm256_add_epi64 _mm256_xor_si256 xor_right_u64
    _mm256_permute4x64_epi64
);

/// The operands of a ternary operation in any order: a ^ b ^ c.
const XOR: i32 = 0x96;

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(in crate::digests) fn xor_right_u32<const DISTANCE: i32>(
    early: __m128i,
    late: __m128i,
) -> __m128i {
    let (down, up) = (_mm_cvtsi32_si128(DISTANCE), _mm_cvtsi32_si128(32 - DISTANCE));
    _mm_ternarylogic_epi32::<XOR>(
        _mm_ror_epi32::<DISTANCE>(early),
        _mm_srl_epi32(late, down),
        _mm_sll_epi32(late, up),
    )
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn xor_right_u64<const DISTANCE: i32>(early: __m256i, late: __m256i) -> __m256i {
    let (down, up) = (_mm_cvtsi32_si128(DISTANCE), _mm_cvtsi32_si128(64 - DISTANCE));
    _mm256_ternarylogic_epi64::<XOR>(
        _mm256_ror_epi64::<DISTANCE>(early),
        _mm256_srl_epi64(late, down),
        _mm256_sll_epi64(late, up),
    )
}
