//! JH of many messages: a word of the state, which has a bit of each of 128 elements, is two of 64
//! bits.
//!
//! ```text
//! x[2n], x[2n + 1]:      word n of the state, lower and upper half
//! words 0, 2, 4, 6:      the four bits of each even element
//! words 1, 3, 5, 7:      the four bits of each odd element
//! words 0 to 3:          take the block before the rounds
//! words 4 to 7:          take it again after them
//! ```
//!
//! `swapped` exchanges bits within halves. A run of 64 bits is a half: the exchange is one of
//! names.

use super::CONSTANTS;
use crate::many::{Design, last_bytes};
use crate::padding::{Endian, Padding};
use crate::parts::lanes::Lanes;

/// The chain is the state, word after word, the lower half of each first.
pub(super) struct JhLanes;

impl Design<u64, 16, 8> for JhLanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;
    const ENDIAN: Endian = Endian::Little;

    /// The padding is never shorter than a block.
    #[inline(always)]
    fn tail_blocks(tail_len: usize) -> usize {
        if tail_len == 0 { 1 } else { 2 }
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 16], words: &[L; 8]) {
        let mut x = *chain;
        for word in 0..8 {
            x[word] = x[word] ^ words[word];
        }
        // After seven distances, elements lie as before. So the loop takes seven rounds at a time.
        for seven in CONSTANTS.as_chunks::<7>().0 {
            round::<L, 1>(&mut x, &seven[0]);
            round::<L, 2>(&mut x, &seven[1]);
            round::<L, 4>(&mut x, &seven[2]);
            round::<L, 8>(&mut x, &seven[3]);
            round::<L, 16>(&mut x, &seven[4]);
            round::<L, 32>(&mut x, &seven[5]);
            round::<L, 64>(&mut x, &seven[6]);
        }
        for word in 0..8 {
            x[8 + word] = x[8 + word] ^ words[word];
        }
        *chain = x;
    }

    #[inline(always)]
    fn output<L: Lanes<Word = u64>>(chain: [L; 16], output_len: usize) -> [L; 16] {
        last_bytes(chain, output_len)
    }
}

/// A round that ends by swapping runs of `RUN` bits in the odd words.
#[inline(always)]
fn round<L: Lanes<Word = u64>, const RUN: u32>(
    x: &mut [L; 16],
    [for_even, for_odd]: &[[u64; 2]; 2],
) {
    half::<L, RUN, 0>(x, for_even[0], for_odd[0]);
    half::<L, RUN, 1>(x, for_even[1], for_odd[1]);
    if RUN == 64 {
        x.swap(2, 3);
        x.swap(6, 7);
        x.swap(10, 11);
        x.swap(14, 15);
    }
}

/// The same on one half of each word, which minds the other in the swap of halves alone.
#[inline(always)]
fn half<L: Lanes<Word = u64>, const RUN: u32, const HALF: usize>(
    x: &mut [L; 16],
    for_even: u64,
    for_odd: u64,
) {
    let [a, b, c, d] = sbox([x[HALF], x[4 + HALF], x[8 + HALF], x[12 + HALF]], L::splat(for_even));
    let [e, f, g, h] =
        sbox([x[2 + HALF], x[6 + HALF], x[10 + HALF], x[14 + HALF]], L::splat(for_odd));
    // L (as `super::mix`): twice the even elements go to the odd, then the other way round.
    let (e, f, g, h) = (e ^ b, f ^ c, g ^ a ^ d, h ^ a);
    (x[HALF], x[4 + HALF], x[8 + HALF], x[12 + HALF]) = (a ^ f, b ^ g, c ^ e ^ h, d ^ e);
    (x[2 + HALF], x[6 + HALF], x[10 + HALF], x[14 + HALF]) =
        (swapped::<L, RUN>(e), swapped::<L, RUN>(f), swapped::<L, RUN>(g), swapped::<L, RUN>(h));
}

#[inline(always)]
fn swapped<L: Lanes<Word = u64>, const RUN: u32>(word: L) -> L {
    if RUN == 64 { word } else { word.swap_runs(RUN) }
}

/// As `super::sbox`.
#[inline(always)]
fn sbox<L: Lanes<Word = u64>>([a, b, c, d]: [L; 4], constant: L) -> [L; 4] {
    let a = a ^ (!c & constant);
    let t = constant ^ (a & b);
    let a = a ^ (!d & c);
    let not_d = d ^ (!b & c);
    let b = b ^ (a & c);
    let c = c ^ (a & not_d);
    let d = !not_d;
    let a = a ^ (b | d);
    let d = d ^ (b & c);
    let b = b ^ (t & a);
    [a, b, c ^ t, d]
}
