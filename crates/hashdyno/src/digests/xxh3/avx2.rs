//! XXH3's sums by AVX2: four sums of 64 bits in a register.
//!
//! A stripe is xored with the secret, and each sum takes the product of the halves of its word. It
//! also takes the plain word of its neighbour. The plain words are added up apart and change places
//! once, behind the last stripe. The keys of a stripe have a line of the cache of their own
//! (`keys.rs`), so the exclusive or reads them as they lie there.

use std::arch::x86_64::*;

use super::keys::{LAST, keys_for};
use super::*;
use crate::Features;
use crate::parts::unroll::sixteen;

pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("avx2", Features::AVX2, "avx2", Vectors, added)
}

/// Four sums in a register.
type Vectors = [__m256i; 2];

/// As [`super::portable::added`]; a single stripe where the keys are the last.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn added(mut sums: Vectors, stripes: &[[u8; STRIPE]], at: usize) -> Vectors {
    // SAFETY: this function's own condition.
    unsafe {
        let mut plain = [_mm256_setzero_si256(); 2];
        let keys = keys_for(stripes);
        'all: {
            // A step for each stripe, without a loop.
            sixteen!(STEP => {
                let Some(stripe) = stripes.get(STEP) else { break 'all };
                let words = load(stripe);
                let keys = load(&keys[if at == LAST_KEYS { LAST } else { STEP }]);
                for half in 0..2 {
                    let keyed = _mm256_xor_si256(words[half], keys[half]);
                    let product = _mm256_mul_epu32(keyed, _mm256_srli_epi64::<32>(keyed));
                    sums[half] = _mm256_add_epi64(sums[half], product);
                    plain[half] = _mm256_add_epi64(plain[half], words[half]);
                }
            });
        }
        let keys = load(&SECRET[SECRET.len() - STRIPE..]);
        for half in 0..2 {
            sums[half] = _mm256_add_epi64(sums[half], _mm256_shuffle_epi32::<0x4e>(plain[half]));
            if stripes.len() == 16 {
                sums[half] = scrambled(sums[half], keys[half]);
            }
        }
        sums
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn scrambled(sums: __m256i, keys: __m256i) -> __m256i {
    let keyed = _mm256_xor_si256(_mm256_xor_si256(sums, _mm256_srli_epi64::<47>(sums)), keys);
    let prime = _mm256_set1_epi64x(PRIMES32[1].into());
    let high = _mm256_slli_epi64::<32>(_mm256_mul_epu32(_mm256_srli_epi64::<32>(keyed), prime));
    _mm256_add_epi64(_mm256_mul_epu32(keyed, prime), high)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8]) -> Vectors {
    bytemuck::pod_read_unaligned(bytes)
}
