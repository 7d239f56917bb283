//! MD5 of many messages.

use super::SINES;
use crate::lanes::Lanes;
use crate::many::Design;
use crate::padding::Order;
use crate::unroll::sixteen;

pub(in crate::digests) struct Many;

impl Design<u32, 4, 16> for Many {
    const WORTH: usize = 2;
    const ORDER: Order = Order::Little;
    const TINY: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 4], words: &[L; 16]) {
        let [mut a, mut b, mut c, mut d] = *chain;
        macro_rules! round {
            ($round:literal, $order:expr, $shifts:expr, |$x:ident, $y:ident, $z:ident| $mix:expr) => {
                sixteen!(STEP => {
                    let ($x, $y, $z) = (b, c, d);
                    let sum = a.plus(words[$order(STEP) % 16]).plus(L::splat(SINES[16 * $round + STEP])).plus($mix);
                    (a, d, c, b) = (d, c, b, b.plus(sum.left($shifts[STEP % 4])));
                });
            };
        }
        round!(0, |step| step, [7, 12, 17, 22], |x, y, z| x.select(y, z));
        round!(1, |step| 5 * step + 1, [5, 9, 14, 20], |x, y, z| z.select(x, y));
        round!(2, |step| 3 * step + 5, [4, 11, 16, 23], |x, y, z| x ^ y ^ z);
        round!(3, |step| 7 * step, [6, 10, 15, 21], |x, y, z| y ^ (x | !z));
        for (chain, word) in chain.iter_mut().zip([a, b, c, d]) {
            *chain = chain.plus(word);
        }
    }
}
