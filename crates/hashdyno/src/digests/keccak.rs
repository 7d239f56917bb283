//! Keccak: SHA-3 and SHAKE (FIPS 202); the submission to the contest, which differs from SHA-3 in
//! its padding alone; TurboSHAKE (RFC 9861), which is SHAKE in half the rounds.
//!
//! ```text
//! state: 25 words; a block is the first WORDS of them, and the others are the capacity
//! absorb:   first words ^= block, permute                     for each block
//! end:      suffix, zeros, and a bit 1 as the last bit of the block
//! squeeze:  the first words are output; permute between blocks of output
//! ```
//!
//! | digest | bytes of a block | suffix and first bit of the padding | rounds |
//! |---|---|---|---|
//! | SHA3-224, -256, -384, -512 | 144, 136, 104, 72 | `0b110` | 24 |
//! | SHAKE128, SHAKE256 | 168, 136 | `0b1_1111` | 24 |
//! | TurboSHAKE128, TurboSHAKE256 | 168, 136 | `0b1_1111` | 12 |
//! | cSHAKE128, cSHAKE256 | 168, 136 | `0b100` | 24 |
//! | Keccak-224 to Keccak-512 | as SHA-3 | `0b1` | 24 |

pub(super) mod many;
mod permutation;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::parts::words::few_of_word;
#[cfg(target_arch = "x86_64")]
use crate::{Code, Features};
use crate::{Digest, Kernel, Security, Spelling, State, Tail};
use many::KeccakLanes;
use permutation::{INVERTED, ROUND_CONSTANTS, permute};

digests! {
    SHA3_224 sha3_224 Sha3_224,
    SHA3_256 sha3_256 Sha3_256,
    SHA3_384 sha3_384 Sha3_384,
    SHA3_512 sha3_512 Sha3_512,
    SHAKE128 shake128 Shake128,
    SHAKE256 shake256 Shake256,
    TURBOSHAKE128 turboshake128 Turboshake128,
    TURBOSHAKE256 turboshake256 Turboshake256,
    KECCAK_224 keccak_224 Keccak224,
    KECCAK_256 keccak_256 Keccak256,
    KECCAK_384 keccak_384 Keccak384,
    KECCAK_512 keccak_512 Keccak512,
}

/// The state: lane (x, y) at `x + 5 * y`.
pub(super) type Lanes = [u64; 25];

/// What FIPS 202 puts between the message and the padding, together with the padding's first bit.
const SHA3: u8 = 0b110;
const SHAKE: u8 = 0b1_1111;
const CONTEST: u8 = 0b1;
/// The same of NIST SP 800-185, section 3.3.
const CSHAKE: u8 = 0b100;

/// How many rounds the permutation has.
const ALL: usize = ROUND_CONSTANTS.len();
pub(super) const TURBO: usize = 12;

static SHA3_224: Digest = Digest {
    name: "sha3-224",
    aliases: &[],
    spelling: Spelling {
        php: Some("sha3-224"),
        openssl: Some("sha3-224"),
        python: Some("sha3_224"),
    },
    output_len: 28,
    ..sponge::<144, 18, SHA3, ALL>()
};

static SHA3_256: Digest = Digest {
    name: "sha3-256",
    aliases: &["sha3"],
    spelling: Spelling {
        php: Some("sha3-256"),
        openssl: Some("sha3-256"),
        python: Some("sha3_256"),
    },
    output_len: 32,
    ..sponge::<136, 17, SHA3, ALL>()
};

static SHA3_384: Digest = Digest {
    name: "sha3-384",
    aliases: &[],
    spelling: Spelling {
        php: Some("sha3-384"),
        openssl: Some("sha3-384"),
        python: Some("sha3_384"),
    },
    output_len: 48,
    ..sponge::<104, 13, SHA3, ALL>()
};

static SHA3_512: Digest = Digest {
    name: "sha3-512",
    aliases: &[],
    spelling: Spelling {
        php: Some("sha3-512"),
        openssl: Some("sha3-512"),
        python: Some("sha3_512"),
    },
    output_len: 64,
    ..sponge::<72, 9, SHA3, ALL>()
};

static SHAKE128: Digest = Digest {
    name: "shake128",
    aliases: &["shake-128"],
    spelling: Spelling { php: None, openssl: Some("shake128"), python: Some("shake_128") },
    output_len: 32,
    extendable: true,
    ..sponge::<168, 21, SHAKE, ALL>()
};

