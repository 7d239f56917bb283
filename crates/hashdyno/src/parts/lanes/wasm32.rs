//! The lanes of WebAssembly's simd128.
//!
//! A rotation is two shifts and an OR, or an order of bytes where there is one. There is no
//! barrier: stable Rust has no inline assembly there, and the engine that compiles the module has
//! the last word anyway.

use std::arch::wasm32::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable};

use super::transpose::{Register, transpose};
use super::vector::vector;
use super::{Arithmetic, Lanes, Pieces, swap_by_masks};
use crate::Features;

/// Bytes in that order.
macro_rules! ordered {
    ($bytes:expr, $($from:literal)*) => {{
        let bytes = $bytes;
        u8x16_shuffle::<$($from),*>(bytes, bytes)
    }};
}

vector! {
    /// Four words of 32 bits in a register.
    U32x4: 4 of u32 as u32, four together, in v128,
    compiled for "simd128", needs Features::SIMD128;
    splat u32x4_splat; plus u32x4_add; xor v128_xor; and v128_and; or v128_or;
    left(a; distance) match distance {
        8 => ordered!(a, 3 0 1 2 7 4 5 6 11 8 9 10 15 12 13 14),
        16 => ordered!(a, 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13),
        24 => ordered!(a, 1 2 3 0 5 6 7 4 9 10 11 8 13 14 15 12),
        _ => v128_or(u32x4_shl(a, distance), u32x4_shr(a, 32 - distance)),
    };
    up(a; distance) u32x4_shl(a, distance);
    down(a; distance) u32x4_shr(a, distance);
    swap_bytes(a) ordered!(a, 3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12);
    swap_runs(a; bits) match bits {
        8 => ordered!(a, 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14),
        16 => U32x4(a).left(16).0,
        _ => swap_by_masks(U32x4(a), bits).0,
    };
    select(a, yes, no) v128_bitselect(yes, no, a);
}

vector! {
    /// Two words of 64 bits in a register.
    U64x2: 2 of u64 as u64, two together, in v128,
    compiled for "simd128", needs Features::SIMD128;
    splat u64x2_splat; plus u64x2_add; xor v128_xor; and v128_and; or v128_or;
    left(a; distance) match distance {
        8 => ordered!(a, 7 0 1 2 3 4 5 6 15 8 9 10 11 12 13 14),
        16 => ordered!(a, 6 7 0 1 2 3 4 5 14 15 8 9 10 11 12 13),
        24 => ordered!(a, 5 6 7 0 1 2 3 4 13 14 15 8 9 10 11 12),
        32 => ordered!(a, 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11),
        40 => ordered!(a, 3 4 5 6 7 0 1 2 11 12 13 14 15 8 9 10),
        48 => ordered!(a, 2 3 4 5 6 7 0 1 10 11 12 13 14 15 8 9),
        56 => ordered!(a, 1 2 3 4 5 6 7 0 9 10 11 12 13 14 15 8),
        _ => v128_or(u64x2_shl(a, distance), u64x2_shr(a, 64 - distance)),
    };
    up(a; distance) u64x2_shl(a, distance);
    down(a; distance) u64x2_shr(a, distance);
    swap_bytes(a) ordered!(a, 7 6 5 4 3 2 1 0 15 14 13 12 11 10 9 8);
    swap_runs(a; bits) match bits {
        8 => ordered!(a, 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14),
        16 => ordered!(a, 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13),
        32 => U64x2(a).left(32).0,
        _ => swap_by_masks(U64x2(a), bits).0,
    };
    select(a, yes, no) v128_bitselect(yes, no, a);
}

impl Arithmetic for U32x4 {
    #[inline(always)]
    fn times(self, factor: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { u32x4_mul(self.0, factor.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { i32x4_gt(self.0, other.0) })
    }
}

impl Arithmetic for U64x2 {
    #[inline(always)]
    fn times(self, factor: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { u64x2_mul(self.0, factor.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see `vector`.
        Self(unsafe { i64x2_gt(self.0, other.0) })
    }
}
