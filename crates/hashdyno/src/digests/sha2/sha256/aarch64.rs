//! SHA-256 by AArch64's instructions.
//!
//! ```text
//! lane       0   1   2   3
//! abcd       a   b   c   d
//! efgh       e   f   g   h
//! words[i]   W[4i] .. W[4i + 3], a ring of four vectors
//!
//! SHA256H(abcd, efgh, sums)     four steps: the new abcd
//! SHA256H2(efgh, abcd, sums)    the same steps: the new efgh
//! SHA256SU0, SHA256SU1          the next four words of the schedule
//! ```
//!
//! Each pair of instructions waits for the pair before. Two messages in turn fill that time.

use std::arch::aarch64::*;

use bytemuck::cast;

use super::{CUBE_ROOTS, initial};
use crate::kernel::one_shot;
use crate::padding::Block;
use crate::parts::barrier;
use crate::parts::sha_instructions::{self, Chain, NEEDS, STREAMS};
use crate::parts::unroll::sixteen;
use crate::{Code, Kernel, State};

/// One message.
pub(super) const fn x1<const BITS: usize>() -> Kernel {
    let one_shot = one_shot!(
        "neon,sha2", [<const BITS: usize>] [::<BITS>] BITS / 8,
        |message, out| {
            let [abcd, efgh] =
                sha_instructions::digest::<Sha256, 8>(const { &initial(BITS) }, message);
            let bytes: [u8; 32] = cast([vrev32q_u8(cast(abcd)), vrev32q_u8(cast(efgh))]);
            out.copy_from_slice(&bytes[..BITS / 8]);
        }
    );
    Kernel::of("sha2", NEEDS, Code::OneShot(absorb, one_shot))
}

/// Two in turn: the instructions for four steps can begin anew before they are done.
pub(super) const fn x2() -> Kernel {
    Kernel::of("sha2x2", NEEDS, Code::Lanes(STREAMS, sha_instructions::absorb_many::<Sha256, 8>))
        .resuming()
}

#[target_feature(enable = "neon,sha2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    sha_instructions::absorb::<Sha256, 8>(state.view(), blocks.as_chunks().0);
}

/// The chain: ABCD and EFGH, the first word lowest.
struct Sha256;

impl sha_instructions::Design<8> for Sha256 {
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn chain(words: &[u32; 8]) -> Chain {
        cast(*words)
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn words_of(chain: Chain) -> [u32; 8] {
        cast(chain)
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
        sixteen!(I => {
            for number in 0..COUNT {
                let (words, [abcd, efgh]) = (&mut words[number], &mut chains[number]);
                if I >= 4 {
                    // The vectors of W[t - 16] and W[t - 12], then of W[t - 8] and W[t - 4].
                    let mixed = vsha256su0q_u32(words[I % 4], words[(I + 1) % 4]);
                    words[I % 4] = vsha256su1q_u32(mixed, words[(I + 2) % 4], words[(I + 3) % 4]);
                }
                // No sum waits for the chain.
                let sums = vaddq_u32(words[I % 4], cast(CUBE_ROOTS.as_chunks::<4>().0[I]));
                // Both instructions read the words before the four steps.
                (*abcd, *efgh) =
                    (vsha256hq_u32(*abcd, *efgh, sums), vsha256h2q_u32(*efgh, *abcd, sums));
            }
            barrier::in_step(&mut chains);
        });
        for (chain, before) in chains.as_flattened_mut().iter_mut().zip(before.as_flattened()) {
            *chain = vaddq_u32(*chain, *before);
        }
        chains
    }
}
