//! The table by shuffles of 16 bytes.

use std::arch::x86_64::*;

use super::*;

plane_kernel!(AVX2_X64: "avx2x64", Features::AVX2, "avx2", 2 of __m256i);
plane_kernel!(AVX2_X32: "avx2x32", Features::AVX2, "avx2", 1 of __m256i);

impl Bytes<32> for __m256i {
    type Table = ();

    #[inline(always)]
    fn table() -> Self::Table {}

    #[inline(always)]
    fn looked_up(self, (): ()) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { looked_up(self) }
    }

    #[inline(always)]
    fn added(self, other: Self) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { _mm256_xor_si256(self, other) }
    }

    #[inline(always)]
    fn plus(self, byte: u8) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { _mm256_add_epi8(self, _mm256_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn masked(self, mask: Self) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { _mm256_and_si256(self, mask) }
    }

    #[inline(always)]
    fn interleaved(self, other: Self) -> [Self; 2] {
        // SAFETY: see `Bytes`.
        unsafe { [_mm256_unpacklo_epi8(self, other), _mm256_unpackhi_epi8(self, other)] }
    }
}

/// The low nibble by shuffles, for each value of the high one, of which the highest bit is the
/// shuffles' own, and the others choose.
#[inline]
#[target_feature(enable = "avx2")]
fn looked_up(bytes: __m256i) -> __m256i {
    let low = _mm256_and_si256(bytes, _mm256_set1_epi8(0x8f_u8 as i8));
    let high = _mm256_xor_si256(low, _mm256_set1_epi8(0x80_u8 as i8));
    let entry = |row: usize| {
        _mm256_or_si256(
            _mm256_shuffle_epi8(cast(TABLES[row]), low),
            _mm256_shuffle_epi8(cast(TABLES[8 + row]), high),
        )
    };
    let (bit_4, bit_5, bit_6) = (
        _mm256_slli_epi16::<3>(bytes),
        _mm256_slli_epi16::<2>(bytes),
        _mm256_slli_epi16::<1>(bytes),
    );
    let two = |row: usize| _mm256_blendv_epi8(entry(row), entry(row + 1), bit_4);
    let four = |row: usize| _mm256_blendv_epi8(two(row), two(row + 2), bit_5);
    _mm256_blendv_epi8(four(0), four(4), bit_6)
}

/// Sixteen entries of the table each, twice.
static TABLES: [[[u8; 16]; 2]; 16] = {
    let (mut tables, mut at) = ([[[0; 16]; 2]; 16], 0);
    while at < 512 {
        tables[at / 32][at / 16 % 2][at % 16] = PI[at / 32 * 16 + at % 16];
        at += 1;
    }
    tables
};
