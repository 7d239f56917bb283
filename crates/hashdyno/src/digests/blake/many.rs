//! BLAKE of many messages.

use super::arx::{ORDER, Word, count, round, unroll};
use super::{Design as Parameters, TRUNCATED, WHOLE};
use crate::Digest;
use crate::lanes::Lanes;
use crate::many::Design;
use crate::padding::Order;
use crate::unroll::sixteen;

/// BLAKE on 32-bit words.
pub(super) struct Many32;

/// BLAKE on 64-bit words.
pub(super) struct Many64;

macro_rules! many {
    ($name:ident, $word:ident) => {
        impl Design<$word, 10, 16> for $name {
            const WORTH: usize = 3;
            const ORDER: Order = Order::Big;
            const ADJUSTS: bool = true;

            /// The last bit before the length tells the two digests of a word size apart.
            #[inline(always)]
            fn pad(digest: &Digest, blocks: &mut [u8], rest: usize, message_len: u64) {
                let end = blocks.len();
                blocks[rest] = 0x80;
                let whole = digest.output_len == 8 * size_of::<$word>();
                blocks[end - Self::FIELD - 1] |= if whole { WHOLE } else { TRUNCATED };
                blocks[end - 8..].copy_from_slice(&(message_len << 3).to_be_bytes());
            }

            /// The counter before the block: what a block then counts leaves the padding out, and is 0 where there is nothing else.
            #[inline(always)]
            fn adjust(mut set: impl FnMut(usize, $word), block: usize, rest: usize, message_len: u64) {
                let bits = if block == 0 && rest > 0 { u128::from(message_len) << 3 } else { 0 };
                let [low, high] = $word::split(bits.wrapping_sub(8 * Self::BLOCK as u128));
                set(8, low);
                set(9, high);
            }

            #[inline(always)]
            fn compress<L: Lanes<Word = $word>>(chain: &mut [L; 10], words: &[L; 16]) {
                const PI: [$word; 16] = <$word as Parameters>::PI;
                count(&mut chain[8..], 8 * Self::BLOCK as $word);
                let [h0, h1, h2, h3, h4, h5, h6, h7, t0, t1] = *chain;
                let constant = [L::splat(PI[0]), L::splat(PI[1]), L::splat(PI[2]), L::splat(PI[3])];
                let mut v = [
                    h0, h1, h2, h3, h4, h5, h6, h7,
                    constant[0], constant[1], constant[2], constant[3],
                    L::splat(PI[4]) ^ t0, L::splat(PI[5]) ^ t0, L::splat(PI[6]) ^ t1, L::splat(PI[7]) ^ t1,
                ];
                unroll!(|ROUND| if ROUND < <$word as Parameters>::ROUNDS {
                    const TAKES: [usize; 16] = ORDER[ROUND % 10];
                    let mut input = [L::splat(0); 16];
                    sixteen!(I => {
                        input[I] = words[TAKES[I]] ^ L::splat(PI[TAKES[I ^ 1]]);
                    });
                    round(&mut v, <$word as Parameters>::ROTATIONS, |i| input[i]);
                });
                for i in 0..8 {
                    chain[i] = chain[i] ^ v[i] ^ v[i + 8];
                }
            }
        }
    };
}

many!(Many32, u32);
many!(Many64, u64);
