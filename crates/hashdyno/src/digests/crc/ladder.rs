//! The ways to compute a CRC on which the founding documents climb, from a table look-up for each
//! byte to the instruction for CRC-32C. None is ever the best here: they are kernels so that they
//! are verified and measured beside what came after them.

use super::{Crc, Register, after_few};
use crate::parts::arrays::Mapped;
use crate::parts::checksum::checksum_kernel;
use crate::parts::words::few;
use crate::{Features, Kernel};

/// A look-up for each byte (D. V. Sarwate, "Computation of Cyclic Redundancy Checks via Table
/// Look-Up", 1988).
pub(super) const fn bytewise<C: Crc>() -> Kernel {
    checksum_kernel!("bytewise", Features::empty(), C: Crc, after_each::<C>)
}

/// The same for eight bytes at a time, which are loaded as one word.
pub(super) const fn unrolled<C: Crc>() -> Kernel {
    checksum_kernel!("unrolled", Features::empty(), C: Crc, after_words::<C>)
}

/// Eight look-ups that do not wait for one another (M. E. Kounavis, F. L. Berry, "A Systematic
/// Approach to Building High Performance Software-Based CRC Generators", Intel, 2005).
pub(super) const fn slicing_by_8<C: Crc>() -> Kernel {
    checksum_kernel!("slicing-by-8", Features::empty(), C: Crc, after_slices::<C>)
}

#[inline]
fn after_each<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    bytes.iter().fold(register, |register, &byte| step::<C>(register, byte))
}

#[inline]
fn after_words<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    by_8::<C>(register, bytes, |register, word| {
        (0..8).fold(register, |register, index| step::<C>(register, (word >> (8 * index)) as u8))
    })
}

#[inline]
fn after_slices<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    by_8::<C>(register, bytes, |register, word| {
        let sum = word ^ Into::<u128>::into(register) as u64;
        let found = |index: usize| C::TABLES[7 - index][usize::from((sum >> (8 * index)) as u8)];
        // A tree: those of the last bytes do not wait for a register of 32 bits.
        let [low, high] =
            [0, 4].mapped(|at| (found(at) ^ found(at + 1)) ^ (found(at + 2) ^ found(at + 3)));
        high ^ low ^ register.without(8)
    })
}

/// The register after one byte more.
#[inline(always)]
fn step<C: Crc>(register: C::Register, byte: u8) -> C::Register {
    let index = (Into::<u128>::into(register) as u8) ^ byte;
    C::TABLES[0][usize::from(index)] ^ register.without(1)
}

/// The register after words of eight bytes by `step`, and after what is left as by any kernel.
#[inline(always)]
fn by_8<C: Crc>(
    register: C::Register,
    bytes: &[u8],
    step: impl Fn(C::Register, u64) -> C::Register,
) -> C::Register {
    let (words, rest) = bytes.as_chunks::<8>();
    let register =
        words.iter().fold(register, |register, word| step(register, u64::from_le_bytes(*word)));
    after_few::<C>(register, few(rest), rest.len())
}
