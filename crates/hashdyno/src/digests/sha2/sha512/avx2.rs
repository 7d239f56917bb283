//! SHA-512 by AVX2 and BMI: scalar steps, and beside them, in the vector unit, the message schedule
//! of two blocks.
//!
//! A vector holds two words of a block and the same two of the next. While the steps of the first
//! block run, the schedule of both is made, sixteen steps ahead; those of the second find theirs
//! ready.

use std::arch::{asm, x86_64::*};
use std::mem::MaybeUninit;

use super::super::bmi::step;
use super::{CUBE_ROOTS, DISTANCES};
use crate::parts::arrays::from_fn;
use crate::parts::instructions::instructions;
use crate::parts::lines::Lines;
use crate::parts::pairs::{self, by_two};
use crate::{Code, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel = Kernel::of("avx2", pairs::NEEDS, Code::Blocks(absorb));

/// What the steps add: the words of a pair of steps and their constants, of a block and then of the
/// next.
type Sums = [MaybeUninit<__m256i>; 40];

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let mut work = (state.view(), [MaybeUninit::uninit(); 40]);
    by_two(
        blocks,
        &mut work,
        |(chain, sums), blocks| first_block(chain, blocks, sums),
        |(chain, sums)| second_block(chain, sums),
    );
}

/// Sixteen steps, two at a time by `$two`; then the names of the words have come round.
macro_rules! sixteen_steps {
    (
        $two:ident!($($given:tt)*),
        [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident]
    ) => {
        $two!(0, [$a $b $c $d $e $f $g $h], $($given)*);
        $two!(1, [$g $h $a $b $c $d $e $f], $($given)*);
        $two!(2, [$e $f $g $h $a $b $c $d], $($given)*);
        $two!(3, [$c $d $e $f $g $h $a $b], $($given)*);
        $two!(4, [$a $b $c $d $e $f $g $h], $($given)*);
        $two!(5, [$g $h $a $b $c $d $e $f], $($given)*);
        $two!(6, [$e $f $g $h $a $b $c $d], $($given)*);
        $two!(7, [$c $d $e $f $g $h $a $b], $($given)*);
    };
}

/// Two steps and nothing else.
macro_rules! two_steps {
    (
        $pair:literal, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident],
        $sums:expr, $differ:ident $other:ident
    ) => {
        step!(alone "" DISTANCES, $sums, 32 * $pair, [$a $b $d $e $f $g $h], $differ $other,);
        step!(alone "" DISTANCES, $sums, 32 * $pair + 8, [$h $a $c $d $e $f $g], $other $differ,);
    };
}

/// Two steps, and the pair of words that is added sixteen steps later, in place of the pair that is
/// added now.
macro_rules! two_steps_and_schedule {
    (
        $pair:literal, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident],
        $sums:expr, $differ:ident $other:ident, $words:ident, $roots:expr, $turn:ident
    ) => {
        // Words 0 and 9 and the sum of rotations of word 1; the rotation by 8 moves whole bytes.
        step!(with [
            "vpalignr {v0}, {w2}, {w0}, 8"
            "vpalignr {v3}, {w10}, {w8}, 8"
            "vpsrlq {v1}, {v0}, 7"
            "vpaddq {w0}, {w0}, {v3}"
            "vpshufb {v2}, {v0}, {turn}"
            "vpsrlq {v3}, {v0}, 1"
            "vpxor {v1}, {v1}, {v2}"
            "vpsllq {v0}, {v0}, 63"
            "vpxor {v1}, {v1}, {v3}"
            "vpxor {v1}, {v1}, {v0}"
            "vpaddq {w0}, {w0}, {v1}"
            ""
        ] "" DISTANCES, $sums, 32 * $pair, [$a $b $d $e $f $g $h], $differ $other,
            w0 = inout(ymm_reg) $words[$pair], w2 = in(ymm_reg) $words[($pair + 1) % 8],
            w8 = in(ymm_reg) $words[($pair + 4) % 8], w10 = in(ymm_reg) $words[($pair + 5) % 8],
            turn = in(ymm_reg) $turn,
            v0 = out(ymm_reg) _, v1 = out(ymm_reg) _, v2 = out(ymm_reg) _, v3 = out(ymm_reg) _,
        );
        // The sum of rotations of word 14.
        step!(with [
            "vpsrlq {v0}, {w14}, 19"
            "vpsllq {v1}, {w14}, 45"
            "vpsrlq {v2}, {w14}, 6"
            "vpxor {v0}, {v0}, {v1}"
            "vpsrlq {v3}, {w14}, 61"
            "vpxor {v0}, {v0}, {v2}"
            "vpsllq {v2}, {w14}, 3"
            "vpxor {v0}, {v0}, {v3}"
            "vpxor {v0}, {v0}, {v2}"
            "vpaddq {w0}, {w0}, {v0}"
            "vpaddq {v1}, {w0}, [{roots} + {later}]"
            "vmovdqa [{sums} + {later}], {v1}"
        ] "" DISTANCES, $sums, 32 * $pair + 8, [$h $a $c $d $e $f $g], $other $differ,
            w0 = inout(ymm_reg) $words[$pair], w14 = in(ymm_reg) $words[($pair + 7) % 8],
            roots = in(reg) $roots, later = const 32 * ($pair + 8),
            v0 = out(ymm_reg) _, v1 = out(ymm_reg) _, v2 = out(ymm_reg) _, v3 = out(ymm_reg) _,
        );
    };
}

