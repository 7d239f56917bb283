//! SM3 by AVX2 and BMI: scalar steps, and beside them, in the vector unit, the message schedule of
//! two blocks.
//!
//! A vector holds four words of a block and the same four of the next. While the steps of the first
//! block run, the schedule of both is made, sixteen steps ahead; those of the second find theirs
//! ready.
//!
//! ```text
//! ymm              lower half: the block      upper half: the next block
//! words[k]         W[4k] .. W[4k + 3]         likewise; a ring of four vectors
//! sums[g][0]       W of steps 4g .. 4g + 3    (in memory, for the scalar steps)
//! sums[g][1]       W[j] ^ W[j + 4] of the same steps
//! general          a .. h, which change places by names; t u v; the addresses of sums and roots
//! ```

use std::arch::{asm, x86_64::*};
use std::mem::MaybeUninit;

use super::constant;
use crate::parts::arrays::{Mapped, from_fn};
use crate::{Code, Features, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel = Kernel::of(
    "avx2",
    Features::AVX2.union(Features::BMI1).union(Features::BMI2),
    Code::Blocks(absorb),
);

/// What four steps at a time add: words i, and words i ^ words i + 4; of a block and then of the
/// next. Of the last group, the schedule ends with the former.
type Sums = [[MaybeUninit<__m256i>; 2]; 17];

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view();
    let mut sums = [[MaybeUninit::uninit(); 2]; 17];
    for pair in blocks.as_chunks::<64>().0.chunks(2) {
        // The last of an odd number is taken twice, and the second time not used.
        first_block(chain, [&pair[0], &pair[pair.len() - 1]], &mut sums);
        if pair.len() == 2 {
            second_block(chain, &sums);
        }
    }
}

/// Four steps, after which the names of the words have come round.
macro_rules! four_steps {
    (
        $mix:ident, $sums:expr, $roots:expr,
        [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident]
    ) => {
        step!(
            $mix, 0, $sums, $roots, [$a $b $c $d $e $f $g $h],
            ["" "" "" "" "" "" "" "" "" "" "" "" ""]
        );
        step!(
            $mix, 1, $sums, $roots, [$d $a $b $c $h $e $f $g],
            ["" "" "" "" "" "" "" "" "" "" "" "" ""]
        );
        step!(
            $mix, 2, $sums, $roots, [$c $d $a $b $g $h $e $f],
            ["" "" "" "" "" "" "" "" "" "" "" "" ""]
        );
        step!(
            $mix, 3, $sums, $roots, [$b $c $d $a $f $g $h $e],
            ["" "" "" "" "" "" "" "" "" "" "" "" ""]
        );
    };
}

