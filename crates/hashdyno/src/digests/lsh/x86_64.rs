//! LSH with a row in a vector or two.
//!
//! | digest | kernel | a row | rotations | permutations |
//! |---|---|---|---|---|
//! | LSH-256 | `avx512vl` | ymm | one instruction | VPSHUFD, VPSHUFB, VPERM2I128 |
//! | LSH-256 | `avx2` | ymm | two shifts | the same |
//! | LSH-512 | `avx512` | zmm | one instruction | VPERMI2Q of both rows |
//! | LSH-512 | `avx2` | two ymm | two shifts | VPERMQ, and names |
//!
//! Distances of gamma are whole bytes. So AVX2 rotates a right row by VPSHUFB. In LSH-256 the same
//! shuffle permutes the words.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::Size;
use super::rows::{Row, SIGMA, TAU};
use crate::parts::lanes::Lanes;
use crate::parts::lanes::wide::Wide2;
use crate::parts::lanes::x86_64::{AVX512, U32x8, U64x4, U64x8};
use crate::{Code, Features, Kernel, State};

/// LSH-256.
pub(super) const VL: Kernel = Kernel::of("avx512vl", AVX512, Code::Blocks(absorb_vl));
pub(super) const SHORT: Kernel = Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb_short));

/// LSH-512.
pub(super) const WIDE: Kernel = Kernel::of("avx512", AVX512, Code::Blocks(absorb_wide));
pub(super) const PAIRS: Kernel = Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb_pairs));

/// The text of AVX2: of its shifts the compiler makes AVX-512's rotations.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn absorb_vl(state: &mut State, blocks: &[u8]) {
    super::absorb::<U32x8>(state, blocks);
}

#[target_feature(enable = "avx2")]
fn absorb_short(state: &mut State, blocks: &[u8]) {
    super::absorb::<U32x8>(state, blocks);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn absorb_wide(state: &mut State, blocks: &[u8]) {
    super::absorb::<U64x8>(state, blocks);
}

#[target_feature(enable = "avx2")]
fn absorb_pairs(state: &mut State, blocks: &[u8]) {
    super::absorb::<Wide2<U64x4>>(state, blocks);
}

/// A row in these lanes: how its words move.
///
/// The calls of instructions are sound because the functions above alone use these rows, and are
/// compiled for what the instructions need.
macro_rules! row {
    (
        $row:ty, $word:ident; |$left:ident, $right:ident| $crossed:expr,
        |$moving:ident| $moved:expr
    ) => {
        impl Row for $row {
            type Word = $word;

            #[inline(always)]
            fn of(words: &[$word; 8]) -> Self {
                cast(*words)
            }

            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self.plus(other)
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn turned(self, distance: u32) -> Self {
                self.left(distance)
            }

            #[inline(always)]
            fn crossed(left: Self, right: Self) -> [Self; 2] {
                let ($left, $right) = (cast(left), cast(right));
                // SAFETY: see the macro.
                unsafe { $crossed }
            }

            #[inline(always)]
            fn moved(self) -> Self {
                let $moving = cast(self);
                // SAFETY: see the macro.
                unsafe { $moved }
            }

            #[inline(always)]
            fn read(self) -> Self {
                self
            }
        }
    };
}

row!(U32x8, u32;
    |left, right| {
        // Words stay within 128 bits first. Then the upper halves are the left row, the lower the
        // right.
        let left = _mm256_shuffle_epi32::<0b11_01_00_10>(left);
        let right = _mm256_shuffle_epi8(right, cast(TURNED_SHORT));
        [
            cast(_mm256_permute2x128_si256::<0x31>(left, right)),
            cast(_mm256_permute2x128_si256::<0x20>(left, right)),
        ]
    },
    |row| cast(_mm256_shuffle_epi8(row, cast(MOVED_SHORT)))
);

row!(Wide2<U64x4>, u64;
    |left, right| {
        let ([left_low, left_high], [low, high]): ([__m256i; 2], [__m256i; 2]) = (left, right);
        // As above; a half is a register here, so halves change places by their names.
        let [low_turns, high_turns]: [__m256i; 2] = cast(TURNED);
        let low = _mm256_shuffle_epi8(low, low_turns);
        let high = _mm256_shuffle_epi8(high, high_turns);
        [
            cast([
                _mm256_permute4x64_epi64::<0b11_01_00_10>(left_high),
                _mm256_permute4x64_epi64::<0b01_10_11_00>(high),
            ]),
            cast([
                _mm256_permute4x64_epi64::<0b11_01_00_10>(left_low),
                _mm256_permute4x64_epi64::<0b01_10_11_00>(low),
            ]),
        ]
    },
    |row| {
        let [low, high]: [__m256i; 2] = row;
        cast([
            _mm256_permute4x64_epi64::<0b01_00_10_11>(low),
            _mm256_permute4x64_epi64::<0b10_01_00_11>(high),
        ])
    }
);

row!(U64x8, u64;
    |left, right| {
        let [for_left, for_right]: [__m512i; 2] = cast(CROSSED);
        // A shuffle of two registers takes any word of both rows: one for each row.
        let right = _mm512_rolv_epi64(right, cast(TURNS));
        [
            cast(_mm512_permutex2var_epi64(left, for_left, right)),
            cast(_mm512_permutex2var_epi64(left, for_right, right)),
        ]
    },
    |row| cast(_mm512_permutexvar_epi64(cast(MOVED), row))
);

/// Which byte of a block of 128 bits each byte comes from when the words of a right row are rotated
/// and, within each half, permuted.
const TURNED_SHORT: [u8; 32] = {
    let (mut from, mut at) = ([0; 32], 0);
    while at < 32 {
        let word = [0, 3, 2, 1][at / 4 % 4];
        let turn = u32::GAMMA[at / 16 * 4 + word] as usize / 8;
        from[at] = (4 * word + (at + 4 - turn) % 4) as u8;
        at += 1;
    }
    from
};

/// The same for [`TAU`].
const MOVED_SHORT: [u8; 32] = {
    let (mut from, mut at) = ([0; 32], 0);
    while at < 32 {
        from[at] = (TAU[at / 4] % 4 * 4 + at % 4) as u8;
        at += 1;
    }
    from
};

/// The same for the rotations alone, of words of 64 bits.
const TURNED: [u8; 64] = {
    let (mut from, mut at) = ([0; 64], 0);
    while at < 64 {
        let turn = u64::GAMMA[at / 8] as usize / 8;
        from[at] = (at / 8 % 2 * 8 + (at + 8 - turn) % 8) as u8;
        at += 1;
    }
    from
};

/// [`Size::GAMMA`], [`SIGMA`] and [`TAU`] as vectors.
const TURNS: [u64; 8] = {
    let (mut turns, mut at) = ([0; 8], 0);
    while at < 8 {
        turns[at] = u64::GAMMA[at] as u64;
        at += 1;
    }
    turns
};
const CROSSED: [u64; 16] = places(SIGMA);
const MOVED: [u64; 8] = places(TAU);

const fn places<const COUNT: usize>(from: [usize; COUNT]) -> [u64; COUNT] {
    let (mut places, mut at) = ([0; COUNT], 0);
    while at < COUNT {
        places[at] = from[at] as u64;
        at += 1;
    }
    places
}
