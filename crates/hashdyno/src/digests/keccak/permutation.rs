//! Keccak-f[1600] (FIPS 202, 3.2 and 3.3).

use std::array::from_fn;

use super::Lanes;

/// The last rounds, so many, two per turn of the loop.
#[inline(always)]
pub(super) fn permute<const ROUNDS: usize>(lanes: &mut Lanes) {
    for [even, odd] in const { last_constants::<ROUNDS>() } {
        *lanes = round(&round(lanes, *even), *odd);
    }
}

/// One round. Every loop is short and its bounds are constant: all vanish, and with them every
/// index.
#[inline(always)]
fn round(a: &Lanes, constant: u64) -> Lanes {
    let column: [u64; 5] = from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let theta: [u64; 5] = from_fn(|x| column[(x + 4) % 5] ^ column[(x + 1) % 5].rotate_left(1));
    let mut out = [0; 25];
    for (y, out) in out.as_chunks_mut::<5>().0.iter_mut().enumerate() {
        let plane: [u64; 5] = from_fn(|x| {
            let from = (x + 3 * y) % 5;
            (a[from + 5 * x] ^ theta[from]).rotate_left(ROTATIONS[from + 5 * x])
        });
        *out = from_fn(|x| plane[x] ^ (!plane[(x + 1) % 5] & plane[(x + 2) % 5]));
    }
    out[0] ^= constant;
    out
}

/// Rho: how far the lane at `x + 5 * y` rotates (FIPS 202, table 2, modulo 64).
pub(super) const ROTATIONS: [u32; 25] = {
    let (mut rotations, mut x, mut y, mut t) = ([0; 25], 1, 0, 0);
    while t < 24 {
        rotations[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    rotations
};

/// The constants of the last rounds, in pairs: fewer rounds than all are the last ones.
pub(super) const fn last_constants<const ROUNDS: usize>() -> &'static [[u64; 2]] {
    ROUND_CONSTANTS.split_at(ROUND_CONSTANTS.len() - ROUNDS).1.as_chunks().0
}

/// Iota: the bits at 2^j - 1 come from the linear feedback register of FIPS 202, algorithm 5.
pub(super) const ROUND_CONSTANTS: [u64; 24] = {
    let (mut constants, mut register, mut round) = ([0; 24], 1u8, 0);
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            register = (register << 1) ^ ((register >> 7) * 0b0111_0001);
            j += 1;
        }
        round += 1;
    }
    constants
};
