//! Keccak of many messages: a vector holds one lane of the state of each message.
//!
//! The round is the text of `permutation.rs`. It needs no complements, since vectors have AND-NOT.
//! Padding differs between SHA-3, SHAKE and the contest's Keccak in one byte, the digest's `mark`.
//! So digests of one rate share a kernel.

use super::permutation::{ROTATIONS, last_constants, origin};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// Blocks of `WORDS` words, permutations of `ROUNDS` rounds.
pub(super) struct KeccakLanes<const WORDS: usize, const ROUNDS: usize>;

impl<const WORDS: usize, const ROUNDS: usize> Design<u64, 25, WORDS>
    for KeccakLanes<WORDS, ROUNDS>
{
    const MIN_FILL: usize = 4;
    const PADDING: Padding = Padding::of_mark(0); // the digest has its own mark
    const TINY: bool = true;

    #[inline(always)]
    fn mark(digest: &Digest) -> u8 {
        digest.mark
    }

    #[inline(always)]
    fn tail_blocks(_: usize) -> usize {
        1
    }

    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0, 0, 0, 0x80 << 56]
    }

    #[inline(always)]
    fn finish_tiny<L: Lanes<Word = u64>>(
        _: &Digest,
        block: &mut [L; WORDS],
        _: &mut [L; 25],
        _: L,
    ) {
        block[WORDS - 1] = block[WORDS - 1] | L::splat(0x80 << 56);
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 25], words: &[L; WORDS]) {
        for (lane, word) in chain.iter_mut().zip(words) {
            *lane = *lane ^ *word;
        }
        permute::<L, ROUNDS>(chain);
    }
}

/// As `permutation::permute`.
#[inline(always)]
pub(in super::super) fn permute<L: Lanes<Word = u64>, const ROUNDS: usize>(chain: &mut [L; 25]) {
    for constants in const { last_constants::<ROUNDS>() } {
        round(chain, constants[0]);
        round(chain, constants[1]);
    }
}

/// Repeats a block five times, with a constant of the given name that goes from 0 to 4.
macro_rules! five {
    ($index:ident => $body:block) => {
        five!(@ $index $body 0 1 2 3 4)
    };
    (@ $index:ident $body:block $($number:literal)*) => {
        $({
            const $index: usize = $number;
            $body
        })*
    };
}

/// As `permutation::round`.
#[inline(always)]
fn round<L: Lanes<Word = u64>>(a: &mut [L; 25], constant: u64) {
    let zero = L::splat(0);
    let mut column = [zero; 5];
    five!(X => {
        column[X] = a[X] ^ a[X + 5] ^ a[X + 10] ^ a[X + 15] ^ a[X + 20];
    });
    let mut theta = [zero; 5];
    five!(X => {
        theta[X] = column[(X + 4) % 5] ^ column[(X + 1) % 5].left(1);
    });
    let mut out = [zero; 25];
    five!(Y => {
        let mut plane = [zero; 5];
        five!(X => {
            const FROM: usize = origin(X, Y);
            let turned = a[FROM] ^ theta[FROM % 5];
            plane[X] = if FROM == 0 { turned } else { turned.left(ROTATIONS[FROM]) };
        });
        five!(X => {
            out[X + 5 * Y] = plane[X] ^ (!plane[(X + 1) % 5] & plane[(X + 2) % 5]);
        });
    });
    out[0] = out[0] ^ L::splat(constant);
    *a = out;
}
