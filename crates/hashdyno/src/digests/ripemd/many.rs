//! RIPEMD of many messages.

use super::{EXCHANGED, LEFT, RIGHT};
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

/// The `N` rounds of a block in two lines, which exchange a word after each if `EXCHANGE`; of a
/// line of four, the fifth word is not used.
#[inline(always)]
fn both_lines<L: Lanes<Word = u32>, const N: usize, const EXCHANGE: bool>(
    left: &[L; N],
    right: &[L; N],
    words: &[L; 16],
) -> ([L; 5], [L; 5]) {
    let (mut left, mut right) = (widened(left), widened(right));
    macro_rules! round {
        ($round:literal) => {
            sixteen!(I => {
                let added = LEFT.added[$round];
                left = step::<L, N>(
                    $round,
                    left,
                    words[LEFT.order[$round][I]],
                    added,
                    LEFT.shifts[$round][I],
                );
                let added = if $round == N - 1 { 0 } else { RIGHT.added[$round] };
                right = step::<L, N>(
                    N - 1 - $round,
                    right,
                    words[RIGHT.order[$round][I]],
                    added,
                    RIGHT.shifts[$round][I],
                );
            });
            if EXCHANGE {
                let word = EXCHANGED[N - 4][$round];
                std::mem::swap(&mut left[word], &mut right[word]);
            }
        };
    }
    round!(0);
    round!(1);
    round!(2);
    round!(3);
    if N == 5 {
        round!(4);
    }
    (left, right)
}

#[inline(always)]
fn widened<L: Lanes<Word = u32>, const N: usize>(chain: &[L; N]) -> [L; 5] {
    let mut words = [L::splat(0); 5];
    words[..N].copy_from_slice(chain);
    words
}

/// A step of one line, of the function number `mix`.
#[inline(always)]
fn step<L: Lanes<Word = u32>, const N: usize>(
    mix: usize,
    [a, b, c, d, e]: [L; 5],
    word: L,
    added: u32,
    shift: u32,
) -> [L; 5] {
    let mixed = match mix {
        0 => b ^ c ^ d,
        1 => b.select(c, d),
        2 => (b | !c) ^ d,
        3 => d.select(b, c),
        _ => b ^ (c | !d),
    };
    let sum = a.plus(word);
    let sum = if added == 0 { sum } else { sum.plus(L::splat(added)) };
    let turned = sum.plus(mixed).left(shift);
    // The compiler would put sixteen steps of a line behind those of the other.
    let turned = if N == 4 { turned.in_place() } else { turned };
    if N == 4 { [d, turned, b, c, e] } else { [e, turned.plus(e), b, c.left(10), d] }
}
