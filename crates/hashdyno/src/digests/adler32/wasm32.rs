//! Adler-32 by WebAssembly's vectors.

use std::arch::wasm32::*;

use bytemuck::cast;

use super::{Adler, MAX_RUN, Sums, one_by_one};
use crate::checksum::checksum_kernel;
use crate::{Features, Kernel};

/// 16 bytes at a time.
pub(super) const fn simd128() -> Kernel {
    checksum_kernel!("simd128", Features::SIMD128, "simd128", Adler, after)
}

#[inline]
#[target_feature(enable = "simd128")]
fn after(mut sums: Sums, bytes: &[u8]) -> Sums {
    for run in bytes.chunks(MAX_RUN) {
        let (groups, rest) = run.as_chunks::<16>();
        let total = if groups.is_empty() { (0, 0) } else { totals(groups) };
        sums = sums.after(one_by_one(total, rest), run.len());
    }
    sums
}

/// So many groups do not fill sums of 15 bits.
const PART: usize = 128;

/// How often each byte of a group is in the sum of sums.
const WEIGHTS: [i16; 16] = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/// As `super::totals`.
#[inline(never)]
#[target_feature(enable = "simd128")]
fn totals(groups: &[[u8; 16]]) -> (u32, u64) {
    let [first, second]: [v128; 2] = cast(WEIGHTS);
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
    (sum as u32, 16 * before + weighted)
}
