//! SHA-1 by AArch64's instructions.
//!
//! ```text
//! lane       0   1   2   3
//! abcd       a   b   c   d
//! e          e   0   0   0
//! words[i]   W[4i] .. W[4i + 3], a ring of four vectors
//!
//! SHA1C, SHA1P, SHA1M   four steps with choice, parity, majority, from abcd, e and four sums
//! SHA1H                 a <<< 30, which is e four steps later
//! SHA1SU0, SHA1SU1      the next four words of the schedule
//! ```
//!
//! Each group of four steps waits for the group before. Two messages in turn fill that time.

use std::arch::aarch64::*;

use bytemuck::cast;

use super::{INITIAL, ROOTS};
use crate::kernel::one_shot;
use crate::padding::Block;
use crate::parts::barrier;
use crate::parts::sha_instructions::{self, Chain, NEEDS, STREAMS};
use crate::parts::unroll::sixteen;
use crate::{Code, Kernel, State};

/// One message.
pub(super) const X1: Kernel = {
    let one_shot = one_shot!("neon,sha2", [] [] 20, |message, out| {
        let [abcd, e] = sha_instructions::digest::<Sha1, 5>(&INITIAL, message);
        let (first, last) = out.split_at_mut(16);
        first.copy_from_slice(&cast::<_, [u8; 16]>(vrev32q_u8(cast(abcd))));
        last.copy_from_slice(&vgetq_lane_u32::<0>(e).to_be_bytes());
    });
    Kernel::of("sha2", NEEDS, Code::OneShot(absorb, one_shot))
};

/// Two in turn: the instruction for four steps can begin anew before it is done.
pub(super) const X2: Kernel =
    Kernel::of("sha2x2", NEEDS, Code::Lanes(STREAMS, sha_instructions::absorb_many::<Sha1, 5>))
        .resuming();

#[target_feature(enable = "neon,sha2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_words(state.view(), blocks.as_chunks().0);
}

/// A run of blocks into a chain.
#[target_feature(enable = "neon,sha2")]
pub(in crate::digests) fn absorb_words(words: &mut [u32; 5], blocks: &[[u8; 64]]) {
    sha_instructions::absorb::<Sha1, 5>(words, blocks);
}

/// The chain: ABCD, the first word lowest, and E with zeros above.
struct Sha1;

impl sha_instructions::Design<5> for Sha1 {
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn chain([a, b, c, d, e]: &[u32; 5]) -> Chain {
        [cast([*a, *b, *c, *d]), cast([*e, 0, 0, 0])]
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn words_of([abcd, e]: Chain) -> [u32; 5] {
        let [a, b, c, d]: [u32; 4] = cast(abcd);
        [a, b, c, d, vgetq_lane_u32::<0>(e)]
    }

    /// The instructions take four steps at a time.
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn compress<const COUNT: usize>(
        before: [Chain; COUNT],
        mut words: [Block; COUNT],
    ) -> [Chain; COUNT] {
        for words in words.as_flattened_mut() {
            *words = cast(vrev32q_u8(cast(*words)));
        }
        let mut chains = before;
        macro_rules! four_steps {
            ($group:expr) => {
                for number in 0..COUNT {
                    let (words, [abcd, e]) = (&words[number], &mut chains[number]);
                    // No sum waits for the chain.
                    let sums = vaddq_u32(words[$group % 4], vdupq_n_u32(ROOTS[$group / 5]));
                    let (old, next) =
                        // Taken before the steps: afterwards lane 0 holds another word.
                        (vgetq_lane_u32::<0>(*e), vsha1h_u32(vgetq_lane_u32::<0>(*abcd)));
                    *abcd = match $group / 5 {
                        0 => vsha1cq_u32(*abcd, old, sums),
                        2 => vsha1mq_u32(*abcd, old, sums),
                        _ => vsha1pq_u32(*abcd, old, sums),
                    };
                    *e = cast([next, 0, 0, 0]);
                }
                barrier::in_step(&mut chains);
            };
        }
        four_steps!(0);
        four_steps!(1);
        four_steps!(2);
        four_steps!(3);
        sixteen!(I => {
            for words in &mut words {
                // The vectors of W[t - 16], W[t - 12] and W[t - 8], then of W[t - 4].
                let mixed = vsha1su0q_u32(words[I % 4], words[(I + 1) % 4], words[(I + 2) % 4]);
                words[I % 4] = vsha1su1q_u32(mixed, words[(I + 3) % 4]);
            }
            four_steps!(I + 4);
        });
        for (chain, before) in chains.as_flattened_mut().iter_mut().zip(before.as_flattened()) {
            *chain = vaddq_u32(*chain, *before);
        }
        chains
    }
}
