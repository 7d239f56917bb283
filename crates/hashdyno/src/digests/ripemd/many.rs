//! RIPEMD of many messages: a vector holds one word of each message.
//!
//! ```text
//! left:   a b c d e      rounds with functions 0, 1 .. N - 1
//! right:  a b c d e      rounds with functions N - 1 .. 1, 0
//! block:  16 words, which each line takes in orders of its own
//! ```
//!
//! The lines do not wait for each other. Their steps take turns in the text, so a vector unit
//! always has two chains under way. Lines of four words leave e unused, and so both widths have one
//! step.

use super::{C_TURN, EXCHANGED, LEFT, RIGHT};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

/// The digests of one line's length, of `N` words.
pub(super) struct Joined<const N: usize>;

/// The digests of two lines' length.
pub(super) struct Apart<const N: usize>;

macro_rules! joined {
    ($n:literal) => {
        impl Design<u32, $n, 16> for Joined<$n> {
            const MIN_FILL: usize = 2;
            const PADDING: Padding = super::PADDING;
            const TINY: bool = true;

            #[inline(always)]
            fn compress<L: Lanes<Word = u32>>(chain: &mut [L; $n], words: &[L; 16]) {
                let (left, right) = both_lines::<L, $n, false>(chain, chain, words);
                let before = *chain;
                for i in 0..$n {
                    // Each word goes one place further on, and takes one word of either line.
                    chain[i] =
                        before[(i + 1) % $n].plus(left[(i + 2) % $n]).plus(right[(i + 3) % $n]);
                }
            }
        }
    };
}

joined!(4);
joined!(5);

macro_rules! apart {
    ($n:literal) => {
        impl Design<u32, { 2 * $n }, 16> for Apart<$n> {
            const MIN_FILL: usize = 2;
            const PADDING: Padding = super::PADDING;
            const TINY: bool = true;

            #[inline(always)]
            fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 2 * $n], words: &[L; 16]) {
                let [first, second] = chain.as_chunks_mut::<$n>().0 else { unreachable!() };
                let (left, right) = both_lines::<L, $n, true>(first, second, words);
                for i in 0..$n {
                    first[i] = first[i].plus(left[i]);
                    second[i] = second[i].plus(right[i]);
                }
            }
        }
    };
}

apart!(4);
apart!(5);

/// The `N` rounds of a block in two lines, which exchange a word after each if `EXCHANGE`; of a
/// line of four, the fifth word is not used.
#[inline(always)]
fn both_lines<L: Lanes<Word = u32>, const N: usize, const EXCHANGE: bool>(
    left: &[L; N],
    right: &[L; N],
    words: &[L; 16],
) -> ([L; 5], [L; 5]) {
    let (mut left, mut right) = (widened(left), widened(right));
    // The numbers of a round and of the right line's function: of five rounds, and of four.
    macro_rules! round {
        ($round:literal, $of_five:literal, $of_four:literal) => {
            sixteen!(I => {
                // Orders, constants and shifts are constants of the step, not loads.
                let added = LEFT.added[$round];
                let word = words[const { LEFT.order[$round][I] }];
                left = step::<L, N, $round>(left, word, added, LEFT.shifts[$round][I]);
                let added = if const { $round == N - 1 } { 0 } else { RIGHT.added[$round] };
                let word = words[const { RIGHT.order[$round][I] }];
                let shift = RIGHT.shifts[$round][I];
                right = if const { N == 5 } {
                    step::<L, N, $of_five>(right, word, added, shift)
                } else {
                    step::<L, N, $of_four>(right, word, added, shift)
                };
            });
            if EXCHANGE {
                let word = EXCHANGED[N - 4][$round];
                std::mem::swap(&mut left[word], &mut right[word]);
            }
        };
    }
    round!(0, 4, 3);
    round!(1, 3, 2);
    round!(2, 2, 1);
    round!(3, 1, 0);
    if const { N == 5 } {
        round!(4, 0, 0);
    }
    (left, right)
}

#[inline(always)]
fn widened<L: Lanes<Word = u32>, const N: usize>(chain: &[L; N]) -> [L; 5] {
    let mut words = [L::splat(0); 5];
    words[..N].copy_from_slice(chain);
    words
}

/// A step of one line, of the function number `MIX`.
#[inline(always)]
fn step<L: Lanes<Word = u32>, const N: usize, const MIX: usize>(
    [a, b, c, d, e]: [L; 5],
    word: L,
    added: u32,
    shift: u32,
) -> [L; 5] {
    // f1 to f5 of the paper. VPTERNLOG of AVX-512 can do each function.
    let mixed = match MIX {
        0 => b ^ c ^ d,
        1 => b.select(c, d),
        2 => (b | !c) ^ d,
        3 => d.select(b, c),
        _ => b ^ (c | !d),
    };
    let sum = a.plus(word);
    let turned = sum.plus(L::splat(added)).plus(mixed).left(shift);
    if const { N == 4 } {
        // The compiler would put sixteen steps of a line behind those of the other.
        [d, turned.in_place(), b, c, e]
    } else {
        [e, turned.plus(e), b, c.left(C_TURN), d]
    }
}
