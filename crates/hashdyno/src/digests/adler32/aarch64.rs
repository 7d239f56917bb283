//! Adler-32 by NEON.
//!
//! UADDLP and UADALP sum up bytes of a group by pairs. UADDW adds them to columns of 16 bits, which
//! are multiplied by their weights once for each part (UMLAL).

use std::arch::aarch64::*;

use bytemuck::cast;

use super::{Adler, Sums, by_groups, weights};
use crate::parts::checksum::checksum_kernel;
use crate::{Features, Kernel};

/// 16 bytes at a time.
pub(super) const fn neon() -> Kernel {
    checksum_kernel!("neon", Features::NEON, "neon", Adler, after)
}

#[inline]
#[target_feature(enable = "neon")]
fn after(sums: Sums, bytes: &[u8]) -> Sums {
    by_groups(sums, bytes, |groups| totals(groups))
}

/// The groups whose bytes do not fill sums of 16 bits.
const PART: usize = 256;

/// As `super::totals`.
#[inline(never)]
#[target_feature(enable = "neon")]
fn totals(groups: &[[u8; 16]]) -> (u64, u64) {
    let [w0, w1, w2, w3]: [uint16x4_t; 4] = cast(weights::<16>());
    let zero = vdupq_n_u32(0);
    let (mut sum, mut before, mut weighted) = (zero, zero, zero);
    for part in groups.chunks(PART) {
        let mut columns = [vdupq_n_u16(0); 2];
        for group in part {
            let bytes: uint8x16_t = cast(*group);
            // The sum before each group: 16 times as often at the end.
            before = vaddq_u32(before, sum);
            sum = vpadalq_u16(sum, vpaddlq_u8(bytes));
            columns[0] = vaddw_u8(columns[0], vget_low_u8(bytes));
            columns[1] = vaddw_high_u8(columns[1], bytes);
        }
        let [first, second] = columns;
        weighted = vmlal_u16(weighted, vget_low_u16(first), w0);
        weighted = vmlal_u16(weighted, vget_high_u16(first), w1);
        weighted = vmlal_u16(weighted, vget_low_u16(second), w2);
        weighted = vmlal_u16(weighted, vget_high_u16(second), w3);
    }
    (vaddvq_u32(sum).into(), 16 * vaddlvq_u32(before) + vaddlvq_u32(weighted))
}
