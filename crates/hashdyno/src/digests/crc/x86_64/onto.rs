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

/// Declares [`onto_128`] or [`onto_256`] of two sums at the same time.
macro_rules! pair_onto {
    (
        $features:literal $pair_onto:ident: $vector:ident in $register:ident;
        $factors:path, $products:ident $xor:ident
    ) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn $pair_onto<C: Folding, const BITS: u32>(
            crc: C,
            sums: [$vector; 2],
            [mut x, mut y]: [$vector; 2],
        ) -> [$vector; 2] {
            let factors = $factors(bytemuck::cast(crc.by::<BITS>()));
            vectors_together!($register: x y);
            let [mut a, mut b] = $products(sums[0], factors);
            let [mut c, mut d] = $products(sums[1], factors);
            vectors_together!($register: a b c d);
            [$xor($xor(a, x), b), $xor($xor(c, y), d)]
        }
    };
}

pair_onto!(
    "pclmulqdq" pair_onto: __m128i in xmm_reg;
    std::convert::identity, products _mm_xor_si128
);
pair_onto!(
    "vpclmulqdq,avx2" pair_onto_256: __m256i in ymm_reg;
    _mm256_broadcastsi128_si256, products_256 _mm256_xor_si256
);

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
    let [low, high] = products_256(sum, factors);
    _mm256_xor_si256(_mm256_xor_si256(low, next), high)
}

/// [`products`] of both blocks.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn products_256(blocks: __m256i, factors: __m256i) -> [__m256i; 2] {
    [
        _mm256_clmulepi64_epi128::<0x00>(blocks, factors),
        _mm256_clmulepi64_epi128::<0x11>(blocks, factors),
    ]
}
