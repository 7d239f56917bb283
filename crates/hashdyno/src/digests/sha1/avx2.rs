//! SHA-1 by AVX2 and BMI, for CPUs without its own instructions: scalar steps, and between them, in
//! the vector unit, the message schedule of two blocks.
//!
//! A vector holds four words of a block and the same four of the next. While the steps of the first
//! block run, the schedule of both is made, sixteen steps ahead: a part after each step. Those of
//! the second find theirs ready.

use std::arch::{asm, x86_64::*};
use std::mem::MaybeUninit;

use super::{A_TURN, B_TURN, ROOTS};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::barrier;
use crate::parts::instructions::instructions;
use crate::parts::pairs::{self, by_two};
use crate::parts::unroll::sixteen;
use crate::{Code, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel = Kernel::of("avx2", pairs::NEEDS, Code::Blocks(absorb));

/// What the steps add: four words and their constant in a vector, of a block and then of the next.
type Sums = [MaybeUninit<__m256i>; 20];

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let mut work = (state.view(), [MaybeUninit::uninit(); 20]);
    by_two(
        blocks,
        &mut work,
        |(chain, sums), blocks| first_block(chain, blocks, sums),
        |(chain, sums)| second_block(chain, sums),
    );
}

/// All steps, by sixteen: the body's `$step` is the number of a step.
macro_rules! steps {
    ($step:ident => $body:block) => {
        steps!(@ $step $body 0 16 32 48 64);
    };
    (@ $step:ident $body:block $($first:literal)*) => {
        $(sixteen!(I => {
            const $step: usize = $first + I;
            $body
        });)*
    };
}

/// The steps of a block. It makes the sums for these steps and for the next block's.
#[expect(unused_assignments, reason = "the last vector of the schedule has none after it")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn first_block(chain: &mut [u32; 5], blocks: [&[u8; 64]; 2], sums: &mut Sums) {
    // The last eight vectors of the schedule.
    let mut words = [_mm256_setzero_si256(); 8];
    words[..4].copy_from_slice(&pairs::words::<64, 4>(blocks, pairs::OF_32));
    for i in 0..4 {
        sums[i].write(_mm256_add_epi32(words[i], root::<0>()));
    }
    let mut state = begin(chain);
    let mut part = words[0];
    steps!(STEP => {
        state = step::<STEP, { at(STEP) }>(state, sums);
        const VECTOR: usize = STEP / 4 + 4;
        if VECTOR < 20 {
            part = schedule::<VECTOR, { STEP % 4 }>(&words, part);
            // Here, and not where the compiler would gather all vectors.
            part = barrier::register_in_place!(ymm_reg part);
            if STEP % 4 == 3 {
                words[VECTOR % 8] = part;
                sums[VECTOR % 20].write(_mm256_add_epi32(part, root::<VECTOR>()));
            }
        }
    });
    end(chain, state);
}

/// The steps of the second block of a pair, whose sums came with those of the first.
#[target_feature(enable = "bmi1,bmi2")]
fn second_block(chain: &mut [u32; 5], sums: &Sums) {
    let mut state = begin(chain);
    steps!(STEP => { state = step::<STEP, { at(STEP) + 16 }>(state, sums); });
    end(chain, state);
}

/// Where the sum of a step of a first block is in [`Sums`], in bytes.
const fn at(step: usize) -> usize {
    32 * (step / 4) + 4 * (step % 4)
}

/// What a step takes: a .. e, of which b is rotated already, and f(b, c, d).
#[inline(always)]
fn begin(&[a, b, c, d, e]: &[u32; 5]) -> [u32; 6] {
    [a, b.rotate_left(B_TURN), c, d, e, (b & c) | (!b & d)]
}

#[inline(always)]
fn end(chain: &mut [u32; 5], [a, b, c, d, e, _]: [u32; 6]) {
    let state = [a, b.rotate_right(B_TURN), c, d, e];
    *chain = from_fn(|i| chain[i].wrapping_add(state[i]));
}

