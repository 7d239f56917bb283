//! JH with a byte for each of the 256 four-bit elements: S-boxes and L together are look-ups in
//! tables of 64 bytes, which AVX-512 VBMI has an instruction for. It waits for three instructions a
//! round, where ten of a bitsliced one wait for each other.
//!
//! ```text
//! even, odd: 128 elements each, in two registers; in a byte:
//!     bits 0 to 3   the element
//!     bit 4         the bit of the round's constant, which chooses the S-box: half of the table
//! a round:
//!     even' = TABLES[0][even] ^ TABLES[2][odd] ^ ADDED     VPERMB twice, VPTERNLOG
//!     odd'  = TABLES[1][even] ^ TABLES[3][odd] ^ ADDED     ADDED brings bit 4 of the next round
//!     odd'  = bytes swapped at a distance of 1, 2, 4 .. 64
//! ```
//!
//! Look-ups of 64 entries ignore bits 6 and 7 and see each table of 32 twice. The message joins the
//! state at the begin as bits of elements, and at the end two bits lower: words x4 to x7.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{CONSTANTS, Chain, Word, mix, sbox};
use crate::parts::arrays::{Mapped, from_fn};
use crate::{Code, Features, Kernel, State};

pub(super) const AVX512: Kernel =
    Kernel::of("avx512vbmi", Features::AVX512VBMI.union(Features::AVX512BW), Code::Blocks(absorb));

/// The 128 even or odd elements, one in the lower half of each byte.
type Elements = [__m512i; 2];

/// What an even element adds to the even and the odd one of its pair, then what the odd one adds;
/// indexed by the element, plus 16 where the bit of the constant is set, in each half of the table.
static TABLES: [[u8; 64]; 4] = {
    let mut tables = [[0; 64]; 4];
    let mut i = 0;
    while i < 64 {
        let x = i as u64;
        let substituted = sbox([x >> 3 & 1, x >> 2 & 1, x >> 1 & 1, x & 1], x >> 4 & 1);
        let (to_even, to_odd) = mix(substituted, [0; 4]);
        (tables[0][i], tables[1][i]) = (element(to_even), element(to_odd));
        let (to_even, to_odd) = mix([0; 4], substituted);
        (tables[2][i], tables[3][i]) = (element(to_even), element(to_odd));
        i += 1;
    }
    tables
};

const fn element([a, b, c, d]: [u64; 4]) -> u8 {
    ((a & 1) << 3 | (b & 1) << 2 | (c & 1) << 1 | d & 1) as u8
}

/// Sixteen where the bit of a round's constant is set: what is added for the round after the one of
/// the same number, before that swaps the odd elements; the last is for none.
static ADDED: [[[u8; 64]; 4]; 42] = {
    let mut added = [[[0; 64]; 4]; 42];
    let mut round = 0;
    while round < 41 {
        let [even, odd] = CONSTANTS[round + 1];
        let mut i = 0;
        while i < 128 {
            let swapped = i ^ (1 << (round % 7));
            added[round][i / 64][i % 64] = (even[i / 64] >> (i % 64) & 1) as u8 * 16;
            added[round][2 + i / 64][i % 64] = (odd[swapped / 64] >> (swapped % 64) & 1) as u8 * 16;
            i += 1;
        }
        round += 1;
    }
    added
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    let tables = TABLES.mapped(cast);
    let mut even = gathered([chain[0], chain[2], chain[4], chain[6]]);
    let mut odd = gathered([chain[1], chain[3], chain[5], chain[7]]);
    for block in blocks.as_chunks::<64>().0 {
        let [m0, m1, m2, m3] = cast::<_, [Word; 4]>(*block);
        let (for_even, for_odd) =
            (gathered([m0, m2, [0; 2], [0; 2]]), gathered([m1, m3, [0; 2], [0; 2]]));
        even = xor(xor(even, for_even), constant(CONSTANTS[0][0]));
        odd = xor(xor(odd, for_odd), constant(CONSTANTS[0][1]));
        for seven in ADDED.as_chunks::<7>().0 {
            (even, odd) = linear(even, odd, &tables, &seven[0]);
            odd = bytes_swapped::<1>(odd);
            (even, odd) = linear(even, odd, &tables, &seven[1]);
            odd = bytes_swapped::<2>(odd);
            (even, odd) = linear(even, odd, &tables, &seven[2]);
            odd = bytes_swapped::<4>(odd);
            (even, odd) = linear(even, odd, &tables, &seven[3]);
            odd = bytes_swapped::<8>(odd);
            (even, odd) = linear(even, odd, &tables, &seven[4]);
            odd = odd.mapped(|x| _mm512_permutex_epi64::<0b01_00_11_10>(x));
            (even, odd) = linear(even, odd, &tables, &seven[5]);
            odd = odd.mapped(|x| _mm512_shuffle_i64x2::<0b01_00_11_10>(x, x));
            (even, odd) = linear(even, odd, &tables, &seven[6]);
            odd = [odd[1], odd[0]];
        }
        even = xor(even, for_even.mapped(|x| _mm512_srli_epi64::<2>(x)));
        odd = xor(odd, for_odd.mapped(|x| _mm512_srli_epi64::<2>(x)));
    }
    [chain[0], chain[2], chain[4], chain[6]] = scattered(even);
    [chain[1], chain[3], chain[5], chain[7]] = scattered(odd);
}

/// The S-boxes, L, and the constant of the next round.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn linear(
    even: Elements,
    odd: Elements,
    tables: &[__m512i; 4],
    added: &[[u8; 64]; 4],
) -> (Elements, Elements) {
    let added: &[__m512i; 4] = &added.mapped(cast);
    let sum = |x: __m512i, y: __m512i, from: usize, added: __m512i| {
        let (x, y) = (
            _mm512_permutexvar_epi8(x, tables[from]),
            _mm512_permutexvar_epi8(y, tables[2 + from]),
        );
        _mm512_ternarylogic_epi64::<0x96>(x, y, added)
    };
    (
        [sum(even[0], odd[0], 0, added[0]), sum(even[1], odd[1], 0, added[1])],
        [sum(even[0], odd[0], 1, added[2]), sum(even[1], odd[1], 1, added[3])],
    )
}

/// Elements of the bits of four words, the highest first.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn gathered(words: [Word; 4]) -> Elements {
    let half = |half: usize| {
        let bit = |word: usize| _mm512_maskz_set1_epi8(words[word][half], 8 >> word);
        _mm512_or_si512(_mm512_or_si512(bit(0), bit(1)), _mm512_or_si512(bit(2), bit(3)))
    };
    [half(0), half(1)]
}

/// The four words of the bits of elements.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn scattered(elements: Elements) -> [Word; 4] {
    let word = |bit: i8| elements.mapped(|x| _mm512_test_epi8_mask(x, _mm512_set1_epi8(bit)));
    [word(8), word(4), word(2), word(1)]
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn constant(bits: Word) -> Elements {
    bits.mapped(|bits| _mm512_maskz_set1_epi8(bits, 16))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn xor(x: Elements, y: Elements) -> Elements {
    [_mm512_xor_si512(x[0], y[0]), _mm512_xor_si512(x[1], y[1])]
}

/// Swaps neighbouring runs of so many bytes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn bytes_swapped<const RUN: usize>(x: Elements) -> Elements {
    let places: [u8; 64] = from_fn(|place| ((place % 16) ^ RUN) as u8);
    x.mapped(|x| _mm512_shuffle_epi8(x, cast(places)))
}
