//! Two, three, four or eight vectors as one type of lanes, where one vector would wait for itself.
//!
//! Each operation is done on all parts in turn. Steps of different parts do not wait for each
//! other, so a CPU has several chains under way. Lane `i` of part `p` is lane `p * L::COUNT + i`.
//! `PIECE` stays that of a part, since each part reads its own lanes.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable};

use super::{Arithmetic, Ends, Lanes, Pieces};
use crate::Features;
use crate::parts::arrays::from_fn;

/// A method on each part. No function of a closure: a closure that is not inlined at once is
/// compiled for no instruction set.
macro_rules! each {
    ([$($part:tt)*] $method:ident($self:ident)) => {
        Self([$(L::$method($self.0[$part])),*])
    };
    ([$($part:tt)*] $method:ident($self:ident; $argument:ident)) => {
        Self([$(L::$method($self.0[$part], $argument)),*])
    };
    ([$($part:tt)*] $method:ident($self:ident, $b:ident)) => {
        Self([$(L::$method($self.0[$part], $b.0[$part])),*])
    };
    ([$($part:tt)*] $method:ident($self:ident, $b:ident, $c:ident)) => {
        Self([$(L::$method($self.0[$part], $b.0[$part], $c.0[$part])),*])
    };
}

/// Declares lanes of several vectors, of these numbers.
macro_rules! wide {
    ($(#[$doc:meta])* $name:ident: $count:literal, $parts:tt) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        pub(crate) struct $name<L>([L; $count]);

        wide!(@operator $name $parts BitXor bitxor(self, other));
        wide!(@operator $name $parts BitAnd bitand(self, other));
        wide!(@operator $name $parts BitOr bitor(self, other));
        wide!(@operator $name $parts Not not(self));

        impl<L: Lanes> Lanes for $name<L> {
            type Word = L::Word;
            const NEEDS: Features = L::NEEDS;
            const COUNT: usize = $count * L::COUNT;
            const PIECE: usize = L::PIECE;

            #[inline(always)]
            fn splat(word: Self::Word) -> Self {
                Self([L::splat(word); $count])
            }

            wide!(@method $parts plus(self, other: Self));
            wide!(@method $parts left(self; distance: u32));
            wide!(@method $parts up(self; distance: u32));
            wide!(@method $parts down(self; distance: u32));
            wide!(@method $parts swap_bytes(self));
            wide!(@method $parts barrier(self));
            wide!(@method $parts in_place(self));
            wide!(@method $parts select(self, yes: Self, no: Self));
            wide!(@method $parts majority(self, b: Self, c: Self));
            wide!(@method $parts look_up(self; table: &[Self::Word; 256]));
            wide!(@lists $count $parts);

            #[inline(always)]
            fn pad(blocks: &mut [u8], message: &[u8], rest: usize, mark: u8, trailer: [u64; 4]) {
                L::pad(blocks, message, rest, mark, trailer);
            }
        }

        impl<L: Arithmetic> Arithmetic for $name<L> {
            wide!(@method $parts times(self, factor: Self));
            wide!(@method $parts above(self, other: Self));
        }
    };
    (
        @operator $name:ident $parts:tt $operator:ident
        $method:ident($self:ident $(, $other:ident)?)
    ) => {
        impl<L: Lanes> $operator for $name<L> {
            type Output = Self;

            wide!(@method $parts $method($self $(, $other: Self)?));
        }
    };
    (
        @method $parts:tt
        $method:ident($self:ident $(, $operand:ident: $lanes:ty)* $(; $argument:ident: $type:ty)?)
    ) => {
        #[inline(always)]
        fn $method($self $(, $operand: $lanes)* $(, $argument: $type)?) -> Self {
            each!($parts $method($self $(, $operand)* $(; $argument)?))
        }
    };
    (@lists $count:literal [$($part:tt)*]) => {
        #[inline(always)]
        fn read_pieces<'a, const WORDS: usize>(pieces: &impl Pieces<'a>) -> [Self; WORDS] {
            // Each part reads its own lanes, so no transposition crosses parts.
            let parts = [$(L::read_pieces::<WORDS>(&Offset(pieces, $part * L::COUNT))),*];
            from_fn(|word| Self([$(parts[$part][word]),*]))
        }

        const READS_ENDS: bool = L::READS_ENDS;

        #[inline(always)]
        fn read_ends<'a, const WORDS: usize>(ends: &impl Ends<'a>, mark: u8) -> [Self; WORDS] {
            let parts = [$(
                L::read_ends::<WORDS>(&Offset(ends, $part * L::COUNT), mark)
            ),*];
            from_fn(|word| Self([$(parts[$part][word]),*]))
        }

        #[inline(always)]
        fn run<const N: usize>(vectors: &[Self; N], run: usize, lanes: &mut [[u8; 16]]) {
            // From vectors of parts to parts of vectors: each part puts out its own lanes.
            let mut parts = [[vectors[0].0[0]; N]; $count];
            for (place, vector) in vectors.iter().enumerate() {
                $(parts[$part][place] = vector.0[$part];)*
            }
            $(L::run(&parts[$part], run, &mut lanes[$part * L::COUNT..][..L::COUNT]);)*
        }

        #[inline(always)]
        fn tiny_rows(data: &[u8], width: usize, mark: u8) -> Option<[Self; 2]> {
            // All parts or none: one that cannot be loaded leaves the group to the other way.
            let parts = [$(L::tiny_rows(data.get($part * L::COUNT * width..)?, width, mark)?),*];
            Some([Self([$(parts[$part][0]),*]), Self([$(parts[$part][1]),*])])
        }
    };
}

wide!(/** Twice the lanes. */ Wide2: 2, [0 1]);
wide!(/** Three times the lanes. */ Wide3: 3, [0 1 2]);
wide!(/** Four times the lanes. */ Wide4: 4, [0 1 2 3]);
wide!(/** Eight times the lanes. */ Wide8: 8, [0 1 2 3 4 5 6 7]);

/// What the lanes behind so many have.
struct Offset<'p, P>(&'p P, usize);

impl<'a, E: Ends<'a>> Ends<'a> for Offset<'_, E> {
    #[inline(always)]
    fn end(&self, lane: usize) -> &'a [u8] {
        self.0.end(lane + self.1)
    }
}

impl<'a, P: Pieces<'a>> Pieces<'a> for Offset<'_, P> {
    #[inline(always)]
    fn piece(&self, lane: usize, from: usize, len: usize) -> &'a [u8] {
        self.0.piece(lane + self.1, from, len)
    }
}
