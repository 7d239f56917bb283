//! SHA-512 by AArch64's instructions, which come with those for SHA-3.
//!
//! ```text
//! lane       0        1
//! ab         a        b          likewise cd, ef and gh
//! words[i]   W[2i]    W[2i + 1]  a ring of eight vectors
//!
//! sums = exchanged(W + K) + gh
//! SHA512H(sums, fg, de)      half of two steps: T1 of both, to be added to cd
//! SHA512H2(half, cd, ab)     the other half: the new a and b
//! SHA512SU0, SHA512SU1       the next two words of the schedule
//! ```

use std::arch::aarch64::*;

use bytemuck::{Zeroable, cast};

use super::{CUBE_ROOTS, PADDING};
use crate::parts::arrays::Mapped;
use crate::{Batch, Code, Features, Kernel, State};

const NEEDS: Features = Features::NEON.union(Features::SHA3);

/// One message.
pub(super) const X1: Kernel = Kernel::of("sha512", NEEDS, Code::Blocks(absorb));

/// Two in turn: the instructions for two steps can begin anew before they are done.
pub(super) const X2: Kernel = Kernel::of("sha512x2", NEEDS, Code::Lanes(2, absorb_many));

/// Words in pairs, the first lowest.
type Pair = uint64x2_t;

/// AB, CD, EF and GH.
type Chain = [Pair; 4];

#[target_feature(enable = "neon,sha3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let words = state.view::<[u64; 8]>();
    let mut chain: Chain = cast(*words);
    for block in blocks.as_chunks::<128>().0 {
        [chain] = compress([chain], [cast(*block)]);
    }
    *words = cast(chain);
}

#[target_feature(enable = "neon,sha3")]
fn absorb_many(batch: &mut Batch<'_>) {
    batch.interleave::<[u64; 8], 2, 128>(
        2,
        |message, blocks| {
            let rest = message.as_chunks::<128>().1;
            *blocks = [[0; 128]; 2];
            blocks[0][..rest.len()].copy_from_slice(rest);
            blocks[0][rest.len()] = PADDING.mark;
            let count = PADDING.blocks(rest.len(), 128);
            let bits = 8 * message.len() as u128;
            blocks[count - 1][112..].copy_from_slice(&bits.to_be_bytes());
            count
        },
        |words, [first, second]| {
            let mut chains: [Chain; 2] = cast(*words);
            for (first, second) in first.iter().zip(*second) {
                chains = compress(chains, [cast(*first), cast(*second)]);
            }
            *words = cast(chains);
        },
        |words| words.mapped(u64::to_be),
    );
}

/// A block of each message, two steps at a time. What was AB is CD after them, EF becomes GH, and
/// the new words are found where GH and CD were.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn compress<const COUNT: usize>(
    before: [Chain; COUNT],
    mut blocks: [[Pair; 8]; COUNT],
) -> [Chain; COUNT] {
    // A static has one place in memory, which a constant need not have.
    static ROOTS: [u64; 80] = CUBE_ROOTS;
    for words in blocks.as_flattened_mut() {
        *words = cast(vrev64q_u8(cast(*words)));
    }
    let mut chains = before;
    for (round, roots) in ROOTS.as_chunks::<2>().0.as_chunks::<8>().0.iter().enumerate() {
        for at in 0..8 {
            for (words, chain) in blocks.iter_mut().zip(&mut chains) {
                if round > 0 {
                    // W[t - 7] and the word behind lie across two vectors.
                    let seven_ago = vextq_u64::<1>(words[(at + 4) % 8], words[(at + 5) % 8]);
                    let mixed = vsha512su0q_u64(words[at], words[(at + 1) % 8]);
                    words[at] = vsha512su1q_u64(mixed, words[(at + 7) % 8], seven_ago);
                }
                let [ab, cd, ef, gh] = *chain;
                let sums = vaddq_u64(words[at], cast(roots[at]));
                // The instruction wants the sum of the first step in the upper lane.
                let sums = vaddq_u64(vextq_u64::<1>(sums, sums), gh);
                let (fg, de) = (vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
                let half = vsha512hq_u64(sums, fg, de);
                *chain = [vsha512h2q_u64(half, cd, ab), ab, vaddq_u64(cd, half), ef];
            }
        }
    }
    let mut after = [Chain::zeroed(); COUNT];
    for (after, (chain, before)) in after
        .as_flattened_mut()
        .iter_mut()
        .zip(chains.as_flattened().iter().zip(before.as_flattened()))
    {
        *after = vaddq_u64(*chain, *before);
    }
    after
}
