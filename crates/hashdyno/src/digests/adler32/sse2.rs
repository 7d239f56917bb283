//! Adler-32 by SSE2, which every x86-64 has.
//!
//! ```text
//! group of 32 bytes: two registers
//! PSADBW     sums of 8 bytes, in words of 64 bits                 -> `sum`, `before`
//! PADDW      columns of 16 bits: whole words, and upper bytes     -> `words`, `upper`
//! PMADDWD    columns by their weights, once for each part         -> `weighted`
//! ```
//!
//! A column of a part stays below 2^15, because PMADDWD takes signed words.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Adler, MAX_RUN, Sums};
use crate::parts::checksum::checksum_kernel;
use crate::parts::words::{byte_sums, byte_sums_after, upper_of_word};
use crate::{Features, Kernel};

/// 32 bytes at a time.
pub(super) const fn kernel() -> Kernel {
    checksum_kernel!("sse2", Features::SSE2, "sse2", Adler, after, ..=64 => unsafe after_few)
}

/// The sums after up to 64 bytes.
#[inline(always)]
fn after_few(sums: Sums, bytes: &[u8]) -> Sums {
    let totals = match (bytes.first_chunk(), bytes.last_chunk()) {
        // SAFETY: every x86-64 has SSE2.
        (Some(first), Some(last)) => unsafe { totals_of_two(first, last, bytes.len() - 32) },
        _ if bytes.len() <= 8 => byte_sums(upper_of_word(bytes)),
        _ => {
            let (sum, sums) = byte_sums_after((0, 0), bytes);
            (sum as u32, sums as u32)
        }
    };
    sums.after_few(totals, bytes.len())
}

#[inline]
#[target_feature(enable = "sse2")]
fn after(mut sums: Sums, bytes: &[u8]) -> Sums {
    for run in bytes.chunks(MAX_RUN) {
        sums = match run.last_chunk() {
            Some(last) => sums.after(totals(run.as_chunks().0, last, run.len() % 32), run.len()),
            None => after_few(sums, run),
        };
    }
    sums
}

/// The totals of the first 32 bytes, and of the last `rest` of the last 32.
#[inline]
#[target_feature(enable = "sse2")]
fn totals_of_two(first: &[u8; 32], last: &[u8; 32], rest: usize) -> (u32, u32) {
    let zero = _mm_setzero_si128();
    let (sum, weighted) = add_group((zero, zero), cast(*first), left(32));
    let (of_last, weighted) = add_group((zero, weighted), last_of(last, rest), left(32));
    let [sum, of_last, weighted] = totals_of(sum, of_last, weighted);
    (sum + of_last, rest as u32 * sum + weighted)
}

/// The groups whose bytes do not fill sums of 15 bits.
const PART: usize = 128;

/// The totals of groups and of the last `rest` of `last`, fewer than 32: these count for as much
/// less as there are of them, and the sum of all bytes for so much more. Words of 16 bits are
/// summed up, and their upper bytes: what both leave is the sum of the lower ones.
#[inline]
#[target_feature(enable = "sse2")]
fn totals(groups: &[[u8; 32]], last: &[u8; 32], rest: usize) -> (u64, u64) {
    let zero = _mm_setzero_si128();
    // Weights of the rest are 0, -1 and less: `of_rest` makes up for them.
    let (of_last, mut weighted) = add_group((zero, zero), last_of(last, rest), left(32 - rest));
    let (mut sum, mut before) = (zero, zero);
    for part in groups.chunks(PART) {
        let (mut words, mut upper) = ([zero; 2], [zero; 2]);
        for group in part {
            let halves: [__m128i; 2] = cast(*group);
            // A sum before each group: 32 times as often at the end.
            before = _mm_add_epi32(before, sum);
            for ((words, upper), half) in words.iter_mut().zip(&mut upper).zip(halves) {
                sum = _mm_add_epi32(sum, _mm_sad_epu8(half, zero));
                *words = _mm_add_epi16(*words, half);
                *upper = _mm_add_epi16(*upper, _mm_srli_epi16::<8>(half));
            }
        }
        for half in 0..2 {
            // Words wrap, and so do their upper parts: the difference is exact.
            let lower = _mm_sub_epi16(words[half], _mm_slli_epi16::<8>(upper[half]));
            for (bytes, weights) in [(lower, WEIGHTS[0]), (upper[half], WEIGHTS[1])] {
                weighted = _mm_add_epi32(weighted, _mm_madd_epi16(bytes, cast(weights[half])));
            }
        }
    }
    let [sum, before, weighted] = totals_of(_mm_add_epi32(sum, of_last), before, weighted);
    let of_rest = (rest as u64 * u64::from(sum)).wrapping_add(i64::from(weighted as i32) as u64);
    (sum.into(), (32 * u64::from(before)).wrapping_add(of_rest))
}

