//! Bytes in vectors, their bits in an order that the multiplication wants.
//!
//! Of bytes that are taken least significant bit first, the lowest bit of a block is the highest
//! power of x: blocks are as they are in memory. Others are brought into that order, or into its
//! reverse:
//!
//! | bytes | what is reversed | why |
//! |---|---|---|
//! | few, and the last 16 | the bits of each byte | a tail's bytes keep their places |
//! | blocks of 16 and 32 | the bytes of a block | one shuffle instead of six operations |
//! | blocks of 64 | the bits of each byte | GFNI has an instruction; shuffles take a Zen 4 longer |

use std::arch::x86_64::*;

use super::super::BitOrder;
use super::super::folding::Folding;

/// The bits of each byte in the order that the multiplication wants, or back.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn reflected<O: BitOrder>(bytes: __m128i) -> __m128i {
    if !O::MSB_FIRST {
        return bytes;
    }
    let nibble = _mm_set1_epi8(15);
    let reversed: __m128i = bytemuck::cast(*REVERSED);
    let low = _mm_shuffle_epi8(_mm_slli_epi16::<4>(reversed), _mm_and_si128(bytes, nibble));
    let high = _mm_shuffle_epi8(reversed, _mm_and_si128(_mm_srli_epi16::<4>(bytes), nibble));
    _mm_or_si128(low, high)
}

/// The bits of each number below 16 the other way round.
const REVERSED: &[u8; 16] = b"\x00\x08\x04\x0c\x02\x0a\x06\x0e\x01\x09\x05\x0d\x03\x0b\x07\x0f";

/// The bytes of a sum of blocks in the order of memory, or back.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn bytes_ordered<C: Folding>(sum: __m128i) -> __m128i {
    if C::BYTES_REVERSED { _mm_shuffle_epi8(sum, bytemuck::cast(BACKWARDS)) } else { sum }
}

/// A sum of blocks in the order that [`reflected`] gives.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn bits_ordered<C: Folding>(sum: __m128i) -> __m128i {
    if C::BYTES_REVERSED { reflected::<C>(bytes_ordered::<C>(sum)) } else { sum }
}

/// From the last byte of a block to the first.
const BACKWARDS: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// A block as it is summed.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn ordered<C: Folding>(block: __m128i) -> __m128i {
    if C::BYTES_REVERSED { bytes_ordered::<C>(block) } else { reflected::<C>(block) }
}

#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn load_128<C: Folding>(block: &[u8; 16]) -> __m128i {
    ordered::<C>(bytemuck::cast(*block))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_256<C: Folding>(pair: &[u8; 32]) -> __m256i {
    const { assert!(C::BYTES_REVERSED == C::MSB_FIRST) };
    let blocks = bytemuck::cast(*pair);
    if C::BYTES_REVERSED {
        _mm256_shuffle_epi8(blocks, bytemuck::cast([BACKWARDS; 2]))
    } else {
        blocks
    }
}

#[inline]
#[target_feature(enable = "avx512f,gfni")]
pub(super) fn load_512<C: Folding>(group: &[u8; 64]) -> __m512i {
    const { assert!(!C::BYTES_REVERSED) };
    // SAFETY: any 64 bytes are a vector.
    let bytes: __m512i = unsafe { std::mem::transmute(*group) };
    if C::MSB_FIRST {
        let reversed = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
        _mm512_gf2p8affine_epi64_epi8::<0>(bytes, reversed)
    } else {
        bytes
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn reflected_256<O: BitOrder>(bytes: __m256i) -> __m256i {
    if !O::MSB_FIRST {
        return bytes;
    }
    let nibble = _mm256_set1_epi8(15);
    let reversed: __m256i = bytemuck::cast([*REVERSED; 2]);
    let low =
        _mm256_shuffle_epi8(_mm256_slli_epi16::<4>(reversed), _mm256_and_si256(bytes, nibble));
    let high =
        _mm256_shuffle_epi8(reversed, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble));
    _mm256_or_si256(low, high)
}
