//! Ascon-Hash256 and Ascon-XOF128 (NIST SP 800-232, 2025). Its words are little-endian: Ascon
//! version 1.2, which won the contest, is another digest.
//!
//! ```text
//! state: five words; a block is the first of them, 8 bytes
//! absorb:   word 0 ^= block, 12 rounds                    for each block
//! end:      the rest, a byte 1 and zeros are a block
//! squeeze:  word 0 is output; 12 rounds between
//! round:    word 2 ^= constant;  S-box of five bits, one of each word;
//!           each word ^= the word rotated by two distances of its own
//! ```

use crate::kernel::{kernels, many_kernels};
use crate::many::{Sponge, sponge};
use crate::parts::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use crate::{Code, Features};
use crate::{Digest, Kernel, Security, State, Tail};

digests! {
    ASCON_HASH256 ascon_hash256 AsconHash256,
    ASCON_XOF128 ascon_xof128 AsconXof128,
}

static ASCON_HASH256: Digest = Digest {
    name: "ascon-hash256",
    aliases: &["asconhash256"],
    start: |state| state.init(HASH256),
    ..ASCON
};

static ASCON_XOF128: Digest = Digest {
    name: "ascon-xof128",
    aliases: &["asconxof128"],
    extendable: true,
    start: |state| state.init(XOF128),
    ..ASCON
};

/// What both have in common.
const ASCON: Digest = Digest {
    family: "ascon",
    specified_in: "NIST SP 800-232",
    security: Security::Sound,
    output_len: 32,
    block_len: RATE,
    start: |_| (),
    finish,
    one: kernels![Kernel::of("bmi2", BMI, Code::Blocks(absorb_bmi2)); Kernel::portable(absorb)],
    many: many_kernels![
        sponge!(Ascon, 2 * avx512),
        sponge!(Ascon, 1 * avx512),
        sponge!(Ascon, 2 * avx2),
        sponge!(Ascon, 1 * avx2),
    ],
    ..Digest::BASE
};

/// The state, the first word of which takes and gives bytes.
type Words = [u64; 5];

/// Bytes of a block.
const RATE: usize = 8;

/// The permuted initial values, whose first word says which digest it is (appendix A.3).
const HASH256: Words = [
    0x9b1e_5494_e934_d681,
    0x4bc3_a01e_3337_51d2,
    0xae65_396c_6b34_b81a,
    0x3c7f_d4a4_d56a_4db3,
    0x1a5c_4649_06c5_976d,
];
const XOF128: Words = [
    0xda82_ce76_8d94_47eb,
    0xcc7c_e6c7_5f1e_f969,
    0xe750_8fd7_8008_5631,
    0x0ee0_ea53_416b_58cc,
    0xe054_7524_db6f_0bde,
];

/// What follows the message: a bit, and zeros up to the end of the block.
const SUFFIX: u8 = 1;

/// Between two blocks of output comes a permutation, which is what absorbing a block of zeros
/// amounts to.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; RATE];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    block[tail.bytes.len()] = SUFFIX;
    for out in out.chunks_mut(RATE) {
        tail.kernel.absorb(state, &block);
        block = [0; RATE];
        out.copy_from_slice(&state.read::<u64>().to_le_bytes()[..out.len()]);
    }
}

#[cfg(target_arch = "x86_64")]
const BMI: Features = Features::BMI1.union(Features::BMI2);

/// The same text, compiled for a CPU that negates within an AND and rotates into another register.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn absorb_bmi2(state: &mut State, blocks: &[u8]) {
    absorb(state, blocks);
}

#[inline(always)]
fn absorb(state: &mut State, blocks: &[u8]) {
    let words = state.view::<Words>();
    let mut x = *words;
    for block in blocks.as_chunks().0 {
        x[0] ^= u64::from_le_bytes(*block);
        permute(&mut x);
    }
    *words = x;
}

struct Ascon;

impl Sponge<5, 1, RATE> for Ascon {
    const MIN_FILL: usize = 4;
    const SUFFIX: &'static [u8] = &[SUFFIX];
    const END: u8 = 0;

    #[inline(always)]
    fn permute<L: Lanes<Word = u64>>(state: &mut [L; 5]) {
        permute(state);
    }
}

/// Ascon-p\[12\] (section 3).
#[inline(always)]
fn permute<L: Lanes<Word = u64>>(x: &mut [L; 5]) {
    for constant in CONSTANTS {
        round(x, constant);
    }
}

#[inline(always)]
fn round<L: Lanes<Word = u64>>(x: &mut [L; 5], constant: u64) {
    let [mut a, b, mut c, d, mut e] = *x;
    c = c ^ L::splat(constant);
    // The substitution of five bits, one of each word (section 3.3).
    a = a ^ e;
    e = e ^ d;
    c = c ^ b;
    // Five independent AND-NOTs, which vectors and BMI have as one instruction each.
    let (s, t, u, v, w) = (a ^ (!b & c), b ^ (!c & d), c ^ (!d & e), d ^ (!e & a), e ^ (!a & b));
    let (s, t, u, v) = (s ^ w, t ^ s, !u, v ^ u);
    // The linear layer (section 3.4).
    *x = [
        s ^ s.right(19) ^ s.right(28),
        t ^ t.right(61) ^ t.right(39),
        u ^ u.right(1) ^ u.right(6),
        v ^ v.right(10) ^ v.right(17),
        w ^ w.right(7) ^ w.right(41),
    ];
}

/// Of the rounds (section 3.2).
const CONSTANTS: [u64; 12] =
    [0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b];
