//! XXH3's sums by SSE2: two sums of 64 bits in a register.
//!
//! A stripe is xored with the secret, and each sum takes the product of the halves of its word. It
//! also takes the plain word of its neighbour. The plain words are added up apart and change places
//! once, behind the last stripe.

use std::arch::x86_64::*;

use super::*;
use crate::Features;

pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("sse2", Features::SSE2, "sse2", Vectors, added)
}

/// Two sums in a register.
type Vectors = [__m128i; 4];

/// As [`super::portable::added`].
#[inline]
#[target_feature(enable = "sse2")]
fn added(mut sums: Vectors, stripes: &[[u8; STRIPE]], at: usize) -> Vectors {
    let mut plain = [_mm_setzero_si128(); 4];
    for (stripe, secret) in stripes.iter().zip(SECRET[at..].windows(STRIPE).step_by(8)) {
        let (words, keys) = (load(stripe), load(secret));
        for pair in 0..4 {
            let keyed = _mm_xor_si128(words[pair], keys[pair]);
            let product = _mm_mul_epu32(keyed, _mm_shuffle_epi32::<0b11_11_01_01>(keyed));
            sums[pair] = _mm_add_epi64(sums[pair], product);
            plain[pair] = _mm_add_epi64(plain[pair], words[pair]);
        }
    }
    let keys = load(&SECRET[SECRET.len() - STRIPE..]);
    for pair in 0..4 {
        sums[pair] = _mm_add_epi64(sums[pair], _mm_shuffle_epi32::<0x4e>(plain[pair]));
        if stripes.len() == 16 {
            sums[pair] = scrambled(sums[pair], keys[pair]);
        }
    }
    sums
}

#[inline]
#[target_feature(enable = "sse2")]
fn scrambled(sums: __m128i, keys: __m128i) -> __m128i {
    let keyed = _mm_xor_si128(_mm_xor_si128(sums, _mm_srli_epi64::<47>(sums)), keys);
    let prime = _mm_set1_epi64x(PRIMES32[1].into());
    let high = _mm_slli_epi64::<32>(_mm_mul_epu32(_mm_srli_epi64::<32>(keyed), prime));
    _mm_add_epi64(_mm_mul_epu32(keyed, prime), high)
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(bytes: &[u8]) -> Vectors {
    bytemuck::pod_read_unaligned(bytes)
}
