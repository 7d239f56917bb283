//! Eight blocks at once, one in each lane of AVX2's vectors.
//!
//! The state of the rounds is sixteen vectors, as many as there are registers, and a rotation wants one more. What a compiler then
//! keeps in memory is waited for, and all takes a fourth longer. Here that is the third row's first vector, for which there is time:
//! the second row is what everything waits for.

use std::arch::{asm, x86_64::__m256i};
use std::mem::offset_of;

use bytemuck::{Zeroable, cast};

use super::super::blake::arx::{Word, unroll};
use super::node::{ChainingValue, ORDER};
use crate::lanes::Lanes;
use crate::lanes::x86_64::U32x8;

/// One word of eight blocks each.
pub(super) type Words = U32x8;

/// The orders of bytes that turn words right by 16 bits and by 8. Not written to the stack for each block: there they would be
/// waited for.
#[repr(C, align(64))]
struct Turns {
    by_16: [[u8; 16]; 2],
    by_8: [[u8; 16]; 2],
}

static TURNS: Turns = Turns {
    by_16: [[2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]; 2],
    by_8: [[1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]; 2],
};

/// Half of four times G, step by step in turn: `[a b d x]` are the numbers of the registers of four columns or diagonals and of the
/// input; `[c d b]` those of all but the first of them, whose c is in memory: its `[d b]`.
macro_rules! half {
    ($turn:literal $down:literal $up:literal, $([$a:literal $b:literal $d:literal $x:literal])*, [$d0:literal $b0:literal] $([$c:literal $dc:literal $bc:literal])*) => {
        concat!(
            $("vpaddd ymm", $a, ", ymm", $a, ", [{words} + {", $x, "}]\n",)*
            $("vpaddd ymm", $a, ", ymm", $a, ", ymm", $b, "\n",)*
            $("vpxor ymm", $d, ", ymm", $d, ", ymm", $a, "\n",)*
            $("vpshufb ymm", $d, ", ymm", $d, ", [{turns} + {", $turn, "}]\n",)*
            "vpaddd ymm8, ymm", $d0, ", [{third}]\n",
            "vmovdqa [{third}], ymm8\n",
            $("vpaddd ymm", $c, ", ymm", $c, ", ymm", $dc, "\n",)*
            "vpxor ymm", $b0, ", ymm", $b0, ", ymm8\n",
            $("vpxor ymm", $bc, ", ymm", $bc, ", ymm", $c, "\n",)*
            $(
                "vpsrld ymm8, ymm", $b, ", ", $down, "\n",
                "vpslld ymm", $b, ", ymm", $b, ", ", $up, "\n",
                "vpor ymm", $b, ", ymm", $b, ", ymm8\n",
            )*
        )
    };
}

/// Replaces chaining values by the next, after a block in each lane; `last` is the last row of words: counter, length and flags.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn compress(chain: &mut [Words; 8], words: &[Words; 16], last: [Words; 4]) {
    let [c0, c1, c2, c3, ..] = initial();
    let mut third = c0;
    let [mut v0, mut v1, mut v2, mut v3, mut v4, mut v5, mut v6, mut v7] = cast::<_, [__m256i; 8]>(*chain);
    let [mut v9, mut v10, mut v11, mut v12, mut v13, mut v14, mut v15] =
        cast::<_, [__m256i; 7]>([c1, c2, c3, last[0], last[1], last[2], last[3]]);
    unroll!(|ROUND| if ROUND < ORDER.len() {
        const TAKES: [usize; 16] = ORDER[ROUND % ORDER.len()];
        // SAFETY: arithmetic on registers, and loads of `words` and of what is in `TURNS`, loads and stores of `third`.
        unsafe {
            asm!(
                half!("by_16" 12 20, [0 4 12 "x0"] [1 5 13 "x2"] [2 6 14 "x4"] [3 7 15 "x6"], [12 4] [9 13 5] [10 14 6] [11 15 7]),
                half!("by_8" 7 25, [0 4 12 "x1"] [1 5 13 "x3"] [2 6 14 "x5"] [3 7 15 "x7"], [12 4] [9 13 5] [10 14 6] [11 15 7]),
                half!("by_16" 12 20, [2 7 13 "x12"] [3 4 14 "x14"] [0 5 15 "x8"] [1 6 12 "x10"], [13 7] [9 14 4] [10 15 5] [11 12 6]),
                half!("by_8" 7 25, [2 7 13 "x13"] [3 4 14 "x15"] [0 5 15 "x9"] [1 6 12 "x11"], [13 7] [9 14 4] [10 15 5] [11 12 6]),
                words = in(reg) words,
                third = in(reg) &mut third,
                turns = in(reg) &TURNS,
                by_16 = const offset_of!(Turns, by_16),
                by_8 = const offset_of!(Turns, by_8),
                x0 = const 32 * TAKES[0],
                x1 = const 32 * TAKES[1],
                x2 = const 32 * TAKES[2],
                x3 = const 32 * TAKES[3],
                x4 = const 32 * TAKES[4],
                x5 = const 32 * TAKES[5],
                x6 = const 32 * TAKES[6],
                x7 = const 32 * TAKES[7],
                x8 = const 32 * TAKES[8],
                x9 = const 32 * TAKES[9],
                x10 = const 32 * TAKES[10],
                x11 = const 32 * TAKES[11],
                x12 = const 32 * TAKES[12],
                x13 = const 32 * TAKES[13],
                x14 = const 32 * TAKES[14],
                x15 = const 32 * TAKES[15],
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
    let upper: [Words; 8] = cast([v0, v1, v2, v3, v4, v5, v6, v7]);
    let lower: [Words; 7] = cast([v9, v10, v11, v12, v13, v14, v15]);
    chain[0] = upper[0] ^ third;
    for i in 1..8 {
        chain[i] = upper[i] ^ lower[i - 1];
    }
}

/// The chaining value that chunks and parents begin with.
#[inline(always)]
pub(super) fn initial() -> [Words; 8] {
    let mut chain = [Words::zeroed(); 8];
    for (vector, word) in chain.iter_mut().zip(<u32 as Word>::INITIAL) {
        *vector = Words::splat(word);
    }
    chain
}

/// The chaining values in the first lanes.
#[inline(always)]
pub(super) fn put_out(chain: &mut [Words; 8], values: &mut [ChainingValue]) {
    let words = Words::words(chain);
    for (lane, value) in values.iter_mut().enumerate() {
        for (number, word) in value.iter_mut().enumerate() {
            *word = words[number * Words::COUNT + lane];
        }
    }
}
