//! Kernels by AVX2 and BMI that prepare two blocks at a time, and have scalar steps: a vector holds
//! words of a block and the same words of the next.

use std::arch::x86_64::*;

use super::arrays::{Mapped, from_fn};
use crate::Features;

/// What such kernels need.
pub(crate) const NEEDS: Features = Features::AVX2.union(Features::BMI1).union(Features::BMI2);

/// Blocks by two: `first` takes a block and the next, and makes the sums of both; `second` takes
/// these sums. The last of an odd number is given twice, and the second time not used.
#[inline(always)]
pub(crate) fn by_two<T, const BLOCK: usize>(
    blocks: &[u8],
    work: &mut T,
    first: impl Fn(&mut T, [&[u8; BLOCK]; 2]),
    second: impl Fn(&mut T),
) {
    for pair in blocks.as_chunks::<BLOCK>().0.chunks(2) {
        first(work, [&pair[0], &pair[pair.len() - 1]]);
        if pair.len() == 2 {
            second(work);
        }
    }
}

/// Places of the bytes of big-endian words of 32 bits.
pub(crate) const OF_32: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// Places of the bytes of big-endian words of 64 bits.
pub(crate) const OF_64: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/// The words of both blocks, 16 bytes of each in a vector; `order` is [`OF_32`] or [`OF_64`].
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn words<const BLOCK: usize, const VECTORS: usize>(
    [block, next]: [&[u8; BLOCK]; 2],
    order: [u8; 16],
) -> [__m256i; VECTORS] {
    let order = _mm256_broadcastsi128_si256(bytemuck::cast(order));
    from_fn(|i| {
        let [low, high] = [block, next]
            .mapped(|block| bytemuck::cast::<_, __m128i>(block.as_chunks::<16>().0[i]));
        _mm256_shuffle_epi8(_mm256_set_m128i(high, low), order)
    })
}
