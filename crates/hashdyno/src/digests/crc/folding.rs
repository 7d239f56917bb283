//! What the sums of a CRC by carry-less multiplication are multiplied by: numbers that the compiler
//! knows for each [`Crc`], and numbers from memory for the catalogue.

use std::marker::PhantomData;

use super::{BitOrder, Crc, Register, after, times_power, times_x};

/// The numbers of one CRC.
pub(super) trait Folding: BitOrder + Copy {
    /// The integer that holds the remainder.
    type Register: Register;
    /// As [`Crc::INSTRUCTION`].
    const INSTRUCTION: bool;
    /// Whether the bytes of a block are reversed where its sum is folded, and not the bits of each
    /// byte.
    const BYTES_REVERSED: bool = reverses_bytes(Self::MSB_FIRST);

    /// What the halves of a block of 16 bytes are multiplied by to move them on.
    fn distances(self) -> &'static Distances;

    /// The same where the bits of each byte are reversed.
    #[cfg(target_arch = "x86_64")]
    fn bitwise_distances(self) -> &'static Distances;

    /// That of them which moves a block on by `BITS`.
    #[inline(always)]
    fn by<const BITS: u32>(self) -> [u64; 2] {
        self.distances().0[const { BITS as usize / 128 - 1 }]
    }

    /// As [`powers_of`] the polynomial.
    fn powers(self) -> &'static Powers;

    /// The quotient of x^127 as [`quotient_of`], and the polynomial but for the coefficient of x^0,
    /// which has no place there.
    fn divisor(self) -> [u64; 2];

    /// That coefficient in every bit.
    fn ones(self) -> u64;
}

/// The numbers of a [`Crc`].
pub(super) struct Known<C>(PhantomData<C>);

impl<C> Known<C> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C> Clone for Known<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Known<C> {}

impl<C: Crc> BitOrder for Known<C> {
    const MSB_FIRST: bool = C::MSB_FIRST;
}

impl<C: Crc> Folding for Known<C> {
    type Register = C::Register;
    const INSTRUCTION: bool = C::INSTRUCTION;

    #[inline(always)]
    fn distances(self) -> &'static Distances {
        const {
            let width = 8 * size_of::<C::Register>() as u32;
            &distances_of(C::POLYNOMIAL, width, Self::BYTES_REVERSED)
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn bitwise_distances(self) -> &'static Distances {
        const {
            let width = 8 * size_of::<C::Register>() as u32;
            &distances_of(C::POLYNOMIAL, width, false)
        }
    }

    #[inline(always)]
    fn powers(self) -> &'static Powers {
        const { &powers_of(C::POLYNOMIAL) }
    }

    #[inline(always)]
    fn divisor(self) -> [u64; 2] {
        const { divisor_of(C::POLYNOMIAL) }
    }

    #[inline(always)]
    fn ones(self) -> u64 {
        const { ones_of(C::POLYNOMIAL) }
    }
}

/// The same CRC, of whose blocks the bits of each byte are reversed where their sum is folded.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Bitwise<C>(pub C);

#[cfg(target_arch = "x86_64")]
impl<C: Folding> BitOrder for Bitwise<C> {
    const MSB_FIRST: bool = C::MSB_FIRST;
}

#[cfg(target_arch = "x86_64")]
impl<C: Folding> Folding for Bitwise<C> {
    type Register = C::Register;
    const INSTRUCTION: bool = C::INSTRUCTION;
    const BYTES_REVERSED: bool = false;

    #[inline(always)]
    fn distances(self) -> &'static Distances {
        if C::BYTES_REVERSED { self.0.bitwise_distances() } else { self.0.distances() }
    }

    #[inline(always)]
    fn bitwise_distances(self) -> &'static Distances {
        self.distances()
    }

    #[inline(always)]
    fn powers(self) -> &'static Powers {
        self.0.powers()
    }

    #[inline(always)]
    fn divisor(self) -> [u64; 2] {
        self.0.divisor()
    }

    #[inline(always)]
    fn ones(self) -> u64 {
        self.0.ones()
    }
}

/// x^(8 len - 1) modulo the polynomial, or that times x^32 for 32 bits, for each `len` from 8 on; a
/// row for each remainder of `len` divided by 8, the longest first.
pub(super) type Powers = [u64; 64];

pub(super) const fn powers_of(polynomial: u64) -> Powers {
    let mut powers = [0; 64];
    let (mut power, mut len) = (after(polynomial, 1 << 56, 7), 8); // from x^7 on
    while len < 72 {
        powers[len % 8 * 8 + 8 - len / 8] = power;
        power = after(polynomial, power, 1);
        len += 1;
    }
    powers
}

/// Whether kernels of this architecture reverse the bytes of a block, of a CRC in that order.
pub(super) const fn reverses_bytes(msb_first: bool) -> bool {
    msb_first && cfg!(target_arch = "x86_64")
}

/// How many blocks the farthest of [`Distances`] is.
pub(super) const FARTHEST: usize = 16;

/// Factors for one block of 16 bytes, for two, and so on up to [`FARTHEST`].
#[repr(align(16))]
pub(super) struct Distances(pub [[u64; 2]; FARTHEST]);

/// [`Folding::distances`] of a polynomial of that width: for each number of blocks the factors that
/// move the halves of a block on. The half that comes first in the message is 64 bits further away.
/// It is the lower one of a reflected block; one x of each is there already, since the product of
/// two reflected words of 64 bits has 127 bits. It is the upper one where the bytes of a block are
/// reversed and not their bits.
pub(super) const fn distances_of(polynomial: u64, width: u32, bytes_reversed: bool) -> Distances {
    let bits = if bytes_reversed { 128 } else { 127 };
    let mut power = times_power(polynomial, 1 << (width - 1), bits);
    let mut distances = [[0; 2]; FARTHEST];
    let mut half = 0;
    while half < 2 * FARTHEST {
        let factor = power << (64 - width); // the coefficient of x^0 in bit 63
        let distance = &mut distances[half / 2];
        if bytes_reversed {
            distance[half % 2] = factor.reverse_bits();
        } else {
            distance[1 - half % 2] = factor;
        }
        power = times_power(polynomial, power, 64);
        half += 1;
    }
    Distances(distances)
}

/// [`Folding::divisor`] of a polynomial.
pub(super) const fn divisor_of(polynomial: u64) -> [u64; 2] {
    [quotient_of(polynomial), polynomial << 1 | 1]
}

/// [`Folding::ones`] of a polynomial.
pub(super) const fn ones_of(polynomial: u64) -> u64 {
    0u64.wrapping_sub(polynomial >> 63)
}

/// The quotient of x^127 divided by the polynomial, or that times x^32 if it has 32 bits; bit 63 is
/// the coefficient of x^0.
const fn quotient_of(polynomial: u64) -> u64 {
    let (mut remainder, mut quotient, mut n) = (1 << 63, 0u64, 127);
    while n > 0 {
        quotient = quotient << 1 | remainder & 1;
        remainder = times_x(polynomial, remainder);
        n -= 1;
    }
    quotient.reverse_bits()
}
