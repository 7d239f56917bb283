//! SipHash of many messages: a vector holds one of the words v0 to v3 of each message.
//!
//! The rounds are the text of `siphash.rs`. A message alone is one chain of rounds. Lanes have a
//! chain under way for each message, and `parts/chains.rs` masks the lanes whose messages have
//! ended.

use super::{Sip, ending, start};
use crate::parts::chains::{Chain, Rest};
use crate::parts::lanes::Arithmetic;

impl<const EACH: usize, const LAST: usize, const LEN: usize> Chain<u64, 4, 1, 4>
    for Sip<EACH, LAST, LEN>
{
    const SHORT: usize = 0;
    const START: [u64; 4] = start([0; 2], LEN);

    #[inline(always)]
    fn step<L: Arithmetic<Word = u64>>(chain: &mut [L; 4], [word]: &[L; 1]) {
        chain[3] = chain[3] ^ *word;
        rounds::<L, EACH>(chain);
        chain[0] = chain[0] ^ *word;
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u64>, const TINY: bool>(
        mut chain: [L; 4],
        rest: Rest<L, 1, TINY>,
    ) -> [L; 4] {
        // The top byte of the last word is the length modulo 256: the shift drops its other bits.
        Self::step(&mut chain, &[rest.words[0] | rest.message_lens.up(56)]);
        chain[2] = chain[2] ^ L::splat(ending(LEN));
        let mut halves = chain;
        // The second half is made from the state of the first, which 0xdd tells apart.
        for half in &mut halves[..LEN / 8] {
            rounds::<L, LAST>(&mut chain);
            *half = chain[0] ^ chain[1] ^ chain[2] ^ chain[3];
            chain[1] = chain[1] ^ L::splat(0xdd);
        }
        halves
    }
}

#[inline(always)]
fn rounds<L: Arithmetic<Word = u64>, const COUNT: usize>([a, b, c, d]: &mut [L; 4]) {
    for _ in 0..COUNT {
        // Each line is two operations that do not wait for each other.
        (*a, *c) = (a.plus(*b), c.plus(*d));
        (*b, *d) = (b.left(13) ^ *a, d.left(16) ^ *c);
        (*a, *c) = (a.left(32).plus(*d), c.plus(*b));
        (*b, *d) = (b.left(17) ^ *c, d.left(21) ^ *a);
        *c = c.left(32);
    }
}
