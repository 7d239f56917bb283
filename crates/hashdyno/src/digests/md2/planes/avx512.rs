//! The table in registers, by shuffles of 128 bytes.

use std::arch::x86_64::*;

use super::*;
use crate::parts::mds::avx512::{Substitution, sum};

const NEEDS: Features = Features::AVX512VBMI.union(Features::AVX512BW);

plane_kernel!(VBMI_X256: "vbmix256", NEEDS, "avx512f,avx512bw,avx512vbmi", 4 of __m512i);
plane_kernel!(VBMI_X128: "vbmix128", NEEDS, "avx512f,avx512bw,avx512vbmi", 2 of __m512i);
plane_kernel!(VBMI_X64: "vbmix64", NEEDS, "avx512f,avx512bw,avx512vbmi", 1 of __m512i);

impl Bytes<64> for __m512i {
    type Table = Substitution;

    #[inline(always)]
    fn table() -> Self::Table {
        // SAFETY: see `Bytes`.
        unsafe { Substitution::new(&PI) }
    }

    #[inline(always)]
    fn looked_up(self, table: Self::Table) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { table.of(self) }
    }

    #[inline(always)]
    fn added(self, other: Self) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { sum(self, other) }
    }

    #[inline(always)]
    fn plus(self, byte: u8) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { _mm512_add_epi8(self, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn masked(self, mask: Self) -> Self {
        // SAFETY: see `Bytes`.
        unsafe { _mm512_and_si512(self, mask) }
    }

    #[inline(always)]
    fn interleaved(self, other: Self) -> [Self; 2] {
        // SAFETY: see `Bytes`.
        unsafe { [_mm512_unpacklo_epi8(self, other), _mm512_unpackhi_epi8(self, other)] }
    }
}
