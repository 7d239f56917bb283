//! SHA-2 of many messages, for words of either size: a vector holds one word of each message.
//!
//! SHA-256 and SHA-512 differ in the word, the distances, the constants and the number of steps.
//! All four are parameters here, so both have one text.

use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

/// How far SHA-2 rotates (FIPS 180-4, 4.1); in the schedule, the last is a shift.
pub(super) struct Distances {
    /// Sigma 0, applied to a.
    pub(super) a: [u32; 3],
    /// Sigma 1, applied to e.
    pub(super) e: [u32; 3],
    /// sigma 0, applied to the word 15 steps back.
    pub(super) old: [u32; 3],
    /// sigma 1, applied to the word 2 steps back.
    pub(super) new: [u32; 3],
}

/// SHA-2 on words of either size.
#[inline(always)]
pub(super) fn compress<L: Lanes, const STEPS: usize>(
    chain: &mut [L; 8],
    words: &[L; 16],
    roots: &[L::Word; STEPS],
    distances: &Distances,
) {
    let Distances { a: [a0, a1, a2], e: [e0, e1, e2], old: [s0, s1, s2], new: [t0, t1, t2] } =
        *distances;
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
    let mut words = *words;
    macro_rules! step {
        ($word:expr, $root:expr) => {
            // T1 of FIPS 180-4, 6.2.2 and 6.4.2, and T2 below.
            let first = h
                .plus($word)
                .plus(L::splat($root))
                .plus(e.select(f, g))
                .plus(e.right(e0) ^ e.right(e1) ^ e.right(e2));
            let second = a.majority(b, c).plus(a.right(a0) ^ a.right(a1) ^ a.right(a2));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.plus(first), c, b, a, first.plus(second));
        };
    }
    sixteen!(I => {
        step!(words[I], roots[I]);
    });
    for roots in roots[16..].as_chunks::<16>().0 {
        sixteen!(I => {
            let (old, new) = (words[(I + 1) % 16], words[(I + 14) % 16]);
            // W[t] takes the place of W[t - 16].
            words[I] = words[I]
                .plus(words[(I + 9) % 16])
                .plus(old.right(s0) ^ old.right(s1) ^ old.down(s2))
                .plus(new.right(t0) ^ new.right(t1) ^ new.down(t2));
            step!(words[I], roots[I]);
        });
    }
    for (chain, word) in chain.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *chain = chain.plus(word);
    }
}
