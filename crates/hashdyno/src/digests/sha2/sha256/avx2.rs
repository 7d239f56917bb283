//! SHA-256 by AVX2 and BMI, for CPUs without its own instructions: scalar steps, and between them,
//! in the vector unit, the message schedule of two blocks.
//!
//! A vector holds four words of a block and the same four of the next. While the steps of the first
//! block run, the schedule of both is made, sixteen steps ahead: a part after each step. Those of
//! the second find theirs ready.

use std::arch::{asm, x86_64::*};
use std::mem::MaybeUninit;

use super::super::bmi::step;
use super::{CUBE_ROOTS, DISTANCES};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::barrier;
use crate::parts::instructions::instructions;
use crate::parts::pairs::{self, by_two};
use crate::parts::unroll::sixteen;
use crate::{Code, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel = Kernel::of("avx2", pairs::NEEDS, Code::Blocks(absorb));

/// What sixteen steps add: four words and their constants in a vector, of a block and then of the
/// next.
type Sums = [MaybeUninit<__m256i>; 4];

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let mut work = (state.view(), [[MaybeUninit::uninit(); 4]; 4]);
    by_two(
        blocks,
        &mut work,
        |(chain, sums), blocks| first_block(chain, blocks, sums),
        |(chain, sums)| second_block(chain, sums),
    );
}

/// The steps of a block. It makes the sums for these steps and for the next block's.
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn first_block(chain: &mut [u32; 8], blocks: [&[u8; 64]; 2], sums: &mut [Sums; 4]) {
    let mut words: [__m256i; 4] = pairs::words(blocks, pairs::OF_32);
    for i in 0..4 {
        sums[0][i].write(_mm256_add_epi32(words[i], roots(i)));
    }
    let mut steps = *chain;
    let mut differ = steps[1] ^ steps[2];
    for group in 1..4 {
        sixteen!(I => {
            const AT: usize = I / 4;
            const PART: usize = I % 4;
            schedule::<AT, PART>(&mut words);
            steps = one_step::<{ at(I) }>(steps, &mut differ, &sums[group - 1]);
            // Here, and not where the compiler would gather all vectors.
            words[AT] = barrier::register_in_place!(ymm_reg words[AT]);
            if PART == 3 {
                sums[group][AT].write(_mm256_add_epi32(words[AT], roots(4 * group + AT)));
            }
        });
    }
    sixteen!(I => { steps = one_step::<{ at(I) }>(steps, &mut differ, &sums[3]); });
    *chain = from_fn(|i| chain[i].wrapping_add(steps[i]));
}

/// The steps of the second block of a pair, whose sums came with those of the first.
#[target_feature(enable = "bmi1,bmi2")]
fn second_block(chain: &mut [u32; 8], sums: &[Sums; 4]) {
    let mut steps = *chain;
    let mut differ = steps[1] ^ steps[2];
    for sums in sums {
        sixteen!(I => { steps = one_step::<{ at(I) + 16 }>(steps, &mut differ, sums); });
    }
    *chain = from_fn(|i| chain[i].wrapping_add(steps[i]));
}

/// Where the sum of a step of a first block is in [`Sums`], in bytes.
const fn at(step: usize) -> usize {
    32 * (step / 4) + 4 * (step % 4)
}

#[target_feature(enable = "bmi1,bmi2")]
#[inline]
fn one_step<const AT: usize>(
    [a, b, c, mut d, e, f, g, mut h]: [u32; 8],
    differ: &mut u32,
    sums: &Sums,
) -> [u32; 8] {
    let (agree, next);
    agree = *differ;
    // SAFETY: the CPU has the instructions. They read a sum, which is written.
    unsafe { step!(alone ":e" DISTANCES, sums, AT, [a b d e f g h], agree next,) };
    *differ = next;
    [h, a, b, c, d, e, f, g]
}

/// The constants of four steps, twice.
#[target_feature(enable = "avx2")]
#[inline]
fn roots(vector: usize) -> __m256i {
    _mm256_broadcastsi128_si256(bytemuck::cast(CUBE_ROOTS.as_chunks::<4>().0[vector]))
}

/// Four words of the schedule: W[t - 16] + sigma0(W[t - 15]) + W[t - 7] + sigma1(W[t - 2]).
#[target_feature(enable = "avx2")]
#[inline]
fn schedule<const AT: usize, const PART: usize>(words: &mut [__m256i; 4]) {
    let [w0, w4, w8, w12] = [0, 1, 2, 3].mapped(|i| words[(AT + i) % 4]);
    let added = match PART {
        0 => sigma0(_mm256_alignr_epi8::<4>(w4, w0)),
        1 => _mm256_alignr_epi8::<4>(w12, w8),
        // The upper two words wait for the lower two.
        2 => pack::<0b00_00_10_00>(sigma1(_mm256_shuffle_epi32::<0b11_11_10_10>(w12)), zero()),
        _ => pack::<0b10_00_00_00>(zero(), sigma1(_mm256_shuffle_epi32::<0b01_01_00_00>(w0))),
    };
    words[AT] = _mm256_add_epi32(w0, added);
}

#[target_feature(enable = "avx2")]
#[inline]
fn sigma0(w: __m256i) -> __m256i {
    let by_7 = _mm256_xor_si256(_mm256_srli_epi32::<7>(w), _mm256_slli_epi32::<25>(w));
    let by_18 = _mm256_xor_si256(_mm256_srli_epi32::<18>(w), _mm256_slli_epi32::<14>(w));
    _mm256_xor_si256(_mm256_xor_si256(by_7, by_18), _mm256_srli_epi32::<3>(w))
}

/// Of words that stand in both halves of 64 bits, which a shift rotates. The result is in the lower
/// halves.
#[target_feature(enable = "avx2")]
#[inline]
fn sigma1(w: __m256i) -> __m256i {
    _mm256_xor_si256(
        _mm256_xor_si256(_mm256_srli_epi64::<17>(w), _mm256_srli_epi64::<19>(w)),
        _mm256_srli_epi32::<10>(w),
    )
}

/// Two words of `a`, then two of `b`.
#[target_feature(enable = "avx2")]
#[inline]
fn pack<const WHICH: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    _mm256_castps_si256(_mm256_shuffle_ps::<WHICH>(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
fn zero() -> __m256i {
    _mm256_setzero_si256()
}
