//! Whirlpool by columns: those of the text and, a round ahead, those of the key. A round is the
//! same to both, so both are in one vector.
//!
//! The S-box is made of boxes of four bits, which shuffles look up. Those that are looked up last
//! have tables for all the factors of the matrix, so that mixing the rows is only adding.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{E, INVERSE, R, ROUNDS};
use crate::parts::lines::Lines;
use crate::parts::mds::avx2::{columns, four, looked_up, rows, sum};
use crate::parts::mds::{Rows, multiply};
use crate::{Code, Features, Kernel, State};

pub(super) const AVX2: Kernel = Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb));

/// Columns n and n + 4.
type Columns = [u8; 16];

#[target_feature(enable = "avx2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let state = state.view::<Rows>();
    let mut chain = columns(state);
    for block in blocks.as_chunks::<64>().0 {
        let block = columns(block);
        // The text of the first round. The key is a round ahead, so that one vector has both.
        let fed = four!(|N| _mm_xor_si128(chain[N], block[N]));
        let ahead = round(four!(|N| _mm256_set_m128i(chain[N], chain[N])), &CONSTANTS[0]);
        let mut both = four!(|N| _mm256_inserti128_si256::<0>(ahead[N], fed[N]));
        for constants in &CONSTANTS[1..] {
            both = round(both, constants);
        }
        // `fed` is the chain and the block, as Miyaguchi and Preneel add them.
        chain = four!(|N| _mm_xor_si128(fed[N], _mm256_castsi256_si128(both[N])));
    }
    *state = rows(chain);
}

/// Substitutes the bytes, shifts column n down by n, mixes the rows, and adds the key to the text
/// and the constants to the key.
#[inline]
#[target_feature(enable = "avx2")]
fn round(both: [__m256i; 4], constants: &[Columns; 4]) -> [__m256i; 4] {
    let shifted = four!(|N| _mm256_shuffle_epi8(both[N], cast([SHIFTS[N]; 2])));
    let nibbles = _mm256_set1_epi8(15);
    let left =
        four!(|N| looked_up([E; 2], _mm256_and_si256(_mm256_srli_epi16::<4>(shifted[N]), nibbles)));
    let right = four!(|N| looked_up([INVERSE; 2], _mm256_and_si256(shifted[N], nibbles)));
    let middle = four!(|N| looked_up([R; 2], sum(left[N], right[N])));
    let left = four!(|N| sum(left[N], middle[N]));
    let right = four!(|N| sum(right[N], middle[N]));
    macro_rules! times {
        ($log:literal) => {
            four!(|N| sum(
                looked_up([PRODUCTS[$log][0]; 2], left[N]),
                looked_up([PRODUCTS[$log][1]; 2], right[N])
            ))
        };
    }
    let (ones, twos, fours, eights) = (times!(0), times!(1), times!(2), times!(3));
    // Column n gets once itself and all with which n makes an odd sum, twice n + 2, and n + 3 and n
    // + 6, n + 1 and n + 4 four and eight times: from the same half of a vector, or from the other.
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
    four!(|N| {
        let added = _mm256_set_m128i(cast(constants[N]), _mm256_extracti128_si256::<1>(both[N]));
        sum(sum(straight[N], added), _mm256_shuffle_epi32::<0b01_00_11_10>(crossed[N]))
    })
}

/// Where the bytes of each pair of columns come from when column n is shifted down by n.
static SHIFTS: [Columns; 4] = {
    let (mut shifts, mut at) = ([[0; 16]; 4], 0);
    while at < 64 {
        let (number, half, row) = (at / 16, at / 8 % 2, at % 8);
        shifts[number][at % 16] = (8 * half + (row + 8 - number - 4 * half) % 8) as u8;
        at += 1;
    }
    shifts
};

/// What the key gets: in row 0 of each column, and after the last round nothing.
static CONSTANTS: Lines<[[Columns; 4]; 11]> = {
    let (mut constants, mut at) = ([[[0; 16]; 4]; 11], 0);
    while at < 80 {
        let (round, column) = (at / 8, at % 8);
        constants[round][column % 4][column / 4 * 8] = ROUNDS.0[round][column];
        at += 1;
    }
    Lines(constants)
};

/// `[log]`: the S-box's left and right half times 2^log.
static PRODUCTS: [[Columns; 2]; 4] = {
    let (mut products, mut at) = ([[[0; 16]; 2]; 4], 0);
    while at < 64 {
        let (log, nibble) = (at / 16, at % 16);
        products[log][0][nibble] = multiply(E[nibble] << 4, 1 << log);
        products[log][1][nibble] = multiply(INVERSE[nibble], 1 << log);
        at += 1;
    }
    products
};
