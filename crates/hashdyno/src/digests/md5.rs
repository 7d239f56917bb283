//! MD5 (RFC 1321).
//!
//! ```text
//! chain: a b c d; block: words 0 .. 15, little-endian
//! four rounds of sixteen steps:                                        (section 3.4)
//!     a d c b = d, c, b, b + (a + f(b, c, d) + word + sine) <<< shift
//!     f: b choose c, d    d choose b, c    b ^ c ^ d    c ^ (b | !d)
//!     words by `ORDER`, shifts by `SHIFTS`
//! chain += a b c d
//! ```

mod many;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::unroll::sixteen;
use crate::{Cores, Digest, Kernel, Security, Spelling, State, Tail};
pub(super) use many::Md5Lanes;

digests! {
    MD5 md5 Md5,
}

static MD5: Digest = Digest {
    name: "md5",
    spelling: Spelling { php: Some("md5"), openssl: Some("md5"), python: Some("md5") },
    family: "md5",
    specified_in: "RFC 1321",
    security: Security::Broken,
    output_len: 16,
    block_len: 64,
    start: |state| state.init(INITIAL),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

/// What the chain of four words starts from.
pub(super) const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

const ONE: &[Kernel] = kernels![crate::many::alone!(Md5Lanes); Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![
    lanes!(Md5Lanes, u32, 4 * avx512).only(Cores::ZEN5),
    lanes!(Md5Lanes, u32, 2 * avx512),
    lanes!(Md5Lanes, u32, 1 * avx512),
    lanes!(Md5Lanes, u32, 3 * avx2),
    lanes!(Md5Lanes, u32, 2 * avx2),
    lanes!(Md5Lanes, u32, 1 * avx2),
    lanes!(Md5Lanes, u32, 1 * sse2),
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

/// One block, in straight Rust.
#[inline(always)]
pub(super) fn compress(chain: &mut [u32; 4], block: &[u8; 64]) {
    let [mut a, mut b, mut c, mut d] = *chain;
    let words: [u32; 16] = bytemuck::cast::<_, [[u8; 4]; 16]>(*block).mapped(u32::from_le_bytes);
    // In order is what must not wait for b: LLVM would add the constants last, one cycle later than
    // need be in each step.
    macro_rules! round {
        ($round:literal, $mix:expr) => {
            sixteen!(STEP => {
                let mix: fn(u32, u32, u32, u32) -> u32 = $mix;
                let sum = barrier::in_place(
                    a.wrapping_add(words[const { ORDER[$round][STEP] }])
                        .wrapping_add(SINES[16 * $round + STEP]),
                );
                let turned = mix(sum, b, c, d).rotate_left(const { SHIFTS[$round][STEP % 4] });
                (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
            });
        };
    }
    // The newest word is b: each function is written so that the fewest operations follow it.
    round!(0, |sum, b, c, d| sum.wrapping_add(d ^ (b & barrier::in_place(c ^ d))));
    // The terms of the choice have no bit in common: c & !d is added before b is known.
    round!(1, |sum, b, c, d| barrier::in_place(sum.wrapping_add(c & !d)).wrapping_add(b & d));
    round!(2, |sum, b, c, d| sum.wrapping_add(b ^ barrier::in_place(c ^ d)));
    round!(3, |sum, b, c, d| sum.wrapping_add(c ^ (b | barrier::in_place(!d))));
    for (chain, word) in chain.iter_mut().zip([a, b, c, d]) {
        *chain = chain.wrapping_add(word);
    }
}

/// The word that each step of each round adds.
const ORDER: [[usize; 16]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [1, 6, 11, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12],
    [5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2],
    [0, 7, 14, 5, 12, 3, 10, 1, 8, 15, 6, 13, 4, 11, 2, 9],
];

/// How far four steps of each round rotate; the next four rotate alike.
const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// `floor(2^32 * abs(sin(step + 1)))`, as RFC 1321 prints them.
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];
