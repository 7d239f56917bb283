//! Kupyna with eight columns in a vector.
//!
//! The matrix is a polynomial in z, the turn of a column by one byte: 1 + z + z^2 + z^3 + z^6 + 2
//! (z^5 + z^6) + 4 (z^2 + z^5 + z^6 + z^7) + 8 z^4.
//!
//! ```text
//! zmm: 8 columns of 8 bytes, row 0 lowest; 16 columns are two zmm
//! S-boxes: 4 tables of 256 bytes, four zmm each: VPERMI2B takes 128 entries, a mask takes the rows
//! shift: VPERMI2B of both vectors; a turn of the columns: VPRORQ; products: GF2P8MULB
//! ```
//!
//! Both permutations are in one loop, since neither waits for the other.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::tables::SBOXES;
use super::{PLUS, XOR, constant, rounds, shifts};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::mds::Rows;
use crate::parts::mds::avx512::{NEEDS, sum, sum3, times};
use crate::{Code, Kernel, State};

/// The kernel for states of so many vectors.
pub(super) const fn kernel<const VECTORS: usize>() -> Kernel {
    Kernel::of("avx512vbmi", NEEDS, Code::Blocks(absorb::<VECTORS>))
}

/// Columns: eight in each vector.
type Columns<const VECTORS: usize> = [__m512i; VECTORS];

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn absorb<const VECTORS: usize>(state: &mut State, blocks: &[u8]) {
    let constants = const { &constants::<VECTORS>() };
    let shifted = const { &shifted::<VECTORS>() };
    let sboxes: [[__m512i; 4]; 4] = cast(SBOXES);
    let state = state.view::<[Rows; VECTORS]>();
    let mut chain = [_mm512_setzero_si512(); VECTORS];
    for (vector, rows) in chain.iter_mut().zip(&*state) {
        *vector = cast(*rows);
    }
    for block in blocks.as_chunks::<64>().0.as_chunks::<VECTORS>().0 {
        let (mut by_xor, mut by_sum) = (chain, chain);
        for (vector, rows) in block.iter().enumerate() {
            by_sum[vector] = cast(*rows);
            by_xor[vector] = sum(chain[vector], by_sum[vector]);
        }
        for [for_xor, for_sum] in &constants[..rounds(8 * VECTORS)] {
            for (vector, constant) in by_xor.iter_mut().zip(for_xor) {
                *vector = substituted(&sboxes, sum(*vector, cast(*constant)));
            }
            by_xor = mixed(by_xor, shifted).mapped(|vector| in_place::<VECTORS>(vector));
            // A column is a word, so a sum of words has the carries of the design.
            for (vector, constant) in by_sum.iter_mut().zip(for_sum) {
                let sum = _mm512_add_epi64(in_place::<VECTORS>(*vector), cast(*constant));
                *vector = substituted(&sboxes, sum);
            }
            by_sum = mixed(by_sum, shifted);
        }
        for vector in 0..VECTORS {
            chain[vector] = sum3(chain[vector], by_xor[vector], by_sum[vector]);
        }
    }
    for (vector, rows) in chain.iter().zip(state) {
        *rows = cast(*vector);
    }
}

/// The same vector, at this place in the text: LLVM would have the look-ups of one permutation
/// among those of the other, which takes a Zen 4 3 % longer. Of two vectors it takes 5 % less.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_place<const VECTORS: usize>(vector: __m512i) -> __m512i {
    if VECTORS == 1 { barrier::register_in_place!(zmm_reg vector) } else { vector }
}

/// Substitutes the bytes: where one S-box looks up, what the others take stays.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn substituted(sboxes: &[[__m512i; 4]; 4], bytes: __m512i) -> __m512i {
    let (mut low, mut high) = (bytes, bytes);
    for (row, [a, b, c, d]) in sboxes.iter().enumerate() {
        let rows = 0x1111_1111_1111_1111 << row;
        low = _mm512_mask2_permutex2var_epi8(*a, low, rows, *b);
        high = _mm512_mask2_permutex2var_epi8(*c, high, rows, *d);
    }
    // By the highest bit, which a shuffle spreads.
    let is_low = _mm512_shuffle_epi8(_mm512_set1_epi8(-1), bytes);
    _mm512_ternarylogic_epi64::<0xca>(is_low, low, high)
}

/// Rotates the rows and mixes the columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn mixed<const VECTORS: usize>(
    columns: Columns<VECTORS>,
    shifted: &[Rows; VECTORS],
) -> Columns<VECTORS> {
    let mut mixed = columns;
    for (vector, from) in mixed.iter_mut().zip(shifted) {
        let s = _mm512_permutex2var_epi8(columns[0], cast(*from), columns[VECTORS - 1]);
        let pair = sum(_mm512_ror_epi64::<40>(s), _mm512_ror_epi64::<48>(s));
        let two = _mm512_ror_epi64::<16>(s);
        let ones = sum3(s, _mm512_ror_epi64::<8>(s), two);
        let ones = sum3(ones, _mm512_ror_epi64::<24>(s), _mm512_ror_epi64::<48>(s));
        let fours = times::<4>(sum3(pair, two, _mm512_ror_epi64::<56>(s)));
        let eights = times::<8>(_mm512_ror_epi64::<32>(s));
        *vector = sum3(sum(ones, times::<2>(pair)), fours, eights);
    }
    mixed
}

/// Where the bytes of each vector come from when the rows are rotated: in the first vector, or 64
/// further in the last.
const fn shifted<const VECTORS: usize>() -> [Rows; VECTORS] {
    let (columns, mut from, mut at) = (8 * VECTORS, [[0; 64]; VECTORS], 0);
    let shifts = shifts(columns);
    while at < 64 * VECTORS {
        let (column, row) = (at / 8, at % 8);
        from[at / 64][at % 64] = ((column + shifts[row]) % columns * 8 + row) as u8;
        at += 1;
    }
    from
}

/// The constants of the rounds of both permutations.
const fn constants<const VECTORS: usize>() -> [[[[u64; 8]; VECTORS]; 2]; 14] {
    let (columns, mut constants, mut at) = (8 * VECTORS, [[[[0; 8]; VECTORS]; 2]; 14], 0);
    while at < 14 * columns {
        let (round, column) = (at / columns, at % columns);
        let [by_xor, by_sum] = &mut constants[round];
        by_xor[column / 8][column % 8] = constant(XOR, columns, column, round as u64);
        by_sum[column / 8][column % 8] = constant(PLUS, columns, column, round as u64);
        at += 1;
    }
    constants
}
