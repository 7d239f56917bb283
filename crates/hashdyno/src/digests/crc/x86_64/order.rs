//! Bytes in vectors, their bits in an order that the multiplication wants.
//!
//! Of bytes that are taken least significant bit first, the lowest bit of a block is the highest
//! power of x: blocks are as they are in memory. Of others it is the lowest power once the bytes of
//! a block are reversed, which is how long messages are summed. Short ones, and the last 16 bytes,
//! have the bits of each byte reversed instead, so that the same is done to both.

use std::arch::x86_64::*;

use super::super::BitOrder;

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

/// A block, or a sum of blocks, as it is summed, or back.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn ordered<O: BitOrder>(block: __m128i) -> __m128i {
    if O::MSB_FIRST { _mm_shuffle_epi8(block, bytemuck::cast(BACKWARDS)) } else { block }
}

/// From the last byte of a block to the first.
const BACKWARDS: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn load_128<O: BitOrder>(block: &[u8; 16]) -> __m128i {
    ordered::<O>(bytemuck::cast(*block))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_256<O: BitOrder>(pair: &[u8; 32]) -> __m256i {
    let blocks = bytemuck::cast(*pair);
    if O::MSB_FIRST { _mm256_shuffle_epi8(blocks, bytemuck::cast([BACKWARDS; 2])) } else { blocks }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn load_512<O: BitOrder>(group: &[u8; 64]) -> __m512i {
    // SAFETY: any 64 bytes are a vector.
    let blocks: __m512i = unsafe { std::mem::transmute(*group) };
    if O::MSB_FIRST {
        _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(bytemuck::cast(BACKWARDS)))
    } else {
        blocks
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
