//! HAS-160 of many messages, and of one: a lane alone is a word.
//!
//! | round | order of the words | constant | function | turn of b |
//! |---|---|---|---|---|
//! | 0 | 0, 1, 2 .. | 0 | choice | 10 |
//! | 1 | 3, 6, 9 .. | 2^30 times the square root of 2 | parity | 17 |
//! | 2 | 12, 5, 14 .. | 2^30 times the square root of 3 | `c ^ (b \| !d)` | 25 |
//! | 3 | 7, 2, 13 .. | 2^30 times the square root of 5 | parity | 30 |
//!
//! An order is an arithmetic progression modulo 16. So it needs no table, and each index is a
//! constant of its step.

use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

pub(super) struct Has160Lanes;

impl Design<u32, 5, 16> for Has160Lanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;
    const ITERATES: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 5], words: &[L; 16]) {
        compress(chain, words);
    }
}

/// A round takes the words in an order of its own, and before every four of them the exclusive or
/// of four.
#[inline(always)]
pub(super) fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 5], words: &[L; 16]) {
    let [mut a, mut b, mut c, mut d, mut e] = *chain;
    macro_rules! step {
        ($step:expr, $word:expr, $constant:literal, $turn:literal, $mixed:expr) => {
            // The newest words are a and b: what does not wait for them is summed up before.
            let early = e.plus($word.plus(L::splat($constant))).barrier();
            let sum = early.plus($mixed).barrier().plus(a.left(TURNS[$step]));
            (e, d, c, b, a) = (d, c, b.left($turn), a, sum);
        };
    }
    macro_rules! round {
        ($order:expr, $constant:literal, $turn:literal, $mixed:expr) => {
            sixteen!(I => {
                if I % 4 == 0 {
                    // The four words stand 8 to 11 places further on in the same order.
                    let [w, x, y, z] =
                        [$order(I + 8), $order(I + 9), $order(I + 10), $order(I + 11)];
                    let four = words[w % 16] ^ words[x % 16] ^ words[y % 16] ^ words[z % 16];
                    step!(I / 4 * 5, four, $constant, $turn, $mixed);
                }
                step!(I / 4 * 5 + I % 4 + 1, words[$order(I) % 16], $constant, $turn, $mixed);
            });
        };
    }
    round!(|place| place, 0, 10, b.select(c, d));
    round!(|place| 3 * place + 3, 0x5a82_7999, 17, b ^ c ^ d);
    round!(|place| 9 * place + 12, 0x6ed9_eba1, 25, c ^ (b | !d));
    round!(|place| 11 * place + 7, 0x8f1b_bcdc, 30, b ^ c ^ d);
    for (chain, word) in chain.iter_mut().zip([a, b, c, d, e]) {
        *chain = chain.plus(word);
    }
}

/// How far the steps of a round rotate the newest word.
const TURNS: [u32; 20] = [5, 11, 7, 15, 6, 13, 8, 14, 7, 12, 9, 11, 8, 15, 6, 12, 9, 14, 5, 13];
