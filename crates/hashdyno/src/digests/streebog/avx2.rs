//! Streebog by look-ups of four bits. The rows of the text and of the key go through every round
//! together. The four lower bytes of a row of each stand before the four upper ones:
//!
//! ```text
//! vector n:    low half, row n                            high half, row n + 4
//!              text 0..3  key 0..3  text 4..7  key 4..7   the same of the other row
//!
//! a round, for four vectors:
//!     coset, place = parts(each byte)                     two numbers below 16 for a byte
//!     column `to`  = sum over all rows of PRODUCTS[row][to] at coset and at place
//!     rows         = columns transposed, constants added, and the key added to the text
//! ```
//!
//! The substitution maps the multiplicative cosets of GF(16) in GF(256) to additive ones (L.
//! Perrin: Partitions in the S-Box of Streebog and Kuznyechik, 2019). So it takes a byte apart into
//! a coset and a place in that coset. The result is the sum of an entry for the coset and an entry
//! for the place. Four bits choose each entry. Both go into the matrix by tables that have each of
//! its factors.
//!
//! The first round takes the key alone: the text is put in behind it. Each table serves two rows,
//! one in each half, so a look-up of 32 bytes is one shuffle.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{BLOCK_BITS, Chain, LINEAR, PI, ROUNDS, add};
use crate::parts::lines::Lines;
use crate::parts::mds::avx2::{Pair, four, looked_up, sum};
use crate::parts::mds::{Rows, multiply};
use crate::{Code, Cores, Features, Kernel, State};

/// Other cores look bytes up sooner.
pub(super) const AVX2: Kernel =
    Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb)).only(Cores::ZEN);

/// Rows n and n + 4 of the text and of the key.
type Both = [__m256i; 4];

#[target_feature(enable = "avx2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    for block in blocks.as_chunks::<64>().0 {
        compress(&mut chain.h, &chain.n, block);
        add(&mut chain.n, &BLOCK_BITS);
        add(&mut chain.sigma, block);
    }
}

/// g of RFC 6986, 8. The key has the next iteration constant added already.
#[inline]
#[target_feature(enable = "avx2")]
fn compress(h: &mut Rows, n: &Rows, block: &Rows) {
    let (h_words, n_words, block_words) =
        (cast::<_, [u64; 8]>(*h), cast::<_, [u64; 8]>(*n), cast::<_, [u64; 8]>(*block));
    let row = |word: u64| _mm_cvtsi64_si128(word as i64);
    let placed = |text: u64, key: u64| _mm_unpacklo_epi32(row(text), row(key));
    let mut both = four!(|N| _mm256_set_m128i(
        placed(0, h_words[N + 4] ^ n_words[N + 4]),
        placed(0, h_words[N] ^ n_words[N])
    ));
    // One call in one loop, so that it is inlined.
    for (number, constants) in CONSTANTS.iter().enumerate() {
        both = round(both, constants);
        if number == 0 {
            let first = cast::<_, [u64; 8]>(ROUNDS[0]);
            both = four!(|N| {
                let key = _mm256_and_si256(both[N], _mm256_set1_epi64x(!0xffff_ffff));
                let text = |row: usize| placed(block_words[row] ^ first[row], 0);
                sum(sum(key, _mm256_srli_epi64::<32>(key)), _mm256_set_m128i(text(N + 4), text(N)))
            });
        }
    }
    let texts: [[u32; 8]; 4] = cast(both);
    let mut words = [0; 8];
    for at in 0..8 {
        let (number, half) = (at % 4, at / 4 * 4);
        let text = u64::from(texts[number][half]) | u64::from(texts[number][half + 2]) << 32;
        words[at] = h_words[at] ^ block_words[at] ^ text;
    }
    *h = cast(words);
}

