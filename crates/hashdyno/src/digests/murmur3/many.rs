//! The hash of 32 bits of many messages.

use std::arch::x86_64::*;

use super::{A, absorbed_a, finished_a};
use crate::chains::Chain;

pub(super) struct Many;

impl Chain for Many {
    const START: u32 = 0;

    #[inline(always)]
    fn absorb(hashes: __m256i, words: __m256i) -> __m256i {
        // SAFETY: as the trait says, the CPU has AVX2.
        unsafe {
            let [a, b] = [_mm256_set1_epi32(A[0] as i32), _mm256_set1_epi32(A[1] as i32)];
            let keys = _mm256_mullo_epi32(words, a);
            let keys = _mm256_mullo_epi32(_mm256_or_si256(_mm256_slli_epi32::<15>(keys), _mm256_srli_epi32::<17>(keys)), b);
            let hashes = _mm256_xor_si256(hashes, keys);
            let hashes = _mm256_or_si256(_mm256_slli_epi32::<13>(hashes), _mm256_srli_epi32::<19>(hashes));
            let fivefold = _mm256_add_epi32(hashes, _mm256_slli_epi32::<2>(hashes));
            _mm256_add_epi32(fivefold, _mm256_set1_epi32(0xe654_6b64_u32 as i32))
        }
    }

    #[inline(always)]
    fn finish(hash: u32, rest: &[u8], len: usize) -> u32 {
        let (words, rest) = rest.as_chunks();
        finished_a(absorbed_a(hash, words), rest, len as u64)
    }
}
