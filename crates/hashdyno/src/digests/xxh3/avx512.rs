//! XXH3's sums by AVX-512: all eight sums of 64 bits in one register.
//!
//! The text follows `portable.rs`. Two accumulators take turns, so that an addition does not wait
//! for the one before. A block of sixteen stripes is written out without a loop. The keys of a
//! stripe are copied to a line of the cache of their own: in the secret they reach across two.

use std::arch::{asm, x86_64::*};

use super::*;
use crate::Features;
use crate::parts::unroll::sixteen;

/// All eight sums in one register.
pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("avx512", Features::AVX512F, "avx512f", __m512i, added)
}

/// The keys of each stripe of a block, and those of a message's last: a vector of the secret would
/// reach from one line of the cache into the next.
static KEYS: Keys = {
    let (mut keys, mut stripe) = ([[0; STRIPE]; 17], 0);
    while stripe < 17 {
        let (at, mut byte) = (if stripe == 16 { LAST_KEYS } else { 8 * stripe }, 0);
        while byte < STRIPE {
            keys[stripe][byte] = SECRET[at + byte];
            byte += 1;
        }
        stripe += 1;
    }
    Keys(keys)
};

#[repr(align(64))]
struct Keys([[u8; STRIPE]; 17]);

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
                    _mm512_xor_si512(words, load(&keys[if at == LAST_KEYS { 16 } else { STEP }]));
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

/// [`KEYS`], for all the compiler knows others for other stripes: it would load those of a block
/// before all blocks, and store what finds no register across the lines of the cache.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "nothing is read by way of them there, the text is a comment"
)]
#[inline(always)]
fn keys_for(stripes: &[[u8; STRIPE]]) -> &'static [[u8; STRIPE]; 17] {
    let mut keys = &raw const KEYS.0;
    // SAFETY: the text is a comment, and what is given back what was given.
    unsafe {
        asm!(
            "/* {0} {1} */",
            inout(reg) keys,
            in(reg) stripes.as_ptr(),
            options(pure, nomem, nostack, preserves_flags),
        );
        &*keys
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
