//! Kupyna of 64 messages in planes of bytes: to rotate the rows and to turn the columns is to name
//! other planes. The matrix as in `super::avx512`.
//!
//! ```text
//! columns: N columns of 8 planes, and a plane is a byte of each of 64 messages
//! round:   column += or ^= its constant
//!          a[row] = S-box of plane `row` of the column that `shifts` names
//!          mixed[row] = a[row] + a[row+1] + a[row+2] + a[row+3] + a[row+6]
//!                     + 2 (a[row+5] + a[row+6])
//!                     + 4 (a[row+2] + a[row+5] + a[row+6] + a[row+7]) + 8 a[row+4]
//! ```
//!
//! Sums are exclusive ors, and products are GF2P8MULB's. Rows n and n + 4 share an S-box.

use std::arch::x86_64::*;

use super::tables::SBOXES;
use super::{PLUS, Permutation, XOR, constant, rounds, shifts};
use crate::padding::Padding;
use crate::parts::lanes::planes::Table;
use crate::parts::mds::avx512::{sum, sum3, times};
use crate::parts::mds::planes::{Column, Permutations};
use crate::parts::mds::rounds::permuted;

/// Kupyna's permutations.
pub(super) struct Both;

impl<const N: usize> Permutations<N> for Both {
    const MIN_FILL: usize = 7;
    const PADDING: Padding = super::PADDING;

    #[inline(always)]
    fn trailer(_: usize, message_len: u64) -> [u64; 4] {
        [0, 0, message_len << 35, message_len >> 29]
    }

    #[inline(always)]
    fn permuted(columns: [u64; N]) -> [u64; N] {
        permuted::<Permutation<XOR>, N>(columns)
    }

    #[inline(always)]
    fn first(columns: &mut [Column; N], others: &mut [Column; N]) {
        // SAFETY: see the trait.
        unsafe { permute::<N, XOR>(columns, others) }
    }

    #[inline(always)]
    fn second(columns: &mut [Column; N], others: &mut [Column; N]) {
        // SAFETY: see the trait.
        unsafe { permute::<N, PLUS>(columns, others) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn permute<const N: usize, const BY_XOR: bool>(
    columns: &mut [Column; N],
    others: &mut [Column; N],
) {
    for round in (0..rounds(N)).step_by(2) {
        // To and fro, since the number of rounds is even.
        self::round::<N, BY_XOR>(columns, others, round as u64);
        self::round::<N, BY_XOR>(others, columns, round as u64 + 1);
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn round<const N: usize, const BY_XOR: bool>(
    from: &mut [Column; N],
    to: &mut [Column; N],
    round: u64,
) {
    let shifts = const { shifts(N) };
    for (number, column) in from.iter_mut().enumerate() {
        let constant = constant(BY_XOR, N, number, round);
        if BY_XOR {
            // This permutation's constants have row 0 alone.
            column[0] = sum(column[0], _mm512_set1_epi8(constant as i8));
        } else {
            add(column, constant.to_le_bytes());
        }
    }
    for (column, mixed) in to.iter_mut().enumerate() {
        let mut a = *mixed;
        for row in 0..8 {
            a[row] = TABLES[row % 4].look_up(from[(column + shifts[row]) % N][row]);
        }
        let mut pairs = a;
        for row in 0..8 {
            // Each pair serves as two ones, as the twos and as two of the fours.
            pairs[row] = sum(a[row], a[(row + 1) % 8]);
        }
        for row in 0..8 {
            let ones = sum3(pairs[row], pairs[(row + 2) % 8], a[(row + 6) % 8]);
            let twos = pairs[(row + 5) % 8];
            let fours = times::<4>(sum3(twos, a[(row + 2) % 8], a[(row + 7) % 8]));
            let eights = times::<8>(a[(row + 4) % 8]);
            mixed[row] = sum3(sum(ones, times::<2>(twos)), fours, eights);
        }
    }
}

/// Adds a number to a column, byte by byte: where it carries, the next is one more.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add(column: &mut Column, bytes: [u8; 8]) {
    let (one, mut carried) = (_mm512_set1_epi8(1), 0);
    for (byte, added) in column.iter_mut().zip(bytes) {
        let sum = _mm512_add_epi8(*byte, _mm512_set1_epi8(added as i8));
        // Before the carry and after it: only one of them goes over.
        let over = _mm512_cmplt_epu8_mask(sum, *byte);
        *byte = _mm512_mask_add_epi8(sum, carried, sum, one);
        carried = over | carried & _mm512_cmplt_epu8_mask(*byte, sum);
    }
}

static TABLES: [Table; 4] = [
    Table::new(&SBOXES[0]),
    Table::new(&SBOXES[1]),
    Table::new(&SBOXES[2]),
    Table::new(&SBOXES[3]),
];
