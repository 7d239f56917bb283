//! Rows for AVX2. A row of 64-bit words is two vectors, because to turn a vector of 256 bits takes
//! long on AMD's cores, or one, which is faster on Intel's. The message stays in vectors, of which
//! the rows are shuffled long before they are waited for.
//!
//! ```text
//!              words of 32 bits    words of 64 bits: `Pair`     `u64x4`
//! row          xmm                 xmm, xmm                     ymm
//! turn         VPSHUFD             VPALIGNR of both halves      VPERMQ
//! message      two ymm             eight xmm                    eight xmm
//! ```
//!
//! Rotations are shuffles where they move whole bytes, and two shifts elsewhere. The rotation by 63
//! of `u64x4` has a sum in place of one shift.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Input, compression_by_rows};
use crate::Features;
use crate::digests::blake::arx::unroll;
use crate::parts::arrays::Mapped;
use crate::parts::barrier;

/// What the functions here need.
pub(in crate::digests) const NEEDS: Features = Features::AVX2;

/// A row of 64-bit words.
type Pair = [__m128i; 2];

compression_by_rows!(
    "avx2" rounds_u32 next_u32: u32 in __m128i;
    message_u32 input_u32 _mm_add_epi32 _mm_xor_si128 xor_right_u32 _mm_shuffle_epi32
);
compression_by_rows!(
    "avx2" rounds_u64 next_u64: u64 in Pair;
    message_u64 input_u64 add xor xor_right_u64 turn
);
compression_by_rows!(
    "avx2" rounds_u64x4 next_u64x4: u64 in __m256i;
    message_u64x4 input_u64x4 _mm256_add_epi64 _mm256_xor_si256 xor_right_u64x4
    _mm256_permute4x64_epi64
);

/// Declares how the four rows of a round are made of the words of the message, which stay in
/// vectors.
macro_rules! gather {
    (
        $message:ident $input:ident: $word:ident in $row:ty; $vectors:ty: $register:ident;
        |$words:ident, $constants:ident| $gathered:expr
    ) => {
        /// Opaque: the compiler would gather the words from memory again for every row, one by one.
        #[target_feature(enable = "avx2")]
        #[inline]
        fn $message(message: [$word; 16]) -> $vectors {
            let mut vectors: $vectors = cast(message);
            for vector in &mut vectors {
                *vector = barrier::register!($register * vector);
            }
            vectors
        }

        /// Always inlined: then the order is one of constants.
        #[inline(always)]
        fn $input(message: $vectors, input: &Input<$word>) -> [$row; 4] {
            let message: [$word; 16] = cast(message);
            let mut rows: [$row; 4] = cast(input.constants);
            for (row, order) in rows.iter_mut().zip(input.order.as_chunks::<4>().0) {
                let $words = order.mapped(|word| message[word as usize]);
                let $constants = *row;
                // SAFETY: called by `$rounds` alone, which is compiled for what this takes.
                *row = unsafe { $gathered };
            }
            rows
        }
    };
}

gather!(message_u32 input_u32: u32 in __m128i; [__m256i; 2]: ymm_reg; |words, constants| {
    let [a, b, c, d] = words.mapped(|word| word as i32);
    _mm_xor_si128(_mm_set_epi32(d, c, b, a), constants)
});
gather!(message_u64 input_u64: u64 in Pair; [__m128i; 8]: xmm_reg; |words, constants| {
    let [a, b, c, d] = words.mapped(|word| word as i64);
    xor([_mm_set_epi64x(b, a), _mm_set_epi64x(d, c)], constants)
});
gather!(message_u64x4 input_u64x4: u64 in __m256i; [__m128i; 8]: xmm_reg; |words, constants| {
    let [a, b, c, d] = words.mapped(|word| word as i64);
    _mm256_xor_si256(_mm256_set_epi64x(d, c, b, a), constants)
});

#[target_feature(enable = "avx2")]
#[inline]
fn xor_right_u32<const DISTANCE: i32>(a: __m128i, b: __m128i) -> __m128i {
    let x = _mm_xor_si128(a, b);
    match DISTANCE {
        8 => _mm_shuffle_epi8(x, barrier([1u8, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12])),
        16 => {
            _mm_shuffle_epi8(x, barrier([2u8, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]))
        }
        _ => {
            let (down, up) = (_mm_cvtsi32_si128(DISTANCE), _mm_cvtsi32_si128(32 - DISTANCE));
            _mm_or_si128(_mm_srl_epi32(x, down), _mm_sll_epi32(x, up))
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn add([a, b]: Pair, [c, d]: Pair) -> Pair {
    [_mm_add_epi64(a, c), _mm_add_epi64(b, d)]
}

#[target_feature(enable = "avx2")]
#[inline]
fn xor([a, b]: Pair, [c, d]: Pair) -> Pair {
    [_mm_xor_si128(a, c), _mm_xor_si128(b, d)]
}

#[target_feature(enable = "avx2")]
#[inline]
fn xor_right_u64<const DISTANCE: i32>(a: Pair, b: Pair) -> Pair {
    let [a, b] = xor(a, b);
    [right::<DISTANCE>(a), right::<DISTANCE>(b)]
}

/// The bytes of two 64-bit words, turned by two and by three bytes.
const BY_16: [u8; 16] = [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9];
const BY_24: [u8; 16] = [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10];

/// Rotates each word by one of BLAKE2b's distances.
#[target_feature(enable = "avx2")]
#[inline]
fn xor_right_u64x4<const DISTANCE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let x = _mm256_xor_si256(a, b);
    // The order is hidden from the compiler, as in `barrier` below.
    let order = |bytes| barrier::register!(ymm_reg cast::<_, __m256i>([bytes; 2]));
    match DISTANCE {
        16 => _mm256_shuffle_epi8(x, order(BY_16)),
        24 => _mm256_shuffle_epi8(x, order(BY_24)),
        32 => _mm256_shuffle_epi32::<0b10_11_00_01>(x),
        // x + x is the shift left by one.
        63 => _mm256_or_si256(_mm256_srli_epi64::<63>(x), _mm256_add_epi64(x, x)),
        _ => unreachable!("BLAKE2b has no such distance"),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn right<const DISTANCE: i32>(x: __m128i) -> __m128i {
    match DISTANCE {
        16 => _mm_shuffle_epi8(x, barrier(BY_16)),
        24 => _mm_shuffle_epi8(x, barrier(BY_24)),
        32 => {
            _mm_shuffle_epi8(x, barrier([4u8, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11]))
        }
        _ => {
            let (down, up) = (_mm_cvtsi32_si128(DISTANCE), _mm_cvtsi32_si128(64 - DISTANCE));
            _mm_or_si128(_mm_srl_epi64(x, down), _mm_sll_epi64(x, up))
        }
    }
}

/// As a shuffle of four words by `ORDER`, which turns them.
#[target_feature(enable = "avx2")]
#[inline]
fn turn<const ORDER: i32>([a, b]: Pair) -> Pair {
    match ORDER {
        0b00_11_10_01 => [_mm_alignr_epi8::<8>(b, a), _mm_alignr_epi8::<8>(a, b)],
        0b01_00_11_10 => [b, a],
        _ => [_mm_alignr_epi8::<8>(a, b), _mm_alignr_epi8::<8>(b, a)],
    }
}

/// An order of bytes that the compiler knows nothing of: it would make two shuffles of one.
#[target_feature(enable = "avx2")]
#[inline]
fn barrier(order: [u8; 16]) -> __m128i {
    barrier::register!(xmm_reg cast::<_, __m128i>(order))
}
