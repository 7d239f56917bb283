//! The lanes of NEON.
//!
//! | operation | instructions |
//! |---|---|
//! | rotation | SHL and SRI; REV or TBL for whole bytes |
//! | `select`, `majority` | BSL, with an EOR before for `majority` |
//! | `times` of 32 bits | MUL |
//! | `times` of 64 bits | three products of 32 bits |
//!
//! Shifts have their distance in the instruction. So a function with a distance is a `match`, of
//! which a constant distance leaves one arm.

use std::arch::aarch64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable, cast};

use super::transpose::{Register, transpose};
use super::vector::vector;
use super::{Arithmetic, Lanes, Pieces, swap_by_masks};
use crate::Features;
use crate::parts::barrier;

vector! {
    /// Four words of 32 bits in a register of NEON.
    U32x4: 4 of u32 as u32, four together, in uint32x4_t,
    compiled for "neon", needs Features::NEON;
    splat vdupq_n_u32; plus vaddq_u32; xor veorq_u32; and vandq_u32; or vorrq_u32;
    left(a; distance) left_32(a, distance);
    up(a; distance) up_32(a, distance);
    down(a; distance) down_32(a, distance);
    swap_bytes(a) cast(vrev32q_u8(cast(a)));
    swap_runs(a; bits) match bits {
        8 => cast(vrev16q_u8(cast(a))),
        16 => U32x4(a).left(16).0,
        _ => swap_by_masks(U32x4(a), bits).0,
    };
    barrier(a) barrier::register!(vreg a);
    select(a, yes, no) vbslq_u32(a, yes, no);
    majority(a, b, c) vbslq_u32(veorq_u32(a, b), c, b);
}

vector! {
    /// Two words of 64 bits in a register of NEON.
    U64x2: 2 of u64 as u64, two together, in uint64x2_t,
    compiled for "neon", needs Features::NEON;
    splat vdupq_n_u64; plus vaddq_u64; xor veorq_u64; and vandq_u64; or vorrq_u64;
    left(a; distance) left_64(a, distance);
    up(a; distance) up_64(a, distance);
    down(a; distance) down_64(a, distance);
    swap_bytes(a) cast(vrev64q_u8(cast(a)));
    swap_runs(a; bits) match bits {
        8 => cast(vrev16q_u8(cast(a))),
        16 => cast(vrev32q_u16(cast(a))),
        32 => U64x2(a).left(32).0,
        _ => swap_by_masks(U64x2(a), bits).0,
    };
    barrier(a) barrier::register!(vreg a);
    select(a, yes, no) vbslq_u64(a, yes, no);
    majority(a, b, c) vbslq_u64(veorq_u64(a, b), c, b);
}

/// Declares a function of a register and a distance below its words' bits: by instructions that
/// have the distance in them, or for some distances by others. It is not to be inlined before the
/// distance is known: all of it would be, each time.
macro_rules! by_distance {
    (32 $($function:tt)*) => {
        by_distance! {
            @ [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31]
            $($function)*
        }
    };
    (64 $($function:tt)*) => {
        by_distance! {
            @ [
                1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57
                58 59 60 61 62 63
            ]
            $($function)*
        }
    };
    (@ [$($distance:literal)*] $name:ident($words:ident: $register:ty; $by:ident) $moved:expr;
        $($some:literal $otherwise:expr;)*) => {
        #[inline]
        #[target_feature(enable = "neon")]
        #[allow(unreachable_patterns, reason = "some distances are there twice")]
        fn $name($words: $register, distance: u32) -> $register {
            // The distance is part of the instruction: an arm for each, of which one is left.
            match distance {
                $($some => cast($otherwise),)*
                $($distance => {
                    const $by: i32 = $distance;
                    $moved
                })*
                _ => $words,
            }
        }
    };
}

by_distance!(32 up_32(words: uint32x4_t; BY) vshlq_n_u32::<BY>(words););
by_distance!(64 up_64(words: uint64x2_t; BY) vshlq_n_u64::<BY>(words););
by_distance!(32 down_32(words: uint32x4_t; BY) vshrq_n_u32::<BY>(words););
by_distance!(64 down_64(words: uint64x2_t; BY) vshrq_n_u64::<BY>(words););

by_distance! {
    32 left_32(words: uint32x4_t; BY) vsriq_n_u32::<{ 32 - BY }>(vshlq_n_u32::<BY>(words), words);
    8 shuffled(cast(words), [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14]);
    16 vrev32q_u16(cast(words));
    24 shuffled(cast(words), [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]);
}

by_distance! {
    64 left_64(words: uint64x2_t; BY) vsriq_n_u64::<{ 64 - BY }>(vshlq_n_u64::<BY>(words), words);
    8 shuffled(cast(words), [7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14]);
    16 shuffled(cast(words), [6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13]);
    24 shuffled(cast(words), [5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12]);
    32 vrev64q_u32(cast(words));
    40 shuffled(cast(words), [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10]);
    48 shuffled(cast(words), [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9]);
    56 shuffled(cast(words), [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8]);
}

/// Bytes in that order.
#[inline]
#[target_feature(enable = "neon")]
fn shuffled(bytes: uint8x16_t, order: [u8; 16]) -> uint8x16_t {
    vqtbl1q_u8(bytes, cast(order))
}

impl Arithmetic for U32x4 {
    #[inline(always)]
    fn times(self, factor: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { vmulq_u32(self.0, factor.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { vcgtq_s32(cast(self.0), cast(other.0)) })
    }
}

impl Arithmetic for U64x2 {
    /// By products of 32 bits: there is no other.
    #[inline(always)]
    fn times(self, factor: Self) -> Self {
        // SAFETY: see `vector`.
        unsafe {
            // Lower half by upper half, both ways; their sum is the upper half of the product.
            let crossed = vmulq_u32(vrev64q_u32(cast(self.0)), cast(factor.0));
            let upper = vshlq_n_u64::<32>(vpaddlq_u32(crossed));
            // Lower halves multiplied to 64 bits, added at once.
            Self(vmlal_u32(upper, vmovn_u64(self.0), vmovn_u64(factor.0)))
        }
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { vcgtq_s64(cast(self.0), cast(other.0)) })
    }
}
