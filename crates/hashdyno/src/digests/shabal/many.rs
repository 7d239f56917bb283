//! Shabal of many messages, and of one: a lane alone is a word.

use crate::Digest;
use crate::many::{Design, to_memory_order};
use crate::padding::{Endian, Padding};
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

// The words of the chain: A, B and C, the counter of blocks, low and high, and the last block,
// which the end of a message takes three times more.
pub(super) const CHAIN: usize = BLOCK + 16;
pub(super) const B: usize = 12;
const C: usize = B + 16;
pub(super) const COUNT: usize = C + 16;
const BLOCK: usize = COUNT + 2;

pub(super) struct ShabalLanes;

impl Design<u32, CHAIN, 16> for ShabalLanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;

    /// No length follows the message.
    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0; 4]
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], words: &[L; 16]) {
        compress(chain, words);
    }

    #[inline(always)]
    fn output<L: Lanes<Word = u32>>(chain: [L; CHAIN], output_len: usize) -> [L; CHAIN] {
        let mut chain = close(chain);
        chain.copy_within(C - output_len / 4..C, 0);
        to_memory_order(chain, Endian::Little)
    }
}

#[inline(always)]
pub(super) fn compress<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], words: &[L; 16]) {
    for (place, word) in words.iter().enumerate() {
        chain[B + place] = chain[B + place].plus(*word);
        chain[BLOCK + place] = *word;
    }
    permute(chain);
    for (place, word) in words.iter().enumerate() {
        // C less the block, in the place of B.
        // Lanes have no difference: !(!a + b) is a - b.
        let less = !(!chain[C + place]).plus(*word);
        (chain[B + place], chain[C + place]) = (less, chain[B + place]);
    }
    count(chain, 1);
}

/// The chain after the end of the message: B has the digest.
#[inline(always)]
pub(super) fn close<L: Lanes<Word = u32>>(mut chain: [L; CHAIN]) -> [L; CHAIN] {
    // The last block is still to be in C, which is in the place of B, and has not been counted.
    count(&mut chain, u64::MAX);
    for place in 0..16 {
        (chain[B + place], chain[C + place]) =
            (chain[C + place], chain[B + place].plus(chain[BLOCK + place]));
    }
    for _ in 0..3 {
        for place in 0..16 {
            chain.swap(B + place, C + place);
        }
        permute(&mut chain);
    }
    chain
}

/// Joins A with the counter and permutes A and B, by C and the block.
#[inline(always)]
fn permute<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN]) {
    chain[0] = chain[0] ^ chain[COUNT];
    chain[1] = chain[1] ^ chain[COUNT + 1];
    for word in &mut chain[B..C] {
        *word = word.left(17);
    }
    macro_rules! sixteen_steps {
        ($first:literal) => {
            sixteen!(I => {
                // 48 steps go over A four times and over B three times.
                const TO: usize = ($first + I) % 12;
                let last = chain[($first + I + 11) % 12].left(15);
                // V, times 5, of the rotated word before; U, times 3, of the whole sum.
                let sum = chain[TO] ^ chain[C + (24 - I) % 16] ^ last.up(2).plus(last);
                let sum = sum.up(1).plus(sum);
                let mixed = chain[B + (I + 9) % 16] & !chain[B + (I + 6) % 16];
                chain[TO] = sum ^ (chain[B + (I + 13) % 16] ^ mixed ^ chain[BLOCK + I]);
                chain[B + I] = !(chain[B + I].left(1) ^ chain[TO]);
            });
        };
    }
    sixteen_steps!(0);
    sixteen_steps!(16);
    sixteen_steps!(32);
    for place in 0..12 {
        // Each word of A takes three of C: 36 sums in all.
        let sum = chain[C + (place + 3) % 16].plus(chain[C + (place + 11) % 16]);
        chain[place] = chain[place].plus(sum.plus(chain[C + (place + 15) % 16]));
    }
}

/// Adds 1 or -1 to the counter.
#[inline(always)]
fn count<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], added: u64) {
    let low = chain[COUNT];
    let sum = low.plus(L::splat(added as u32));
    // It has carried where the highest bit of what overflows is set.
    let carry = if added == 1 { low & !sum } else { low | !sum };
    chain[COUNT] = sum;
    chain[COUNT + 1] = chain[COUNT + 1].plus(L::splat((added >> 32) as u32)).plus(carry.down(31));
}
