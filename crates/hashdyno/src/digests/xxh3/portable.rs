//! XXH3's sums in straight Rust: the text that the kernels in vectors follow.
//!
//! ```text
//! for each stripe of eight words:
//!     keyed    = word ^ key                        the secret moves on by 8 bytes for each stripe
//!     sums[i] += low half of keyed * high half of keyed
//!     plain[i] += word
//! sums[i] += plain[i ^ 1]                          the neighbour's words, once for all stripes
//! after 16 stripes: scrambled
//! ```

use super::*;
use crate::Features;
use crate::parts::arrays::from_fn;

pub(super) const fn kernel<H: Hash>() -> Kernel {
    xxh3_kernel!("portable", Features::empty(), Sums, added)
}

/// The sums with `stripes` added, the secret taken from byte `at` on, and scrambled after a whole
/// block. What each word adds to its neighbour's sum is summed up apart and changes places once, at
/// the end.
#[inline(always)]
pub(super) fn added(mut sums: Sums, stripes: &[[u8; STRIPE]], at: usize) -> Sums {
    let mut plain: Sums = [0; 8];
    for (stripe, keys) in stripes.iter().zip(SECRET[at..].windows(STRIPE).step_by(8)) {
        for (lane, (word, key)) in stripe.as_chunks().0.iter().zip(keys.as_chunks().0).enumerate() {
            let word = u64::from_le_bytes(*word);
            let keyed = word ^ u64::from_le_bytes(*key);
            sums[lane] = sums[lane].wrapping_add((keyed & 0xffff_ffff) * (keyed >> 32));
            plain[lane] = plain[lane].wrapping_add(word);
        }
    }
    let sums = from_fn(|lane| sums[lane].wrapping_add(plain[lane ^ 1]));
    if stripes.len() == 16 { scrambled(sums) } else { sums }
}

fn scrambled(sums: Sums) -> Sums {
    from_fn(|lane| {
        let sum = sums[lane] ^ sums[lane] >> 47 ^ key(SECRET.len() - STRIPE + 8 * lane);
        sum.wrapping_mul(PRIMES32[1].into())
    })
}
