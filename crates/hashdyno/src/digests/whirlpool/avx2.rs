//! Whirlpool by columns: those of the text and, a round ahead, those of the key. A round is the same to both, so both are in one
//! vector.
//!
//! The S-box is made of boxes of four bits, which shuffles look up. Those that are looked up last have tables for all the factors
//! of the matrix, so that mixing the rows is only adding.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{E, INVERSE, R, ROUNDS};
use crate::mds::{Rows, multiply};
use crate::{Absorb, Features, Kernel, State};

pub(super) const AVX2: Kernel = Kernel { name: "avx2", needs: Features::AVX2, absorb: Absorb::One(absorb) };

/// Columns n and n + 4.
type Pair = [u8; 16];

/// An expression for each of the four pairs.
macro_rules! each {
    (|$number:ident| $body:expr) => {
        each!(@ $number $body; 0 1 2 3)
    };
    (@ $number:ident $body:expr; $($literal:literal)*) => {
        [$({
            const $number: usize = $literal;
            $body
        }),*]
    };
}

#[target_feature(enable = "avx2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let state = state.view::<Rows>();
    let mut chain = columns(state);
    for block in blocks.as_chunks::<64>().0 {
        let block = columns(block);
        let fed = each!(|N| _mm_xor_si128(chain[N], block[N]));
        let ahead = round(each!(|N| _mm256_set_m128i(chain[N], chain[N])), &CONSTANTS[0]);
        let mut both = each!(|N| _mm256_inserti128_si256::<0>(ahead[N], fed[N]));
        for constants in &CONSTANTS[1..] {
            both = round(both, constants);
        }
        chain = each!(|N| _mm_xor_si128(fed[N], _mm256_castsi256_si128(both[N])));
    }
    *state = rows(chain);
}

/// Substitutes the bytes, shifts column n down by n, mixes the rows, and adds the key to the text and the constants to the key.
#[inline]
#[target_feature(enable = "avx2")]
fn round(both: [__m256i; 4], constants: &[Pair; 4]) -> [__m256i; 4] {
    let shifted = each!(|N| _mm256_shuffle_epi8(both[N], cast([SHIFTS[N]; 2])));
    let nibbles = _mm256_set1_epi8(15);
    let left = each!(|N| looked_up(&E, _mm256_and_si256(_mm256_srli_epi16::<4>(shifted[N]), nibbles)));
    let right = each!(|N| looked_up(&INVERSE, _mm256_and_si256(shifted[N], nibbles)));
    let middle = each!(|N| looked_up(&R, sum(left[N], right[N])));
    let left = each!(|N| sum(left[N], middle[N]));
    let right = each!(|N| sum(right[N], middle[N]));
    macro_rules! times {
        ($log:literal) => {
            each!(|N| sum(looked_up(&PRODUCTS[$log][0], left[N]), looked_up(&PRODUCTS[$log][1], right[N])))
        };
    }
    let (ones, twos, fours, eights) = (times!(0), times!(1), times!(2), times!(3));
    // Column n gets once itself and all with which n makes an odd sum, twice n + 2, and n + 3 and n + 6, n + 1 and n + 4 four
    // and eight times: from the same half of a vector, or from the other.
    let (even, odd) = (sum(ones[0], ones[2]), sum(ones[1], ones[3]));
    let straight = [
        sum(sum(sum(odd, ones[0]), sum(twos[2], fours[3])), eights[1]),
        sum(sum(even, ones[1]), sum(twos[3], eights[2])),
        sum(sum(odd, ones[2]), sum(fours[0], eights[3])),
        sum(sum(even, ones[3]), fours[1]),
    ];
    let crossed = [
        sum(odd, sum(fours[2], eights[0])),
        sum(even, sum(sum(fours[0], fours[3]), eights[1])),
        sum(odd, sum(sum(twos[0], fours[1]), eights[2])),
        sum(sum(even, twos[1]), sum(fours[2], sum(eights[0], eights[3]))),
    ];
    each!(|N| {
        let added = _mm256_set_m128i(cast(constants[N]), _mm256_extracti128_si256::<1>(both[N]));
        sum(sum(straight[N], added), _mm256_shuffle_epi32::<0b01_00_11_10>(crossed[N]))
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(a: __m256i, b: __m256i) -> __m256i {
    _mm256_xor_si256(a, b)
}

/// Each byte, less than 16, replaced by what the table has for it.
#[inline]
#[target_feature(enable = "avx2")]
fn looked_up(table: &[u8; 16], bytes: __m256i) -> __m256i {
    _mm256_shuffle_epi8(cast([*table; 2]), bytes)
}

/// The columns of these rows.
#[inline]
#[target_feature(enable = "avx2")]
fn columns(rows: &Rows) -> [__m128i; 4] {
    let pairs = rows.as_chunks::<16>().0;
    let order = _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
    let [a, b, c, d] = each!(|N| _mm_shuffle_epi8(cast(pairs[N]), order));
    let [low, high] = [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)];
    let [next_low, next_high] = [_mm_unpacklo_epi16(c, d), _mm_unpackhi_epi16(c, d)];
    [
        _mm_unpacklo_epi32(low, next_low),
        _mm_unpackhi_epi32(low, next_low),
        _mm_unpacklo_epi32(high, next_high),
        _mm_unpackhi_epi32(high, next_high),
    ]
}

/// The rows of these columns.
#[inline]
#[target_feature(enable = "avx2")]
fn rows([a, b, c, d]: [__m128i; 4]) -> Rows {
    let [first, third] = [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
    let [second, fourth] = [_mm_unpacklo_epi8(c, d), _mm_unpackhi_epi8(c, d)];
    let [left, next_left] = [_mm_unpacklo_epi16(first, second), _mm_unpackhi_epi16(first, second)];
    let [right, next_right] = [_mm_unpacklo_epi16(third, fourth), _mm_unpackhi_epi16(third, fourth)];
    cast([
        _mm_unpacklo_epi32(left, right),
        _mm_unpackhi_epi32(left, right),
        _mm_unpacklo_epi32(next_left, next_right),
        _mm_unpackhi_epi32(next_left, next_right),
    ])
}

/// Where the bytes of each pair of columns come from when column n is shifted down by n.
static SHIFTS: [Pair; 4] = {
    let (mut shifts, mut at) = ([[0; 16]; 4], 0);
    while at < 64 {
        let (number, half, row) = (at / 16, at / 8 % 2, at % 8);
        shifts[number][at % 16] = (8 * half + (row + 8 - number - 4 * half) % 8) as u8;
        at += 1;
    }
    shifts
};

/// What the key gets: in row 0 of each column, and after the last round nothing.
static CONSTANTS: [[Pair; 4]; 11] = {
    let (mut constants, mut at) = ([[[0; 16]; 4]; 11], 0);
    while at < 80 {
        let (round, column) = (at / 8, at % 8);
        constants[round][column % 4][column / 4 * 8] = ROUNDS[round][column];
        at += 1;
    }
    constants
};

/// `[log]`: the S-box's left and right half times 2^log.
static PRODUCTS: [[Pair; 2]; 4] = {
    let (mut products, mut at) = ([[[0; 16]; 2]; 4], 0);
    while at < 64 {
        let (log, nibble) = (at / 16, at % 16);
        products[log][0][nibble] = multiply(E[nibble] << 4, 1 << log);
        products[log][1][nibble] = multiply(INVERSE[nibble], 1 << log);
        at += 1;
    }
    products
};
