//! By what remainders are multiplied.

use std::arch::x86_64::__m128i;

use super::super::Order;
use super::super::x86_64::{factors_of, load_128, onto_by, quotient_of};

/// What remainders are multiplied by, those of the polynomial times a power of x that makes it one
/// of 64 bits.
pub(super) struct Factors {
    pub(super) by_128: [u64; 2],
    pub(super) by_256: [u64; 2],
    pub(super) by_512: [u64; 2],
    pub(super) by_1024: [u64; 2],
    /// The quotient of x^127, and the polynomial but for the coefficient of x^0.
    pub(super) divisor: [u64; 2],
    /// That coefficient in every bit.
    pub(super) ones: u64,
}

impl Factors {
    pub(super) const fn new(polynomial: u64) -> Self {
        Self {
            by_128: factors_of(polynomial, 64, 128),
            by_256: factors_of(polynomial, 64, 256),
            by_512: factors_of(polynomial, 64, 512),
            by_1024: factors_of(polynomial, 64, 1024),
            divisor: [quotient_of(polynomial), polynomial << 1 | 1],
            ones: 0u64.wrapping_sub(polynomial >> 63),
        }
    }

    /// Sums four consecutive sums and the blocks that follow.
    #[inline]
    #[target_feature(enable = "pclmulqdq,sse4.2")]
    pub(super) fn join<O: Order>(&self, [a, b, c, d]: [__m128i; 4], rest: &[[u8; 16]]) -> __m128i {
        let (by_128, by_256) = (bytemuck::cast(self.by_128), bytemuck::cast(self.by_256));
        let sum = onto_by(onto_by(a, by_128, b), by_256, onto_by(c, by_128, d));
        rest.iter().fold(sum, |sum, block| onto_by(sum, by_128, load_128::<O>(block)))
    }
}