/// One step, and f of the next, in place of a: so no register is copied. The choice is joined by
/// OR, and the majority is (b & c) + (a & (b ^ c)).
///
/// In assembly: the order was found by trying some, and the compiler's takes 9 % longer.
#[target_feature(enable = "bmi1,bmi2")]
#[inline]
fn step<const STEP: usize, const AT: usize>(
    [mut a, b, c, d, mut e, f]: [u32; 6],
    sums: &Sums,
) -> [u32; 6] {
    let turned;
    macro_rules! step {
        ($text:tt $($operands:tt)*) => {
            // SAFETY: the CPU has the instructions. They read a sum, which is written.
            unsafe {
                asm!(
                    instructions!(":e" $text),
                    sums = in(reg) sums, at = const AT,
                    five = const 32 - A_TURN, thirty = const 32 - B_TURN,
                    a = inout(reg) a, b = in(reg) b, c = in(reg) c, e = inout(reg) e,
                    f = in(reg) f, t = out(reg) _, turned = out(reg) turned, $($operands)*
                    options(readonly, nostack),
                )
            }
        };
    }
    match (STEP + 1) / 20 {
        0 => step!(
            [add e, [sums]; add e, f; rorx t, a, (five); andn n, a, c; rorx turned, a, (thirty);
            and a, b; add e, t; or a, n]
            n = out(reg) _,
        ),
        2 => step!(
            [mov n, b; mov u, b; add e, [sums]; xor n, c; and u, c; add e, f; rorx t, a, (five);
            rorx turned, a, (thirty); and a, n; add a, u; add e, t]
            n = out(reg) _, u = out(reg) _,
        ),
        _ => step!(
            [add e, [sums]; add e, f; rorx t, a, (five); rorx turned, a, (thirty); xor a, c;
            xor a, b; add e, t]
        ),
    }
    [e, turned, b, c, d, a]
}

/// What the steps of a vector add.
#[target_feature(enable = "avx2")]
#[inline]
fn root<const VECTOR: usize>() -> __m256i {
    _mm256_set1_epi32(ROOTS[VECTOR / 5 % 4] as i32)
}

/// A fourth of the work for a vector of the schedule, which is in `part` after all four. From word
/// 32 on, words are far enough apart for four at once (M. Locktyukhin, Intel, 2010):
///
/// ```text
/// W[t] = (W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16]) <<< 1
///      = (W[t - 6] ^ W[t - 16] ^ W[t - 28] ^ W[t - 32]) <<< 2
/// ```
#[target_feature(enable = "avx2")]
#[inline]
fn schedule<const VECTOR: usize, const PART: usize>(
    words: &[__m256i; 8],
    part: __m256i,
) -> __m256i {
    // Vectors of the schedule, numbered by their distance from this one.
    let [w1, w2, w3, w4, w7, w8] = [1, 2, 3, 4, 7, 8].mapped(|i| words[(VECTOR + 8 - i) % 8]);
    match (VECTOR, PART) {
        (..8, 0) => xor(_mm256_alignr_epi8::<8>(w3, w4), _mm256_srli_si256::<4>(w1)),
        (..8, 1) => xor(part, xor(w4, w2)),
        // The last word waits for the first: W[t + 3] has W[t] <<< 1 besides.
        (..8, 3) => xor(left::<1, 31>(part), left::<2, 30>(_mm256_slli_si256::<12>(part))),
        (8.., 0) => xor(_mm256_alignr_epi8::<8>(w1, w2), w4),
        (8.., 1) => xor(part, xor(w7, w8)),
        (8.., 3) => left::<2, 30>(part),
        _ => part,
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn left<const UP: i32, const DOWN: i32>(words: __m256i) -> __m256i {
    xor(_mm256_slli_epi32::<UP>(words), _mm256_srli_epi32::<DOWN>(words))
}

#[target_feature(enable = "avx2")]
#[inline]
fn xor(a: __m256i, b: __m256i) -> __m256i {
    _mm256_xor_si256(a, b)
}
