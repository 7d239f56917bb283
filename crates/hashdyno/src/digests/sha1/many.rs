//! SHA-1 of many messages: a vector holds one word of each message.
//!
//! The words a to e change places by their names. A step adds four numbers to e. The word a is the
//! newest, so its rotation is added last:
//!
//! ```text
//! sum = e + (word + constant) + mixed(b, c, d)      does not wait for the step before
//! a'  = sum + a <<< 5                               the only addition that waits
//! ```

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
                        // The ring of FIPS 180-4, 6.1.3: W[t] takes the place of W[t - 16].
                        words[I] = (words[I]
                            ^ words[(I + 2) % 16]
                            ^ words[(I + 8) % 16]
                            ^ words[(I + 13) % 16])
                            .left(WORD_TURN);
                    }
                    // Ch, Maj and Parity (FIPS 180-4, 4.1.1).
                    let mixed = match STEP / 20 {
                        0 => b.select(c, d),
                        2 => b.majority(c, d),
                        _ => b ^ c ^ d,
                    };
                    // The barrier keeps the sum apart from the rotated a.
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
