//! KangarooTwelve (RFC 9861): TurboSHAKE over a tree of two levels, here without a customization
//! string. A message of more than a chunk is chunk 0 and the digests of the others, which are
//! computed in lanes.
//!
//! The block of a [`crate::Hasher`] is an eighth of a chunk.
//!
//! ```text
//! S = message | 0, the length of the empty customization string
//! S of one chunk:     S                               suffix 0x07
//! longer, the root:   chunk 0 | 3, seven zeros | digest of chunk 1 | digest of chunk 2 ..
//!                     | number of digests | 0xff 0xff  suffix 0x06
//! each other chunk:   its bytes                       suffix 0x0b
//! ```
//!
//! A digest of a chunk is as long as the capacity: 32 bytes in KT128, 64 in KT256.

mod kernels;
mod node;
mod tree;

use super::keccak::many::permute;
use super::keccak::{Lanes, TURBO};
use crate::kernel::{kernels, many_kernels};
use crate::many::{Sponge, sponge};
use crate::modes::Modes;
use crate::parts::lanes;
use crate::{Digest, Security, State, Tail};
use tree::{Step, Tree};

digests! {
    KT128 kt128 Kt128,
    KT256 kt256 Kt256,
}

static KT128: Digest = Digest {
    name: "kt128",
    aliases: &["kt-128", "k12", "kangarootwelve"],
    output_len: 32,
    ..tree_of::<168, 21>()
};

static KT256: Digest =
    Digest { name: "kt256", aliases: &["kt-256"], output_len: 64, ..tree_of::<136, 17>() };

/// What both have in common; `RATE` bytes, which are `WORDS` words, are absorbed per permutation.
const fn tree_of<const RATE: usize, const WORDS: usize>() -> Digest {
    Digest {
        family: "kangarootwelve",
        specified_in: "RFC 9861",
        security: Security::Sound,
        output_len: 0,
        extendable: true,
        block_len: BLOCK,
        start: |state| state.init(Tree::EMPTY),
        finish: finish::<RATE>,
        one: const {
            kernels![
                kernels::avx512::<RATE, WORDS>(),
                kernels::avx2::<RATE, WORDS>(),
                kernels::bmi2::<RATE, WORDS>();
                kernels::portable::<RATE, WORDS>(),
            ]
        },
        many: const {
            many_kernels![
                sponge!(OneChunk<RATE, WORDS>, 1 * avx512),
                sponge!(OneChunk<RATE, WORDS>, 1 * avx2)
            ]
        },
        modes: const {
            &Modes {
                admits: |_, state, blocks| Tree::admits(state, blocks),
                hmac_block_len: Some(RATE),
                ..Modes::NONE
            }
        },
        ..Digest::BASE
    }
}

/// Bytes of a block, of which a chunk has eight.
const BLOCK: usize = 1024;

/// The kernel ends the message and permutes between blocks of output, too: the state says so.
fn finish<const RATE: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; BLOCK];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    // The kernel ends the message once. Later blocks of output are permutations.
    let mut step = Step::End(tail.bytes.len());
    for out in out.chunks_mut(RATE) {
        state.view::<Tree>().announce(step);
        tail.kernel.absorb(state, &block);
        state.view::<Tree>().output(out);
        step = Step::Output;
    }
}

/// Messages of less than a chunk are TurboSHAKE's.
struct OneChunk<const RATE: usize, const WORDS: usize>;

impl<const RATE: usize, const WORDS: usize> Sponge<25, WORDS, RATE> for OneChunk<RATE, WORDS> {
    const MIN_FILL: usize = 4;
    const SUFFIX: &'static [u8] = &node::ALONE;
    const END: u8 = node::END;
    const LONGEST: usize = tree::CHUNK - 1;

    #[inline(always)]
    fn permute<L: lanes::Lanes<Word = u64>>(state: &mut [L; 25]) {
        permute::<L, TURBO>(state);
    }
}
