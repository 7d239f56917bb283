//! Adler-32 by WebAssembly's vectors.

use std::arch::wasm32::*;

use bytemuck::cast;

use super::{Adler, Sums, by_groups, weights};
use crate::parts::checksum::checksum_kernel;
use crate::{Features, Kernel};

/// 16 bytes at a time.
pub(super) const fn simd128() -> Kernel {
    checksum_kernel!("simd128", Features::SIMD128, "simd128", Adler, after)
}

#[inline]
#[target_feature(enable = "simd128")]
fn after(sums: Sums, bytes: &[u8]) -> Sums {
    by_groups(sums, bytes, |groups| totals(groups))
}

/// The groups whose bytes do not fill sums of 15 bits.
const PART: usize = 128;

/// As `super::totals`.
#[inline(never)]
#[target_feature(enable = "simd128")]
fn totals(groups: &[[u8; 16]]) -> (u64, u64) {
    let [first, second]: [v128; 2] = cast(weights::<16>());
    let zero = u32x4_splat(0);
    let (mut sum, mut before, mut weighted) = (zero, zero, zero);
    for part in groups.chunks(PART) {
        let mut columns = [zero; 2];
        for group in part {
            let bytes: v128 = cast(*group);
            before = u32x4_add(before, sum);
            let pairs = u16x8_extadd_pairwise_u8x16(bytes);
            sum = u32x4_add(sum, u32x4_extadd_pairwise_u16x8(pairs));
            columns[0] = u16x8_add(columns[0], u16x8_extend_low_u8x16(bytes));
            columns[1] = u16x8_add(columns[1], u16x8_extend_high_u8x16(bytes));
        }
        weighted = i32x4_add(weighted, i32x4_dot_i16x8(columns[0], first));
        weighted = i32x4_add(weighted, i32x4_dot_i16x8(columns[1], second));
    }
    let [sum, before, weighted] = [sum, before, weighted]
        .map(|lanes| cast::<_, [u32; 4]>(lanes).map(u64::from).iter().sum::<u64>());
    (sum, 16 * before + weighted)
}
