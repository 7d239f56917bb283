//! The rounds of BLAKE, BLAKE2 and BLAKE3 for many messages, by AVX2. A register holds one word of
//! each message: of eight messages, or of four where words have 64 bits.
//!
//! The state is sixteen vectors, AVX2 has sixteen registers, and a rotation needs one more. A
//! compiler keeps vectors in memory for which the rounds wait, and all takes a fourth longer. So
//! assembly says here which register holds which word:
//!
//! ```text
//!            column 0     column 1    column 2    column 3
//! row 1, a   ymm0         ymm1        ymm2        ymm3
//! row 2, b   ymm4         ymm5        ymm6        ymm7
//! row 3, c   [third]      ymm9        ymm10       ymm11       [third]: in memory
//! row 4, d   ymm12        ymm13       ymm14       ymm15       ymm8: for one step at a time
//!
//! diagonals, a b c d:   2 7 [third] 13     3 4 9 14     0 5 10 15     1 6 11 12
//! ```
//!
//! The first vector of row 3 is in memory, because there is time for its load and store. All steps
//! wait for row 2. The macros stand below in the order in which they use each other:
//!
//! ```text
//! turn!     rotates a register. [by OFFSET]: a shuffle by that order of `TURNS`, for whole bytes.
//!           [RIGHT LEFT]: two shifts and an OR.
//! bring!    a += input, as it is (`plain`) or xored with a mask (`masked`)
//! half!     half of G on four columns or four diagonals, each step for all four in turn:
//!               bring! a    a += b    d ^= a    turn! d    c += d    b ^= c    turn! b
//! rounds!   the function of a design; a round is one `asm!`:
//!               half! columns 0    half! columns 1    half! diagonals 0    half! diagonals 1
//!           and the upper eight words are xored with the lower ones at the end
//! ```
//!
//! Which word of the block an addition takes is an offset in its instruction: `x0` to `x15` are
//! constants of the round.

use std::arch::{asm, x86_64::*};

use bytemuck::{cast_mut, cast_ref};

use super::arx::{Rounds, unroll};
use crate::parts::lanes::Lanes;
use crate::parts::lines::Lines;

/// The orders of bytes that turn words right: those of 32 bits by 8 and by 16, those of 64 bits by
/// 16, by 24 and by 32. Not written to the stack for each block: there they would be waited for.
static TURNS: Lines<[[[u8; 16]; 2]; 5]> = Lines([
    [[1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]; 2],
    [[2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]; 2],
    [[2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9]; 2],
    [[3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10]; 2],
    [[4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11]; 2],
]);

/// Turns the words of a register: by an order of bytes, so far into [`TURNS`], or by two shifts,
/// right and left.
macro_rules! turn {
    ($word:literal $register:literal [by $order:literal]) => {
        concat!("vpshufb ymm", $register, ", ymm", $register, ", [{turns} + ", $order, "]\n")
    };
    ($word:literal $register:literal [$right:literal $left:literal]) => {
        concat!(
            "vpsrl",
            $word,
            " ymm8, ymm",
            $register,
            ", ",
            $right,
            "\n",
            "vpsll",
            $word,
            " ymm",
            $register,
            ", ymm",
            $register,
            ", ",
            $left,
            "\n",
            "vpor ymm",
            $register,
            ", ymm",
            $register,
            ", ymm8\n",
        )
    };
}

/// Adds a word of the message to a register: as it is, or with a constant, that of the word that
/// the other half of G adds.
macro_rules! bring {
    ($word:literal plain $a:literal $x:literal $y:literal) => {
        concat!("vpadd", $word, " ymm", $a, ", ymm", $a, ", [{words} + {", $x, "}]\n")
    };
    ($word:literal masked $a:literal $x:literal $y:literal) => {
        concat!(
            "vmovdqa ymm8, [{words} + {",
            $x,
            "}]\n",
            "vpxor ymm8, ymm8, [{masks} + {",
            $y,
            "}]\n",
            "vpadd",
            $word,
            " ymm",
            $a,
            ", ymm",
            $a,
            ", ymm8\n",
        )
    };
}

