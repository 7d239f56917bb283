//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018).
//!
//! The chain is eight words a .. h. A block is the big-endian words `W[0]` to `W[15]`:
//!
//! ```text
//! W[j] = P1(W[j-16] ^ W[j-9] ^ W[j-3] <<< 15) ^ W[j-13] <<< 7 ^ W[j-6]      j = 16 .. 67
//! for j = 0 .. 63:
//!     SS1 = (a <<< 12 + e + T[j]) <<< 7          T[j]: `constant`
//!     SS2 = SS1 ^ a <<< 12
//!     TT1 = FF(a, b, c) + d + SS2 + (W[j] ^ W[j+4])
//!     TT2 = GG(e, f, g) + h + SS1 + W[j]
//!     a b c d = TT1, a, b <<< 9, c
//!     e f g h = P0(TT2), e, f <<< 19, g
//! chain ^= a .. h
//! FF, GG: parities for j < 16, then majority and choice
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
mod many;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::unroll::sixteen;
use crate::{Digest, Kernel, Purpose, Security, Spelling, State, Tail};
use many::Sm3Lanes;

digests! {
    SM3 sm3 Sm3,
}

static SM3: Digest = Digest {
    name: "sm3",
    spelling: Spelling { php: None, openssl: Some("sm3"), python: Some("sm3") },
    family: "sm3",
    purpose: Purpose::NationalStandard,
    specified_in: "GB/T 32905-2016; ISO/IEC 10118-3:2018",
    security: Security::Sound,
    output_len: 32,
    block_len: 64,
    start: |state| state.init::<[u32; 8]>(INITIAL),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] = kernels![avx2::KERNEL; Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![
    lanes!(Sm3Lanes, u32, 1 * avx512),
    lanes!(Sm3Lanes, u32, 1 * avx2),
    lanes!(Sm3Lanes, u32, 1 * sse2),
];

const INITIAL: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

// Section 5.2.
const PADDING: Padding = Padding::with_length(8, Endian::Big);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 8]>().mapped(u32::to_be)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 8]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, block);
    }
}

fn compress(chain: &mut [u32; 8], block: &[u8; 64]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
    // A step uses word i and word i + 4, so the schedule runs four steps ahead.
    let mut words: [u32; 16] =
        bytemuck::cast::<_, [[u8; 4]; 16]>(*block).mapped(u32::from_be_bytes);
    macro_rules! sixteen_steps {
        ($first:literal) => {
            sixteen!(I => {
                const STEP: usize = $first + I;
                if STEP >= 12 {
                    let mixed = words[(I + 4) % 16]
                        ^ words[(I + 11) % 16]
                        ^ words[(I + 1) % 16].rotate_left(WORD_TURNS[0]);
                    let mixed =
                        mixed ^ mixed.rotate_left(P1_TURNS[0]) ^ mixed.rotate_left(P1_TURNS[1]);
                    words[(I + 4) % 16] = mixed
                        ^ words[(I + 7) % 16].rotate_left(WORD_TURNS[1])
                        ^ words[(I + 14) % 16];
                }
                // `sum` is SS1 of the specification, and `sum ^ turned` is SS2.
                let turned = a.rotate_left(A_TURN);
                // Ready before e, the newest word.
                let sum = barrier::in_place(turned.wrapping_add(constant(STEP)))
                    .wrapping_add(e)
                    .rotate_left(SUM_TURN);
                // The choice is g ^ (e & (f ^ g)): f ^ g does not wait for e, the newer word.
                let (ff, gg) = if STEP < 16 {
                    (a ^ b ^ c, e ^ f ^ g)
                } else {
                    ((a & b) | (c & (a | b)), g ^ (e & (f ^ g)))
                };
                let first = ff
                    .wrapping_add(d)
                    .wrapping_add(words[I] ^ words[(I + 4) % 16])
                    .wrapping_add(sum ^ turned);
                let second = gg.wrapping_add(h).wrapping_add(words[I]).wrapping_add(sum);
                (d, c, b, a) = (c, b.rotate_left(B_TURN), a, first);
                (h, g, f, e) = (
                    g,
                    f.rotate_left(F_TURN),
                    e,
                    second ^ second.rotate_left(P0_TURNS[0]) ^ second.rotate_left(P0_TURNS[1]),
                );
            });
        };
    }
    sixteen_steps!(0);
    sixteen_steps!(16);
    sixteen_steps!(32);
    sixteen_steps!(48);
    for (chain, word) in chain.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *chain ^= word;
    }
}

// How far the permutations P0 and P1 rotate, and the schedule besides.
const P0_TURNS: [u32; 2] = [9, 17];
const P1_TURNS: [u32; 2] = [15, 23];
const WORD_TURNS: [u32; 2] = [15, 7];
// How far a step rotates the words a, b and f, and the sum of a, e and its constant.
const A_TURN: u32 = 12;
const B_TURN: u32 = 9;
const F_TURN: u32 = 19;
const SUM_TURN: u32 = 7;

/// T (section 4.2), rotated by the number of the step as section 5.3.3 has it.
const fn constant(step: usize) -> u32 {
    (if step < 16 { 0x79cc_4519u32 } else { 0x7a87_9d8a }).rotate_left(step as u32 % 32)
}
