//! Four words in a vector: the design's own form.

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