/// Half of four times G, step by step in turn: `[a b d x y]` are the numbers of the registers of
/// four columns or diagonals and of the inputs of this half and of the other; `[c d b]` those of
/// all but the first of them, whose c is in memory: its `[d b]`.
macro_rules! half {
    (
        $word:literal $input:ident $first:tt $second:tt,
        $([$a:literal $b:literal $d:literal $x:literal $y:literal])*,
        [$d0:literal $b0:literal] $([$c:literal $dc:literal $bc:literal])*
    ) => {
        concat!(
            $(bring!($word $input $a $x $y),)*
            $("vpadd", $word, " ymm", $a, ", ymm", $a, ", ymm", $b, "\n",)*
            $("vpxor ymm", $d, ", ymm", $d, ", ymm", $a, "\n",)*
            $(turn!($word $d $first),)*
            // ymm8 is free here: the turns above are done. It holds c of the first until b takes
            // it.
            "vpadd", $word, " ymm8, ymm", $d0, ", [{third}]\n",
            "vmovdqa [{third}], ymm8\n",
            $("vpadd", $word, " ymm", $c, ", ymm", $c, ", ymm", $dc, "\n",)*
            "vpxor ymm", $b0, ", ymm", $b0, ", ymm8\n",
            $("vpxor ymm", $bc, ", ymm", $bc, ", ymm", $c, "\n",)*
            $(turn!($word $b $second),)*
        )
    };
    (columns 0 $($how:tt)*) => {
        half!(
            $($how)*,
            [0 4 12 "x0" "x1"] [1 5 13 "x2" "x3"] [2 6 14 "x4" "x5"] [3 7 15 "x6" "x7"],
            [12 4] [9 13 5] [10 14 6] [11 15 7]
        )
    };
    (columns 1 $($how:tt)*) => {
        half!(
            $($how)*,
            [0 4 12 "x1" "x0"] [1 5 13 "x3" "x2"] [2 6 14 "x5" "x4"] [3 7 15 "x7" "x6"],
            [12 4] [9 13 5] [10 14 6] [11 15 7]
        )
    };
    (diagonals 0 $($how:tt)*) => {
        half!(
            $($how)*,
            [2 7 13 "x12" "x13"] [3 4 14 "x14" "x15"] [0 5 15 "x8" "x9"] [1 6 12 "x10" "x11"],
            [13 7] [9 14 4] [10 15 5] [11 12 6]
        )
    };
    (diagonals 1 $($how:tt)*) => {
        half!(
            $($how)*,
            [2 7 13 "x13" "x12"] [3 4 14 "x15" "x14"] [0 5 15 "x9" "x8"] [1 6 12 "x11" "x10"],
            [13 7] [9 14 4] [10 15 5] [11 12 6]
        )
    };
}

