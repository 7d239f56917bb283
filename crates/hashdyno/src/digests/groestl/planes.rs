//! Groestl of 64 messages in planes of bytes: ShiftBytes is a name for another place, and MixBytes
//! a sum of vectors.
//!
//! ```text
//! columns: N columns of 8 planes, and a plane is a byte of each of 64 messages
//! a[row] = S-box of plane `row` of column + shift of the row          GF2P8AFFINEINVQB
//! t[row] = a[row] + a[row+1]
//! y[row] = t[row] + t[row+2] + a[row+6]
//! mixed[row] = y[row+4] + 2 y[row+7] + 4 (t[row+3] + t[row+6])        GF2P8MULB
//! ```
//!
//! Sums are exclusive ors. The S-box is AES's, which is one instruction without a table.

use std::arch::x86_64::*;

use super::rows::AFFINE;
use super::{P, Permutation, Q, shifts};
use crate::padding::Padding;
use crate::parts::mds::avx512::{sum, sum3};
use crate::parts::mds::planes::{Column, Permutations};
use crate::parts::mds::rounds::permuted;

/// Groestl's permutations.
pub(super) struct Both;

impl<const N: usize> Permutations<N> for Both {
    const MIN_FILL: usize = 5;
    const PADDING: Padding = super::PADDING;

    /// Padding counts blocks.
    #[inline(always)]
    fn trailer(tail_len: usize, message_len: u64) -> [u64; 4] {
        let last = super::PADDING.blocks(tail_len, 8 * N) as u64;
        let body = (message_len - tail_len as u64) / (8 * N as u64);
        [0, 0, 0, (body + last).swap_bytes()]
    }

    #[inline(always)]
    fn permuted(columns: [u64; N]) -> [u64; N] {
        permuted::<Permutation<P>, N>(columns)
    }

    #[inline(always)]
    fn first(columns: &mut [Column; N], others: &mut [Column; N]) {
        // SAFETY: see the trait.
        unsafe { permute::<N, P>(columns, others) }
    }

    #[inline(always)]
    fn second(columns: &mut [Column; N], others: &mut [Column; N]) {
        // SAFETY: see the trait.
        unsafe {
            for byte in columns.as_flattened_mut() {
                *byte = sum(*byte, _mm512_set1_epi8(-1));
            }
            permute::<N, Q>(columns, others);
        }
    }
}

/// Permutation P, or else Q of bytes of which every bit is the other way round.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn permute<const N: usize, const IS_P: bool>(columns: &mut [Column; N], others: &mut [Column; N]) {
    let rounds = if N == 8 { 10 } else { 14 };
    for round in (0..rounds).step_by(2) {
        self::round::<N, IS_P, NEXT>(columns, others, round);
        if round + 2 < rounds {
            self::round::<N, IS_P, NEXT>(others, columns, round + 1);
        } else {
            self::round::<N, IS_P, LAST>(others, columns, round + 1);
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
                // AddRoundConstant: row 0 of P, row 7 of Q. Q's complements are made beforehand.
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
