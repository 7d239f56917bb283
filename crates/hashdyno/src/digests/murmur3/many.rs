//! The hashes of many messages: a vector holds one word of the state of each message.
//!
//! | hash | words of the state | words of a step |
//! |---|---|---|
//! | `murmur3a` | 1 of 32 bits | 1 |
//! | `murmur3c` | 4 of 32 bits | 4 |
//! | `murmur3f` | 2 of 64 bits | 2 |
//!
//! A key is two products, and neither waits for the state. The last bytes of a message have zeros
//! behind them. The key of a zero word is zero, and a zero key changes nothing. So the end needs no
//! branch by the length of the rest.

use super::{A, C, F, Murmur3a, Murmur3c, Murmur3f};
use crate::parts::chains::{Chain, Rest};
use crate::parts::lanes::Arithmetic;

impl Chain<u32, 1, 1, 8> for Murmur3a {
    const SHORT: usize = 16;
    const START: [u32; 1] = [0];

    #[inline(always)]
    fn step<L: Arithmetic<Word = u32>>([hash]: &mut [L; 1], [word]: &[L; 1]) {
        *hash = scaled((*hash ^ key(*word, A[0], 15, A[1])).left(13), 0xe654_6b64);
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u32>, const TINY: bool>(
        [hash]: [L; 1],
        rest: Rest<L, 1, TINY>,
    ) -> [L; 1] {
        // Digests are big-endian, as PHP prints them.
        [avalanche32(hash ^ key(rest.words[0], A[0], 15, A[1]) ^ rest.message_lens).swap_bytes()]
    }
}

impl Chain<u32, 4, 4, 8> for Murmur3c {
    const SHORT: usize = 0;
    const START: [u32; 4] = [0; 4];

    #[inline(always)]
    fn step<L: Arithmetic<Word = u32>>([a, b, c, d]: &mut [L; 4], words: &[L; 4]) {
        // Each word adds the next, so d takes the new a and the words stay in one chain.
        *a = scaled((*a ^ key_c(words, 0)).left(19).plus(*b), 0x561c_cd1b);
        *b = scaled((*b ^ key_c(words, 1)).left(17).plus(*c), 0x0bca_a747);
        *c = scaled((*c ^ key_c(words, 2)).left(15).plus(*d), 0x96cd_1c35);
        *d = scaled((*d ^ key_c(words, 3)).left(13).plus(*a), 0x32ac_3b17);
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u32>, const TINY: bool>(
        mut hash: [L; 4],
        rest: Rest<L, 4, TINY>,
    ) -> [L; 4] {
        for (index, hash) in hash.iter_mut().enumerate() {
            *hash = *hash ^ key_c(&rest.words, index) ^ rest.message_lens;
        }
        spread(&mut hash);
        for hash in &mut hash {
            *hash = avalanche32(*hash);
        }
        spread(&mut hash);
        crate::many::to_memory_order(hash, crate::padding::Endian::Big)
    }
}

impl Chain<u64, 2, 2, 4> for Murmur3f {
    const SHORT: usize = 16;
    const LONG: usize = 2048;
    const START: [u64; 2] = [0; 2];

    #[inline(always)]
    fn step<L: Arithmetic<Word = u64>>([a, b]: &mut [L; 2], words: &[L; 2]) {
        *a = scaled((*a ^ key_f(words, 0)).left(27).plus(*b), 0x52dc_e729);
        *b = scaled((*b ^ key_f(words, 1)).left(31).plus(*a), 0x3849_5ab5);
    }

    #[inline(always)]
    fn finish<L: Arithmetic<Word = u64>, const TINY: bool>(
        mut hash: [L; 2],
        rest: Rest<L, 2, TINY>,
    ) -> [L; 2] {
        for (index, hash) in hash.iter_mut().enumerate() {
            *hash = *hash ^ key_f(&rest.words, index) ^ rest.message_lens;
        }
        spread(&mut hash);
        for hash in &mut hash {
            *hash = avalanche64(*hash);
        }
        spread(&mut hash);
        crate::many::to_memory_order(hash, crate::padding::Endian::Big)
    }
}

/// The sum of all to the first, and that to all others.
#[inline(always)]
fn spread<L: Arithmetic, const WORDS: usize>(hash: &mut [L; WORDS]) {
    for other in 1..WORDS {
        hash[0] = hash[0].plus(hash[other]);
    }
    for other in 1..WORDS {
        hash[other] = hash[other].plus(hash[0]);
    }
}

#[inline(always)]
fn key_c<L: Arithmetic<Word = u32>>(words: &[L; 4], index: usize) -> L {
    key(words[index], C[index], 15 + index as u32, C[(index + 1) % 4])
}

#[inline(always)]
fn key_f<L: Arithmetic<Word = u64>>(words: &[L; 2], index: usize) -> L {
    key(words[index], F[index], 31 + 2 * index as u32, F[1 - index])
}

#[inline(always)]
fn key<L: Arithmetic>(word: L, factor: L::Word, distance: u32, last_factor: L::Word) -> L {
    word.times(L::splat(factor)).left(distance).times(L::splat(last_factor))
}

/// 5 times the word, and an addend.
#[inline(always)]
fn scaled<L: Arithmetic>(word: L, addend: L::Word) -> L {
    // A shift and a sum stand for the product by 5, which would be in the chain.
    word.plus(word.up(2)).plus(L::splat(addend))
}

#[inline(always)]
fn avalanche32<L: Arithmetic<Word = u32>>(mut hash: L) -> L {
    hash = (hash ^ hash.down(16)).times(L::splat(0x85eb_ca6b));
    hash = (hash ^ hash.down(13)).times(L::splat(0xc2b2_ae35));
    hash ^ hash.down(16)
}

#[inline(always)]
fn avalanche64<L: Arithmetic<Word = u64>>(mut hash: L) -> L {
    hash = (hash ^ hash.down(33)).times(L::splat(0xff51_afd7_ed55_8ccd));
    hash = (hash ^ hash.down(33)).times(L::splat(0xc4ce_b9fe_1a85_ec53));
    hash ^ hash.down(33)
}
