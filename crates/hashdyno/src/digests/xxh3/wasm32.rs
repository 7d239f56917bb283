//! XXH3's sums by WebAssembly's vectors: two sums of 64 bits in a register.
//!
//! The halves of two registers are brought together for products of 32 bits. The rest is the text
//! of `portable.rs`.

use std::arch::wasm32::*;

use super::*;
use crate::Features;

pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("simd128", Features::SIMD128, "simd128", Vectors, added)
}

/// Two sums in a register.
type Vectors = [v128; 4];

/// As [`super::portable::added`]. A product of words of 64 bits takes an engine on x86-64 eight
/// instructions, so the halves of two registers come together for products of 32 bits.
#[inline]
#[target_feature(enable = "simd128")]
fn added(mut sums: Vectors, stripes: &[[u8; STRIPE]], at: usize) -> Vectors {
    let mut plain = [u64x2_splat(0); 4];
    for (stripe, secret) in stripes.iter().zip(SECRET[at..].windows(STRIPE).step_by(8)) {
        let (words, keys) = (load(stripe), load(secret));
        for pair in [0, 2] {
            let keyed =
                [v128_xor(words[pair], keys[pair]), v128_xor(words[pair + 1], keys[pair + 1])];
            let low = u32x4_shuffle::<0, 2, 4, 6>(keyed[0], keyed[1]);
            let high = u32x4_shuffle::<1, 3, 5, 7>(keyed[0], keyed[1]);
            sums[pair] = u64x2_add(sums[pair], u64x2_extmul_low_u32x4(low, high));
            sums[pair + 1] = u64x2_add(sums[pair + 1], u64x2_extmul_high_u32x4(low, high));
        }
        for (plain, words) in plain.iter_mut().zip(words) {
            *plain = u64x2_add(*plain, words);
        }
    }
    let keys = load(&SECRET[SECRET.len() - STRIPE..]);
    for pair in 0..4 {
        sums[pair] = u64x2_add(sums[pair], u64x2_shuffle::<1, 0>(plain[pair], plain[pair]));
        if stripes.len() == 16 {
            sums[pair] = scrambled(sums[pair], keys[pair]);
        }
    }
    sums
}

#[inline]
#[target_feature(enable = "simd128")]
fn scrambled(sums: v128, keys: v128) -> v128 {
    let keyed = v128_xor(v128_xor(sums, u64x2_shr(sums, 47)), keys);
    u64x2_mul(keyed, u64x2_splat(PRIMES32[1].into()))
}

#[inline]
#[target_feature(enable = "simd128")]
fn load(bytes: &[u8]) -> Vectors {
    bytemuck::pod_read_unaligned(bytes)
}