/// For how much the bytes of a group count: those in the lower halves of words, and the others.
const WEIGHTS: [[[i16; 8]; 2]; 2] = {
    let mut weights = [[[0; 8]; 2]; 2];
    let mut index = 0;
    while index < 32 {
        weights[index % 2][index / 16][index / 2 % 8] = 32 - index as i16;
        index += 1;
    }
    weights
};

/// Sums of bytes by eight, and weighted ones, after a group more.
#[inline]
#[target_feature(enable = "sse2")]
fn add_group(
    (mut sum, mut weighted): (__m128i, __m128i),
    group: [__m128i; 2],
    weights: &[[i16; 8]; 4],
) -> (__m128i, __m128i) {
    let zero = _mm_setzero_si128();
    for (half, [low, high]) in group.into_iter().zip(weights.as_chunks().0) {
        sum = _mm_add_epi32(sum, _mm_sad_epu8(half, zero));
        let products = [
            _mm_madd_epi16(_mm_unpacklo_epi8(half, zero), cast(*low)),
            _mm_madd_epi16(_mm_unpackhi_epi8(half, zero), cast(*high)),
        ];
        weighted = _mm_add_epi32(weighted, _mm_add_epi32(products[0], products[1]));
    }
    (sum, weighted)
}

/// `first`, `first` - 1 .. `first` - 31, for `first` up to 32.
#[inline(always)]
fn left(first: usize) -> &'static [[i16; 8]; 4] {
    const LEFT: [[[i16; 8]; 4]; 33] = {
        let (mut left, mut index) = ([[[0; 8]; 4]; 33], 0);
        while index < 33 * 32 {
            left[index / 32][index % 32 / 8][index % 8] = (index / 32) as i16 - (index % 32) as i16;
            index += 1;
        }
        left
    };
    &LEFT[first]
}

/// The last `rest` of the bytes, fewer than 33, behind zeros.
#[inline]
#[target_feature(enable = "sse2")]
fn last_of(bytes: &[u8; 32], rest: usize) -> [__m128i; 2] {
    const ENDS: &[u8; 64] = &{
        let mut ends = [0; 64];
        ends.split_at_mut(32).1.copy_from_slice(&[0xff; 32]);
        ends
    };
    let (halves, ends): ([__m128i; 2], [__m128i; 2]) =
        (cast(*bytes), bytemuck::pod_read_unaligned(&ENDS[rest..][..32]));
    [_mm_and_si128(halves[0], ends[0]), _mm_and_si128(halves[1], ends[1])]
}

/// The totals of sums of which the first two leave the upper halves of their lanes free.
#[inline]
#[target_feature(enable = "sse2")]
fn totals_of(one: __m128i, two: __m128i, words: __m128i) -> [u32; 3] {
    let both = _mm_or_si128(one, _mm_slli_epi64::<32>(two));
    let both = _mm_cvtsi128_si64(_mm_add_epi32(both, _mm_unpackhi_epi64(both, both))) as u64;
    let words = _mm_add_epi32(words, _mm_unpackhi_epi64(words, words));
    let words = _mm_add_epi32(words, _mm_srli_epi64::<32>(words));
    [both as u32, (both >> 32) as u32, _mm_cvtsi128_si32(words) as u32]
}
