//! MD5 of many messages.

use super::SINES;
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
                $round:literal, $order:expr, $shifts:expr,
                |$sum:ident, $x:ident, $y:ident, $z:ident| $mixed:expr
            ) => {
                sixteen!(STEP => {
                    let ($x, $y, $z) = (b, c, d);
                    let $sum =
                        a.plus(words[$order(STEP) % 16].plus(L::splat(SINES[16 * $round + STEP])));
                    (a, d, c, b) = (d, c, b, b.plus($mixed.left($shifts[STEP % 4])));
                });
            };
        }
        // The newest word is x: what does not wait for it is summed up before.
        round!(0, |step| step, [7, 12, 17, 22], |sum, x, y, z| sum.barrier().plus(x.select(y, z)));
        round!(1, |step| 5 * step + 1, [5, 9, 14, 20], |sum, x, y, z| sum
            .plus(y & !z)
            .barrier()
            .plus(x & z));
        round!(2, |step| 3 * step + 5, [4, 11, 16, 23], |sum, x, y, z| sum
            .barrier()
            .plus(x ^ (y ^ z)));
        round!(3, |step| 7 * step, [6, 10, 15, 21], |sum, x, y, z| sum
            .barrier()
            .plus(y ^ (x | !z)));
        for (chain, word) in chain.iter_mut().zip([a, b, c, d]) {
            *chain = chain.plus(word);
        }
    }
}
