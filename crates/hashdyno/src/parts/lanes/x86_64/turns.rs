//! Rotations and shifts of lanes by SSE2, SSSE3 and AVX2.

use std::arch::x86_64::*;

use crate::parts::barrier;

/// `Lanes::up`.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn up_128(words: __m128i, distance: u32) -> __m128i {
    _mm_sll_epi32(words, _mm_cvtsi32_si128(distance as i32))
}

/// `Lanes::down`.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn down_128(words: __m128i, distance: u32) -> __m128i {
    _mm_srl_epi32(words, _mm_cvtsi32_si128(distance as i32))
}

/// `Lanes::left`.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn left_128(words: __m128i, distance: u32) -> __m128i {
    _mm_or_si128(up_128(words, distance), down_128(words, 32 - distance))
}

/// The same of words of 64 bits, by a shuffle where bytes move as they are.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn left_128_of_64(words: __m128i, distance: u32) -> __m128i {
    match left_bytes(distance) {
        Some(order) => _mm_shuffle_epi8(words, bytemuck::cast(order)),
        None => {
            let by = |distance: u32| _mm_cvtsi32_si128(distance as i32);
            _mm_or_si128(
                _mm_sll_epi64(words, by(distance)),
                _mm_srl_epi64(words, by(64 - distance)),
            )
        }
    }
}

/// `Lanes::left`, by a shuffle where bytes move as they are.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn left_128_by_bytes(words: __m128i, distance: u32) -> __m128i {
    match left_bytes_of_32(distance) {
        Some(order) => _mm_shuffle_epi8(words, bytemuck::cast(order)),
        None => left_128(words, distance),
    }
}

/// `Lanes::left`, by a shuffle where bytes move as they are.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn left_256_of_32(words: __m256i, distance: u32) -> __m256i {
    match left_bytes_of_32(distance) {
        Some(order) => _mm256_shuffle_epi8(words, turn_256(order)),
        None => {
            let by = |distance: u32| _mm256_set1_epi32(distance as i32);
            _mm256_or_si256(
                _mm256_sllv_epi32(words, by(distance)),
                _mm256_srlv_epi32(words, by(32 - distance)),
            )
        }
    }
}

/// Which byte each byte of four words of 32 bits comes from, to rotate the words by whole bytes.
#[inline(always)]
fn left_bytes_of_32(distance: u32) -> Option<[u8; 16]> {
    Some(match distance {
        8 => [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14],
        16 => [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
        24 => [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12],
        _ => return None,
    })
}

/// The same of words of 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn left_256_of_64(words: __m256i, distance: u32) -> __m256i {
    if distance == 32 {
        return _mm256_shuffle_epi32::<0b10_11_00_01>(words);
    }
    match left_bytes(distance) {
        Some(order) => _mm256_shuffle_epi8(words, turn_256(order)),
        None => {
            let by = |distance: u32| _mm256_set1_epi64x(distance.into());
            _mm256_or_si256(
                _mm256_sllv_epi64(words, by(distance)),
                _mm256_srlv_epi64(words, by(64 - distance)),
            )
        }
    }
}

/// Which byte each byte of two words of 64 bits comes from, to rotate the words by whole bytes.
#[inline(always)]
fn left_bytes(distance: u32) -> Option<[u8; 16]> {
    Some(match distance {
        8 => [7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14],
        16 => [6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13],
        24 => [5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12],
        32 => [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11],
        40 => [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10],
        48 => [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9],
        56 => [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8],
        _ => return None,
    })
}

/// Opaque: where the compiler knows the order, it makes two shuffles of one that turns by 16 bits,
/// and shuffles both operands of a xor.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn turn_256(order: [u8; 16]) -> __m256i {
    barrier::register!(ymm_reg bytemuck::cast::<_, __m256i>([order; 2]))
}

#[inline(always)]
pub(super) fn turn_512(order: [u8; 16]) -> __m512i {
    bytemuck::cast([order; 4])
}