/// Substitutes the bytes, transposes them, multiplies every row, adds the constants, and the key to
/// the text: X L P S.
#[inline]
#[target_feature(enable = "avx2")]
fn round(both: Both, constants: &[Pair; 4]) -> Both {
    let [p, q, r, s] = four!(|N| parts(both[N]));
    let product = |number: usize, to: usize, (coset, place): (__m256i, __m256i)| {
        let [of_coset, of_place] = PRODUCTS[number][to];
        sum(looked_up(of_coset, coset), looked_up(of_place, place))
    };
    // A column has the sums over rows 0 to 3 in its low half, over rows 4 to 7 in the high one.
    let column = |to: usize| {
        sum(sum(product(0, to, p), product(1, to, q)), sum(product(2, to, r), product(3, to, s)))
    };
    let pairs = four!(|N| {
        let (even, odd) = (column(2 * N), column(2 * N + 1));
        let (low, high) = (_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd));
        // The halves are added. Rows 0 to 3 of both columns are then low, rows 4 to 7 high.
        let added = sum(
            _mm256_blend_epi32::<0xf0>(low, high),
            _mm256_permute2x128_si256::<0x21>(low, high),
        );
        _mm256_shuffle_epi8(
            added,
            cast([[0u8, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15]; 2]),
        )
    });
    let [a, b, c, d] = pairs;
    // From pairs of columns to rows n and n + 4, as they came in.
    let (ab, cd) = (_mm256_unpacklo_epi16(a, b), _mm256_unpacklo_epi16(c, d));
    let (next_ab, next_cd) = (_mm256_unpackhi_epi16(a, b), _mm256_unpackhi_epi16(c, d));
    let rows = [
        _mm256_unpacklo_epi64(ab, cd),
        _mm256_unpackhi_epi64(ab, cd),
        _mm256_unpacklo_epi64(next_ab, next_cd),
        _mm256_unpackhi_epi64(next_ab, next_cd),
    ];
    four!(|N| {
        let row = sum(rows[N], cast(constants[N]));
        sum(row, _mm256_srli_epi64::<32>(row))
    })
}

/// For each byte, a b in GF(16)^2: the number of its coset, and of its place in that; or a number
/// over 127, for a sum of 0.
#[inline]
#[target_feature(enable = "avx2")]
fn parts(bytes: __m256i) -> (__m256i, __m256i) {
    let nibbles = _mm256_set1_epi8(15);
    let upper = |bytes: __m256i| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibbles);
    let pair = sum(
        looked_up([INTO_FIELD[0]; 2], _mm256_and_si256(bytes, nibbles)),
        looked_up([INTO_FIELD[1]; 2], upper(bytes)),
    );
    let (a, b) = (_mm256_and_si256(pair, nibbles), upper(pair));
    let (log_a, log_b) = (looked_up([LOG; 2], a), looked_up([MINUS_LOG; 2], b));
    let coset = sum_of_logs(log_a, log_b);
    let place = sum_of_logs(looked_up([MINUS_PLACE; 2], coset), log_b);
    (_mm256_blendv_epi8(coset, looked_up([SUBFIELD; 2], a), log_b), place)
}

/// The sum modulo 15, or over 127 if one of them is.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_of_logs(a: __m256i, b: __m256i) -> __m256i {
    let sum = _mm256_adds_epu8(a, b);
    _mm256_min_epu8(sum, _mm256_sub_epi8(sum, _mm256_set1_epi8(15)))
}

/// The powers of 2, which generates the field. Those of 2^17 are GF(16).
const POWERS: [u8; 255] = {
    let (mut powers, mut at) = ([1; 255], 1);
    while at < 255 {
        powers[at] = multiply(powers[at - 1], 2);
        at += 1;
    }
    powers
};

const fn log(of: u8) -> usize {
    let mut exponent = 0;
    while POWERS[exponent] != of {
        exponent += 1;
    }
    exponent
}

/// The element of GF(16) with these coordinates.
const fn element(nibble: usize) -> u8 {
    let (mut element, mut bit) = (0, 0);
    while bit < 4 {
        if nibble >> bit & 1 == 1 {
            element ^= POWERS[17 * bit];
        }
        bit += 1;
    }
    element
}

