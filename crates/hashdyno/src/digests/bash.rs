//! Bash (STB 34.101.77-2020, section 7): a sponge whose blocks take the place of a part of the
//! state.

mod many;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::kernel::kernels;
use crate::many::lanes;
use crate::{Digest, Kernel, Last, Security, Spelling, State};
use many::{Many, permute};

digests! {
    BASH256 bash256 Bash256,
    BASH384 bash384 Bash384,
    BASH512 bash512 Bash512,
}

static BASH256: Digest = Digest {
    name: "bash256",
    aliases: &["bash-256", "bash-hash-256"],
    check: "775324881f80a651f5b55c04257d8d9da5a822561f587e836851e9427313ff67",
    sweep: "538b9b4292983ef30b6cd1652b77a87421d98cf1a89f62011750547098d00055",
    ..sponge::<128, 16>()
};

static BASH384: Digest = Digest {
    name: "bash384",
    aliases: &["bash-384", "bash-hash-384"],
    check: "792a2df8d2dcebb3acf3969a6622a5def2890678a5e2b5d6caec623b476f59ac\
        0949401d243e4a7d2acd23f50d6d68de",
    sweep: "72f40bf82e1be61e870b45b3b8730a5bdae719ec67b57652322f8a36696ce1fc\
        42d0496e510d7ea8dda96027027de8a3",
    ..sponge::<96, 12>()
};

static BASH512: Digest = Digest {
    name: "bash512",
    aliases: &["bash-512", "bash-hash-512"],
    check: "9ccc9d625761a642ba28186101cdd1d2a99052b1b452e0686b987a4b17cc10e7\
        ff31b2c8fda87f7c4a16f01f5e55c849c4932c14df3efbd909d8184a81c8f16e",
    sweep: "6b72eb65c78a83411738cb7d226fa254aba1dd9c12adc8f11b6371fc0c84acb3\
        6b234c9cfa66fa6f7cf52d871e81caabdc27fe498ad3c520204f5c4e4d4cbafd",
    ..sponge::<64, 8>()
};

/// What the digests have in common, for blocks of `RATE` bytes, which are `WORDS` words. What a
/// block leaves of the state is twice the digest.
const fn sponge<const RATE: usize, const WORDS: usize>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "bash",
        specified_in: "STB 34.101.77-2020",
        security: Security::Sound,
        output_len: (STATE - RATE) / 2,
        extendable: false,
        block_len: RATE,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: |state| {
            // A quarter of the security level, which is half of the digest, in bits.
            let mut words = [0u64; 24];
            words[23] = (STATE - RATE) as u64 / 2;
            state.init(words);
        },
        finish: finish::<RATE>,
        one: const {
            kernels![x86_64::avx512::<WORDS>(), x86_64::avx2::<WORDS>(); Kernel::portable(absorb::<WORDS>)]
        },
        many: const {
            kernels![lanes!(Many<WORDS>, u64, 1 * avx512), lanes!(Many<WORDS>, u64, 1 * avx2),]
        },
    }
}

/// Bytes of the state.
const STATE: usize = 192;

/// Bits 0 and 1 follow the message, and zeros.
const MARK: u8 = 0x40;

fn finish<const RATE: usize>(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let mut block = [0; RATE];
    block[..last.bytes.len()].copy_from_slice(last.bytes);
    block[last.bytes.len()] = MARK;
    last.kernel.absorb(state, &block);
    let words = state.read::<[u64; 24]>().map(u64::to_le);
    out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
}

fn absorb<const WORDS: usize>(state: &mut State, blocks: &[u8]) {
    let words = state.view::<[u64; 24]>();
    for block in blocks.as_chunks::<8>().0.as_chunks::<WORDS>().0 {
        words[..WORDS].copy_from_slice(&block.map(u64::from_le_bytes));
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
