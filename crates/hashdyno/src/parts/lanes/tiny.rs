//! Rows of a few bytes, brought into lanes by shuffles.

use std::arch::x86_64::*;

use bytemuck::cast;

/// [`super::Lanes::tiny_rows`] of eight rows, for words of 32 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn eight_rows(data: &[u8], width: usize, mark: u8) -> Option<[__m256i; 2]> {
    let data = data.get(..6 * width + LOADED)?;
    let [a, b] = [
        two_pairs(data, [0, 4 * width], width, mark),
        two_pairs(data, [2 * width, 6 * width], width, mark),
    ];
    let [a, b]: [__m256; 2] = [cast(a), cast(b)];
    Some([
        cast(_mm256_shuffle_ps::<0b10_00_10_00>(a, b)),
        cast(_mm256_shuffle_ps::<0b11_01_11_01>(a, b)),
    ])
}

/// The same of four rows, for words of 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn four_rows(data: &[u8], width: usize, mark: u8) -> Option<[__m256i; 2]> {
    let data = data.get(..2 * width + LOADED)?;
    Some([two_pairs(data, [0, 2 * width], width, mark), _mm256_setzero_si256()])
}

/// The same of sixteen rows, for words of 32 bits.
#[inline]
#[target_feature(enable = "avx2,avx512f")]
pub(super) fn sixteen_rows(data: &[u8], width: usize, mark: u8) -> Option<[__m512i; 2]> {
    let ([low, high], [low_behind, high_behind]) =
        (eight_rows(data, width, mark)?, eight_rows(data.get(8 * width..)?, width, mark)?);
    Some([beside(low, low_behind), beside(high, high_behind)])
}

/// The same of eight rows, for words of 64 bits.
#[inline]
#[target_feature(enable = "avx2,avx512f")]
pub(super) fn eight_long_rows(data: &[u8], width: usize, mark: u8) -> Option<[__m512i; 2]> {
    let ([rows, _], [behind, _]) =
        (four_rows(data, width, mark)?, four_rows(data.get(4 * width..)?, width, mark)?);
    Some([beside(rows, behind), _mm512_setzero_si512()])
}

/// Two registers in one.
#[inline]
#[target_feature(enable = "avx512f")]
fn beside(low: __m256i, high: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// How many bytes are loaded for two rows.
const LOADED: usize = 16;

/// Two rows from each of two places on, with the mark behind each, in 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn two_pairs(data: &[u8], [first, second]: [usize; 2], width: usize, mark: u8) -> __m256i {
    assert!(width < 8);
    let pair = |at: usize| -> __m128i { bytemuck::pod_read_unaligned(&data[at..][..LOADED]) };
    let rows = _mm256_set_m128i(pair(second), pair(first));
    let (place, width) = (_mm256_set1_epi64x(0x0706_0504_0302_0100), width as i64);
    // A place of more than 127 gives 0.
    let behind = _mm256_cmpgt_epi8(_mm256_set1_epi8(width as i8), place);
    let order = _mm256_add_epi8(
        place,
        _mm256_setr_epi64x(0, 0x0101_0101_0101_0101 * width, 0, 0x0101_0101_0101_0101 * width),
    );
    let order = _mm256_or_si256(order, _mm256_andnot_si256(behind, _mm256_set1_epi8(-128)));
    let mark = _mm256_set1_epi64x(i64::from(mark) << (8 * width));
    _mm256_or_si256(_mm256_shuffle_epi8(rows, order), mark)
}