/// The steps of a block. It makes the sums for these steps and for the next block's.
#[expect(unused_assignments, reason = "what the last step leaves for a next one")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn first_block(chain: &mut [u64; 8], blocks: [&[u8; 128]; 2], sums: &mut Sums) {
    let turn =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x080f_0e0d_0c0b_0a09, 0x0007_0605_0403_0201));
    let mut words: [__m256i; 8] = pairs::words(blocks, pairs::OF_64);
    for pair in 0..8 {
        sums[pair].write(_mm256_add_epi64(words[pair], bytemuck::cast(ROOTS.0[pair])));
    }
    let sums = sums.as_mut_ptr();
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
    let mut differ = b ^ c;
    let mut other: u64;
    for group in 0..4 {
        let (sums, roots) =
            (sums.wrapping_add(8 * group), ROOTS.0.as_ptr().wrapping_add(8 * group));
        // SAFETY: the CPU has the instructions; the steps read the sums of this group, which are
        // written, and write those of the next, eight pairs on: the last of the five is within
        // `sums`, as within ROOTS.
        unsafe {
            sixteen_steps!(
                two_steps_and_schedule!(sums, differ other, words, roots, turn),
                [a b c d e f g h]
            );
        }
    }
    let last = sums.wrapping_add(32);
    // SAFETY: the steps read the last group's sums, which are written.
    unsafe {
        sixteen_steps!(two_steps!(last, differ other), [a b c d e f g h]);
    }
    *chain = sum(chain, [a, b, c, d, e, f, g, h]);
}

/// The steps of the second block of a pair, whose sums came with those of the first.
#[target_feature(enable = "bmi1,bmi2")]
fn second_block(chain: &mut [u64; 8], sums: &Sums) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
    let mut differ = b ^ c;
    let mut other: u64;
    for group in sums.as_chunks::<8>().0 {
        let second = group.as_ptr().cast::<u64>().wrapping_add(2);
        // SAFETY: the CPU has the instructions; the steps read the second halves of the group's
        // vectors, all of which are written.
        unsafe {
            sixteen_steps!(two_steps!(second, differ other), [a b c d e f g h]);
        }
    }
    *chain = sum(chain, [a, b, c, d, e, f, g, h]);
}

fn sum(chain: &[u64; 8], words: [u64; 8]) -> [u64; 8] {
    from_fn(|i| chain[i].wrapping_add(words[i]))
}

/// The constants as the sums have them: each pair twice.
static ROOTS: Lines<[[u64; 4]; 40]> = {
    let mut roots = [[0; 4]; 40];
    let mut pair = 0;
    while pair < 40 {
        let (first, second) = (CUBE_ROOTS[2 * pair], CUBE_ROOTS[2 * pair + 1]);
        roots[pair] = [first, second, first, second];
        pair += 1;
    }
    Lines(roots)
};
