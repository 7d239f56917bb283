//! BLAKE2 of many messages: a vector holds one word of each message (RFC 7693, 3.2).
//!
//! ```text
//! chain:            h0 .. h7    t0 t1 (bytes so far, low, high)    f (marks the last block)
//! state, upper:     h0 .. h7
//! state, lower:     IV0 .. IV3    IV4 ^ t0    IV5 ^ t1    IV6 ^ f    IV7
//! ```
//!
//! Each compression adds the length of a whole block to t. So t is set to the message's length less
//! a block before the last one. The rounds are in `blake/rounds.rs`.

use super::Design as Parameters;
use crate::Digest;
use crate::digests::blake::arx::{ORDER, Rounds, Word, count};
use crate::digests::blake::rounds::rounds;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// BLAKE2s.
pub(in crate::digests) struct Blake2sLanes;

/// BLAKE2b.
pub(in crate::digests) struct Blake2bLanes;

macro_rules! blake2_lanes {
    ($name:ident, $word:ident, $on_columns:ident) => {
        impl Rounds for $name {
            const COUNT: usize = <$word as Parameters>::ROUNDS;
            const ROTATIONS: [u32; 4] = <$word as Parameters>::ROTATIONS;
            const ORDER: &'static [[usize; 16]] = &ORDER;
            #[cfg(target_arch = "x86_64")]
            const ON_COLUMNS: crate::digests::blake::arx::OnColumns =
                crate::digests::blake::columns::$on_columns::<Self>;
        }

        impl Design<$word, 11, 16> for $name {
            const MIN_FILL: usize = 3;
            const PADDING: Padding = Padding::of_mark(0);
            const TINY: bool = true;
            const ADJUSTS: bool = true;
            const HOLDS_LAST_BLOCK: bool = super::HOLDS_LAST_BLOCK;

            #[inline(always)]
            fn tail_blocks(_: usize) -> usize {
                1
            }

            #[inline(always)]
            fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
                [0; 4]
            }

            #[inline(always)]
            fn finish_tiny<L: Lanes<Word = $word>>(
                _: &Digest,
                _: &mut [L; 16],
                chain: &mut [L; 11],
                bits: L,
            ) {
                // Below 0: the length is less than a block. The sum of `compress` carries, and t1
                // becomes 0.
                chain[8] =
                    bits.down(3).plus(L::splat((0 as $word).wrapping_sub(Self::BLOCK as $word)));
                chain[9] = L::splat($word::MAX);
                chain[10] = L::splat($word::MAX);
            }

            /// The counter before the last block, which leaves the padding out, and the mark.
            #[inline(always)]
            fn adjust(mut set: impl FnMut(usize, $word), _: usize, _: usize, message_len: u64) {
                let [low, high] =
                    $word::split(u128::from(message_len).wrapping_sub(Self::BLOCK as u128));
                set(8, low);
                set(9, high);
                set(10, $word::MAX);
            }

            #[inline(always)]
            fn compress<L: Lanes<Word = $word>>(chain: &mut [L; 11], words: &[L; 16]) {
                const INITIAL: [$word; 8] = <$word as Word>::INITIAL;
                // The counter of a block includes the block.
                count(&mut chain[8..], Self::BLOCK as $word);
                let [h0, h1, h2, h3, h4, h5, h6, h7, t0, t1, mark] = *chain;
                let [c0, c1, c2, c3] = [
                    L::splat(INITIAL[0]),
                    L::splat(INITIAL[1]),
                    L::splat(INITIAL[2]),
                    L::splat(INITIAL[3]),
                ];
                let [c4, c5, c6, c7] = [
                    L::splat(INITIAL[4]),
                    L::splat(INITIAL[5]),
                    L::splat(INITIAL[6]),
                    L::splat(INITIAL[7]),
                ];
                let mut halves = [h0, h1, h2, h3, h4, h5, h6, h7];
                let lower = [c0, c1, c2, c3, c4 ^ t0, c5 ^ t1, c6 ^ mark, c7];
                rounds::<Self, L>(&mut halves, &lower, words);
                for i in 0..8 {
                    chain[i] = chain[i] ^ halves[i];
                }
            }
        }
    };
}

blake2_lanes!(Blake2sLanes, u32, plain_32);
blake2_lanes!(Blake2bLanes, u64, plain_64);