static SHAKE256: Digest = Digest {
    name: "shake256",
    aliases: &["shake-256"],
    spelling: Spelling { php: None, openssl: Some("shake256"), python: Some("shake_256") },
    output_len: 64,
    extendable: true,
    ..sponge::<136, 17, SHAKE, ALL>()
};

static TURBOSHAKE128: Digest = Digest {
    name: "turboshake128",
    aliases: &["turboshake-128"],
    output_len: 32,
    extendable: true,
    ..sponge::<168, 21, SHAKE, TURBO>()
};

static TURBOSHAKE256: Digest = Digest {
    name: "turboshake256",
    aliases: &["turboshake-256"],
    output_len: 64,
    extendable: true,
    ..sponge::<136, 17, SHAKE, TURBO>()
};

/// For [`crate::sp800_185`], where it has a name and a customization string.
pub(crate) static CSHAKE128: Digest = Digest {
    name: "cshake128",
    output_len: 32,
    extendable: true,
    ..sponge::<168, 21, CSHAKE, ALL>()
};

/// As above.
pub(crate) static CSHAKE256: Digest = Digest {
    name: "cshake256",
    output_len: 64,
    extendable: true,
    ..sponge::<136, 17, CSHAKE, ALL>()
};

static KECCAK_224: Digest = Digest {
    name: "keccak-224",
    aliases: &["keccak224"],
    spelling: Spelling { php: None, openssl: Some("keccak-224"), python: None },
    output_len: 28,
    ..sponge::<144, 18, CONTEST, ALL>()
};

static KECCAK_256: Digest = Digest {
    name: "keccak-256",
    aliases: &["keccak256"],
    spelling: Spelling { php: None, openssl: Some("keccak-256"), python: None },
    output_len: 32,
    ..sponge::<136, 17, CONTEST, ALL>()
};

static KECCAK_384: Digest = Digest {
    name: "keccak-384",
    aliases: &["keccak384"],
    spelling: Spelling { php: None, openssl: Some("keccak-384"), python: None },
    output_len: 48,
    ..sponge::<104, 13, CONTEST, ALL>()
};

static KECCAK_512: Digest = Digest {
    name: "keccak-512",
    aliases: &["keccak512"],
    spelling: Spelling { php: None, openssl: Some("keccak-512"), python: None },
    output_len: 64,
    ..sponge::<72, 9, CONTEST, ALL>()
};

/// What all have in common that take `RATE` bytes, which are `WORDS` words, per permutation of
/// `ROUNDS` rounds and append `SUFFIX` to the message.
const fn sponge<const RATE: usize, const WORDS: usize, const SUFFIX: u8, const ROUNDS: usize>()
-> Digest {
    Digest {
        family: "keccak",
        specified_in: match (SUFFIX, ROUNDS) {
            (CONTEST, _) => "The Keccak SHA-3 submission, version 3 (2011)",
            (CSHAKE, _) => "NIST SP 800-185",
            (_, TURBO) => "RFC 9861",
            _ => "FIPS 202",
        },
        security: Security::Sound,
        output_len: 0,
        block_len: RATE,
        start: |state| state.init::<Lanes>([0; 25]),
        finish: finish::<RATE, SUFFIX>,
        mark: SUFFIX,
        one: const {
            kernels![
                Kernel::of("bmi2", BMI, Code::Blocks(absorb_bmi2::<RATE, ROUNDS>));
                Kernel::portable(absorb::<RATE, ROUNDS>),
            ]
        },
        many: const {
            many_kernels![
                lanes!(KeccakLanes<WORDS, ROUNDS>, u64, 1 * avx512),
                lanes!(KeccakLanes<WORDS, ROUNDS>, u64, 1 * avx2),
            ]
        },
        ..Digest::BASE
    }
}

