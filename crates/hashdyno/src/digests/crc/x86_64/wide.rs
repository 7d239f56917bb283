//! The same by vectors of 64 bytes.
//!
//! ```text
//! sum:         [ quarter 0 | quarter 1 | quarter 2 | quarter 3 ]    in the order of the message
//! onto_512:    each quarter moves on by BITS, onto its own place in a later group
//! four sums:   by 2048 bits, onto the group four groups on; none waits for another
//! joined_512:  a by 512 onto b, c by 512 onto d, then the first result by 1024 onto the second
//! join_512:    quarter 0 by 384, 1 by 256, 2 by 128, 3 as it is; exclusive or of all four
//! ```
//!
//! Each half of a quarter takes one carry-less multiplication, the scarce instruction. One
//! VPTERNLOG adds both products to the next group.

use std::arch::x86_64::*;

use super::super::folding::{Bitwise, Folding};
use super::order::load_512;
use super::{SHORT, after_256, after_by, load_128, onto_128};
use crate::parts::arrays::Mapped;
use crate::parts::prefetch::{UNCACHED, fetch_ahead};

#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx512f,gfni")]
pub(in super::super) fn after_512<C: Folding>(
    crc: C,
    register: C::Register,
    bytes: &[u8],
) -> C::Register {
    if bytes.len() < SHORT {
        after_256(crc, register, bytes)
    } else {
        after_long_512(crc, register, bytes)
    }
}

#[inline(never)]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn after_long_512<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    let crc = Bitwise(crc);
    after_by(crc, register, bytes, |start, blocks| {
        let (groups, rest) = blocks.as_chunks::<4>();
        join_512(crc, summed_512(crc, start, bytemuck::cast_slice(groups)), rest)
    })
}

/// Sums groups, of which there is one at least, the first with the register added to it.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,gfni")]
pub(in super::super) fn summed_512<C: Folding>(
    crc: C,
    start: __m128i,
    groups: &[[u8; 64]],
) -> __m512i {
    let start = _mm512_zextsi128_si512(start);
    // Fewer than four groups have one sum, and each fold waits for the fold before.
    let ([first, quads @ ..], rest) = groups.as_chunks::<4>() else {
        let sum = _mm512_xor_si512(load_512::<C>(&groups[0]), start);
        return groups[1..]
            .iter()
            .fold(sum, |sum, group| onto_512::<_, 512>(crc, sum, load_512::<C>(group)));
    };
    let mut sums = first.mapped(|group| load_512::<C>(&group));
    // The register is added to the first bytes of the message alone.
    sums[0] = _mm512_xor_si512(sums[0], start);
    let uncached = groups.as_flattened().len() >= UNCACHED;
    for quad in quads {
        if uncached {
            fetch_ahead(quad);
        }
        for (sum, group) in sums.iter_mut().zip(quad) {
            *sum = onto_512::<_, 2048>(crc, *sum, load_512::<C>(group));
        }
    }
    // What is left goes onto the first of them, which then are the last.
    let [a, b, c, d] = sums;
    let onto = |sum, group: &[u8; 64]| onto_512::<_, 2048>(crc, sum, load_512::<C>(group));
    joined_512(
        crc,
        match rest {
            [] => sums,
            [one] => [b, c, d, onto(a, one)],
            [one, two] => [c, d, onto(a, one), onto(b, two)],
            [one, two, three, ..] => [d, onto(a, one), onto(b, two), onto(c, three)],
        },
    )
}

/// Sums four consecutive sums.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f")]
pub(in super::super) fn joined_512<C: Folding>(crc: C, [a, b, c, d]: [__m512i; 4]) -> __m512i {
    onto_512::<_, 1024>(crc, onto_512::<_, 512>(crc, a, b), onto_512::<_, 512>(crc, c, d))
}

/// Sums the quarters and the blocks that follow.
#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx512f")]
pub(in super::super) fn join_512<C: Folding>(crc: C, sum: __m512i, rest: &[[u8; 16]]) -> __m128i {
    // SAFETY: any 64 bytes are a vector.
    let factors: __m512i =
        unsafe { std::mem::transmute([crc.by::<384>(), crc.by::<256>(), crc.by::<128>(), [0; 2]]) };
    let (low, high) = (
        _mm512_clmulepi64_epi128::<0x00>(sum, factors),
        _mm512_clmulepi64_epi128::<0x11>(sum, factors),
    );
    // The factors of quarter 3 are zeros. The mask adds that quarter as it is.
    let quarters =
        _mm512_ternarylogic_epi64::<0x96>(low, high, _mm512_maskz_mov_epi64(0b1100_0000, sum));
    let halves = _mm256_xor_si256(
        _mm512_castsi512_si256(quarters),
        _mm512_extracti64x4_epi64::<1>(quarters),
    );
    let sum = _mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
    rest.iter().fold(sum, |sum, block| onto_128::<_, 128>(crc, sum, load_128::<C>(block)))
}

/// Each quarter of `sum` moved on by `BITS`, and added to the quarter that is there.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f")]
pub(in super::super) fn onto_512<C: Folding, const BITS: u32>(
    crc: C,
    sum: __m512i,
    next: __m512i,
) -> __m512i {
    let factors = _mm512_broadcast_i32x4(bytemuck::cast(crc.by::<BITS>()));
    let low = _mm512_clmulepi64_epi128::<0x00>(sum, factors);
    let high = _mm512_clmulepi64_epi128::<0x11>(sum, factors);
    _mm512_ternarylogic_epi64::<0x96>(low, high, next)
}
