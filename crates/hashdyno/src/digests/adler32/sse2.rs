//! Adler-32 by SSE2, which every x86-64 has.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::x86_64::totals_of_word;
use super::{Adler, Sums, by_groups, weights};
use crate::checksum::checksum_kernel;
use crate::words::upper_of_word;
use crate::{Features, Kernel};

/// 32 bytes at a time.
pub(super) const fn kernel() -> Kernel {
    checksum_kernel!("sse2", Features::SSE2, "sse2", Adler, after, ..=8 => unsafe after_few)
}

/// The sums after up to 8 bytes.
#[inline(always)]
fn after_few(sums: Sums, bytes: &[u8]) -> Sums {
    sums.after_few(totals_of_word(upper_of_word(bytes)), bytes.len())
}

#[inline]
#[target_feature(enable = "sse2")]
fn after(sums: Sums, bytes: &[u8]) -> Sums {
    by_groups(sums, bytes, |groups| totals(groups))
}

/// The groups whose bytes do not fill sums of 15 bits.
const PART: usize = 128;

/// As `super::totals`.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn totals(groups: &[[u8; 32]]) -> (u32, u64) {
    let weights: [__m128i; 4] = cast(weights::<32>());
    let zero = _mm_setzero_si128();
    let (mut sum, mut before, mut weighted) = (zero, zero, zero);
    for part in groups.chunks(PART) {
        let mut columns = [zero; 4];
        for group in part {
            let [one, other]: [__m128i; 2] = cast(*group);
            before = _mm_add_epi32(before, sum);
            let of_group = _mm_add_epi32(_mm_sad_epu8(one, zero), _mm_sad_epu8(other, zero));
            sum = _mm_add_epi32(sum, of_group);
            columns[0] = _mm_add_epi16(columns[0], _mm_unpacklo_epi8(one, zero));
            columns[1] = _mm_add_epi16(columns[1], _mm_unpackhi_epi8(one, zero));
            columns[2] = _mm_add_epi16(columns[2], _mm_unpacklo_epi8(other, zero));
            columns[3] = _mm_add_epi16(columns[3], _mm_unpackhi_epi8(other, zero));
        }
        for (column, weights) in columns.into_iter().zip(weights) {
            weighted = _mm_add_epi32(weighted, _mm_madd_epi16(column, weights));
        }
    }
    let total = |lanes: __m128i| cast::<_, [u32; 4]>(lanes).map(u64::from).iter().sum::<u64>();
    (total(sum) as u32, 32 * total(before) + total(weighted))
}
