//! Permutations of columns by look-up tables: that of Groestl and of Kupyna.

use super::Tables;
use crate::State;
use crate::parts::arrays::Mapped;
use crate::parts::unroll::sixteen;

/// A permutation of `N` columns. In each round constants are joined with the columns, the bytes
/// are substituted, the rows rotated and the columns mixed.
pub(crate) trait Rounds<const N: usize> {
    /// The substitution and the mixing in one.
    const TABLES: &'static Tables;
    /// As in [`mixed_column`].
    const SHIFTS: [usize; 8];
    /// The constants of an even number of rounds, and zeros behind them.
    const CONSTANTS: &'static [[u64; N]];
    /// Whether they are added modulo 2^64, not modulo 2.
    const CARRIES: bool = false;
}

/// The number of rounds of a permutation of that many columns: both digests have the same.
pub(crate) const fn rounds(columns: usize) -> usize {
    if columns == 8 { 10 } else { 14 }
}

/// Absorbs blocks. A permutes the sum of the chaining value and a block, B permutes the block; both
/// results are added to the chaining value.
pub(crate) fn absorb<A: Rounds<N>, B: Rounds<N>, const N: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u64; N]>();
    let mut blocks = blocks.as_chunks::<8>().0.as_chunks::<N>().0;
    // The last block of every message is zeros, for the output transformation.
    let ending = blocks.split_last().filter(|(last, _)| **last == [[0; 8]; N]);
    if let Some((_, others)) = ending {
        blocks = others;
    }
    for block in blocks {
        let m = block.mapped(u64::from_le_bytes);
        let mut sum = *chain;
        xor(&mut sum, &m);
        xor(chain, &permuted::<A, N>(sum));
        xor(chain, &permuted::<B, N>(m));
    }
    if ending.is_some() {
        xor(chain, &permuted::<A, N>(*chain));
        xor(chain, const { &of_zeros::<B, N>() });
    }
}

/// The columns after all rounds from zeros on.
pub(crate) const fn of_zeros<P: Rounds<N>, const N: usize>() -> [u64; N] {
    permuted::<P, N>([0; N])
}

/// Adds columns modulo 2.
pub(crate) fn xor<const N: usize>(columns: &mut [u64; N], with: &[u64; N]) {
    for (column, with) in columns.iter_mut().zip(with) {
        *column ^= with;
    }
}

/// The columns after all rounds.
#[inline(always)]
pub(crate) const fn permuted<P: Rounds<N>, const N: usize>(mut columns: [u64; N]) -> [u64; N] {
    let (first, others) = P::CONSTANTS.split_first().expect("there are rounds");
    let mut at = 0;
    while at < N {
        columns[at] = joined::<P, N>(columns[at], first[at]);
        at += 1;
    }
    // More columns have no place in general registers.
    if N == 8 { in_registers::<P, N>(columns, others) } else { in_memory::<P, N>(columns, others) }
}

#[inline(always)]
const fn in_registers<P: Rounds<N>, const N: usize>(
    mut columns: [u64; N],
    constants: &[[u64; N]],
) -> [u64; N] {
    let mut round = 0;
    while round < constants.len() {
        let bytes = bytes(&columns);
        sixteen!(COLUMN => {
            if COLUMN < N {
                let mixed = mixed_column(P::TABLES, &bytes, COLUMN, &P::SHIFTS);
                columns[COLUMN] = joined::<P, N>(mixed, constants[round][COLUMN]);
            }
        });
        round += 1;
    }
    columns
}

#[inline(always)]
const fn in_memory<P: Rounds<N>, const N: usize>(
    columns: [u64; N],
    constants: &[[u64; N]],
) -> [u64; N] {
    /// Not inlined: then the bytes are read from memory.
    #[inline(never)]
    const fn round<P: Rounds<N>, const N: usize>(
        from: &[[u8; 8]; N],
        constants: &[u64; N],
        to: &mut [[u8; 8]; N],
    ) {
        sixteen!(COLUMN => {
            if COLUMN < N {
                let mixed = mixed_column(P::TABLES, from, COLUMN, &P::SHIFTS);
                to[COLUMN] = joined::<P, N>(mixed, constants[COLUMN]).to_le_bytes();
            }
        });
    }
    let (mut even, mut odd, mut at) = (bytes(&columns), [[0; 8]; N], 0);
    while at < constants.len() {
        round::<P, N>(&even, &constants[at], &mut odd);
        round::<P, N>(&odd, &constants[at + 1], &mut even);
        at += 2;
    }
    let (mut columns, mut at) = ([0; N], 0);
    while at < N {
        columns[at] = u64::from_le_bytes(even[at]);
        at += 1;
    }
    columns
}

#[inline(always)]
const fn bytes<const N: usize>(columns: &[u64; N]) -> [[u8; 8]; N] {
    let (mut bytes, mut at) = ([[0; 8]; N], 0);
    while at < N {
        bytes[at] = columns[at].to_le_bytes();
        at += 1;
    }
    bytes
}

#[inline(always)]
const fn joined<P: Rounds<N>, const N: usize>(column: u64, constant: u64) -> u64 {
    if P::CARRIES { column.wrapping_add(constant) } else { column ^ constant }
}

/// The sum of the eight bytes' contributions to a column. The byte of a row lies `shifts[row]`
/// columns to the right. The caller passes a constant column, so that the places of the bytes are
/// constants, too.
#[inline(always)]
const fn mixed_column<const N: usize>(
    tables: &Tables,
    bytes: &[[u8; 8]; N],
    column: usize,
    shifts: &[usize; 8],
) -> u64 {
    let (mut sum, mut row) = (0, 0);
    while row < 8 {
        sum ^= tables[row][bytes[(column + shifts[row]) % N][row] as usize];
        row += 1;
    }
    sum
}
