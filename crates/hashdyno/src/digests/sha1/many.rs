//! SHA-1 of many messages.

use super::{A_TURN, B_TURN, ROOTS, WORD_TURN};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

pub(in crate::digests) struct Sha1Lanes;

impl Design<u32, 5, 16> for Sha1Lanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;
    const ITERATES: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 5], words: &[L; 16]) {
        let [mut a, mut b, mut c, mut d, mut e] = *chain;
        let mut words = *words;
        macro_rules! sixteen_steps {
            ($first:literal) => {
                sixteen!(I => {
                    const STEP: usize = $first + I;
                    if STEP >= 16 {
                        words[I] = (words[I]
                            ^ words[(I + 2) % 16]
                            ^ words[(I + 8) % 16]
                            ^ words[(I + 13) % 16])
                            .left(WORD_TURN);
                    }
                    let mixed = match STEP / 20 {
                        0 => b.select(c, d),
                        2 => b.majority(c, d),
                        _ => b ^ c ^ d,
                    };
                    let sum =
                        e.plus(words[I].plus(L::splat(ROOTS[STEP / 20]))).plus(mixed).barrier();
                    (e, d, c, b, a) = (d, c, b.left(B_TURN), a, sum.plus(a.left(A_TURN)));
                });
            };
        }
        sixteen_steps!(0);
        sixteen_steps!(16);
        sixteen_steps!(32);
        sixteen_steps!(48);
        sixteen_steps!(64);
        for (chain, word) in chain.iter_mut().zip([a, b, c, d, e]) {
            *chain = chain.plus(word);
        }
    }
}
