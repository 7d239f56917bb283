//! MD4 (RFC 1320).
//!
//! ```text
//! chain: a b c d; block: words 0 .. 15, little-endian
//! three rounds of sixteen steps:                                       (section 3.4)
//!     a d c b = d, c, b, (a + f(b, c, d) + word + root) <<< shift
//!     f: choice, majority, parity        words by `ORDER`, shifts by `SHIFTS`
//! chain += a b c d
//! ```

mod many;

use std::hint::black_box;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::unroll::sixteen;
use crate::{Cores, Digest, Kernel, Security, Spelling, State, Tail};
use many::Md4Lanes;

digests! {
    MD4 md4 Md4,
}

static MD4: Digest = Digest {
    name: "md4",
    spelling: Spelling { php: Some("md4"), openssl: Some("md4"), python: None },
    family: "md4",
    specified_in: "RFC 1320",
    security: Security::Broken,
    output_len: 16,
    block_len: 64,
    start: |state| state.init::<[u32; 4]>([0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] = kernels![crate::many::alone!(Md4Lanes); Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![
    lanes!(Md4Lanes, u32, 4 * avx512).only(Cores::ZEN5),
    lanes!(Md4Lanes, u32, 2 * avx512),
    lanes!(Md4Lanes, u32, 1 * avx512),
    lanes!(Md4Lanes, u32, 2 * avx2),
    lanes!(Md4Lanes, u32, 1 * avx2),
    lanes!(Md4Lanes, u32, 1 * sse2),
];

// Sections 3.1 and 3.2.
const PADDING: Padding = Padding::with_length(8, Endian::Little);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 4]>().mapped(u32::to_le)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 4]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, block);
    }
}

fn compress(chain: &mut [u32; 4], block: &[u8; 64]) {
    // Hidden from LLVM, which would otherwise add the constants last, one cycle later than need be
    // in each step.
    let roots = black_box(ROOTS);
    let [mut a, mut b, mut c, mut d] = *chain;
    let words: [u32; 16] = bytemuck::cast::<_, [[u8; 4]; 16]>(*block).mapped(u32::from_le_bytes);
    macro_rules! round {
        ($round:literal, $root:expr, $mix:expr) => {
            sixteen!(STEP => {
                let mix: fn(u32, u32, u32, u32) -> u32 = $mix;
                let word = words[const { ORDER[$round][STEP] }];
                let sum = mix(a.wrapping_add(word).wrapping_add($root), b, c, d);
                let turned = sum.rotate_left(const { SHIFTS[$round][STEP % 4] });
                (a, d, c, b) = (d, c, b, turned);
            });
        };
    }
    // The newest word is b: each function is written so that the fewest operations follow it.
    round!(0, 0, |x, b, c, d| x.wrapping_add(d ^ (b & (c ^ d))));
    // The terms of the majority have no bit in common, so sums may join them.
    round!(1, roots[0], |x, b, c, d| x.wrapping_add(c & d).wrapping_add(b & (c ^ d)));
    round!(2, roots[1], |x, b, c, d| x.wrapping_add(b ^ (c ^ d)));
    for (chain, word) in chain.iter_mut().zip([a, b, c, d]) {
        *chain = chain.wrapping_add(word);
    }
}

/// 2^30 times the square roots of 2 and 3: what the steps of the second and third round add.
const ROOTS: [u32; 2] = [0x5a82_7999, 0x6ed9_eba1];

/// How far four steps of each round rotate; the next four rotate alike.
const SHIFTS: [[u32; 4]; 3] = [[3, 7, 11, 19], [3, 5, 9, 13], [3, 9, 11, 15]];

/// The word that each step of each round adds.
const ORDER: [[usize; 16]; 3] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
];
