//! The lanes of NEON.

use std::arch::aarch64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable, cast};

use super::transpose::{four, transpose, two};
use super::vector::vector;
use super::{Arithmetic, Lanes, Pieces, read_apart, swap_by_masks};
use crate::Features;
use crate::words::opaque_in;

vector! {
    /// Four words of 32 bits in a register of NEON.
    U32x4: 4 of u32 as u32, four together, in uint32x4_t, needs Features::NEON;
    splat vdupq_n_u32; plus vaddq_u32; xor veorq_u32; and vandq_u32; or vorrq_u32;
    left(self; distance) Self(rotated_32(self.0, distance));
    up(self; distance) Self(vshlq_u32(self.0, vdupq_n_s32(distance as i32)));
    down(self; distance) Self(vshlq_u32(self.0, vdupq_n_s32(-(distance as i32))));
    swap_bytes(self) Self(cast(vrev32q_u8(cast(self.0))));
    swap_runs(self; bits) match bits {
        8 => Self(cast(vrev16q_u8(cast(self.0)))),
        16 => self.left(16),
        _ => swap_by_masks(self, bits),
    };
    ordered(self) Self(opaque_in!(vreg self.0));
    select(self, yes, no) Self(vbslq_u32(self.0, yes.0, no.0));
    majority(self, b, c) Self(vbslq_u32(veorq_u32(self.0, b.0), c.0, b.0));
}

vector! {
    /// Two words of 64 bits in a register of NEON.
    U64x2: 2 of u64 as u64, two together, in uint64x2_t, needs Features::NEON;
    splat vdupq_n_u64; plus vaddq_u64; xor veorq_u64; and vandq_u64; or vorrq_u64;
    left(self; distance) Self(rotated_64(self.0, distance));
    up(self; distance) Self(vshlq_u64(self.0, vdupq_n_s64(distance.into())));
    down(self; distance) Self(vshlq_u64(self.0, vdupq_n_s64(-i64::from(distance))));
    swap_bytes(self) Self(cast(vrev64q_u8(cast(self.0))));
    swap_runs(self; bits) match bits {
        8 => Self(cast(vrev16q_u8(cast(self.0)))),
        16 => Self(cast(vrev32q_u16(cast(self.0)))),
        32 => self.left(32),
        _ => swap_by_masks(self, bits),
    };
    ordered(self) Self(opaque_in!(vreg self.0));
    select(self, yes, no) Self(vbslq_u64(self.0, yes.0, no.0));
    majority(self, b, c) Self(vbslq_u64(veorq_u64(self.0, b.0), c.0, b.0));
}

/// Declares [`Lanes::left`] of a register: by a shift and one that inserts, distance by distance, or
/// by an order of bytes. Not to be inlined before the distance is known: all of it would be, each
/// time.
macro_rules! rotated {
    ($name:ident: $register:ident of $bits:literal, $shift:ident $insert:ident; $($by_bytes:literal => $bytes:expr;)* [$($distance:literal)*]) => {
        #[inline]
        #[target_feature(enable = "neon")]
        fn $name(words: $register, distance: u32) -> $register {
            match distance {
                $($by_bytes => cast($bytes(cast(words))),)*
                $($distance => $insert::<{ $bits - $distance }>($shift::<$distance>(words), words),)*
                _ => words,
            }
        }
    };
}

rotated! {
    rotated_32: uint32x4_t of 32, vshlq_n_u32 vsriq_n_u32;
    8 => |words| in_order(words, [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14]);
    16 => vrev32q_u16;
    24 => |words| in_order(words, [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]);
    [1 2 3 4 5 6 7 9 10 11 12 13 14 15 17 18 19 20 21 22 23 25 26 27 28 29 30 31]
}

rotated! {
    rotated_64: uint64x2_t of 64, vshlq_n_u64 vsriq_n_u64;
    8 => |words| in_order(words, [7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14]);
    16 => |words| in_order(words, [6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13]);
    24 => |words| in_order(words, [5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12]);
    32 => vrev64q_u32;
    40 => |words| in_order(words, [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10]);
    48 => |words| in_order(words, [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9]);
    56 => |words| in_order(words, [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8]);
    [
        1 2 3 4 5 6 7 9 10 11 12 13 14 15 17 18 19 20 21 22 23 25 26 27 28 29 30 31 33 34 35 36 37
        38 39 41 42 43 44 45 46 47 49 50 51 52 53 54 55 57 58 59 60 61 62 63
    ]
}

/// Bytes in that order.
#[inline]
#[target_feature(enable = "neon")]
fn in_order(bytes: uint8x16_t, order: [u8; 16]) -> uint8x16_t {
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
            let crossed = vmulq_u32(vrev64q_u32(cast(self.0)), cast(factor.0));
            let upper = vshlq_n_u64::<32>(vpaddlq_u32(crossed));
            Self(vmlal_u32(upper, vmovn_u64(self.0), vmovn_u64(factor.0)))
        }
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { vcgtq_s64(cast(self.0), cast(other.0)) })
    }
}
