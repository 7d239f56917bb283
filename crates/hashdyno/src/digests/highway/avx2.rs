//! Four words in a vector: the design's own form.
//!
//! ```text
//! v0 v1       `Register::v`: words 0 to 3 of each, word 0 lowest
//! p0 p1       `Register::products`, likewise
//! for each packet of 32 bytes:
//!     v1 += p0 + packet
//!     p0 ^= lower halves of v1 * upper halves of v0      VPMULUDQ: four products
//!     v0 += p1
//!     p1 ^= lower halves of v0 * upper halves of v1
//!     v0 += bytes of v1 by `order`
//!     v1 += bytes of v0 by `order`
//! ```
//!
//! VPMULUDQ takes the lower half of each word. So one factor is shifted and the other is not.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Named, PACKET, Register};
use crate::parts::checksum::checksum_kernel;
use crate::{Features, Kernel};

pub(super) const fn kernel<H: Named>() -> Kernel {
    checksum_kernel!("avx2", Features::AVX2, "avx2", H: Named, after)
}

#[target_feature(enable = "avx2")]
#[inline]
fn after(register: Register, blocks: &[u8]) -> Register {
    // The design's zipper merge: bytes stay within 128 bits, so one order serves both halves.
    let order = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7,
    ));
    let [mut v0, mut v1]: [__m256i; 2] = cast(register.v);
    let [mut p0, mut p1]: [__m256i; 2] = cast(register.products);
    for packet in blocks.as_chunks::<PACKET>().0 {
        v1 = _mm256_add_epi64(v1, _mm256_add_epi64(p0, cast(*packet)));
        p0 = _mm256_xor_si256(p0, _mm256_mul_epu32(v1, _mm256_srli_epi64::<32>(v0)));
        v0 = _mm256_add_epi64(v0, p1);
        p1 = _mm256_xor_si256(p1, _mm256_mul_epu32(v0, _mm256_srli_epi64::<32>(v1)));
        v0 = _mm256_add_epi64(v0, _mm256_shuffle_epi8(v1, order));
        v1 = _mm256_add_epi64(v1, _mm256_shuffle_epi8(v0, order));
    }
    Register { v: cast([v0, v1]), products: cast([p0, p1]) }
}
