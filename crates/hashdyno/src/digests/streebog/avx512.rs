//! Streebog with the state in a vector, transposed: word j holds byte j of each row. There a
//! product of the matrix is eight products of words by one factor each, for each of the eight ways
//! to turn the words.
//!
//! ```text
//! state: word 0 = byte 0 of rows 0 .. 7,  word 1 = byte 1 of rows 0 .. 7,  ..
//! a round:
//!     s = S-box(state)                                 two VPERMI2B and a choice
//!     for turn = 0 .. 7:
//!         product = TURNED[turn] of s, times FACTORS[turn]   VPERMB, then GF2P8AFFINEQB
//!     state = sum of the eight products and of the key       sums of three, by VPTERNLOG
//! ```
//!
//! The transposition P of a round is part of the orders in `TURNED`. A block is 13 rounds of the
//! key and 12 of the text. A round of the text and one of the key are under way together.

use std::arch::x86_64::*;
use std::hint::black_box;

use bytemuck::cast;

use super::{BLOCK_BITS, Chain, LINEAR, PI, ROUNDS, add};
use crate::kernel::Code;
use crate::parts::mds::Rows;
use crate::parts::mds::avx512::{NEEDS, Substitution, factor, moved, sum, sum3};
use crate::parts::unroll::sixteen;
use crate::{Kernel, State};

pub(super) const AVX512: Kernel = Kernel::of("avx512vbmi", NEEDS, Code::Blocks(absorb));

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let sbox = Substitution::new(&PI);
    let chain = state.view::<Chain>();
    let mut h = transposed(chain.h);
    for block in blocks.as_chunks::<64>().0 {
        h = compress(sbox, h, transposed(chain.n), transposed(*block));
        // Hidden: the compiler would take the words out of the vectors, whose ports are what the
        // rounds wait for.
        add(black_box(&mut chain.n), &BLOCK_BITS);
        add(&mut chain.sigma, black_box(block));
    }
    chain.h = cast(moved(h, &TRANSPOSED));
}

/// g of RFC 6986, 8. `key` has the next iteration constant added already. Unrolled: the end of a
/// loop would be mispredicted.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn compress(sbox: Substitution, h: __m512i, n: __m512i, block: __m512i) -> __m512i {
    let mut key = round(sbox, sum(h, n), cast(CONSTANTS[0]));
    let mut text = sum3(block, key, cast(CONSTANTS[0]));
    sixteen!(ROUND => {
        if const { ROUND < 12 } {
            let constant = cast(CONSTANTS[(ROUND + 1) % 13]);
            key = round(sbox, key, constant);
            text = round(sbox, text, sum(key, constant));
        }
    });
    sum3(h, text, block)
}

/// Substitutes the bytes, transposes them, multiplies every row, and adds the key: X L P S.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn round(sbox: Substitution, state: __m512i, key: __m512i) -> __m512i {
    let state = sbox.of(state);
    let product = |turn: usize| {
        _mm512_gf2p8affine_epi64_epi8::<0>(moved(state, &TURNED[turn]), cast(FACTORS[turn]))
    };
    let early = sum3(sum3(product(0), product(1), key), product(2), product(3));
    sum3(sum3(early, product(4), product(5)), product(6), product(7))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn transposed(rows: Rows) -> __m512i {
    moved(cast(rows), &TRANSPOSED)
}

/// Where byte n of row r comes from: row n, byte r.
static TRANSPOSED: Rows = {
    let mut places = [0; 64];
    let mut at = 0;
    while at < 64 {
        places[at] = (8 * (at % 8) + at / 8) as u8;
        at += 1;
    }
    places
};

/// `[turn]`: the rows transposed, and the words that this gives turned.
static TURNED: [Rows; 8] = {
    let mut turned = [[0; 64]; 8];
    let mut at = 0;
    while at < 8 * 64 {
        turned[at / 64][at % 64] = TRANSPOSED[(at + at / 64 * 8) % 64];
        at += 1;
    }
    turned
};

/// `[turn][j]`: the factor by which the words so turned give byte j of each row.
static FACTORS: [[u64; 8]; 8] = {
    let mut factors = [[0; 8]; 8];
    let mut at = 0;
    while at < 64 {
        let (turn, to) = (at / 8, at % 8);
        factors[turn][to] = factor(LINEAR[(turn + to) % 8][to]);
        at += 1;
    }
    factors
};

static CONSTANTS: [Rows; 13] = {
    let mut constants = [[0; 64]; 13];
    let mut at = 0;
    while at < 13 * 64 {
        constants[at / 64][at % 64] = ROUNDS[at / 64][TRANSPOSED[at % 64] as usize];
        at += 1;
    }
    constants
};
