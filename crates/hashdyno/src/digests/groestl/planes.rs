//! Groestl of 64 messages in planes of bytes: ShiftBytes is a name for another place, and MixBytes
//! a sum of vectors.

use std::arch::x86_64::*;

use super::rows::AFFINE;
use super::{P, Q, permuted, shifts};
use crate::Digest;
use crate::lanes::Lanes;
use crate::lanes::planes::{Plane, of_long_words, to_long_words};
use crate::many::{Design, last_bytes};
use crate::mds::avx512::{sum, sum3};
use crate::padding::Endian;

/// Groestl of so many columns.
pub(super) struct Planes<const N: usize>;

/// A column of each of 64 messages, in words or its rows apart.
type Column = [Plane; 8];

impl<const N: usize> Design<u64, N, N> for Planes<N> {
    const MIN_FILL: usize = 5;
    const ENDIAN: Endian = Endian::Little;
    const LENGTH_BYTES: usize = 8;

    #[inline(always)]
    fn trailer(_: &Digest, rest: usize, message_len: u64) -> [u64; 4] {
        let body = (message_len - rest as u64) / Self::BLOCK as u64;
        [0, 0, 0, (body + Self::tail_blocks(rest) as u64).swap_bytes()]
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; N], block: &[L; N]) {
        // SAFETY: the kernel is compiled for this and needs it.
        unsafe { compress::<N>(bytemuck::cast_mut(chain), bytemuck::cast_ref(block)) }
    }

    /// What the output transformation leaves of the chain.
    #[inline(always)]
    fn output<L: Lanes<Word = u64>>(mut chain: [L; N], output_len: usize) -> [L; N] {
        if L::COUNT == 1 {
            let words: &mut [u64; N] =
                L::words(&mut chain).try_into().expect("a lane has a word of each");
            super::xor(words, &permuted::<N, P>(*words));
        } else {
            // SAFETY: as in `compress`.
            unsafe { transform::<N>(bytemuck::cast_mut(&mut chain)) };
        }
        last_bytes(chain, output_len)
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn compress<const N: usize>(chain: &mut [Column; N], block: &[Column; N]) {
    let (mut p, mut q) = ([[_mm512_setzero_si512(); 8]; N], [[_mm512_setzero_si512(); 8]; N]);
    for column in 0..N {
        let (h, m) = (of_long_words(chain[column]), of_long_words(block[column]));
        for row in 0..8 {
            p[column][row] = sum(h[row], m[row]);
            q[column][row] = sum(m[row], _mm512_set1_epi8(-1));
        }
    }
    permute::<N, P>(&mut p);
    permute::<N, Q>(&mut q);
    for column in 0..N {
        add(&mut p[column], q[column]);
        add(&mut chain[column], to_long_words(p[column]));
    }
}

/// The output transformation, but that nothing is cut off.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn transform<const N: usize>(chain: &mut [Column; N]) {
    let mut p = [[_mm512_setzero_si512(); 8]; N];
    for column in 0..N {
        p[column] = of_long_words(chain[column]);
    }
    permute::<N, P>(&mut p);
    for column in 0..N {
        add(&mut chain[column], to_long_words(p[column]));
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(column: &mut Column, other: Column) {
    for (words, other) in column.iter_mut().zip(other) {
        *words = sum(*words, other);
    }
}

/// Permutation P, or else Q of bytes of which every bit is the other way round.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn permute<const N: usize, const IS_P: bool>(columns: &mut [Column; N]) {
    let rounds = if N == 8 { 10 } else { 14 };
    let mut others = [[_mm512_setzero_si512(); 8]; N];
    for round in (0..rounds).step_by(2) {
        self::round::<N, IS_P, NEXT>(columns, &mut others, round);
        if round + 2 < rounds {
            self::round::<N, IS_P, NEXT>(&others, columns, round + 1);
        } else {
            self::round::<N, IS_P, LAST>(&others, columns, round + 1);
        }
    }
}

/// What comes after a round.
const NEXT: bool = true;
const LAST: bool = false;

/// One round. Where another comes, Q's bits are turned round for it beforehand, by 0x55 more in
/// SubBytes, which MixBytes multiplies by 3.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn round<const N: usize, const IS_P: bool, const COMES: bool>(
    from: &[Column; N],
    to: &mut [Column; N],
    round: u8,
) {
    let shifts = const { shifts(N, IS_P) };
    let (two, four) = (_mm512_set1_epi8(2), _mm512_set1_epi8(4));
    for (column, mixed) in to.iter_mut().enumerate() {
        let mut a = [_mm512_setzero_si512(); 8];
        for row in 0..8 {
            let source = (column + shifts[row]) % N;
            let mut byte = from[source][row];
            if row == if IS_P { 0 } else { 7 } {
                byte = sum(byte, _mm512_set1_epi8(((source as u8) << 4 ^ round) as i8));
            }
            let affine = _mm512_set1_epi64(AFFINE);
            a[row] = if IS_P || !COMES {
                _mm512_gf2p8affineinv_epi64_epi8::<0x63>(byte, affine)
            } else {
                _mm512_gf2p8affineinv_epi64_epi8::<{ 0x63 ^ 0x55 }>(byte, affine)
            };
        }
        let mut t = a;
        for row in 0..8 {
            t[row] = sum(a[row], a[(row + 1) % 8]);
        }
        let mut y = a;
        for row in 0..8 {
            y[row] = sum3(t[row], t[(row + 2) % 8], a[(row + 6) % 8]);
        }
        for row in 0..8 {
            let x = sum(t[(row + 3) % 8], t[(row + 6) % 8]);
            let fours = _mm512_gf2p8mul_epi8(x, four);
            let twos = _mm512_gf2p8mul_epi8(y[(row + 7) % 8], two);
            mixed[row] = sum3(y[(row + 4) % 8], fours, twos);
        }
    }
}
