//! Two vectors worked on in turn, where one would wait for itself.

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable};

use super::{Arithmetic, Lanes, Pieces};

/// Twice the lanes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Two<L>([L; 2]);

/// A method on both. No function of a closure: a closure that is not inlined at once is compiled for no instruction set.
macro_rules! both {
    ($method:ident($self:ident $(, $operand:ident)*)) => {{
        let Self([a, b]) = $self;
        Self([L::$method(a $(, $operand.0[0])*), L::$method(b $(, $operand.0[1])*)])
    }};
    ($method:ident($self:ident; $distance:ident)) => {{
        let Self([a, b]) = $self;
        Self([L::$method(a, $distance), L::$method(b, $distance)])
    }};
}

/// An operator's trait.
macro_rules! operator {
    ($operator:ident $method:ident($self:ident $(, $other:ident)?)) => {
        impl<L: Lanes> $operator for Two<L> {
            type Output = Self;

            #[inline(always)]
            fn $method($self $(, $other: Self)?) -> Self {
                both!($method($self $(, $other)?))
            }
        }
    };
}

operator!(BitXor bitxor(self, other));
operator!(BitAnd bitand(self, other));
operator!(BitOr bitor(self, other));
operator!(Not not(self));

impl<L: Lanes> Lanes for Two<L> {
    type Word = L::Word;
    const COUNT: usize = 2 * L::COUNT;
    const PIECE: usize = L::PIECE;

    #[inline(always)]
    fn splat(word: Self::Word) -> Self {
        Self([L::splat(word); 2])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        both!(plus(self, other))
    }

    #[inline(always)]
    fn left(self, distance: u32) -> Self {
        both!(left(self; distance))
    }

    #[inline(always)]
    fn up(self, distance: u32) -> Self {
        both!(up(self; distance))
    }

    #[inline(always)]
    fn down(self, distance: u32) -> Self {
        both!(down(self; distance))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        both!(swap_bytes(self))
    }

    #[inline(always)]
    fn ordered(self) -> Self {
        both!(ordered(self))
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        both!(select(self, yes, no))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        both!(majority(self, b, c))
    }

    #[inline(always)]
    fn look_up(self, table: &[Self::Word; 256]) -> Self {
        both!(look_up(self; table))
    }

    #[inline(always)]
    fn read_pieces<'a, const WORDS: usize>(pieces: &impl Pieces<'a>) -> [Self; WORDS] {
        let first = L::read_pieces::<WORDS>(pieces);
        let second = L::read_pieces::<WORDS>(&Second(pieces, L::COUNT));
        from_fn(|word| Self([first[word], second[word]]))
    }

    #[inline(always)]
    fn run<const N: usize>(vectors: &[Self; N], run: usize, lanes: &mut [[u8; 16]]) {
        let (mut first, mut second) = ([vectors[0].0[0]; N], [vectors[0].0[1]; N]);
        for (place, Self([a, b])) in vectors.iter().enumerate() {
            (first[place], second[place]) = (*a, *b);
        }
        let (of_first, of_second) = lanes.split_at_mut(L::COUNT);
        L::run(&first, run, of_first);
        L::run(&second, run, of_second);
    }

    #[inline(always)]
    fn pad(blocks: &mut [u8], message: &[u8], rest: usize, mark: u8, trailer: [u64; 4]) {
        L::pad(blocks, message, rest, mark, trailer);
    }
}

impl<L: Arithmetic> Arithmetic for Two<L> {
    #[inline(always)]
    fn times(self, factor: Self) -> Self {
        both!(times(self, factor))
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        both!(above(self, other))
    }
}

/// What the lanes of the second vector have, of which the first has so many.
struct Second<'p, P>(&'p P, usize);

impl<'a, P: Pieces<'a>> Pieces<'a> for Second<'_, P> {
    #[inline(always)]
    fn piece(&self, lane: usize, from: usize, len: usize) -> &'a [u8] {
        self.0.piece(lane + self.1, from, len)
    }
}
