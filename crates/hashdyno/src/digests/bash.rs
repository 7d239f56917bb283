//! Bash (STB 34.101.77-2020, section 7): a sponge whose blocks take the place of a part of the
//! state.
//!
//! ```text
//! state: 24 words, three rows of eight; the last word starts as a quarter of the level
//! for each block: the first words = the block; 24 rounds of bash-f:
//!     bash-s of the three words of each column, by distances of the column
//!     all words are permuted
//!     the last word ^= constant of the round
//! digest: the first words after the last block
//! ```

mod many;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::Padding;
use crate::parts::arrays::Mapped;
use crate::{Digest, Kernel, Purpose, Security, State, Tail};
use many::{BashLanes, permute};

digests! {
    BASH256 bash256 Bash256,
    BASH384 bash384 Bash384,
    BASH512 bash512 Bash512,
}

static BASH256: Digest =
    Digest { name: "bash256", aliases: &["bash-256", "bash-hash-256"], ..sponge::<128, 16>() };

static BASH384: Digest =
    Digest { name: "bash384", aliases: &["bash-384", "bash-hash-384"], ..sponge::<96, 12>() };

static BASH512: Digest =
    Digest { name: "bash512", aliases: &["bash-512", "bash-hash-512"], ..sponge::<64, 8>() };

/// What the digests have in common, for blocks of `RATE` bytes, which are `WORDS` words. What a
/// block leaves of the state is twice the digest.
const fn sponge<const RATE: usize, const WORDS: usize>() -> Digest {
    Digest {
        family: "bash",
        purpose: Purpose::NationalStandard,
        specified_in: "STB 34.101.77-2020",
        security: Security::Sound,
        output_len: (STATE - RATE) / 2,
        block_len: RATE,
        start: |state| {
            // A quarter of the security level, which is half of the digest, in bits.
            let mut words = [0u64; 24];
            words[23] = (STATE - RATE) as u64 / 2;
            state.init(words);
        },
        finish: finish::<RATE>,
        one: const {
            kernels![
                x86_64::avx512::<WORDS>(),
                x86_64::avx2::<WORDS>();
                Kernel::portable(absorb::<WORDS>)
            ]
        },
        many: const {
            many_kernels![
                lanes!(BashLanes<WORDS>, u64, 1 * avx512),
                lanes!(BashLanes<WORDS>, u64, 1 * avx2),
            ]
        },
        ..Digest::BASE
    }
}

/// Bytes of the state.
const STATE: usize = 192;

/// Bits 0 and 1 follow the message, and zeros.
const PADDING: Padding = Padding::of_mark(0x40);

fn finish<const RATE: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; RATE];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    block[tail.bytes.len()] = PADDING.mark;
    // Less than a block is left, so the mark always has room.
    tail.kernel.absorb(state, &block);
    let words = state.read::<[u64; 24]>().mapped(u64::to_le);
    out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
}

fn absorb<const WORDS: usize>(state: &mut State, blocks: &[u8]) {
    let words = state.view::<[u64; 24]>();
    for block in blocks.as_chunks::<8>().0.as_chunks::<WORDS>().0 {
        words[..WORDS].copy_from_slice(&block.mapped(u64::from_le_bytes));
        permute(words);
    }
}

/// The constants of the rounds: a shift register (section 6.2).
static CONSTANTS: [u64; 24] = {
    let mut constants = [0x3bf5_080a_c8ba_94b1; 24];
    let mut round = 1;
    while round < 24 {
        let last: u64 = constants[round - 1];
        constants[round] = (last >> 1) ^ ((last & 1) * 0xdc2b_e199_7fe0_d8ae);
        round += 1;
    }
    constants
};

/// How far bash-s rotates the words of each of the eight columns: those of a column are seven times
/// those of the one before (section 6.2).
const TURNS: [[u32; 8]; 4] = {
    let (mut turns, mut at) = ([[8; 8], [53; 8], [14; 8], [1; 8]], 0);
    while at < 28 {
        turns[at % 4][at / 4 + 1] = 7 * turns[at % 4][at / 4] % 64;
        at += 1;
    }
    turns
};

/// From which word each word comes at the end of a round (section 6.2).
const PLACES: [usize; 24] = {
    let (mut places, mut word) = ([0; 24], 0);
    while word < 24 {
        places[word] = match word / 8 {
            0 => 8 + (word + 2 * (word % 2) + 7) % 8,
            1 => 8 + (word ^ 1),
            _ => (5 * word + 6) % 8,
        };
        word += 1;
    }
    places
};
