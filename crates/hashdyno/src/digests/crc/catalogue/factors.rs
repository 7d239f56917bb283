//! The numbers of a CRC of the catalogue, in memory.
//!
//! `Known` gives the numbers of a CRC that the compiler knows. All CRCs of the catalogue share one
//! kernel instead, so it reads the numbers from the entry of the digest. All are 64 bits wide: the
//! factor x^(64 - width) of the polynomial comes to the remainder, too.

use std::marker::PhantomData;

use super::super::BitOrder;
use super::super::folding::{
    Distances, Folding, Powers, distances_of, divisor_of, ones_of, powers_of, reverses_bytes,
};

/// Those of the polynomial times a power of x that makes it one of 64 bits.
pub(super) struct Factors {
    /// Move sums on: `Folding::distances`.
    distances: Distances,
    /// The same as `Folding::bitwise_distances`.
    #[cfg(target_arch = "x86_64")]
    bitwise_distances: Distances,
    /// Move words of short messages to the end: `Folding::powers`.
    powers: Powers,
    /// Reduces the last 16 bytes: `Folding::divisor`.
    divisor: [u64; 2],
    /// The polynomial's lowest coefficient: `Folding::ones`.
    ones: u64,
}

impl Factors {
    pub(super) const fn new(polynomial: u64, msb_first: bool) -> Self {
        Self {
            distances: distances_of(polynomial, 64, reverses_bytes(msb_first)),
            #[cfg(target_arch = "x86_64")]
            bitwise_distances: distances_of(polynomial, 64, false),
            powers: powers_of(polynomial),
            divisor: divisor_of(polynomial),
            ones: ones_of(polynomial),
        }
    }
}

/// The numbers of a CRC whose bytes are taken in that order.
pub(super) struct Of<O>(pub &'static Factors, pub PhantomData<O>);

impl<O> Clone for Of<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Of<O> {}

impl<O: BitOrder> BitOrder for Of<O> {
    const MSB_FIRST: bool = O::MSB_FIRST;
}

impl<O: BitOrder> Folding for Of<O> {
    type Register = u64;
    const INSTRUCTION: bool = false;

    #[inline(always)]
    fn distances(self) -> &'static Distances {
        &self.0.distances
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn bitwise_distances(self) -> &'static Distances {
        &self.0.bitwise_distances
    }

    #[inline(always)]
    fn powers(self) -> &'static Powers {
        &self.0.powers
    }

    #[inline(always)]
    fn divisor(self) -> [u64; 2] {
        self.0.divisor
    }

    #[inline(always)]
    fn ones(self) -> u64 {
        self.0.ones
    }
}
