//! RIPEMD-128, RIPEMD-160 and their variants of twice the length, RIPEMD-256 and RIPEMD-320
//! (Dobbertin, Bosselaers, Preneel 1996).
//!
//! All are two lines of the same steps over the same words. A line has four words and four rounds
//! (128, 256) or five and five (160, 320). The shorter digests add the lines at the end of a block;
//! the longer keep both, exchange a word after each round, and are no stronger.
//!
//! ```text
//! step of a line of four:  a d c b = d, c, b, (a + f(b, c, d) + word + constant) <<< shift
//! step of a line of five:  a e d c b = e, d, c <<< 10, b, (the same) <<< shift + e
//! function of round r:     f r in the left line, f N-1-r in the right one
//! end, one chain:          chain i = chain i+1 + left i+2 + right i+3
//! end, two chains:         each adds its own line
//! ```

mod many;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::barrier;
use crate::parts::unroll::sixteen;
#[cfg(target_arch = "x86_64")]
use crate::{Code, Features};
use crate::{Cores, Digest, Kernel, Security, Spelling, State, Tail};
use many::{Apart, Joined};

digests! {
    RIPEMD128 ripemd128 Ripemd128,
    RIPEMD160 ripemd160 Ripemd160,
    RIPEMD256 ripemd256 Ripemd256,
    RIPEMD320 ripemd320 Ripemd320,
}

static RIPEMD128: Digest = Digest {
    name: "ripemd128",
    aliases: &["ripemd-128", "rmd128"],
    spelling: Spelling { php: Some("ripemd128"), ..Spelling::NONE },
    output_len: 16,
    start: |state| state.init::<[u32; 4]>(from_initial([0, 1, 2, 3])),
    finish: finish::<4>,
    one: kernels![
        crate::many::alone!(Joined<4>),
        Kernel::of("bmi2", BMI, Code::Blocks(absorb_joined_bmi2::<4>));
        Kernel::portable(absorb_joined::<4>)
    ],
    many: many_kernels![
        lanes!(Joined<4>, u32, 2 * avx512),
        lanes!(Joined<4>, u32, 1 * avx512),
        lanes!(Joined<4>, u32, 1 * avx2),
        lanes!(Joined<4>, u32, 1 * sse2),
    ],
    ..BASE
};

static RIPEMD160: Digest = Digest {
    name: "ripemd160",
    aliases: &["ripemd-160", "rmd160", "ripemd"],
    spelling: Spelling {
        php: Some("ripemd160"),
        openssl: Some("ripemd160"),
        python: Some("ripemd160"),
    },
    output_len: 20,
    start: |state| state.init::<[u32; 5]>(from_initial([0, 1, 2, 3, 4])),
    finish: finish::<5>,
    one: kernels![
        Kernel::of("bmi2", BMI, Code::Blocks(absorb_joined_bmi2::<5>));
        Kernel::portable(absorb_joined::<5>)
    ],
    many: many_kernels![
        lanes!(Joined<5>, u32, 2 * avx512).only(Cores::AMD),
        lanes!(Joined<5>, u32, 1 * avx512),
        lanes!(Joined<5>, u32, 1 * avx2),
        lanes!(Joined<5>, u32, 1 * sse2),
    ],
    ..BASE
};

static RIPEMD256: Digest = Digest {
    name: "ripemd256",
    aliases: &["ripemd-256", "rmd256"],
    spelling: Spelling { php: Some("ripemd256"), ..Spelling::NONE },
    output_len: 32,
    start: |state| state.init::<[u32; 8]>(from_initial([0, 1, 2, 3, 5, 6, 7, 8])),
    finish: finish::<8>,
    one: kernels![
        crate::many::alone!(Apart<4>),
        Kernel::of("bmi2", BMI, Code::Blocks(absorb_apart_bmi2::<4>));
        Kernel::portable(absorb_apart::<4>)
    ],
    many: many_kernels![
        lanes!(Apart<4>, u32, 2 * avx512).only(Cores::AMD),
        lanes!(Apart<4>, u32, 1 * avx512),
        lanes!(Apart<4>, u32, 1 * avx2),
        lanes!(Apart<4>, u32, 1 * sse2),
    ],
    ..BASE
};

