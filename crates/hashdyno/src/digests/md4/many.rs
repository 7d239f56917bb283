//! MD4 of many messages: a vector holds one word of each message.
//!
//! The word b is the newest. A step sums up a, the message word and the constant, then adds the
//! function of b, c and d. `ORDER` and `SHIFTS` are constants of each step, so no lane looks them
//! up.

use super::{ORDER, ROOTS, SHIFTS};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

pub(super) struct Md4Lanes;

impl Design<u32, 4, 16> for Md4Lanes {
    const MIN_FILL: usize = 2;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 4], words: &[L; 16]) {
        let [mut a, mut b, mut c, mut d] = *chain;
        macro_rules! round {
            ($round:literal, $root:expr, |$x:ident, $y:ident, $z:ident| $mix:expr) => {
                sixteen!(STEP => {
                    let ($x, $y, $z) = (b, c, d);
                    let word = words[const { ORDER[$round][STEP] }];
                    // The barrier holds the order: the compiler would add the constant last.
                    let sum = a.plus(word.plus(L::splat($root))).barrier().plus($mix);
                    (a, d, c, b) = (d, c, b, sum.left(const { SHIFTS[$round][STEP % 4] }));
                });
            };
        }
        round!(0, 0, |x, y, z| x.select(y, z));
        round!(1, ROOTS[0], |x, y, z| x.majority(y, z));
        // The brackets let y ^ z be ready before x, the newest word.
        round!(2, ROOTS[1], |x, y, z| x ^ (y ^ z));
        for (chain, word) in chain.iter_mut().zip([a, b, c, d]) {
            *chain = chain.plus(word);
        }
    }
}