/// Pads with `SUFFIX` 0...0 1, the last bit being the last of the block, and squeezes: between two
/// blocks of output comes a permutation, which is what absorbing a block of zeros amounts to.
fn finish<const RATE: usize, const SUFFIX: u8>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    // Made of whole words, as it is read: a load of bytes from several stores would wait for them.
    let mut words = [0; LONGEST_RATE / 8];
    let (whole, rest) = tail.bytes.as_chunks::<8>();
    for (word, bytes) in words.iter_mut().zip(whole) {
        *word = u64::from_ne_bytes(*bytes);
    }
    words[whole.len()] = (few_of_word(rest) | u64::from(SUFFIX) << (8 * rest.len())).to_le();
    // The mark and the last bit may share a byte.
    words[RATE / 8 - 1] |= (1u64 << 63).to_le();
    tail.kernel.absorb(state, &bytemuck::bytes_of(&words)[..RATE]);
    let mut outs = out.chunks_mut(RATE);
    while let Some(out) = outs.next() {
        let lanes = state.view::<Lanes>();
        let (words, rest) = out.as_chunks_mut();
        if let Some(lane) = lanes.get(words.len()) {
            rest.copy_from_slice(&lane.to_le_bytes()[..rest.len()]);
        }
        for (word, lane) in words.iter_mut().zip(lanes) {
            *word = lane.to_le_bytes();
        }
        if outs.len() > 0 {
            tail.kernel.absorb(state, &[0; RATE]);
        }
    }
}

/// The longest rate in bytes, SHAKE128's.
const LONGEST_RATE: usize = 168;

#[cfg(target_arch = "x86_64")]
pub(super) const BMI: Features = Features::BMI1.union(Features::BMI2);

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn absorb_bmi2<const RATE: usize, const ROUNDS: usize>(state: &mut State, blocks: &[u8]) {
    absorb_words_bmi2::<ROUNDS>(state.view(), blocks, RATE / 8);
}

fn absorb<const RATE: usize, const ROUNDS: usize>(state: &mut State, blocks: &[u8]) {
    absorb_words::<ROUNDS>(state.view(), blocks, RATE / 8);
}

/// Whether portable code is compiled for CPUs that negate and AND in two instructions.
const WITHOUT_AND_NOT: bool = cfg!(target_arch = "x86_64");

/// Absorbs whole blocks of `rate` words. One function for all rates: one for each took the compiler
/// seconds apiece.
#[inline(never)]
pub(super) fn absorb_words<const ROUNDS: usize>(lanes: &mut Lanes, blocks: &[u8], rate: usize) {
    absorb_into::<ROUNDS, WITHOUT_AND_NOT>(lanes, blocks, rate);
}

/// The same, compiled for a CPU that negates within an AND and rotates into another register.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2")]
pub(super) fn absorb_words_bmi2<const ROUNDS: usize>(
    lanes: &mut Lanes,
    blocks: &[u8],
    rate: usize,
) {
    absorb_into::<ROUNDS, false>(lanes, blocks, rate);
}

/// `SOME_INVERTED` as for [`permute`], between the blocks alone.
#[inline(always)]
fn absorb_into<const ROUNDS: usize, const SOME_INVERTED: bool>(
    state: &mut Lanes,
    blocks: &[u8],
    rate: usize,
) {
    let invert = |lanes: &mut Lanes| {
        for (index, lane) in lanes.iter_mut().enumerate() {
            if SOME_INVERTED && INVERTED >> index & 1 == 1 {
                *lane = !*lane;
            }
        }
    };
    let mut lanes = *state;
    invert(&mut lanes);
    for block in blocks.as_chunks::<8>().0.chunks_exact(rate) {
        // An arm for each rate: lanes with a constant index stay in registers. TurboSHAKE and
        // KangarooTwelve, of 12 rounds, have two rates.
        match rate {
            9 if ROUNDS == 24 => add::<9>(&mut lanes, block),
            13 if ROUNDS == 24 => add::<13>(&mut lanes, block),
            17 => add::<17>(&mut lanes, block),
            18 if ROUNDS == 24 => add::<18>(&mut lanes, block),
            _ => add::<21>(&mut lanes, block),
        }
        permute::<ROUNDS, SOME_INVERTED>(&mut lanes);
    }
    invert(&mut lanes);
    *state = lanes;
}

/// Adds the first words of a block.
#[inline(always)]
fn add<const WORDS: usize>(lanes: &mut Lanes, block: &[[u8; 8]]) {
    let words: &[[u8; 8]; WORDS] = block.try_into().expect("a block has as many words as its rate");
    for index in 0..WORDS {
        lanes[index] ^= u64::from_le_bytes(words[index]);
    }
}