static RIPEMD320: Digest = Digest {
    name: "ripemd320",
    aliases: &["ripemd-320", "rmd320"],
    spelling: Spelling { php: Some("ripemd320"), ..Spelling::NONE },
    output_len: 40,
    start: |state| state.init::<[u32; 10]>(from_initial([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
    finish: finish::<10>,
    one: kernels![
        Kernel::of("bmi2", BMI, Code::Blocks(absorb_apart_bmi2::<5>));
        Kernel::portable(absorb_apart::<5>)
    ],
    many: many_kernels![
        lanes!(Apart<5>, u32, 2 * avx512).only(Cores::AMD),
        lanes!(Apart<5>, u32, 1 * avx512),
        lanes!(Apart<5>, u32, 1 * avx2),
        lanes!(Apart<5>, u32, 1 * sse2),
    ],
    ..BASE
};

/// What they have in common.
const BASE: Digest = Digest {
    family: "ripemd",
    specified_in: "Dobbertin, Bosselaers, Preneel: RIPEMD-160, 1996; ISO/IEC 10118-3",
    security: Security::Legacy,
    output_len: 0,
    block_len: 64,
    start: |_| (),
    finish: |_, _, _| (),
    one: &[],
    ..Digest::BASE
};

fn from_initial<const WORDS: usize>(indices: [usize; WORDS]) -> [u32; WORDS] {
    indices.mapped(|index| INITIAL[index])
}

// MD4's padding.
const PADDING: Padding = Padding::with_length(8, Endian::Little);

fn finish<const WORDS: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    for (out, word) in out.as_chunks_mut().0.iter_mut().zip(*state.view::<[u32; WORDS]>()) {
        *out = word.to_le_bytes();
    }
}

#[cfg(target_arch = "x86_64")]
const BMI: Features = Features::BMI1.union(Features::BMI2);

/// The same text, compiled for a CPU that negates within an AND and rotates into another register.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn absorb_joined_bmi2<const N: usize>(state: &mut State, blocks: &[u8]) {
    absorb_joined::<N>(state, blocks);
}

/// As [`absorb_joined_bmi2`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn absorb_apart_bmi2<const N: usize>(state: &mut State, blocks: &[u8]) {
    absorb_apart::<N>(state, blocks);
}

/// The digests of one line's length: both lines start from the chain and are added to it, each
/// turned by one word more.
#[inline(always)]
fn absorb_joined<const N: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; N]>();
    for block in blocks.as_chunks().0 {
        let (left, right) = both_lines::<N, false>(chain, chain, block);
        // Word by word: LLVM would gather four in a vector, and the next block would wait for that.
        *chain = from_fn(|i| {
            barrier::in_place(chain[(i + 1) % N].wrapping_add(left[(i + 2) % N]))
                .wrapping_add(right[(i + 3) % N])
        });
    }
}

/// The digests of two lines' length: each line has its own half of the chain.
#[inline(always)]
fn absorb_apart<const N: usize>(state: &mut State, blocks: &[u8]) {
    let [first, second] = state.view::<[[u32; N]; 2]>();
    for block in blocks.as_chunks().0 {
        let (left, right) = both_lines::<N, true>(first, second, block);
        for i in 0..N {
            first[i] = first[i].wrapping_add(left[i]);
            second[i] = second[i].wrapping_add(right[i]);
        }
    }
}

/// The words of a line; of a line of four the last is unused.
type Words = [u32; 5];

