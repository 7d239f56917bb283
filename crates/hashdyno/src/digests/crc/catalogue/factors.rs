//! The numbers of a CRC of the catalogue, in memory.

use std::marker::PhantomData;

use super::super::BitOrder;
use super::super::folding::{Folding, Powers, divisor_of, factors_of, ones_of, powers_of};

/// Those of the polynomial times a power of x that makes it one of 64 bits.
pub(super) struct Factors {
    /// [`Folding::by`], of each number of bits in [`BITS`].
    by: [[u64; 2]; BITS.len()],
    powers: Powers,
    divisor: [u64; 2],
    ones: u64,
}

/// By how many bits sums are moved on.
const BITS: [u32; 6] = [128, 256, 384, 512, 1024, 2048];

/// The place of a number in [`BITS`].
const fn place(bits: u32) -> usize {
    let mut place = 0;
    while BITS[place] != bits {
        place += 1;
    }
    place
}

impl Factors {
    pub(super) const fn new(polynomial: u64, msb_first: bool) -> Self {
        let mut by = [[0; 2]; _];
        let mut place = 0;
        while place < BITS.len() {
            by[place] = factors_of(polynomial, 64, msb_first, BITS[place]);
            place += 1;
        }
        Self {
            by,
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
    fn by<const MOVED: u32>(self) -> [u64; 2] {
        self.0.by[const { place(MOVED) }]
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
