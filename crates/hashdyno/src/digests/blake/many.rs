//! BLAKE of many messages: a vector holds one word of each message.
//!
//! ```text
//! chain:          h0 .. h7    t0 t1 (bits so far, low and high)
//! state, upper:   h0 .. h7
//! state, lower:   pi0 .. pi3    pi4 ^ t0    pi5 ^ t0    pi6 ^ t1    pi7 ^ t1
//! ```
//!
//! A message word is xored with the digits of pi for the word of the other addition in G. `MASKS`
//! has these digits, and a mask of 32 bits stands in both halves of 64.

use super::arx::{ORDER, Rounds, Word, count};
use super::rounds::rounds;
use super::{Design as Parameters, NOT_TRUNCATED, TRUNCATED};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// BLAKE on 32-bit words.
pub(super) struct Blake32Lanes;

/// BLAKE on 64-bit words.
pub(super) struct Blake64Lanes;

macro_rules! blake_lanes {
    ($name:ident, $word:ident, $on_columns:ident) => {
        impl Rounds for $name {
            const COUNT: usize = <$word as Parameters>::ROUNDS;
            const ROTATIONS: [u32; 4] = <$word as Parameters>::ROTATIONS;
            const ORDER: &'static [[usize; 16]] = &ORDER;
            const MASKS: Option<[u64; 16]> = {
                let (mut masks, mut at) = ([0; 16], 0);
                while at < 16 {
                    masks[at] =
                        <$word as Parameters>::PI[at] as u64 * (u64::MAX / $word::MAX as u64);
                    at += 1;
                }
                Some(masks)
            };
            #[cfg(target_arch = "x86_64")]
            const ON_COLUMNS: super::arx::OnColumns = super::columns::$on_columns::<Self>;
        }

        impl Design<$word, 10, 16> for $name {
            const MIN_FILL: usize = 3;
            const PADDING: Padding = super::padding::<$word>();
            const TINY: bool = true;
            const ADJUSTS: bool = true;

            /// The last bit before the length tells the two digests of a word size apart.
            #[inline(always)]
            fn trailer(digest: &Digest, _: usize, message_len: u64) -> [u64; 4] {
                let mut trailer = [0, 0, 0, (message_len << 3).to_be()];
                // Eight bytes before the length, as a little-endian word: the last byte is the
                // highest.
                trailer[3 - Self::PADDING.length_bytes / 8] =
                    u64::from(version(digest, size_of::<$word>())) << 56;
                trailer
            }

            #[inline(always)]
            fn finish_tiny<L: Lanes<Word = $word>>(
                digest: &Digest,
                block: &mut [L; 16],
                chain: &mut [L; 10],
                bits: L,
            ) {
                // Word 13 ends with the last byte before the length, which is words 14 and 15.
                block[13] = block[13] ^ L::splat(version(digest, size_of::<$word>()).into());
                block[15] = bits;
                // Below 0, and 0 when what `compress` adds has been added.
                chain[8] = bits.plus(L::splat((0 as $word).wrapping_sub(8 * Self::BLOCK as $word)));
                chain[9] = L::splat($word::MAX);
            }

            /// The counter before the block: what a block then counts leaves the padding out, and
            /// is 0 where there is nothing else.
            #[inline(always)]
            fn adjust(
                mut set: impl FnMut(usize, $word),
                block: usize,
                tail_len: usize,
                message_len: u64,
            ) {
                let bits =
                    if block == 0 && tail_len > 0 { u128::from(message_len) << 3 } else { 0 };
                let [low, high] = $word::split(bits.wrapping_sub(8 * Self::BLOCK as u128));
                set(8, low);
                set(9, high);
            }

            #[inline(always)]
            fn compress<L: Lanes<Word = $word>>(chain: &mut [L; 10], words: &[L; 16]) {
                const PI: [$word; 16] = <$word as Parameters>::PI;
                count(&mut chain[8..], 8 * Self::BLOCK as $word);
                let [h0, h1, h2, h3, h4, h5, h6, h7, t0, t1] = *chain;
                let mut halves = [h0, h1, h2, h3, h4, h5, h6, h7];
                let [c0, c1, c2, c3] =
                    [L::splat(PI[0]), L::splat(PI[1]), L::splat(PI[2]), L::splat(PI[3])];
                let [c4, c5, c6, c7] =
                    [L::splat(PI[4]), L::splat(PI[5]), L::splat(PI[6]), L::splat(PI[7])];
                let lower = [c0, c1, c2, c3, c4 ^ t0, c5 ^ t0, c6 ^ t1, c7 ^ t1];
                rounds::<Self, L>(&mut halves, &lower, words);
                for i in 0..8 {
                    chain[i] = chain[i] ^ halves[i];
                }
            }
        }
    };
}

/// The last byte before the length.
fn version(digest: &Digest, word: usize) -> u8 {
    if digest.output_len == 8 * word { NOT_TRUNCATED } else { TRUNCATED }
}

blake_lanes!(Blake32Lanes, u32, masked_32);
blake_lanes!(Blake64Lanes, u64, masked_64);
