//! A word of one message, as lanes of one. The text of a design in lanes computes one message, too.
//!
//! Designs finish a single message by the text of their lanes, for example `Design::output` after
//! the kernel for one (`many/lane_run/mixed.rs`). No instruction set is needed. A word of 32 bits
//! has the stronger barrier of the two, which also keeps its place in the text.

use crate::Features;
use crate::parts::barrier;

use super::{Lanes, Pieces, Word};

macro_rules! scalar {
    ($word:ident, $ordered:path) => {
        impl Word for $word {
            #[inline(always)]
            fn cut(number: u64) -> Self {
                number as Self
            }
        }

        impl Lanes for $word {
            type Word = Self;
            const NEEDS: Features = Features::empty();
            const COUNT: usize = 1;
            const PIECE: usize = size_of::<$word>();

            #[inline(always)]
            fn splat(word: Self) -> Self {
                word
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn left(self, distance: u32) -> Self {
                self.rotate_left(distance)
            }

            #[inline(always)]
            fn up(self, distance: u32) -> Self {
                self << distance
            }

            #[inline(always)]
            fn down(self, distance: u32) -> Self {
                self >> distance
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                Self::swap_bytes(self)
            }

            #[inline(always)]
            fn barrier(self) -> Self {
                $ordered(self)
            }

            #[inline(always)]
            fn look_up(self, table: &[Self; 256]) -> Self {
                table[usize::from(self as u8)]
            }

            #[inline(always)]
            fn read_pieces<'a, const WORDS: usize>(pieces: &impl Pieces<'a>) -> [Self; WORDS] {
                const SIZE: usize = size_of::<$word>();
                let mut words = [0; WORDS];
                for (place, word) in words.iter_mut().enumerate() {
                    *word = bytemuck::pod_read_unaligned(pieces.piece(0, place * SIZE, SIZE));
                }
                words
            }

            #[inline(always)]
            fn run<const N: usize>(vectors: &[Self; N], run: usize, lanes: &mut [[u8; 16]]) {
                let words = &vectors[run * 16 / size_of::<$word>()..];
                let bytes = bytemuck::cast_slice::<_, u8>(
                    &words[..words.len().min(16 / size_of::<$word>())],
                );
                lanes[0][..bytes.len()].copy_from_slice(bytes);
            }
        }
    };
}

scalar!(u32, barrier::in_place);
scalar!(u64, barrier::word);
