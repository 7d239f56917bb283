//! Keccak-f[1600] (FIPS 202, 3.2 and 3.3) of one message, by general registers.
//!
//! Lane (x, y) of the state is word `x + 5 * y`. A round makes one plane of five lanes after
//! another:
//!
//! ```text
//! column[x] = exclusive or of the five lanes with that x
//! theta[x]  = column[x - 1] ^ rotate(column[x + 1], 1)
//! for each plane y:
//!     for x = 0 .. 4:   plane[x] = rotate(a[origin] ^ theta[x of origin], ROTATIONS[origin])
//!     for x = 0 .. 4:   out[x, y] = plane[x] ^ (!plane[x + 1] & plane[x + 2])
//! out[0, 0] ^= constant of the round
//! ```
//!
//! x86-64 has sixteen general registers for 25 lanes, so five lanes are computed at a time.
//! `origin` undoes pi, so no lane is moved. BMI has AND-NOT and a rotation into another register.
//! Other CPUs of x86-64 keep six lanes as complements (`SOME_INVERTED`), which spares most
//! negations.

use super::Lanes;
use crate::parts::arrays::from_fn;

/// The last `ROUNDS` rounds, two in each turn of the loop. `SOME_INVERTED`: the lanes of
/// [`INVERTED`] hold their complements before and after the rounds. That spares a CPU without
/// AND-NOT most negations (G. Bertoni et al., Keccak implementation overview 3.2, 2.2).
#[inline(always)]
pub(super) fn permute<const ROUNDS: usize, const SOME_INVERTED: bool>(lanes: &mut Lanes) {
    for [even, odd] in const { last_constants::<ROUNDS>() } {
        *lanes = round::<SOME_INVERTED>(&round::<SOME_INVERTED>(lanes, *even), *odd);
    }
}

/// One round.
#[inline(always)]
fn round<const SOME_INVERTED: bool>(a: &Lanes, constant: u64) -> Lanes {
    let column: [u64; 5] = from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let theta: [u64; 5] = from_fn(|x| column[(x + 4) % 5] ^ column[(x + 1) % 5].rotate_left(1));
    let mut out: Lanes = bytemuck::cast([
        plane::<0, SOME_INVERTED>(a, &theta),
        plane::<1, SOME_INVERTED>(a, &theta),
        plane::<2, SOME_INVERTED>(a, &theta),
        plane::<3, SOME_INVERTED>(a, &theta),
        plane::<4, SOME_INVERTED>(a, &theta),
    ]);
    out[0] ^= constant;
    out
}

/// Plane `Y` after rho, pi and chi. Places are parameters of types: as indices of loops they stayed
/// in the program in one profile of two, and took ten times as long.
#[inline(always)]
fn plane<const Y: usize, const SOME_INVERTED: bool>(a: &Lanes, theta: &[u64; 5]) -> [u64; 5] {
    let plane = [
        turned::<0, Y>(a, theta),
        turned::<1, Y>(a, theta),
        turned::<2, Y>(a, theta),
        turned::<3, Y>(a, theta),
        turned::<4, Y>(a, theta),
    ];
    [
        chi::<0, Y, SOME_INVERTED>(&plane),
        chi::<1, Y, SOME_INVERTED>(&plane),
        chi::<2, Y, SOME_INVERTED>(&plane),
        chi::<3, Y, SOME_INVERTED>(&plane),
        chi::<4, Y, SOME_INVERTED>(&plane),
    ]
}

/// Where the lane comes from that pi moves to place `x` of plane `y`.
pub(super) const fn origin(x: usize, y: usize) -> usize {
    (x + 3 * y) % 5 + 5 * x
}

/// The lane that is at place `X` of plane `Y` after theta, rho and pi.
#[inline(always)]
fn turned<const X: usize, const Y: usize>(a: &Lanes, theta: &[u64; 5]) -> u64 {
    let lane = a[const { origin(X, Y) }] ^ theta[const { origin(X, Y) % 5 }];
    lane.rotate_left(const { ROTATIONS[origin(X, Y)] })
}

/// Place `X` of plane `Y` after chi; of lanes that are complements, by at most one negation.
#[inline(always)]
fn chi<const X: usize, const Y: usize, const SOME_INVERTED: bool>(plane: &[u64; 5]) -> u64 {
    let [one, two, three] = [plane[X], plane[(X + 1) % 5], plane[(X + 2) % 5]];
    if !SOME_INVERTED {
        return one ^ (!two & three);
    }
    let [one_is_inverted, two_is_inverted, three_is_inverted] =
        const { [is_inverted(X, Y), is_inverted((X + 1) % 5, Y), is_inverted((X + 2) % 5, Y)] };
    // Whether the second term is to be its complement.
    let is_or = one_is_inverted != const { INVERTED >> (X + 5 * Y) & 1 == 1 };
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

/// Whether the lane that pi moves to place `x` of plane `y` is a complement after theta.
const fn is_inverted(x: usize, y: usize) -> bool {
    INVERTED_BY_THETA >> origin(x, y) & 1 == 1
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
