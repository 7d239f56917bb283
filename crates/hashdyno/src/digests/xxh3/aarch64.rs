//! XXH3's sums by NEON: two sums of 64 bits in a register.
//!
//! A stripe is xored with the secret, and each sum takes the product of the halves of its word. It
//! also takes the plain word of its neighbour. The plain words are added up apart and change places
//! once, behind the last stripe.

use std::arch::aarch64::*;

use bytemuck::cast;

use super::*;
use crate::Features;

pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("neon", Features::NEON, "neon", Vectors, added)
}

/// Two sums in a register.
type Vectors = [uint64x2_t; 4];

/// As [`super::portable::added`].
#[inline]
#[target_feature(enable = "neon")]
fn added(mut sums: Vectors, stripes: &[[u8; STRIPE]], at: usize) -> Vectors {
    let mut plain = [vdupq_n_u64(0); 4];
    for (stripe, secret) in stripes.iter().zip(SECRET[at..].windows(STRIPE).step_by(8)) {
        let (words, keys) = (cast::<_, Vectors>(*stripe), load(secret));
        for pair in 0..4 {
            let keyed = veorq_u64(words[pair], keys[pair]);
            sums[pair] = vmlal_u32(sums[pair], vmovn_u64(keyed), vshrn_n_u64::<32>(keyed));
            plain[pair] = vaddq_u64(plain[pair], words[pair]);
        }
    }
    let keys = load(&SECRET[SECRET.len() - STRIPE..]);
    for pair in 0..4 {
        sums[pair] = vaddq_u64(sums[pair], vextq_u64::<1>(plain[pair], plain[pair]));
        if stripes.len() == 16 {
            sums[pair] = scrambled(sums[pair], keys[pair]);
        }
    }
    sums
}

#[inline]
#[target_feature(enable = "neon")]
fn scrambled(sums: uint64x2_t, keys: uint64x2_t) -> uint64x2_t {
    let keyed = veorq_u64(veorq_u64(sums, vshrq_n_u64::<47>(sums)), keys);
    let high = vshlq_n_u64::<32>(vmull_n_u32(vshrn_n_u64::<32>(keyed), PRIMES32[1]));
    vmlal_n_u32(high, vmovn_u64(keyed), PRIMES32[1])
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8]) -> Vectors {
    bytemuck::pod_read_unaligned(bytes)
}
