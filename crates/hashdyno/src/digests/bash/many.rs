//! Bash of many messages, and of one: a lane alone is a word.

use super::{CONSTANTS, PLACES, TURNS};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

/// Blocks of `WORDS` words.
pub(super) struct BashLanes<const WORDS: usize>;

impl<const WORDS: usize> Design<u64, 24, WORDS> for BashLanes<WORDS> {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;

    /// No length follows the message.
    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0; 4]
    }

    #[inline(always)]
    fn finish_tiny<L: Lanes<Word = u64>>(_: &Digest, _: &mut [L; WORDS], _: &mut [L; 24], _: L) {}

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 24], words: &[L; WORDS]) {
        chain[..WORDS].copy_from_slice(words);
        permute(chain);
    }
}

/// How the words that bash-s is given are rotated.
pub(super) trait Turn<L> {
    /// By the distance of that number.
    fn turned(word: L, number: usize) -> L;
}

/// The words of a column.
struct Column<const NUMBER: usize>;

impl<L: Lanes<Word = u64>, const NUMBER: usize> Turn<L> for Column<NUMBER> {
    #[inline(always)]
    fn turned(word: L, number: usize) -> L {
        word.left(TURNS[number][NUMBER])
    }
}

/// Bash-s (section 6.1) of three words, or of three rows of words.
#[inline(always)]
pub(super) fn mixed<L: Lanes, T: Turn<L>>([a, b, c]: [L; 3]) -> [L; 3] {
    // The last line alone is not linear.
    let turned = T::turned(a, 0);
    let a = a ^ b ^ c;
    let sum = b ^ T::turned(a, 1);
    let b = turned ^ sum;
    let c = c ^ T::turned(c, 2) ^ T::turned(sum, 3);
    [a ^ (b | !c), b ^ (a | c), c ^ (a & b)]
}

/// Bash-f (section 6.2).
#[inline(always)]
pub(super) fn permute<L: Lanes<Word = u64>>(state: &mut [L; 24]) {
    for constants in CONSTANTS.as_chunks::<2>().0 {
        round(state, constants[0]);
        round(state, constants[1]);
    }
}

#[inline(always)]
fn round<L: Lanes<Word = u64>>(state: &mut [L; 24], constant: u64) {
    // All columns are read before a word of the result is put in place.
    let mut after = *state;
    sixteen!(I => {
        if I < 8 {
            const COLUMN: usize = I % 8;
            let words = [state[COLUMN], state[8 + COLUMN], state[16 + COLUMN]];
            let [a, b, c] = mixed::<L, Column<COLUMN>>(words);
            (after[COLUMN], after[8 + COLUMN], after[16 + COLUMN]) = (a, b, c);
        }
    });
    sixteen!(I => {
        state[I] = after[PLACES[I]];
        if I < 8 {
            state[16 + I % 8] = after[PLACES[16 + I % 8]];
        }
    });
    state[23] = state[23] ^ L::splat(constant);
}