/// The N rounds of a block, in two lines of N words; after each round the lines exchange a word if
/// `EXCHANGE`.
#[inline(always)]
fn both_lines<const N: usize, const EXCHANGE: bool>(
    left: &[u32; N],
    right: &[u32; N],
    block: &[u8; 64],
) -> (Words, Words) {
    let (mut left, mut right) = (widened(left), widened(right));
    macro_rules! round {
        ($round:literal) => {
            sixteen!(I => {
                left = step::<N>(
                    $round,
                    left,
                    |sum| barrier::sum_from::<{ 4 * LEFT.order[$round][I] }>(sum, block),
                    LEFT.added[$round],
                    LEFT.shifts[$round][I],
                );
                // `RIGHT.added` is of five rounds, and a right line ends without a constant.
                let added = if $round == N - 1 { 0 } else { RIGHT.added[$round] };
                right = step::<N>(
                    N - 1 - $round,
                    right,
                    |sum| barrier::sum_from::<{ 4 * RIGHT.order[$round][I] }>(sum, block),
                    added,
                    RIGHT.shifts[$round][I],
                );
            });
            if EXCHANGE {
                let word = EXCHANGED[N - 4][$round];
                std::mem::swap(&mut left[word], &mut right[word]);
            }
        };
    }
    round!(0);
    round!(1);
    round!(2);
    round!(3);
    if const { N == 5 } {
        round!(4);
    }
    (left, right)
}

fn widened<const N: usize>(chain: &[u32; N]) -> Words {
    from_fn(|i| if i < N { chain[i] } else { 0 })
}

/// A step of one line, of the function number `mix`. `with_word` adds the word of the block.
#[inline(always)]
fn step<const N: usize>(
    mix: usize,
    [a, b, c, d, e]: Words,
    with_word: impl FnOnce(u32) -> u32,
    added: u32,
    shift: u32,
) -> Words {
    // The complements of functions 2 and 4 take one operation less, by ANDN. Since f = -1 - !f, the
    // complement is subtracted. Lines of four words are slower so (measured on Zen 4).
    let complement = N == 5 && (mix == 2 || mix == 4);
    // The newest word is b: each function is written so that the fewest operations follow it. What
    // need not wait for it is summed in order: LLVM would add the constant last, one cycle later
    // than need be, and do one line after the other. Which sums are held is measured.
    let sum = a.wrapping_add(added).wrapping_sub(u32::from(complement));
    let sum = with_word(if N == 4 { barrier::in_place(sum) } else { sum });
    let sum = match mix {
        0 => sum.wrapping_add(b ^ (c ^ d)),
        1 => sum.wrapping_add(d ^ (b & (c ^ d))),
        2 if complement => sum.wrapping_sub((!b & c) ^ d),
        2 => sum.wrapping_add((b | !c) ^ d),
        3 => sum.wrapping_add(c & !d).wrapping_add(b & d),
        _ => sum.wrapping_sub(b ^ (!c & d)),
    };
    let turned = sum.rotate_left(shift);
    if N == 4 {
        [d, turned, b, c, e]
    } else {
        [e, turned.wrapping_add(e), b, c.rotate_left(C_TURN), d]
    }
}

/// What the words of the chain start from: those of a left line of five, then those of a right one.
#[rustfmt::skip]
const INITIAL: [u32; 10] = [
    0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0,
    0x7654_3210, 0xfedc_ba98, 0x89ab_cdef, 0x0123_4567, 0x3c2d_1e0f,
];

/// What the steps of a line take, for each round.
struct Line {
    /// The word of each step.
    order: [[usize; 16]; 5],
    /// The constant.
    added: [u32; 5],
    /// The rotation of each step.
    shifts: [[u32; 16]; 5],
}

const LEFT: Line = Line {
    order: [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8],
        [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12],
        [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2],
        [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
    ],
    added: [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e],
    shifts: [
        [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
        [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12],
        [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5],
        [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12],
        [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
    ],
};

/// In its last round, the fourth or the fifth, the right line adds no constant.
const RIGHT: Line = Line {
    order: [
        [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12],
        [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2],
        [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13],
        [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14],
        [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
    ],
    added: [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0],
    shifts: [
        [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6],
        [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11],
        [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5],
        [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8],
        [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
    ],
};

/// How far a step of a line of five rotates the word c.
const C_TURN: u32 = 10;

/// The words that lines of four and of five exchange after each round.
const EXCHANGED: [[usize; 5]; 2] = [[0, 1, 2, 3, 0], [1, 3, 0, 2, 4]];