/// What the lower and the upper nibble of a byte add to a and, four bits up, to b, where the byte
/// is a + 2b.
const INTO_FIELD: Pair = {
    let (mut into, mut at) = ([[0; 16]; 2], 0);
    while at < 256 {
        let byte = element(at % 16) ^ multiply(element(at / 16), 2);
        if byte < 16 {
            into[0][byte as usize] = at as u8;
        }
        if byte & 15 == 0 {
            into[1][byte as usize / 16] = at as u8;
        }
        at += 1;
    }
    into
};

/// By nibble, the logarithm to the base of 2^17, and its inverse.
const LOG: [u8; 16] = logs(1);
const MINUS_LOG: [u8; 16] = logs(14);

const fn logs(times: usize) -> [u8; 16] {
    let (mut logs, mut nibble) = ([0xff; 16], 1);
    while nibble < 16 {
        logs[nibble] = (log(element(nibble)) / 17 * times % 15) as u8;
        nibble += 1;
    }
    logs
}

/// The logarithm of (2^17)^coset + 2, which is in the coset of this number: log a - log b.
const fn representative(coset: usize) -> usize {
    log(POWERS[17 * coset] ^ 2)
}

/// What the place of a coset's representative takes off the place in it.
const MINUS_PLACE: [u8; 16] = {
    let (mut places, mut coset) = ([0; 16], 0);
    while coset < 15 {
        places[coset] = ((15 - representative(coset) / 17) % 15) as u8;
        coset += 1;
    }
    places
};

/// What each coset adds to the result, that of a = 0 being 0: what the subfield's elements become.
const OF_COSET: [u8; 16] = {
    let (mut added, mut coset) = ([0; 16], 0);
    while coset < 15 {
        let exponent = representative(coset) % 17;
        let element = if exponent == 16 { 0 } else { POWERS[17 * exponent % 255] };
        added[coset] = PI[element as usize] ^ ALWAYS;
        coset += 1;
    }
    added
};

/// What each place, counted down, adds to it.
const OF_PLACE: [u8; 16] = {
    let (mut added, mut place) = ([0; 16], 0);
    while place < 15 {
        added[(15 - place) % 15] = PI[POWERS[1 + 17 * place] as usize] ^ ALWAYS;
        place += 1;
    }
    added
};

/// For an a of the subfield, b = 0: the coset that adds what it becomes.
const SUBFIELD: [u8; 16] = {
    let (mut cosets, mut at) = ([0xff; 16], 0);
    while at < 16 * 15 {
        let (a, coset) = (at / 15, at % 15);
        if OF_COSET[coset] == PI[element(a) as usize] ^ ALWAYS {
            cosets[a] = coset as u8;
        }
        at += 1;
    }
    cosets
};

/// What is added to all results: that of 2, and of what else has a = 0, adds nothing by its coset.
const ALWAYS: u8 = PI[POWERS[17] as usize];

/// `[row][byte]`: what a coset and a place in a row add to a byte of the product.
static PRODUCTS: Lines<[[[Pair; 2]; 8]; 4]> = {
    let (mut products, mut at) = ([[[[[0; 16]; 2]; 2]; 8]; 4], 0);
    while at < 64 * 16 {
        let (row, to, nibble) = (at / 128, at / 16 % 8, at % 16);
        let product = &mut products[row % 4][to];
        product[0][row / 4][nibble] = multiply(OF_COSET[nibble], LINEAR[row][to]);
        product[1][row / 4][nibble] = multiply(OF_PLACE[nibble], LINEAR[row][to]);
        at += 1;
    }
    Lines(products)
};

/// What each round adds to the text and to the key.
static CONSTANTS: Lines<[[Pair; 4]; 13]> = {
    let (mut constants, mut at) = ([[[[0; 16]; 2]; 4]; 13], 0);
    while at < 13 * 64 {
        let (round, row, byte) = (at / 64, at / 8 % 8, at % 8);
        let (mut constant, mut from) = (ROUNDS[round][at % 64], 0);
        while from < 8 {
            constant ^= multiply(ALWAYS, LINEAR[from][byte]);
            from += 1;
        }
        let place = byte / 4 * 8 + byte % 4;
        constants[round][row % 4][row / 4][place] = constant;
        constants[round][row % 4][row / 4][place + 4] = constant;
        at += 1;
    }
    Lines(constants)
};
