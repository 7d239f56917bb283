//! Keccak-f[1600] (FIPS 202, 3.2 and 3.3).

use std::array::from_fn;

use super::Lanes;

/// The last rounds, so many, two per turn of the loop. `SOME_INVERTED`: the lanes of [`INVERTED`]
/// hold their complements before and after, which spares a CPU without AND-NOT most negations
/// (G. Bertoni et al., Keccak implementation overview 3.2, 2.2).
#[inline(always)]
pub(super) fn permute<const ROUNDS: usize, const SOME_INVERTED: bool>(lanes: &mut Lanes) {
    for [even, odd] in const { last_constants::<ROUNDS>() } {
        *lanes = round::<SOME_INVERTED>(&round::<SOME_INVERTED>(lanes, *even), *odd);
    }
}

/// One round. Every loop is short and its bounds are constant: all vanish, and with them every
/// index.
#[inline(always)]
fn round<const SOME_INVERTED: bool>(a: &Lanes, constant: u64) -> Lanes {
    let column: [u64; 5] = from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let theta: [u64; 5] = from_fn(|x| column[(x + 4) % 5] ^ column[(x + 1) % 5].rotate_left(1));
    let mut out = [0; 25];
    for (y, out) in out.as_chunks_mut::<5>().0.iter_mut().enumerate() {
        let from = |x: usize| (x + 3 * y) % 5 + 5 * x;
        let plane: [u64; 5] =
            from_fn(|x| (a[from(x)] ^ theta[from(x) % 5]).rotate_left(ROTATIONS[from(x)]));
        *out = from_fn(|x| {
            let [one, two, three] = from_fn(|next| (x + next) % 5);
            if SOME_INVERTED {
                let is_inverted = |x| INVERTED_BY_THETA >> from(x) & 1 == 1;
                chi(
                    [plane[one], plane[two], plane[three]],
                    [is_inverted(one), is_inverted(two), is_inverted(three)],
                    INVERTED >> (x + 5 * y) & 1 == 1,
                )
            } else {
                plane[one] ^ (!plane[two] & plane[three])
            }
        });
    }
    out[0] ^= constant;
    out
}

/// Chi of three lanes, of which some are complements, by at most one negation; `is_inverted` says
/// that the result is to be one.
#[inline(always)]
fn chi([one, two, three]: [u64; 3], inverted: [bool; 3], is_inverted: bool) -> u64 {
    let [one_is_inverted, two_is_inverted, three_is_inverted] = inverted;
    // Whether the second term is to be its complement.
    let is_or = one_is_inverted != is_inverted;
    match (two_is_inverted, three_is_inverted) {
        (true, false) if !is_or => one ^ (two & three),
        (true, false) => !one ^ (two & three),
        (false, true) if is_or => one ^ (two | three),
        (false, true) => !one ^ (two | three),
        (false, false) if !is_or => one ^ (!two & three),
        (false, false) => one ^ (two | !three),
        (true, true) if !is_or => one ^ (two & !three),
        (true, true) => one ^ (!two | three),
    }
}

/// The lanes that hold their complements between rounds, a bit for each.
pub(super) const INVERTED: u32 = 1 << 1 | 1 << 2 | 1 << 8 | 1 << 12 | 1 << 17 | 1 << 20;

/// Those that do after theta: it inverts whole columns.
const INVERTED_BY_THETA: u32 = {
    const COLUMN: u32 = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20;
    let (mut inverted, mut x) = (INVERTED, 0);
    while x < 5 {
        let beside = INVERTED & (COLUMN << ((x + 4) % 5) | COLUMN << ((x + 1) % 5));
        if beside.count_ones() % 2 == 1 {
            inverted ^= COLUMN << x;
        }
        x += 1;
    }
    inverted
};

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
