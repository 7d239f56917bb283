//! HAVAL of many messages: a vector holds one word of each message.
//!
//! ```text
//! chain: eight words t; block: 32 words
//! pass 1 .. PASSES: 32 steps, which take the words in the order of the pass
//! step: the oldest of t becomes   mixed >>> 7 + oldest >>> 11 + word + constant
//!       mixed: a function of the other seven, which `phi` permutes
//! ```
//!
//! Two of the functions begin with a choice, which lanes have as one operation (`Lanes::select`).

use super::{MIXED_TURN, OLDEST_TURN, ORDER, PI, fold, phi, trailer};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// HAVAL of so many passes, of any output length.
pub(super) struct HavalLanes<const PASSES: usize>;

impl<const PASSES: usize> Design<u32, 8, 32> for HavalLanes<PASSES> {
    const MIN_FILL: usize = 2;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;

    #[inline(always)]
    fn trailer(digest: &Digest, _: usize, message_len: u64) -> [u64; 4] {
        let [low, high, bits @ ..] = trailer(digest.output_len, PASSES, message_len);
        [0, 0, u64::from(u16::from_le_bytes([low, high])) << 48, u64::from_le_bytes(bits)]
    }

    #[inline(always)]
    fn finish_tiny<L: Lanes<Word = u32>>(
        digest: &Digest,
        block: &mut [L; 32],
        _: &mut [L; 8],
        bits: L,
    ) {
        // Bytes 118 and 119 of the block, the upper half of word 29, are the parameters. Bytes 120
        // to 127 are the length, of which the upper word is 0.
        block[29] = block[29] | L::splat((Self::trailer(digest, 0, 0)[2] >> 32) as u32);
        block[30] = bits;
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 8], words: &[L; 32]) {
        let mut t = *chain;
        pass::<L, PASSES, 1>(&mut t, words);
        pass::<L, PASSES, 2>(&mut t, words);
        pass::<L, PASSES, 3>(&mut t, words);
        if const { PASSES > 3 } {
            pass::<L, PASSES, 4>(&mut t, words);
        }
        if const { PASSES > 4 } {
            pass::<L, PASSES, 5>(&mut t, words);
        }
        for (chain, word) in chain.iter_mut().zip(t) {
            *chain = chain.plus(word);
        }
    }

    #[inline(always)]
    fn output<L: Lanes<Word = u32>>(mut chain: [L; 8], output_len: usize) -> [L; 8] {
        let words = chain;
        match output_len {
            16 => chain[..4].copy_from_slice(&fold::<L, 4>(&words)),
            20 => chain[..5].copy_from_slice(&fold::<L, 5>(&words)),
            24 => chain[..6].copy_from_slice(&fold::<L, 6>(&words)),
            28 => chain[..7].copy_from_slice(&fold::<L, 7>(&words)),
            _ => {}
        }
        chain
    }
}

/// Eight steps at a time, after which the names of the words have come round: 32 of them would only
/// be longer to compile.
#[inline(always)]
fn pass<L: Lanes<Word = u32>, const PASSES: usize, const PASS: usize>(
    t: &mut [L; 8],
    words: &[L; 32],
) {
    for first in (0..32).step_by(8) {
        macro_rules! steps {
            ($($place:literal)*) => { $(
                let constant = if PASS == 1 { 0 } else { PI[8 + 32 * (PASS - 2) + first + $place] };
                step::<L, PASSES, PASS>(
                    t,
                    words[ORDER[PASS - 1][first + $place] % 32],
                    constant,
                    $place,
                );
            )* };
        }
        // `$place` is a constant, so that each name of a word is one register.
        steps!(0 1 2 3 4 5 6 7);
    }
}

/// As `super::step`: the names of the words turn.
#[inline(always)]
fn step<L: Lanes<Word = u32>, const PASSES: usize, const PASS: usize>(
    t: &mut [L; 8],
    word: L,
    constant: u32,
    place: usize,
) {
    let [x6, x5, x4, x3, x2, x1, x0] = phi(PASSES, PASS);
    let turn = 8 - place;
    let [x6, x5, x4, x3] =
        [t[(x6 + turn) % 8], t[(x5 + turn) % 8], t[(x4 + turn) % 8], t[(x3 + turn) % 8]];
    let [x2, x1, x0] = [t[(x2 + turn) % 8], t[(x1 + turn) % 8], t[(x0 + turn) % 8]];
    let mixed = match PASS {
        1 => x1.select(x4, x0) ^ (x2 & x5) ^ (x3 & x6),
        2 => (x3 & (x5 ^ (x1 & x2))) ^ (x2 & (x0 ^ x1 ^ x6 ^ (x4 & x5))) ^ (x4 & (x1 ^ x5)) ^ x0,
        3 => x3.select(x6, x0) ^ (x1 & x4) ^ (x2 & (x5 ^ (x1 & x3))),
        4 => {
            (x4 & (x0 ^ x1 ^ (x5 & !x2) ^ (x3 | x6)))
                ^ (x2 & (x6 ^ (x1 & x3)))
                ^ (x3 & (x5 ^ x6))
                ^ x0
        }
        _ => (x0 & !(x5 ^ (x1 & x2 & x3))) ^ (x1 & x4) ^ (x2 & x5) ^ (x3 & x6),
    };
    // The newest word is in `mixed`: the sum does not wait for it.
    let oldest = (7 + turn) % 8;
    let mut sum = t[oldest].right(OLDEST_TURN).plus(word);
    if const { PASS > 1 } {
        sum = sum.plus(L::splat(constant));
    }
    t[oldest] = mixed.right(MIXED_TURN).plus(sum);
}
