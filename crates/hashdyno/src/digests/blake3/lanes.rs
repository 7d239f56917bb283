//! Blocks at once, one in each lane of vectors.

use bytemuck::bytes_of_mut;

use super::super::blake::arx::OnColumns;
use super::super::blake::arx::{Rounds, Word};
use super::super::blake::columns::plain_32;
use super::super::blake::rounds::rounds;
use super::node::{ChainingValue, ORDER};
use crate::parts::lanes::Lanes;
use crate::parts::lanes::x86_64::U32x8;

/// One word of eight blocks each, in a register of AVX2.
pub(super) type Words = U32x8;

struct Blake3;

impl Rounds for Blake3 {
    const COUNT: usize = ORDER.len();
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const ORDER: &'static [[usize; 16]] = &ORDER;
    const ON_COLUMNS: OnColumns = plain_32::<Self>;
}

/// Replaces chaining values by the next, after a block in each lane; `last` is the last row of
/// words: counter, length and flags.
#[inline(always)]
pub(super) fn compress<L: Lanes<Word = u32>>(
    chain: &mut [L; 8],
    words: &[L; 16],
    [d0, d1, d2, d3]: [L; 4],
) {
    let [c0, c1, c2, c3, ..] = initial();
    rounds::<Blake3, L>(chain, &[c0, c1, c2, c3, d0, d1, d2, d3], words);
}

/// The chaining value that chunks and parents begin with.
#[inline(always)]
pub(super) fn initial<L: Lanes<Word = u32>>() -> [L; 8] {
    let mut chain = [L::splat(0); 8];
    for (vector, word) in chain.iter_mut().zip(<u32 as Word>::INITIAL) {
        *vector = L::splat(word);
    }
    chain
}

/// Gives `put` the halves of the values of these lanes.
#[inline(always)]
pub(super) fn put_out<L: Lanes<Word = u32>, const LANES: usize>(
    chain: &[L; 8],
    has_ended: impl Fn(usize) -> bool,
    put: &mut impl FnMut(usize, [&[u8; 16]; 2]),
) {
    let mut halves = [[[0; 16]; LANES]; 2];
    L::run(chain, 0, &mut halves[0]);
    L::run(chain, 1, &mut halves[1]);
    let [first, second] = &halves;
    for (lane, halves) in first.iter().zip(second).enumerate() {
        if has_ended(lane) {
            put(lane, halves.into());
        }
    }
}

/// Copies both halves of a value, each by itself: to load them as one would wait for both to be
/// stored.
#[inline(always)]
pub(super) fn put(to: &mut [u8], [first, second]: [&[u8; 16]; 2]) {
    let (low, high) = to.split_at_mut(16);
    low.copy_from_slice(first);
    high.copy_from_slice(second);
}

/// The chaining values in the first lanes.
#[inline(always)]
pub(super) fn put_values(chain: &[Words; 8], values: &mut [ChainingValue]) {
    let count = values.len();
    put_out::<Words, { Words::COUNT }>(chain, |lane| lane < count, &mut |lane, halves| {
        put(bytes_of_mut(&mut values[lane]), halves);
    });
}
