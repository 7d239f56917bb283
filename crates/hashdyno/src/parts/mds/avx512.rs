//! The same step with a state of 64 bytes in one vector: the substitution by look-ups in registers,
//! the field's multiplications as what they are to the bits of a byte, linear maps.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Rows, multiply};
use crate::Features;

/// What the functions here need.
pub(crate) const NEEDS: Features =
    Features::AVX512VBMI.union(Features::AVX512BW).union(Features::GFNI);

/// A substitution of bytes, as four tables of 64.
#[derive(Clone, Copy)]
pub(crate) struct Substitution([__m512i; 4]);

impl Substitution {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn new(sbox: &[u8; 256]) -> Self {
        Self(cast(*sbox))
    }

    /// Substitutes each byte: by each half of the table, then by its highest bit, which a shuffle
    /// spreads sooner than a mask register would.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn of(self, bytes: __m512i) -> __m512i {
        let [a, b, c, d] = self.0;
        let (low, high) =
            (_mm512_permutex2var_epi8(a, bytes, b), _mm512_permutex2var_epi8(c, bytes, d));
        let is_low = _mm512_shuffle_epi8(_mm512_set1_epi8(-1), bytes);
        _mm512_ternarylogic_epi64::<0xca>(is_low, low, high)
    }
}

/// The bytes of `state` that `places` names.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
pub(crate) fn moved(state: __m512i, places: &Rows) -> __m512i {
    _mm512_permutexvar_epi8(cast(*places), state)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn sum(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn sum3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// Each byte times `BY`.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
pub(crate) fn times<const BY: u8>(state: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(state, _mm512_set1_epi64(const { factor(BY) as i64 }))
}

/// Multiplication by `factor` as a matrix of bits, in the order that GF2P8AFFINEQB takes: its last
/// byte gives the lowest bit.
pub(crate) const fn factor(factor: u8) -> u64 {
    let (mut matrix, mut at) = (0, 0);
    while at < 64 {
        let (to, from) = (at / 8, at % 8);
        if multiply(1 << from, factor) >> to & 1 == 1 {
            matrix |= 1 << (8 * (7 - to) + from);
        }
        at += 1;
    }
    matrix
}
