//! SHA-384, SHA-512 and SHA-512/t (FIPS 180-4): the half of SHA-2 that works in 64-bit words.
//!
//! | digest | initial value (section) | bytes of the digest |
//! |---|---|---|
//! | SHA-384 | square roots of the ninth to sixteenth prime (5.3.4) | 48 |
//! | SHA-512 | square roots of the first eight primes (5.3.5) | 64 |
//! | SHA-512/224 | computed by SHA-512 (5.3.6.1) | 28 |
//! | SHA-512/256 | computed by SHA-512 (5.3.6.2) | 32 |
//!
//! A block is 128 bytes and 80 steps. `words.rs` has the steps for one message, `lanes.rs` for
//! many, `avx2.rs` beside the schedule in vectors, and `aarch64.rs` by instructions for SHA-512.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod many;

use super::lanes::Distances;
use super::words::sha2_kernel;
use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::words;
use crate::{Cores, Digest, Kernel, Security, Spelling, State, Tail};
use many::Sha512Lanes;

digests! {
    SHA384 sha384 Sha384,
    SHA512_224 sha512_224 Sha512_224,
    SHA512_256 sha512_256 Sha512_256,
    SHA512 sha512 Sha512,
}

static SHA384: Digest = Digest {
    name: "sha384",
    aliases: &["sha-384", "sha2-384"],
    spelling: Spelling { php: Some("sha384"), openssl: Some("sha384"), python: Some("sha384") },
    output_len: 48,
    start: |state| state.init(SQUARE_ROOTS[1]),
    ..BASE
};

static SHA512_224: Digest = Digest {
    name: "sha512-224",
    aliases: &["sha-512-224", "sha-512/224", "sha2-512-224"],
    spelling: Spelling {
        php: Some("sha512/224"),
        openssl: Some("sha512-224"),
        python: Some("sha512_224"),
    },
    output_len: 28,
    start: |state| state.init(INITIAL_224),
    ..BASE
};

static SHA512_256: Digest = Digest {
    name: "sha512-256",
    aliases: &["sha-512-256", "sha-512/256", "sha2-512-256"],
    spelling: Spelling {
        php: Some("sha512/256"),
        openssl: Some("sha512-256"),
        python: Some("sha512_256"),
    },
    output_len: 32,
    start: |state| state.init(INITIAL_256),
    ..BASE
};

static SHA512: Digest = Digest {
    name: "sha512",
    aliases: &["sha-512", "sha2-512"],
    spelling: Spelling { php: Some("sha512"), openssl: Some("sha512"), python: Some("sha512") },
    output_len: 64,
    start: |state| state.init(SQUARE_ROOTS[0]),
    ..BASE
};

/// What they have in common; they differ in what they start from and in how much of the chain they
/// give.
const BASE: Digest = Digest {
    family: "sha2",
    specified_in: "FIPS 180-4",
    security: Security::Sound,
    output_len: 0,
    block_len: 128,
    start: |_| (),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] = kernels![avx2::KERNEL; aarch64::X1; Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![
    lanes!(Sha512Lanes, u64, 2 * avx512).only(Cores::ZEN5),
    lanes!(Sha512Lanes, u64, 1 * avx512),
    lanes!(Sha512Lanes, u64, 1 * avx2);
    aarch64::X2;
];

// Section 5.1.2: a length of 128 bits.
const PADDING: Padding = Padding::with_length(16, Endian::Big);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<128>(state, tail, PADDING);
    let words = state.read::<[u64; 8]>().mapped(u64::to_be);
    words::write_first(words, out);
}

sha2_kernel! {
    /// SHA-512's kernel in straight Rust.
    fn absorb: u64 by CUBE_ROOTS, DISTANCES, barrier::word;
}

/// Section 4.1.3.
const DISTANCES: Distances =
    Distances { a: [28, 34, 39], e: [14, 18, 41], old: [1, 8, 7], new: [19, 61, 6] };

/// What SHA-512/224 starts from (FIPS 180-4, 5.3.6).
#[rustfmt::skip]
const INITIAL_224: [u64; 8] = [
    0x8c3d_37c8_1954_4da2, 0x73e1_9966_89dc_d4d6, 0x1dfa_b7ae_32ff_9c82, 0x679d_d514_582f_9fcf,
    0x0f6d_2b69_7bd4_4da8, 0x77e3_6f73_04c4_8942, 0x3f9d_85a8_6a1d_36c8, 0x1112_e6ad_91d6_92a1,
];

/// The initial value of SHA-512/256 (FIPS 180-4, 5.3.6.2).
#[rustfmt::skip]
const INITIAL_256: [u64; 8] = [
    0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
];

/// The fractions of the square roots of the first sixteen primes: what SHA-512 starts from, and
/// SHA-384.
#[rustfmt::skip]
pub(super) const SQUARE_ROOTS: [[u64; 8]; 2] = [
    [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ],
    [
        0xcbbb_9d5d_c105_9ed8, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
        0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa4,
    ],
];

/// The fractions of the cube roots of the first eighty primes (FIPS 180-4, 4.2.3).
#[rustfmt::skip]
pub(super) const CUBE_ROOTS: [u64; 80] = [
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
];
