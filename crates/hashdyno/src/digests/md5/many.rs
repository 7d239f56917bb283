//! MD5 of many messages: a vector holds one word of each message (RFC 1321, 3.4).
//!
//! A message alone is a chain of 64 steps, and each step waits for b of the step before. Lanes have
//! a chain under way for each message. Kernels of two and more vectors for a word fill the time in
//! which one vector waits for itself.

use super::{ORDER, SHIFTS, SINES};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

pub(in crate::digests) struct Md5Lanes;

impl Design<u32, 4, 16> for Md5Lanes {
    const MIN_FILL: usize = 2;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;
    const ITERATES: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 4], words: &[L; 16]) {
        let [mut a, mut b, mut c, mut d] = *chain;
        macro_rules! round {
            (
                $round:literal,
                |$sum:ident, $x:ident, $y:ident, $z:ident| $mixed:expr
            ) => {
                sixteen!(STEP => {
                    let ($x, $y, $z) = (b, c, d);
                    let word = words[const { ORDER[$round][STEP] }];
                    // a, the word and the constant are old: their sum is ready before b is.
                    let $sum = a.plus(word.plus(L::splat(SINES[16 * $round + STEP])));
                    let turned = $mixed.left(const { SHIFTS[$round][STEP % 4] });
                    (a, d, c, b) = (d, c, b, b.plus(turned));
                });
            };
        }
        // The newest word is x: what does not wait for it is summed up before.
        round!(0, |sum, x, y, z| sum.barrier().plus(x.select(y, z)));
        // The terms of round 1 have no bit in common, so a sum joins them, y & !z first.
        round!(1, |sum, x, y, z| sum.plus(y & !z).barrier().plus(x & z));
        round!(2, |sum, x, y, z| sum.barrier().plus(x ^ (y ^ z)));
        round!(3, |sum, x, y, z| sum.barrier().plus(y ^ (x | !z)));
        for (chain, word) in chain.iter_mut().zip([a, b, c, d]) {
            *chain = chain.plus(word);
        }
    }
}
