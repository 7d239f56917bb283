//! Bash with the three rows of the state in vectors.
//!
//! ```text
//! row a: words 0 .. 7       row b: words 8 .. 15       row c: words 16 .. 23
//! bash-s of all columns: logic of whole rows, each word rotated by its own distance (VPROLVQ)
//! permutation: new a from b, new b from c, new c from a, each by one order of eight words
//! ```
//!
//! AVX2 has no rotation: two shifts by vectors of distances. Its row is two vectors of four words.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::many::{Turn, mixed};
use super::{CONSTANTS, PLACES, TURNS};
use crate::parts::lanes::Lanes;
use crate::parts::lanes::wide::Wide2;
use crate::parts::lanes::x86_64::{AVX512, U64x4, U64x8};
use crate::{Code, Features, Kernel, State};

/// A row in a vector.
pub(super) const fn avx512<const WORDS: usize>() -> Kernel {
    Kernel::of("avx512", AVX512, Code::Blocks(absorb_avx512::<WORDS>))
}

/// A row in two vectors.
pub(super) const fn avx2<const WORDS: usize>() -> Kernel {
    Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb_avx2::<WORDS>))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn absorb_avx512<const WORDS: usize>(state: &mut State, blocks: &[u8]) {
    absorb::<U64x8, WORDS>(state, blocks);
}

#[target_feature(enable = "avx2")]
fn absorb_avx2<const WORDS: usize>(state: &mut State, blocks: &[u8]) {
    absorb::<Wide2<U64x4>, WORDS>(state, blocks);
}

/// What the functions above, which alone use it, are compiled for is what the instructions in
/// [`Row`] need.
#[inline(always)]
fn absorb<R: Row, const WORDS: usize>(state: &mut State, blocks: &[u8])
where
    Rows: Turn<R>,
{
    let words = state.view::<[u64; 24]>();
    let mut rows: [R; 3] = bytemuck::pod_read_unaligned(bytemuck::bytes_of(words));
    for block in blocks.as_chunks::<8>().0.as_chunks::<WORDS>().0 {
        let (whole, half) = block.as_flattened().as_chunks::<64>();
        for (row, words) in rows.iter_mut().zip(whole) {
            *row = cast(*words);
        }
        // A block of 12 words ends in the middle of a row.
        if let Some(words) = half.first_chunk::<32>() {
            let row = &mut rows[WORDS / 8];
            let [_, other]: [[u8; 32]; 2] = cast(*row);
            *row = cast([*words, other]);
        }
        for constant in &CONSTANTS {
            let [a, b, c] = mixed::<R, Rows>(rows);
            rows = R::moved([a, b, c], *constant);
        }
    }
    *words = cast(rows);
}

/// Rows of words that are rotated each by its own distance.
struct Rows;

/// Eight words.
trait Row: Lanes<Word = u64> {
    /// Permutes the words of the rows ([`PLACES`]), and adds the constant to the last.
    fn moved(rows: [Self; 3], constant: u64) -> [Self; 3];
}

impl Turn<U64x8> for Rows {
    #[inline(always)]
    fn turned(row: U64x8, number: usize) -> U64x8 {
        // SAFETY: see `absorb`.
        cast(unsafe { _mm512_rolv_epi64(cast(row), cast(DISTANCES[number])) })
    }
}

impl Row for U64x8 {
    #[inline(always)]
    fn moved([a, b, c]: [Self; 3], constant: u64) -> [Self; 3] {
        // SAFETY: see `absorb`.
        unsafe {
            let constant = _mm512_maskz_set1_epi64(0x80, constant as i64);
            let last = _mm512_permutexvar_epi64(cast(FROM[2]), cast(a));
            [
                cast(_mm512_permutexvar_epi64(cast(FROM[0]), cast(b))),
                cast(_mm512_permutexvar_epi64(cast(FROM[1]), cast(c))),
                cast(_mm512_xor_si512(last, constant)),
            ]
        }
    }
}

impl Turn<Wide2<U64x4>> for Rows {
    #[inline(always)]
    fn turned(row: Wide2<U64x4>, number: usize) -> Wide2<U64x4> {
        let ([low, high], [by_low, by_high]): ([__m256i; 2], [__m256i; 2]) =
            (cast(row), cast(DISTANCES[number]));
        cast([turned(low, by_low), turned(high, by_high)])
    }
}

/// The words of half a row, each rotated by its own distance.
#[inline(always)]
fn turned(words: __m256i, distances: __m256i) -> __m256i {
    // SAFETY: see `absorb`.
    unsafe {
        let others = _mm256_sub_epi64(_mm256_set1_epi64x(64), distances);
        _mm256_or_si256(_mm256_sllv_epi64(words, distances), _mm256_srlv_epi64(words, others))
    }
}

impl Row for Wide2<U64x4> {
    #[inline(always)]
    fn moved([a, b, c]: [Self; 3], constant: u64) -> [Self; 3] {
        let [[a_low, a_high], [b_low, b_high], [c_low, c_high]]: [[__m256i; 2]; 3] =
            cast([a, b, c]);
        // SAFETY: see `absorb`.
        unsafe {
            // Of words 1 and 2 one half, of words 0 and 3 the other.
            let a_mixed = [blended(a_low, a_high), blended(a_high, a_low)];
            let b_mixed = [blended(b_high, b_low), blended(b_low, b_high)];
            let constant = _mm256_set_epi64x(constant as i64, 0, 0, 0);
            cast([
                [
                    _mm256_permute4x64_epi64::<0b00_01_10_11>(b_mixed[0]),
                    _mm256_permute4x64_epi64::<0b00_01_10_11>(b_mixed[1]),
                ],
                [
                    _mm256_shuffle_epi32::<0b01_00_11_10>(c_low),
                    _mm256_shuffle_epi32::<0b01_00_11_10>(c_high),
                ],
                [
                    _mm256_permute4x64_epi64::<0b01_00_11_10>(a_mixed[0]),
                    _mm256_xor_si256(
                        _mm256_permute4x64_epi64::<0b01_00_11_10>(a_mixed[1]),
                        constant,
                    ),
                ],
            ])
        }
    }
}

/// Words 0 and 3 of the first half, 1 and 2 of the second.
#[inline(always)]
fn blended(outer: __m256i, inner: __m256i) -> __m256i {
    // SAFETY: see `absorb`.
    unsafe { _mm256_blend_epi32::<0b00_11_11_00>(outer, inner) }
}

/// [`TURNS`] as words.
const DISTANCES: [[u64; 8]; 4] = {
    let (mut distances, mut at) = ([[0; 8]; 4], 0);
    while at < 32 {
        distances[at / 8][at % 8] = TURNS[at / 8][at % 8] as u64;
        at += 1;
    }
    distances
};

/// [`PLACES`] within the row that each row comes from.
const FROM: [[u64; 8]; 3] = {
    let (mut from, mut at) = ([[0; 8]; 3], 0);
    while at < 24 {
        from[at / 8][at % 8] = PLACES[at] as u64 % 8;
        at += 1;
    }
    from
};
