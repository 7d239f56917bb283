//! SHA-224 and SHA-256 (FIPS 180-4): the half of SHA-2 that works in 32-bit words.
//!
//! | digest | initial value (section) | words of the digest |
//! |---|---|---|
//! | SHA-224 | the lower halves of SHA-384's (5.3.2) | 7 |
//! | SHA-256 | the upper halves of SHA-512's (5.3.3) | 8 |
//!
//! A block is 64 bytes and 64 steps. `words.rs` has the steps for one message, `lanes.rs` for many.
//! `sha_ni.rs` and `aarch64.rs` have them by the instructions that CPUs have for SHA-256.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod many;
#[cfg(target_arch = "x86_64")]
mod sha_ni;

use super::lanes::Distances;
use super::sha512;
use super::words::sha2_kernel;
use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::words;
use crate::{Cores, Digest, Features, Kernel, Security, Spelling, State, Tail};
use many::Sha256Lanes;

digests! {
    SHA224 sha224 Sha224,
    SHA256 sha256 Sha256,
}

static SHA224: Digest = Digest {
    name: "sha224",
    aliases: &["sha-224", "sha2-224"],
    spelling: Spelling { php: Some("sha224"), openssl: Some("sha224"), python: Some("sha224") },
    ..sha2::<224>()
};

static SHA256: Digest = Digest {
    name: "sha256",
    aliases: &["sha-256", "sha2-256"],
    spelling: Spelling { php: Some("sha256"), openssl: Some("sha256"), python: Some("sha256") },
    ..sha2::<256>()
};

/// What they have in common; they differ in what they start from and in how much of the chain they
/// give.
const fn sha2<const BITS: usize>() -> Digest {
    Digest {
        family: "sha2",
        specified_in: "FIPS 180-4",
        security: Security::Sound,
        output_len: BITS / 8,
        block_len: 64,
        start: |state| state.init(const { initial(BITS) }),
        finish,
        one: const {
            kernels![
                sha_ni::x1::<BITS>(), avx2::KERNEL;
                aarch64::x1::<BITS>();
                Kernel::portable(absorb)
            ]
        },
        many: MANY,
        ..Digest::BASE
    }
}

const MANY: &[Kernel] = many_kernels![
    lanes!(Sha256Lanes, u32, 2 * avx512).only(Cores::ZEN5),
    lanes!(Sha256Lanes, u32, 1 * avx512),
    sha_ni::x4(),
    lanes!(Sha256Lanes, u32, 1 * avx2).beaten_by(Features::FOR_SHA),
    lanes!(Sha256Lanes, u32, 1 * sse2).beaten_by(Features::FOR_SHA);
    aarch64::x2();
];

/// The initial state of a digest of `bits` bits: halves of the states of SHA-512 and SHA-384.
const fn initial(bits: usize) -> [u32; 8] {
    let (mut initial, mut word) = ([0; 8], 0);
    while word < 8 {
        initial[word] = if bits == 256 {
            (sha512::SQUARE_ROOTS[0][word] >> 32) as u32
        } else {
            sha512::SQUARE_ROOTS[1][word] as u32
        };
        word += 1;
    }
    initial
}

// Section 5.1.1.
const PADDING: Padding = Padding::with_length(8, Endian::Big);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    let words = state.read::<[u32; 8]>().mapped(u32::to_be);
    words::write_first(words, out);
}

sha2_kernel! {
    /// SHA-256's kernel in straight Rust.
    fn absorb: u32 by CUBE_ROOTS, DISTANCES, barrier::in_place;
}

/// Section 4.1.2.
const DISTANCES: Distances =
    Distances { a: [2, 13, 22], e: [6, 11, 25], old: [7, 18, 3], new: [17, 19, 10] };

/// The first halves of SHA-512's (section 4.2.2).
const CUBE_ROOTS: [u32; 64] = {
    let mut roots = [0; 64];
    let mut step = 0;
    while step < 64 {
        roots[step] = (sha512::CUBE_ROOTS[step] >> 32) as u32;
        step += 1;
    }
    roots
};
