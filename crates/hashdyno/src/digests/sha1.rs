//! SHA-1 (FIPS 180-4).
//!
//! The chain is five words a .. e. A block is the big-endian words `W[0]` to `W[15]`:
//!
//! ```text
//! W[t] = (W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]) <<< 1          t = 16 .. 79
//! for t = 0 .. 79:
//!     a b c d e = a <<< 5 + f(b, c, d) + e + W[t] + K, a, b <<< 30, c, d
//!     t / 20:   0 choice   1 parity   2 majority   3 parity       K: `ROOTS`
//! chain += a .. e
//! ```

#[cfg(target_arch = "aarch64")]
pub(super) mod aarch64;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod many;
#[cfg(target_arch = "x86_64")]
pub(super) mod sha_ni;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::unroll::sixteen;
use crate::{Cores, Digest, Features, Kernel, Security, Spelling, State, Tail};
pub(super) use many::Sha1Lanes;

digests! {
    SHA1 sha1 Sha1,
}

static SHA1: Digest = Digest {
    name: "sha1",
    aliases: &["sha-1"],
    spelling: Spelling { php: Some("sha1"), openssl: Some("sha1"), python: Some("sha1") },
    family: "sha1",
    specified_in: "FIPS 180-4",
    security: Security::Broken,
    output_len: 20,
    block_len: 64,
    start: |state| state.init(INITIAL),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

/// What the chain of five words starts from.
pub(super) const INITIAL: [u32; 5] =
    [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

const ONE: &[Kernel] = kernels![sha_ni::X1, avx2::KERNEL; aarch64::X1; Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![
    lanes!(Sha1Lanes, u32, 2 * avx512).only(Cores::ZEN5),
    lanes!(Sha1Lanes, u32, 1 * avx512),
    sha_ni::X4_TINY_X8,
    sha_ni::X4,
    lanes!(Sha1Lanes, u32, 1 * avx2).beaten_by(Features::FOR_SHA),
    lanes!(Sha1Lanes, u32, 1 * sse2).beaten_by(Features::FOR_SHA);
    aarch64::X2;
];

// FIPS 180-4, 5.1.1.
const PADDING: Padding = Padding::with_length(8, Endian::Big);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 5]>().mapped(u32::to_be)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 5]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, block);
    }
}

/// One block, in straight Rust.
pub(super) fn compress(chain: &mut [u32; 5], block: &[u8; 64]) {
    let [mut a, mut b, mut c, mut d, mut e] = *chain;
    let mut words: [u32; 16] =
        bytemuck::cast::<_, [[u8; 4]; 16]>(*block).mapped(u32::from_be_bytes);
    macro_rules! sixteen_steps {
        ($first:literal) => {
            sixteen!(I => {
                const STEP: usize = $first + I;
                // A ring of sixteen words holds the schedule (FIPS 180-4, 6.1.3).
                if STEP >= 16 {
                    words[I] = (words[I]
                        ^ words[(I + 2) % 16]
                        ^ words[(I + 8) % 16]
                        ^ words[(I + 13) % 16])
                        .rotate_left(WORD_TURN);
                }
                // Ready before a, the newest word; the compiler would add the root last.
                let sum = barrier::sum_in_place::<{ ROOTS[STEP / 20] }>(e, words[I]);
                let sum = match STEP / 20 {
                    0 => sum.wrapping_add(d ^ (b & (c ^ d))),
                    // The terms of the majority have no bit in common, so sums may join them.
                    2 => sum.wrapping_add(c & d).wrapping_add(b & (c ^ d)),
                    _ => sum.wrapping_add(b ^ c ^ d),
                };
                let newest = sum.wrapping_add(a.rotate_left(A_TURN));
                (e, d, c, b, a) = (d, c, b.rotate_left(B_TURN), a, newest);
            });
        };
    }
    sixteen_steps!(0);
    sixteen_steps!(16);
    sixteen_steps!(32);
    sixteen_steps!(48);
    sixteen_steps!(64);
    for (chain, word) in chain.iter_mut().zip([a, b, c, d, e]) {
        *chain = chain.wrapping_add(word);
    }
}

/// 2^30 times the square roots of 2, 3, 5 and 10: what the steps add, twenty each.
const ROOTS: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

// How far a word of the schedule rotates, and the words a and b in a step.
const WORD_TURN: u32 = 1;
const A_TURN: u32 = 5;
const B_TURN: u32 = 30;
