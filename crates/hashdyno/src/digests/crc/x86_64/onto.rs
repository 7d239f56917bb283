//! Sums moved on: each half of a block is multiplied by a power of x, and added to what is there.
//!
//! AMD's cores decode a multiplication alone, as four operations. Other instructions between two of
//! them take a cycle each time, so multiplications stand together where there are several.

use std::arch::x86_64::*;

use super::super::folding::Folding;
use crate::parts::arrays::Mapped;
use crate::parts::barrier::vectors_together;

/// `sum` moved on by `BITS`, and added to what is there.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(in super::super) fn onto_128<C: Folding, const BITS: u32>(
    crc: C,
    sum: __m128i,
    next: __m128i,
) -> __m128i {
    onto_by(sum, bytemuck::cast(crc.by::<BITS>()), next)
}

/// Both halves of `sum` multiplied by that of `factors`, and added to `next`.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(super) fn onto_by(sum: __m128i, factors: __m128i, next: __m128i) -> __m128i {
    let [low, high] = products(sum, factors);
    _mm_xor_si128(_mm_xor_si128(low, next), high)
}

/// [`onto_128`] of two sums at the same time.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(super) fn pair_onto<C: Folding, const BITS: u32>(
    crc: C,
    sums: [__m128i; 2],
    [mut x, mut y]: [__m128i; 2],
) -> [__m128i; 2] {
    let factors = bytemuck::cast(crc.by::<BITS>());
    vectors_together!(xmm_reg: x y);
    let [mut a, mut b] = products(sums[0], factors);
    let [mut c, mut d] = products(sums[1], factors);
    vectors_together!(xmm_reg: a b c d);
    [_mm_xor_si128(_mm_xor_si128(a, x), b), _mm_xor_si128(_mm_xor_si128(c, y), d)]
}

/// Four blocks, each moved on and added to what is there; `distances` are those of the last, of the
/// one before it, and so on.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(super) fn four_onto(blocks: [__m128i; 4], distances: &[[u64; 2]], next: __m128i) -> __m128i {
    let factors = distances.first_chunk::<4>().expect("a row is longer").mapped(bytemuck::cast);
    let [mut a, mut b] = products(blocks[0], factors[3]);
    let [mut c, mut d] = products(blocks[1], factors[2]);
    let [mut e, mut f] = products(blocks[2], factors[1]);
    let [mut g, mut h] = products(blocks[3], factors[0]);
    vectors_together!(xmm_reg: a b c d e f g h);
    [a, b, c, d, e, f, g, h].into_iter().fold(next, |sum, product| _mm_xor_si128(sum, product))
}

/// The halves of a block, each multiplied by that of `factors`.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(super) fn products(block: __m128i, factors: __m128i) -> [__m128i; 2] {
    [_mm_clmulepi64_si128::<0x00>(block, factors), _mm_clmulepi64_si128::<0x11>(block, factors)]
}

/// Each half of `sum` moved on by `BITS`, and added to the half that is there.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
pub(in super::super) fn onto_256<C: Folding, const BITS: u32>(
    crc: C,
    sum: __m256i,
    next: __m256i,
) -> __m256i {
    let factors = _mm256_broadcastsi128_si256(bytemuck::cast(crc.by::<BITS>()));
    let low = _mm256_clmulepi64_epi128::<0x00>(sum, factors);
    _mm256_xor_si256(_mm256_xor_si256(low, next), _mm256_clmulepi64_epi128::<0x11>(sum, factors))
}

/// [`onto_256`] of two sums at the same time.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
pub(super) fn pair_onto_256<C: Folding, const BITS: u32>(
    crc: C,
    sums: [__m256i; 2],
    [mut x, mut y]: [__m256i; 2],
) -> [__m256i; 2] {
    let factors = _mm256_broadcastsi128_si256(bytemuck::cast(crc.by::<BITS>()));
    vectors_together!(ymm_reg: x y);
    let mut a = _mm256_clmulepi64_epi128::<0x00>(sums[0], factors);
    let mut b = _mm256_clmulepi64_epi128::<0x11>(sums[0], factors);
    let mut c = _mm256_clmulepi64_epi128::<0x00>(sums[1], factors);
    let mut d = _mm256_clmulepi64_epi128::<0x11>(sums[1], factors);
    vectors_together!(ymm_reg: a b c d);
    [_mm256_xor_si256(_mm256_xor_si256(a, x), b), _mm256_xor_si256(_mm256_xor_si256(c, y), d)]
}
