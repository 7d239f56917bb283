//! XXH3's sums by AVX-512: all eight sums of 64 bits in one register.
//!
//! The text follows `portable.rs`. Two accumulators take turns, so that an addition does not wait
//! for the one before. A block of sixteen stripes is written out without a loop. The keys of a
//! stripe have a line of the cache of their own (`keys.rs`).

use std::arch::x86_64::*;

use super::keys::{LAST, keys_for};
use super::*;
use crate::Features;
use crate::parts::unroll::sixteen;

/// All eight sums in one register.
pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("avx512", Features::AVX512F, "avx512f", __m512i, added)
}

/// As [`super::portable::added`]; a single stripe where the keys are the last. Compiled into its
/// callers, whose sums stay in a register.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn added(mut sums: __m512i, stripes: &[[u8; STRIPE]], at: usize) -> __m512i {
    // SAFETY: this function's own condition.
    unsafe {
        let zero = _mm512_setzero_si512();
        let keys = keys_for(stripes);
        // Two of each, so that a sum does not wait for the one before; and a step for each stripe,
        // without a loop.
        let (mut products, mut plain) = ([sums, zero], [zero; 2]);
        'all: {
            sixteen!(STEP => {
                let Some(stripe) = stripes.get(STEP) else { break 'all };
                let words = load(stripe);
                let keyed =
                    _mm512_xor_si512(words, load(&keys[if at == LAST_KEYS { LAST } else { STEP }]));
                let product = _mm512_mul_epu32(keyed, _mm512_srli_epi64::<32>(keyed));
                products[STEP % 2] = _mm512_add_epi64(products[STEP % 2], product);
                plain[STEP % 2] = _mm512_add_epi64(plain[STEP % 2], words);
            });
        }
        let plain = _mm512_shuffle_epi32::<0x4e>(_mm512_add_epi64(plain[0], plain[1]));
        sums = _mm512_add_epi64(_mm512_add_epi64(products[0], products[1]), plain);
        if stripes.len() == 16 { scrambled(sums) } else { sums }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn scrambled(sums: __m512i) -> __m512i {
    let keys = load(SECRET.last_chunk().expect("it is longer"));
    let keyed = _mm512_ternarylogic_epi64::<0x96>(sums, _mm512_srli_epi64::<47>(sums), keys);
    let prime = _mm512_set1_epi64(PRIMES32[1].into());
    let high = _mm512_slli_epi64::<32>(_mm512_mul_epu32(_mm512_srli_epi64::<32>(keyed), prime));
    _mm512_add_epi64(_mm512_mul_epu32(keyed, prime), high)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; STRIPE]) -> __m512i {
    // SAFETY: any 64 bytes are a vector.
    unsafe { std::mem::transmute(*bytes) }
}