/// Four steps, and the four words that are used sixteen steps later, in place of those used now.
macro_rules! four_steps_and_schedule {
    (
        $mix:ident, $sums:expr, $roots:expr,
        [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident],
        $words:ident
    ) => {
        let rest: __m256i;
        // The words 16, 9 and, rotated, 3 back, of which the last is not known yet; in `rest`,
        // those 13 (rotated) and 6 back.
        step!($mix, 0, $sums, $roots, [$a $b $c $d $e $f $g $h], [
            "vpalignr {rest}, {w4}, {w0}, 12"
            "vpalignr {v0}, {w8}, {w4}, 12"
            "vpsrldq {v1}, {w12}, 4"
            "vpxor {w0}, {w0}, {v0}"
            "vpslld {v2}, {v1}, 15"
            "vpalignr {v0}, {w12}, {w8}, 8"
            "vpsrld {v1}, {v1}, 17"
            "vpxor {w0}, {w0}, {v2}"
            "vpslld {v2}, {rest}, 7"
            "vpsrld {rest}, {rest}, 25"
            "vpxor {w0}, {w0}, {v1}"
            "vpxor {v0}, {v0}, {v2}"
            "vpxor {rest}, {rest}, {v0}"
        ]
            w0 = inout(ymm_reg) $words[0], w4 = in(ymm_reg) $words[1],
            w8 = in(ymm_reg) $words[2], w12 = in(ymm_reg) $words[3],
            rest = out(ymm_reg) rest, v0 = out(ymm_reg) _, v1 = out(ymm_reg) _, v2 = out(ymm_reg) _,
        );
        // The permutation P1, which is linear.
        step!($mix, 1, $sums, $roots, [$d $a $b $c $h $e $f $g], [
            "vpslld {v0}, {w0}, 15"
            "vpsrld {v1}, {w0}, 17"
            "vpslld {v2}, {w0}, 23"
            "vpxor {v0}, {v0}, {v1}"
            "vpsrld {v1}, {w0}, 9"
            "vpxor {w0}, {w0}, {rest}"
            "vpxor {v1}, {v1}, {v2}"
            "vpxor {w0}, {w0}, {v0}"
            "vpxor {w0}, {w0}, {v1}"
            "" "" "" ""
        ]
            w0 = inout(ymm_reg) $words[0], rest = in(ymm_reg) rest,
            v0 = out(ymm_reg) _, v1 = out(ymm_reg) _, v2 = out(ymm_reg) _,
        );
        // The same of the first of the four words, for the last; rotations are shifts of the word
        // twice over.
        step!($mix, 2, $sums, $roots, [$c $d $a $b $g $h $e $f], [
            "vpshufd {v0}, {w0}, 0"
            "vpsrlq {v1}, {v0}, 17"
            "vpsrlq {v2}, {v0}, 2"
            "vpsrlq {v0}, {v0}, 26"
            "vpxor {v1}, {v1}, {v2}"
            "vpxor {v0}, {v0}, {v1}"
            "vpslldq {v0}, {v0}, 12"
            "vpxor {w0}, {w0}, {v0}"
            "" "" "" "" ""
        ]
            w0 = inout(ymm_reg) $words[0],
            v0 = out(ymm_reg) _, v1 = out(ymm_reg) _, v2 = out(ymm_reg) _,
        );
        step!($mix, 3, $sums, $roots, [$b $c $d $a $f $g $h $e], [
            "vmovdqa [{sums} + 256], {w0}"
            "vpxor {v0}, {w0}, {w12}"
            "vmovdqa [{sums} + 224], {v0}"
            "" "" "" "" "" "" "" "" "" ""
        ]
            w0 = in(ymm_reg) $words[0], w12 = in(ymm_reg) $words[3], v0 = out(ymm_reg) _,
        );
        $words = [$words[1], $words[2], $words[3], $words[0]];
    };
}

/// Step `$i` of four, and after every second instruction or so one of the schedule.
///
/// In assembly, because the compiler gathers the vector instructions in one place, where they hold
/// up the steps. The sum that is rotated by 7 comes first: what goes round from it to the next
/// step's is the longest.
macro_rules! step {
    (parity, $($given:tt)*) => {
        step!(@ [
            "mov {u:e}, [{roots} + {root}]; rorx {t:e}, {a:e}, 20"
            "add {u:e}, {t:e}; mov {v:e}, {f:e}"
            "add {u:e}, {e:e}; xor {v:e}, {g:e}"
            "rorx {u:e}, {u:e}, 25; add {h:e}, [{sums} + {one}]"
            "xor {v:e}, {e:e}; add {d:e}, [{sums} + {both}]"
            "add {h:e}, {v:e}; mov {v:e}, {b:e}"
            "add {h:e}, {u:e}; xor {v:e}, {c:e}"
            "xor {t:e}, {u:e}; xor {v:e}, {a:e}"
            "add {d:e}, {v:e}; rorx {u:e}, {h:e}, 23"
            "add {d:e}, {t:e}; rorx {t:e}, {h:e}, 15"
            "xor {h:e}, {u:e}; rorx {f:e}, {f:e}, 13"
            "xor {h:e}, {t:e}"
            "rorx {b:e}, {b:e}, 23"
        ] $($given)*)
    };
    (choice, $($given:tt)*) => {
        step!(@ [
            "mov {u:e}, [{roots} + {root}]; rorx {t:e}, {a:e}, 20"
            "add {u:e}, {t:e}; andn {v:e}, {e:e}, {g:e}"
            "add {u:e}, {e:e}; add {h:e}, [{sums} + {one}]"
            "rorx {u:e}, {u:e}, 25; add {h:e}, {v:e}"
            "mov {v:e}, {f:e}; and {v:e}, {e:e}"
            "add {h:e}, {v:e}; mov {v:e}, {b:e}"
            "add {h:e}, {u:e}; and {v:e}, {c:e}"
            "xor {t:e}, {u:e}; add {d:e}, [{sums} + {both}]; add {d:e}, {v:e}"
            "mov {v:e}, {b:e}; rorx {u:e}, {h:e}, 23; xor {v:e}, {c:e}"
            "add {d:e}, {t:e}; rorx {t:e}, {h:e}, 15"
            "and {v:e}, {a:e}; xor {h:e}, {u:e}"
            "add {d:e}, {v:e}; xor {h:e}, {t:e}"
            "rorx {f:e}, {f:e}, 13; rorx {b:e}, {b:e}, 23"
        ] $($given)*)
    };
    (
        @ $scalar:tt $i:literal, $sums:expr, $roots:expr,
        [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident],
        $vector:tt $($operands:tt)*
    ) => {
        step!(@ $scalar $vector
            sums = in(reg) $sums, roots = in(reg) $roots,
            root = const 4 * $i, one = const 4 * $i, both = const 4 * $i + 32,
            a = in(reg) $a, b = inout(reg) $b, c = in(reg) $c, d = inout(reg) $d,
            e = in(reg) $e, f = inout(reg) $f, g = in(reg) $g, h = inout(reg) $h,
            t = out(reg) _, u = out(reg) _, v = out(reg) _, $($operands)*
        )
    };
    (@ [$($scalar:literal)*] [$($vector:literal)*] $($operands:tt)*) => {
        asm!($($scalar, $vector,)* $($operands)* options(nostack))
    };
}

