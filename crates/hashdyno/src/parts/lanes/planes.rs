//! Words of 64 messages as planes of bytes, one register for each place in a word. There a table of
//! 256 bytes is looked up by shuffles, for all messages at once, and where a byte goes to within a
//! block is a matter of names.
//!
//! What makes the calls sound is what does so in `vector`: these are reached below
//! functions compiled for AVX-512 and VBMI alone.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::transpose::{Register, transpose};
use crate::parts::barrier;
use crate::parts::mds::avx512::{sum, sum3};

/// A byte of each of 64 messages.
pub(crate) type Plane = __m512i;

/// The bytes of words of 64 bits, in registers of eight.
#[inline(always)]
pub(crate) fn of_long_words(mut words: [__m512i; 8]) -> [Plane; 8] {
    grouped::<8, 8>(&mut words);
    transpose(&mut words);
    words
}

/// The words that have these bytes.
#[inline(always)]
pub(crate) fn to_long_words(mut planes: [Plane; 8]) -> [__m512i; 8] {
    transpose(&mut planes);
    grouped::<8, 8>(&mut planes);
    planes
}

/// The bytes of words of 32 bits, in registers of sixteen.
#[inline(always)]
pub(crate) fn of_words(mut words: [__m512i; 4]) -> [Plane; 4] {
    grouped::<4, 4>(&mut words);
    Register::blocks(&mut words, 1);
    words
}

/// The words that have these bytes.
#[inline(always)]
pub(crate) fn to_words(mut planes: [Plane; 4]) -> [__m512i; 4] {
    Register::blocks(&mut planes, 1);
    grouped::<16, 4>(&mut planes);
    planes
}

/// In each register, of every `BYTES` bytes the first together, then the second, and so on.
#[inline(always)]
fn grouped<const BYTES: usize, const N: usize>(registers: &mut [__m512i; N]) {
    for register in registers {
        // SAFETY: see `vector`.
        *register = unsafe { _mm512_permutexvar_epi8(cast(const { places(BYTES) }), *register) };
    }
}

/// Where the bytes come from that [`grouped`] puts together.
const fn places(bytes: usize) -> [u8; 64] {
    let (mut places, mut at, groups) = ([0; 64], 0, 64 / bytes);
    while at < 64 {
        places[at] = (at % groups * bytes + at / groups) as u8;
        at += 1;
    }
    places
}

/// A table of 256 bytes, in memory: of `mds::avx512::Substitution`, in registers, there is room for
/// one, and it takes three shuffles. The upper half is added to the lower, so that an entry of
/// either is a sum.
#[repr(align(64))]
pub(crate) struct Table([[u8; 64]; 4]);

impl Table {
    /// Of these entries.
    pub(crate) const fn new(entries: &[u8; 256]) -> Self {
        let (mut table, mut at) = ([[0; 64]; 4], 0);
        while at < 128 {
            table[at / 64][at % 64] = entries[at];
            table[2 + at / 64][at % 64] = entries[at] ^ entries[128 + at];
            at += 1;
        }
        Self(table)
    }

    /// The entry that each byte of a plane names.
    #[inline(always)]
    pub(crate) fn look_up(&self, plane: Plane) -> Plane {
        let [low, high] = halves(std::ptr::from_ref(&self.0), plane);
        // SAFETY: see `vector`.
        unsafe { barrier(sum(low, barrier(high))) }
    }

    /// The entries that the bytes of each plane name, added to the sum beside it.
    #[inline(always)]
    pub(crate) fn add<const N: usize>(
        &self,
        planes: [Plane; N],
        mut sums: [Plane; N],
    ) -> [Plane; N] {
        let mut table = std::ptr::from_ref(&self.0);
        for sum in &mut sums {
            // SAFETY: see `vector`.
            (table, *sum) = unsafe { in_place(table, *sum) };
        }
        for n in 0..N {
            let [low, high] = halves(table, planes[n]);
            // SAFETY: see `vector`.
            sums[n] = unsafe { sum3(sums[n], low, high) };
        }
        sums
    }
}

/// [`Table::look_up`] in a table that is there, as a sum of two.
#[inline(always)]
fn halves(table: *const [[u8; 64]; 4], plane: Plane) -> [Plane; 2] {
    // SAFETY: loads of 64 bytes that are there, aligned as the table is; for the rest, see
    // `vector`.
    unsafe {
        let quarter = |n: usize| _mm512_load_si512(table.cast::<__m512i>().add(n));
        let low = _mm512_permutex2var_epi8(quarter(0), plane, quarter(1));
        let high = _mm512_maskz_permutex2var_epi8(
            _mm512_movepi8_mask(plane),
            quarter(2),
            plane,
            quarter(3),
        );
        [low, high]
    }
}

/// The same, for all the compiler knows another: no two sums become one of three operands, for
/// which Zen 4's look-ups wait.
#[inline]
#[target_feature(enable = "avx512f")]
fn barrier(plane: Plane) -> Plane {
    barrier::register!(zmm_reg plane)
}

/// The same, at its place among all that this is said of: the compiler would put the look-ups of
/// one plane first, and keep the tables on the stack for the others.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_place(table: *const [[u8; 64]; 4], sum: Plane) -> (*const [[u8; 64]; 4], Plane) {
    barrier::in_place_with!(table, zmm_reg sum)
}
