//! SM3 of many messages: a vector holds one word of each message.
//!
//! The steps are the text of `sm3.rs` in words of lanes. A ring of sixteen vectors holds the
//! message schedule:
//!
//! ```text
//! step j takes W[j] and W[j] ^ W[j + 4]             (GB/T 32905-2016, 5.3.2 and 5.3.3)
//! words[j % 16] = W[j]
//! before step j, from j = 12 on: words[(j + 4) % 16] becomes W[j + 4]
//! ```

use super::{A_TURN, B_TURN, F_TURN, P0_TURNS, P1_TURNS, SUM_TURN, WORD_TURNS, constant};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

pub(super) struct Sm3Lanes;

impl Design<u32, 8, 16> for Sm3Lanes {
    const MIN_FILL: usize = 2;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 8], words: &[L; 16]) {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
        let mut words = *words;
        macro_rules! sixteen_steps {
            ($first:literal) => {
                sixteen!(I => {
                    const STEP: usize = $first + I;
                    // W[j + 4] takes the place of W[j - 12], which no later step needs.
                    if STEP >= 12 {
                        let mixed = words[(I + 4) % 16]
                            ^ words[(I + 11) % 16]
                            ^ words[(I + 1) % 16].left(WORD_TURNS[0]);
                        // P1 (section 4.4).
                        let mixed = mixed ^ mixed.left(P1_TURNS[0]) ^ mixed.left(P1_TURNS[1]);
                        words[(I + 4) % 16] = mixed
                            ^ words[(I + 7) % 16].left(WORD_TURNS[1])
                            ^ words[(I + 14) % 16];
                    }
                    // `sum` is SS1 of the specification, and `sum ^ turned` is SS2.
                    let turned = a.left(A_TURN);
                    let sum = turned.plus(e).plus(L::splat(constant(STEP))).left(SUM_TURN);
                    // FF and GG (section 4.3): parities in the first sixteen steps.
                    let (ff, gg) = if STEP < 16 {
                        (a ^ b ^ c, e ^ f ^ g)
                    } else {
                        (a.majority(b, c), e.select(f, g))
                    };
                    let first = ff.plus(d).plus(words[I] ^ words[(I + 4) % 16]).plus(sum ^ turned);
                    let second = gg.plus(h).plus(words[I]).plus(sum);
                    (d, c, b, a) = (c, b.left(B_TURN), a, first);
                    (h, g, f, e) = (
                        g,
                        f.left(F_TURN),
                        e,
                        second ^ second.left(P0_TURNS[0]) ^ second.left(P0_TURNS[1]),
                    );
                });
            };
        }
        sixteen_steps!(0);
        sixteen_steps!(16);
        sixteen_steps!(32);
        sixteen_steps!(48);
        // The chain is fed forward by an exclusive or. MD4's kin do it by sums.
        for (chain, word) in chain.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *chain = *chain ^ word;
        }
    }
}
