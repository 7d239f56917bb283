//! The compression function, for rows of eight words of one message or of many.

use bytemuck::Pod;

use super::Size;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

/// Eight words: half of a chaining value, a quarter of a block.
pub(super) trait Row: Pod {
    /// A word of it.
    type Word: Size;

    /// A row of constants.
    fn of(words: &[Self::Word; 8]) -> Self;
    /// The sums of the words.
    fn sum(self, other: Self) -> Self;
    /// The exclusive or.
    fn xor(self, other: Self) -> Self;
    /// All words rotated left.
    fn turned(self, distance: u32) -> Self;
    /// The end of a step: rotates the words of the right row by [`Size::GAMMA`], and permutes those
    /// of both by [`SIGMA`].
    fn crossed(left: Self, right: Self) -> [Self; 2];
    /// Half of a message's expansion: the words by [`TAU`].
    fn moved(self) -> Self;
    /// The words of a message, as they are in memory, as numbers.
    fn read(self) -> Self;
}

/// From which of sixteen words each word comes at the end of a step.
pub(super) const SIGMA: [usize; 16] = [6, 4, 5, 7, 12, 15, 14, 13, 2, 0, 1, 3, 8, 11, 10, 9];

/// The same for the sub-message before the last one, in each of its rows.
pub(super) const TAU: [usize; 8] = [3, 2, 0, 1, 7, 4, 5, 6];

/// The step functions, between additions of the sub-messages that a block is expanded to.
#[inline(always)]
pub(super) fn compress<R: Row>(chain: &mut [R; 2], block: &[R; 4]) {
    let [mut left, mut right] = *chain;
    let (mut even, mut odd) = ([block[0], block[1]], [block[2], block[3]]);
    for [first, second] in R::Word::CONSTANTS.as_chunks().0 {
        [left, right] = step(left.xor(even[0]), right.xor(even[1]), R::Word::TURNS[0], first);
        [left, right] = step(left.xor(odd[0]), right.xor(odd[1]), R::Word::TURNS[1], second);
        even = expanded(odd, even);
        odd = expanded(even, odd);
    }
    *chain = [left.xor(even[0]), right.xor(even[1])];
}

#[inline(always)]
fn step<R: Row>(left: R, right: R, [alpha, beta]: [u32; 2], constants: &[R::Word; 8]) -> [R; 2] {
    let left = left.sum(right).turned(alpha).xor(R::of(constants));
    let right = right.sum(left).turned(beta);
    R::crossed(left.sum(right), right)
}

/// The sub-message after these two.
#[inline(always)]
fn expanded<R: Row>(last: [R; 2], before: [R; 2]) -> [R; 2] {
    [last[0].sum(before[0].moved()), last[1].sum(before[1].moved())]
}

/// Repeats a block eight times, with a constant of the given name that goes from 0 to 7.
macro_rules! eight {
    ($index:ident => $body:block) => {
        sixteen!(NUMBER => {
            if NUMBER < 8 {
                const $index: usize = NUMBER % 8;
                $body
            }
        });
    };
}

impl<L: Lanes> Row for [L; 8]
where
    L::Word: Size,
{
    type Word = L::Word;

    #[inline(always)]
    fn of(words: &[L::Word; 8]) -> Self {
        crate::many::splat(*words)
    }

    #[inline(always)]
    fn sum(mut self, other: Self) -> Self {
        eight!(I => { self[I] = self[I].plus(other[I]); });
        self
    }

    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        eight!(I => { self[I] = self[I] ^ other[I]; });
        self
    }

    #[inline(always)]
    fn turned(mut self, distance: u32) -> Self {
        eight!(I => { self[I] = self[I].left(distance); });
        self
    }

    #[inline(always)]
    fn crossed(left: Self, mut right: Self) -> [Self; 2] {
        eight!(I => {
            if L::Word::GAMMA[I] > 0 {
                right[I] = right[I].left(L::Word::GAMMA[I]);
            }
        });
        let mut rows = [left, right];
        eight!(I => {
            rows[0][I] = [left, right][SIGMA[I] / 8][SIGMA[I] % 8];
            rows[1][I] = [left, right][SIGMA[I + 8] / 8][SIGMA[I + 8] % 8];
        });
        rows
    }

    #[inline(always)]
    fn moved(self) -> Self {
        let mut moved = self;
        eight!(I => { moved[I] = self[TAU[I]]; });
        moved
    }

    #[inline(always)]
    fn read(self) -> Self {
        crate::many::to_memory_order(self, crate::padding::Endian::Little)
    }
}
