//! The hash of many messages: a vector holds the hash of each message.
//!
//! A step takes a word, byte by byte. Each byte is a chain of two shifts, two sums and an exclusive
//! or, so the time is in waiting. Lanes have a chain under way for each message.

use super::OneAtATime;
use crate::parts::chains::{Chain, Rest};
use crate::parts::lanes::Arithmetic;

impl Chain<u32, 1, 1, 8> for OneAtATime {
    const SHORT: usize = 8;
    const START: [u32; 1] = [0];

    #[inline(always)]
    fn step<L: Arithmetic<Word = u32>>([hash]: &mut [L; 1], [word]: &[L; 1]) {
        for byte in 0..4 {
            *hash = stepped(*hash, *word, byte);
        }
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u32>, const TINY: bool>(
        [mut hash]: [L; 1],
        rest: Rest<L, 1, TINY>,
    ) -> [L; 1] {
        for byte in 0..rest.most {
            hash = rest.where_it_has(byte, stepped(hash, rest.words[0], byte as u32), hash);
        }
        hash = hash.plus(hash.up(3));
        hash = hash ^ hash.down(11);
        [hash.plus(hash.up(15)).swap_bytes()]
    }
}

/// The hash with one byte of a word more.
#[inline(always)]
fn stepped<L: Arithmetic<Word = u32>>(hash: L, word: L, byte: u32) -> L {
    let sum = hash.plus(if byte == 0 { word } else { word.down(8 * byte) } & L::splat(0xff));
    let sum = sum.plus(sum.up(10));
    sum ^ sum.down(6)
}