/// Declares the rounds of a kind of words, by how their inputs come in, with what operands, and how
/// they are turned.
macro_rules! rounds {
    (
        $(#[$attribute:meta])* $name:ident, $word:literal $input:ident [$($operands:tt)*],
        $r0:tt $r1:tt $r2:tt $r3:tt
    ) => {
        $(#[$attribute])*
        #[target_feature(enable = "avx2")]
        pub(in crate::digests) fn $name<R: Rounds>(
            upper: &mut [__m256i; 8],
            lower: &[__m256i; 8],
            words: &[__m256i; 16],
        ) {
            let [mut v0, mut v1, mut v2, mut v3, mut v4, mut v5, mut v6, mut v7] = *upper;
            let [mut third, mut v9, mut v10, mut v11, mut v12, mut v13, mut v14, mut v15] = *lower;
            unroll!(|ROUND| if const { ROUND < R::COUNT } {
                // SAFETY: arithmetic on registers, loads of `words`, of masks for them and of what
                // is in `TURNS`, loads and stores of `third`.
                unsafe {
                    asm!(
                        half!(columns 0 $word $input $r0 $r1),
                        half!(columns 1 $word $input $r2 $r3),
                        half!(diagonals 0 $word $input $r0 $r1),
                        half!(diagonals 1 $word $input $r2 $r3),
                        words = in(reg) words,
                        third = in(reg) &mut third,
                        turns = in(reg) &TURNS.0,
                        $($operands)*
                        x0 = const 32 * R::ORDER[ROUND % R::ORDER.len()][0],
                        x1 = const 32 * R::ORDER[ROUND % R::ORDER.len()][1],
                        x2 = const 32 * R::ORDER[ROUND % R::ORDER.len()][2],
                        x3 = const 32 * R::ORDER[ROUND % R::ORDER.len()][3],
                        x4 = const 32 * R::ORDER[ROUND % R::ORDER.len()][4],
                        x5 = const 32 * R::ORDER[ROUND % R::ORDER.len()][5],
                        x6 = const 32 * R::ORDER[ROUND % R::ORDER.len()][6],
                        x7 = const 32 * R::ORDER[ROUND % R::ORDER.len()][7],
                        x8 = const 32 * R::ORDER[ROUND % R::ORDER.len()][8],
                        x9 = const 32 * R::ORDER[ROUND % R::ORDER.len()][9],
                        x10 = const 32 * R::ORDER[ROUND % R::ORDER.len()][10],
                        x11 = const 32 * R::ORDER[ROUND % R::ORDER.len()][11],
                        x12 = const 32 * R::ORDER[ROUND % R::ORDER.len()][12],
                        x13 = const 32 * R::ORDER[ROUND % R::ORDER.len()][13],
                        x14 = const 32 * R::ORDER[ROUND % R::ORDER.len()][14],
                        x15 = const 32 * R::ORDER[ROUND % R::ORDER.len()][15],
                        inout("ymm0") v0,
                        inout("ymm1") v1,
                        inout("ymm2") v2,
                        inout("ymm3") v3,
                        inout("ymm4") v4,
                        inout("ymm5") v5,
                        inout("ymm6") v6,
                        inout("ymm7") v7,
                        out("ymm8") _,
                        inout("ymm9") v9,
                        inout("ymm10") v10,
                        inout("ymm11") v11,
                        inout("ymm12") v12,
                        inout("ymm13") v13,
                        inout("ymm14") v14,
                        inout("ymm15") v15,
                        options(nostack, preserves_flags),
                    );
                }
            });
            let halves =
                [[v0, v1, v2, v3, v4, v5, v6, v7], [third, v9, v10, v11, v12, v13, v14, v15]];
            for i in 0..8 {
                upper[i] = _mm256_xor_si256(halves[0][i], halves[1][i]);
            }
        }
    };
}

rounds!(/** BLAKE2s and BLAKE3. */ #[inline] plain_32, "d" plain [], [by 32] [12 20] [by 0] [7 25]);
rounds!(/** BLAKE2b. */ plain_64, "q" plain [], [by 128] [by 96] [by 64] [63 1]);
rounds!(
    /** BLAKE-224 and BLAKE-256. */
    masked_32, "d" masked [masks = in(reg) const { &wide(R::MASKS) },],
    [by 32] [12 20] [by 0] [7 25]
);
rounds!(
    /** BLAKE-384 and BLAKE-512. */
    masked_64, "q" masked [masks = in(reg) const { &wide(R::MASKS) },],
    [by 128] [25 39] [by 64] [11 53]
);

/// The masks for every lane, as there is no time to spread them.
const fn wide(masks: Option<[u64; 16]>) -> [[u64; 4]; 16] {
    let masks = masks.expect("the design has masks");
    let (mut wide, mut at) = ([[0; 4]; 16], 0);
    while at < 16 {
        wide[at] = [masks[at]; 4];
        at += 1;
    }
    wide
}

/// [`super::rounds::rounds`] of words in lanes of AVX2.
#[inline(always)]
pub(super) fn rounds<R: Rounds, L: Lanes>(upper: &mut [L; 8], lower: &[L; 8], words: &[L; 16]) {
    assert!(L::AVX2);
    // SAFETY: values of such types are where AVX2 is (see `lanes::x86_64::vector`).
    unsafe { R::ON_COLUMNS(cast_mut(upper), cast_ref(lower), cast_ref(words)) };
}
