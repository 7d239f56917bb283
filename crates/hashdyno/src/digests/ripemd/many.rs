//! RIPEMD of many messages.

use super::{EXCHANGED, LEFT, RIGHT, place};
use crate::lanes::Lanes;
use crate::many::Design;
use crate::padding::Padding;
use crate::unroll::sixteen;

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

/// The `N` rounds of a block in two lines, which exchange a word after each if `EXCHANGE`.
#[inline(always)]
fn both_lines<L: Lanes<Word = u32>, const N: usize, const EXCHANGE: bool>(
    left: &[L; N],
    right: &[L; N],
    words: &[L; 16],
) -> ([L; N], [L; N]) {
    let (mut left, mut right) = (*left, *right);
    // The numbers of a round and of the right line's function: of five rounds, and of four.
    macro_rules! round {
        ($round:literal, $of_five:literal, $of_four:literal) => {
            sixteen!(I => {
                let added = LEFT.added[$round];
                let word = words[const { LEFT.order[$round][I] }];
                step!(left, 16 * $round + I, $round, word, added, LEFT.shifts[$round][I]);
                let added = if const { $round == N - 1 } { 0 } else { RIGHT.added[$round] };
                let word = words[const { RIGHT.order[$round][I] }];
                let mix = const { if N == 5 { $of_five } else { $of_four } };
                step!(right, 16 * $round + I, mix, word, added, RIGHT.shifts[$round][I]);
            });
            if EXCHANGE {
                let place = const { place::<N>(EXCHANGED[N - 4][$round], 16 * ($round + 1)) };
                std::mem::swap(&mut left[place], &mut right[place]);
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

/// A step of one line, after so many, of the function number `$mix`. No function: to move the
/// words into it and out of it would be most of what the compiler works on.
macro_rules! step {
    ($line:ident, $done:expr, $mix:expr, $word:expr, $added:expr, $shift:expr) => {
        let b = $line[const { place::<N>(1, $done) }];
        let c = $line[const { place::<N>(2, $done) }];
        let d = $line[const { place::<N>(3, $done) }];
        let mixed = match $mix {
            0 => b ^ c ^ d,
            1 => b.select(c, d),
            2 => (b | !c) ^ d,
            3 => d.select(b, c),
            _ => b ^ (c | !d),
        };
        let a = &mut $line[const { place::<N>(0, $done) }];
        let turned = a.plus($word).plus(L::splat($added)).plus(mixed).left($shift);
        if const { N == 4 } {
            // The compiler would put sixteen steps of a line behind those of the other.
            *a = turned.in_place();
        } else {
            let e = const { place::<N>(N - 1, $done) };
            $line[const { place::<N>(0, $done) }] = turned.plus($line[e]);
            $line[const { place::<N>(2, $done) }] = c.left(10);
        }
    };
}

use step;
