//! XXH32 and XXH64 of many messages, each of a block at least. XXH64 wants an instruction that
//! multiplies lanes of 64 bits: products made of others come no sooner than those of one word after
//! another.
//!
//! ```text
//! sums: four vectors, one sum of each message in each
//! step:     sum = rotate(sum + word * prime 2) * prime 1            for each of the four
//! finish:   hash = the sums joined, then the length
//!           each whole word of the rest                             where a lane has the word
//!           XXH64: four bytes more                                  where a lane has them
//!           each byte that is left                                  where a lane has the byte
//!           avalanche
//! ```
//!
//! All lanes take each step of the end. A mask keeps the old hash where the message has no such
//! word. `rest.most` bounds the steps: messages of one length take no step in vain.

use super::{PRIMES32, PRIMES64, Word};
use crate::many::splat;
use crate::parts::chains::{Chain, Rest};
use crate::parts::lanes::Arithmetic;

pub(super) struct Xxh32;

impl Chain<u32, 4, 4, 8> for Xxh32 {
    const SHORT: usize = 16;
    const START: [u32; 4] = <u32 as Word>::START;

    #[inline(always)]
    fn step<L: Arithmetic<Word = u32>>(sums: &mut [L; 4], words: &[L; 4]) {
        for (sum, word) in sums.iter_mut().zip(words) {
            *sum =
                sum.plus(word.times(L::splat(PRIMES32[2]))).left(13).times(L::splat(PRIMES32[1]));
        }
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u32>, const TINY: bool>(
        sums: [L; 4],
        rest: Rest<L, 4, TINY>,
    ) -> [L; 4] {
        let [_, p1, p2, p3, p4, p5] = splat(PRIMES32);
        let [a, b, c, d] = sums;
        let joined = a.left(1).plus(b.left(7)).plus(c.left(12)).plus(d.left(18));
        let mut hash = if TINY { p5 } else { joined }.plus(rest.message_lens);
        // `last` becomes the word behind the whole words: its bytes are still to come.
        let mut last = rest.words[0];
        for (index, word) in rest.words.iter().enumerate().take(rest.most / 4) {
            // The lane has the whole word if its rest is longer than the place of the word's last
            // byte.
            let there = rest.lens.above(L::splat(4 * index as u32 + 3));
            hash = there.select(hash.plus(word.times(p3)).left(17).times(p4), hash);
            // A rest has no four whole words, so there is a next one.
            last = there.select(rest.words[index + 1], last);
        }
        // Behind whole words, the lowest bits of the length count the bytes.
        let bytes = rest.lens & L::splat(3);
        for byte in 0..rest.most_behind(4) {
            let next = hash.plus((last & L::splat(0xff)).times(p5)).left(11).times(p1);
            hash = bytes.above(L::splat(byte)).select(next, hash);
            last = last.down(8);
        }
        hash = (hash ^ hash.down(15)).times(p2);
        hash = (hash ^ hash.down(13)).times(p3);
        [(hash ^ hash.down(16)).swap_bytes(); 4]
    }
}

pub(super) struct Xxh64;

impl Chain<u64, 4, 4, 4> for Xxh64 {
    const SHORT: usize = 32;
    const START: [u64; 4] = <u64 as Word>::START;

    #[inline(always)]
    fn step<L: Arithmetic<Word = u64>>(sums: &mut [L; 4], words: &[L; 4]) {
        for (sum, word) in sums.iter_mut().zip(words) {
            *sum = round64(*sum, *word);
        }
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u64>, const TINY: bool>(
        sums: [L; 4],
        rest: Rest<L, 4, TINY>,
    ) -> [L; 4] {
        let [_, p1, p2, p3, p4, p5] = splat(PRIMES64);
        let zero = L::splat(0);
        let [a, b, c, d] = sums;
        let mut hash = a.left(1).plus(b.left(7)).plus(c.left(12)).plus(d.left(18));
        for sum in sums {
            hash = (hash ^ round64(zero, sum)).times(p1).plus(p4);
        }
        hash = if TINY { p5 } else { hash }.plus(rest.message_lens);
        let mut last = rest.words[0];
        for (index, word) in rest.words.iter().enumerate().take(rest.most / 8) {
            let there = rest.lens.above(L::splat(8 * index as u64 + 7));
            hash = there.select((hash ^ round64(zero, *word)).left(27).times(p1).plus(p4), hash);
            last = there.select(rest.words[index + 1], last);
        }
        let mut bytes = rest.lens & L::splat(7);
        // Half a word is a step of its own (xxHash specification, XXH64, step 5).
        if rest.most_behind(8) >= 4 {
            let there = bytes.above(L::splat(3));
            let next =
                (hash ^ (last & L::splat(u32::MAX.into())).times(p1)).left(23).times(p2).plus(p3);
            hash = there.select(next, hash);
            last = there.select(last.down(32), last);
            bytes = bytes & L::splat(3);
        }
        for byte in 0..rest.most_behind(4) {
            let next = (hash ^ (last & L::splat(0xff)).times(p5)).left(11).times(p1);
            hash = bytes.above(L::splat(byte.into())).select(next, hash);
            last = last.down(8);
        }
        hash = (hash ^ hash.down(33)).times(p2);
        hash = (hash ^ hash.down(29)).times(p3);
        [(hash ^ hash.down(32)).swap_bytes(); 4]
    }
}

/// [`Word::round`].
#[inline(always)]
fn round64<L: Arithmetic<Word = u64>>(sum: L, word: L) -> L {
    sum.plus(word.times(L::splat(PRIMES64[2]))).left(31).times(L::splat(PRIMES64[1]))
}
