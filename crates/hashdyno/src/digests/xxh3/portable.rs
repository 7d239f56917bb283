use super::{PRIMES32, SECRET, STRIPE, Sums, absorb_by, key};
use crate::State;

pub(super) fn absorb(state: &mut State, bytes: &[u8]) {
    absorb_by(state, bytes, |sums, stripes| {
        let sums = add(sums, stripes, 0);
        if stripes.len() == 16 { scrambled(sums) } else { sums }
    });
}

/// The sums with `stripes` added, the secret taken from byte `at` on. What each word adds to its neighbour's sum is summed up
/// apart and changes places once, at the end.
#[inline(always)]
pub(super) fn add(mut sums: Sums, stripes: &[[u8; STRIPE]], at: usize) -> Sums {
    let mut plain: Sums = [0; 8];
    for (stripe, at) in stripes.iter().zip((at..).step_by(8)) {
        for (lane, word) in stripe.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let keyed = word ^ key(at + 8 * lane);
            sums[lane] = sums[lane].wrapping_add((keyed & 0xffff_ffff) * (keyed >> 32));
            plain[lane] = plain[lane].wrapping_add(word);
        }
    }
    std::array::from_fn(|lane| sums[lane].wrapping_add(plain[lane ^ 1]))
}

fn scrambled(sums: Sums) -> Sums {
    std::array::from_fn(|lane| {
        let sum = sums[lane] ^ sums[lane] >> 47 ^ key(SECRET.len() - STRIPE + 8 * lane);
        sum.wrapping_mul(PRIMES32[1].into())
    })
}
