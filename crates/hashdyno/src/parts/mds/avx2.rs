//! The same step by vectors of 32 bytes: 64 bytes as eight rows or as eight columns, look-ups of
//! four bits.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::Rows;

/// An expression for each of four vectors.
macro_rules! four {
    (|$number:ident| $body:expr) => {
        $crate::parts::mds::avx2::four!(@ $number $body; 0 1 2 3)
    };
    (@ $number:ident $body:expr; $($literal:literal)*) => {
        [$({
            const $number: usize = $literal;
            $body
        }),*]
    };
}
pub(crate) use four;

/// Two times 16 bytes.
pub(crate) type Pair = [[u8; 16]; 2];

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn sum(a: __m256i, b: __m256i) -> __m256i {
    _mm256_xor_si256(a, b)
}

/// Each byte, less than 16, replaced by what the table of its half of the vector has for it; a byte
/// over 127 becomes 0.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn looked_up(tables: Pair, bytes: __m256i) -> __m256i {
    _mm256_shuffle_epi8(cast(tables), bytes)
}

/// The columns of these rows, each vector those of number n and n + 4.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn columns(rows: &Rows) -> [__m128i; 4] {
    let pairs = rows.as_chunks::<16>().0;
    let order = _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
    let [a, b, c, d] = four!(|N| _mm_shuffle_epi8(cast(pairs[N]), order));
    let [low, high] = [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)];
    let [next_low, next_high] = [_mm_unpacklo_epi16(c, d), _mm_unpackhi_epi16(c, d)];
    [
        _mm_unpacklo_epi32(low, next_low),
        _mm_unpackhi_epi32(low, next_low),
        _mm_unpacklo_epi32(high, next_high),
        _mm_unpackhi_epi32(high, next_high),
    ]
}

/// The rows of such columns.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn rows([a, b, c, d]: [__m128i; 4]) -> Rows {
    let [first, third] = [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
    let [second, fourth] = [_mm_unpacklo_epi8(c, d), _mm_unpackhi_epi8(c, d)];
    let [left, next_left] = [_mm_unpacklo_epi16(first, second), _mm_unpackhi_epi16(first, second)];
    let [right, next_right] =
        [_mm_unpacklo_epi16(third, fourth), _mm_unpackhi_epi16(third, fourth)];
    cast([
        _mm_unpacklo_epi32(left, right),
        _mm_unpackhi_epi32(left, right),
        _mm_unpacklo_epi32(next_left, next_right),
        _mm_unpackhi_epi32(next_left, next_right),
    ])
}
