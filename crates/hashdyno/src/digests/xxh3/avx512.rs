use std::arch::x86_64::*;

use super::*;
use crate::Features;

/// All eight sums in one register.
pub(super) const fn kernel<H: Hash>() -> Kernel {
    kernel!("avx512", Features::AVX512F, "avx512f", __m512i, added)
}

/// As [`super::portable::added`].
#[inline]
#[target_feature(enable = "avx512f")]
fn added(mut sums: __m512i, stripes: &[[u8; STRIPE]], at: usize) -> __m512i {
    let mut plain = _mm512_setzero_si512();
    for (stripe, secret) in stripes.iter().zip(SECRET[at..].windows(STRIPE).step_by(8)) {
        let words = load(stripe);
        let keyed = _mm512_xor_si512(words, load(secret));
        sums = _mm512_add_epi64(sums, _mm512_mul_epu32(keyed, _mm512_srli_epi64::<32>(keyed)));
        plain = _mm512_add_epi64(plain, words);
    }
    sums = _mm512_add_epi64(sums, _mm512_shuffle_epi32::<0x4e>(plain));
    if stripes.len() == 16 {
        let keyed = _mm512_ternarylogic_epi64::<0x96>(sums, _mm512_srli_epi64::<47>(sums), load(&SECRET[SECRET.len() - STRIPE..]));
        let prime = _mm512_set1_epi64(PRIMES32[1].into());
        let high = _mm512_slli_epi64::<32>(_mm512_mul_epu32(_mm512_srli_epi64::<32>(keyed), prime));
        sums = _mm512_add_epi64(_mm512_mul_epu32(keyed, prime), high);
    }
    sums
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8]) -> __m512i {
    assert!(bytes.len() == STRIPE);
    // SAFETY: 64 bytes are there, and the load wants no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
