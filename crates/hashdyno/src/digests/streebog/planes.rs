//! Streebog of 64 messages in planes of bytes: the transposition is a matter of names, the matrix
//! of the field 64 matrices of bits.
//!
//! ```text
//! h, n, sigma and a block: 8 rows of words of 64 bits, as lanes have them
//! key, text:               8 rows of 8 planes, a plane being a byte of 64 messages
//! round: to[row][n] = constant ^ key[row][n] ^ sum over i of FACTORS[n][i] * S-box(from[i][row])
//! ```
//!
//! The rows of `n` and of the sums are added with carries, so they stay words. A counter below 2^64
//! bits has one word: of `n`, only that word goes into a compression.

use std::arch::x86_64::*;

use super::{Chain, LINEAR, PI, ROUNDS};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::lanes::planes::{Plane, Table, of_long_words, to_long_words};
use crate::parts::mds::Rows;
use crate::parts::mds::avx512::{factor, sum, sum3};

pub(super) struct Planes;

/// The words of [`Chain`], of which the last says how many bits the message has.
const WORDS: usize = 25;
const BITS: usize = 24;

/// A row of each of 64 messages, in words or its bytes apart.
type Row = [Plane; 8];

impl Design<u64, WORDS, 8> for Planes {
    const MIN_FILL: usize = 6;
    const PADDING: Padding = super::PADDING;
    const ADJUSTS: bool = true;

    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0; 4]
    }

    #[inline(always)]
    fn adjust(mut set: impl FnMut(usize, u64), _: usize, _: usize, message_len: u64) {
        set(BITS, message_len << 3);
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; WORDS], block: &[L; 8]) {
        // SAFETY: the kernel is compiled for this and needs it.
        unsafe { absorb(bytemuck::cast_mut(chain), bytemuck::cast_ref(block)) }
    }

    /// With the length and the sum of the blocks taken in.
    #[inline(always)]
    fn output<L: Lanes<Word = u64>>(mut chain: [L; WORDS], output_len: usize) -> [L; WORDS] {
        if L::COUNT == 1 {
            let Chain { h, sigma, bits, .. } =
                bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(&mut chain));
            let mut length = [0; 64];
            length[..8].copy_from_slice(bits);
            for block in [&length, &*sigma] {
                super::compress(h, &[0; 64], block, super::round);
            }
        } else {
            // SAFETY: as in `compress`.
            unsafe { finish(bytemuck::cast_mut(&mut chain)) };
        }
        chain.copy_within(8 - output_len / 8..8, 0);
        chain
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn absorb(chain: &mut [Row; WORDS], block: &[Row; 8]) {
    let [h, n, sigma] = parts(chain);
    compress(h, &n[0], block);
    for count in &mut n[0] {
        *count = _mm512_add_epi64(*count, _mm512_set1_epi64(512));
    }
    for lanes in 0..8 {
        let mut carry = 0;
        for (sum, word) in sigma.iter_mut().zip(block) {
            let partial = _mm512_add_epi64(sum[lanes], word[lanes]);
            // A sum has carried if it is less than an operand, or if the carry makes it zero.
            let first = _mm512_cmplt_epu64_mask(partial, word[lanes]);
            let whole = _mm512_mask_sub_epi64(partial, carry, partial, _mm512_set1_epi64(-1));
            carry = first | _mm512_mask_cmpeq_epi64_mask(carry, whole, _mm512_setzero_si512());
            sum[lanes] = whole;
        }
    }
}

/// As `super::finish`, but for the padding.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn finish(chain: &mut [Row; WORDS]) {
    let zero = [_mm512_setzero_si512(); 8];
    let mut length = [zero; 8];
    length[0] = chain[BITS];
    let [h, _, sigma] = parts(chain);
    compress(h, &zero, &length);
    compress(h, &zero, sigma);
}

/// As in [`Chain`].
fn parts(chain: &mut [Row; WORDS]) -> [&mut [Row; 8]; 3] {
    let [h, n, sigma] = chain.as_chunks_mut().0 else { panic!("24 words are three times eight") };
    [h, n, sigma]
}

/// As `super::compress`; of `n`, the lowest word.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn compress(h: &mut [Row; 8], n: &Row, block: &[Row; 8]) {
    let zeros = [[_mm512_setzero_si512(); 8]; 8];
    let (mut key, mut text, mut next_key, mut next_text) = (zeros, zeros, zeros, zeros);
    for row in 0..8 {
        next_key[row] = of_long_words(h[row]);
        text[row] = of_long_words(block[row]);
    }
    for (plane, n) in next_key[0].iter_mut().zip(of_long_words(*n)) {
        *plane = sum(*plane, n);
    }
    round::<false>(&next_key, &zeros, &ROUNDS[0], &mut key);
    for row in 0..8 {
        for n in 0..8 {
            text[row][n] =
                sum3(text[row][n], key[row][n], _mm512_set1_epi8(ROUNDS[0][8 * row + n] as i8));
        }
    }
    for [even, odd] in ROUNDS[1..].as_chunks().0 {
        round::<false>(&key, &zeros, even, &mut next_key);
        round::<true>(&text, &next_key, even, &mut next_text);
        round::<false>(&next_key, &zeros, odd, &mut key);
        round::<true>(&next_text, &key, odd, &mut text);
    }
    for row in 0..8 {
        let text = to_long_words(text[row]);
        for n in 0..8 {
            h[row][n] = sum3(h[row][n], text[n], block[row][n]);
        }
    }
}

/// As `super::round`, with a constant that is the same in all messages, and a key if `KEYED`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn round<const KEYED: bool>(from: &[Row; 8], key: &[Row; 8], constant: &Rows, to: &mut [Row; 8]) {
    for row in 0..8 {
        let mut s = from[0];
        for n in 0..8 {
            s[n] = TABLE.look_up(from[n][row]);
        }
        for n in 0..8 {
            let mut mixed = _mm512_set1_epi8(constant[8 * row + n] as i8);
            if KEYED {
                mixed = sum(mixed, key[row][n]);
            }
            let product = |from: usize| {
                _mm512_gf2p8affine_epi64_epi8::<0>(s[from], _mm512_set1_epi64(FACTORS[n][from]))
            };
            for from in [0, 2, 4, 6] {
                mixed = sum3(mixed, product(from), product(from + 1));
            }
            to[row][n] = mixed;
        }
    }
}

static TABLE: Table = Table::new(&PI);

/// `[to][from]`: what multiplies a byte for another.
static FACTORS: [[i64; 8]; 8] = {
    let (mut factors, mut at) = ([[0; 8]; 8], 0);
    while at < 64 {
        factors[at / 8][at % 8] = factor(LINEAR[at % 8][at / 8]) as i64;
        at += 1;
    }
    factors
};