/// The steps of a block, and what its steps and those of the next add.
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn first_block(chain: &mut [u32; 8], [block, next]: [&[u8; 64]; 2], sums: &mut Sums) {
    let order =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203));
    let [block, next] = [block, next].mapped(|block| bytemuck::cast::<_, [__m128i; 4]>(*block));
    let mut words: [__m256i; 4] =
        from_fn(|i| _mm256_shuffle_epi8(_mm256_set_m128i(next[i], block[i]), order));
    for i in 0..4 {
        sums[i][0].write(words[i]);
    }
    for i in 0..3 {
        sums[i][1].write(_mm256_xor_si256(words[i], words[i + 1]));
    }
    let sums = sums.as_mut_ptr();
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
    for group in 0..4 {
        let (sums, roots) = (sums.wrapping_add(group), ROOTS.as_ptr().wrapping_add(4 * group));
        // SAFETY: the CPU has the instructions; the steps read what is written, of group `group` in
        // 0..4, and write what is added by the steps of group + 4, and the second half of group +
        // 3, all of which are in `sums`.
        unsafe {
            four_steps_and_schedule!(parity, sums, roots, [a b c d e f g h], words);
        }
    }
    for group in 4..13 {
        let (sums, roots) = (sums.wrapping_add(group), ROOTS.as_ptr().wrapping_add(4 * group));
        // SAFETY: as before; group + 4 is 16 at most, and `sums` has 17.
        unsafe {
            four_steps_and_schedule!(choice, sums, roots, [a b c d e f g h], words);
        }
    }
    for group in 13..16 {
        let (sums, roots) = (sums.wrapping_add(group), ROOTS.as_ptr().wrapping_add(4 * group));
        // SAFETY: the CPU has the instructions; the steps read what is written.
        unsafe {
            four_steps!(choice, sums, roots, [a b c d e f g h]);
        }
    }
    *chain = sum(chain, [a, b, c, d, e, f, g, h]);
}

/// The steps of the second block of a pair: what they add came with that of the first.
#[target_feature(enable = "bmi1,bmi2")]
fn second_block(chain: &mut [u32; 8], sums: &Sums) {
    let second = sums.as_ptr().cast::<u32>().wrapping_add(4);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
    for group in 0..4 {
        let (sums, roots) =
            (second.wrapping_add(16 * group), ROOTS.as_ptr().wrapping_add(4 * group));
        // SAFETY: the CPU has the instructions; the steps read the second halves of the vectors of
        // this group, which are written.
        unsafe {
            four_steps!(parity, sums, roots, [a b c d e f g h]);
        }
    }
    for group in 4..16 {
        let (sums, roots) =
            (second.wrapping_add(16 * group), ROOTS.as_ptr().wrapping_add(4 * group));
        // SAFETY: as before.
        unsafe {
            four_steps!(choice, sums, roots, [a b c d e f g h]);
        }
    }
    *chain = sum(chain, [a, b, c, d, e, f, g, h]);
}

fn sum(chain: &[u32; 8], words: [u32; 8]) -> [u32; 8] {
    from_fn(|i| chain[i] ^ words[i])
}

/// The constant of each step.
static ROOTS: [u32; 64] = {
    let mut roots = [0; 64];
    let mut step = 0;
    while step < 64 {
        roots[step] = constant(step);
        step += 1;
    }
    roots
};
