//! The rounds of BLAKE, BLAKE2 and BLAKE3 for AVX-512: a row of four words in a vector, so that the four G of half a round
//! are one.
//!
//! The message stays in one or two vectors, and one permutation fetches what a round takes. Between columns and diagonals
//! all rows turn but the second, which is the one that the next addition waits for.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::arx::unroll;
use crate::Features;

/// What the functions here need.
pub(in crate::digests) const NEEDS: Features = Features::AVX512F.union(Features::AVX512VL);

/// What one round takes from the message, in the order of the four vectors that it adds, and what is xored to that.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::digests) struct Input<W> {
    order: [W; 16],
    constants: [W; 16],
}

macro_rules! rows {
    ($compress:ident, $message:ident, $input:ident, $word:ident, $row:ident, $add:ident, $xor:ident, $right:ident, $turn:ident) => {
        impl Input<$word> {
            /// Of a round that takes the words in this order, with `constants[order[i ^ 1]]` xored to word `order[i]`.
            const fn new(order: &[usize; 16], constants: &[$word; 16]) -> Self {
                let (mut input, mut i) = (Self { order: [0; 16], constants: [0; 16] }, 0);
                while i < 16 {
                    let (step, lane) = (i / 4, i % 4);
                    let from = if step < 2 { 2 * lane + step } else { 8 + 2 * ((lane + 3) % 4) + step - 2 };
                    input.order[i] = order[from] as $word;
                    input.constants[i] = constants[order[from ^ 1]];
                    i += 1;
                }
                input
            }

            /// Of as many rounds as there are orders.
            pub(in crate::digests) const fn all<const N: usize>(orders: &[[usize; 16]; N], constants: &[$word; 16]) -> [Self; N] {
                let (mut all, mut round) = ([Self { order: [0; 16], constants: [0; 16] }; N], 0);
                while round < N {
                    all[round] = Self::new(&orders[round], constants);
                    round += 1;
                }
                all
            }
        }

        /// `ROUNDS` rounds on the words of `upper` and `lower`; gives the xor of the two halves.
        #[target_feature(enable = "avx512f,avx512vl")]
        #[inline]
        pub(in crate::digests) fn $compress<
            const ROUNDS: usize,
            const R0: i32,
            const R1: i32,
            const R2: i32,
            const R3: i32,
            const PERIOD: usize,
        >(
            upper: [$word; 8],
            lower: [$word; 8],
            message: [$word; 16],
            inputs: &[Input<$word>; PERIOD],
        ) -> [$word; 8] {
            let message = $message(message);
            let ([mut a, mut b], [mut c, mut d]) = (cast::<_, [$row; 2]>(upper), cast::<_, [$row; 2]>(lower));
            macro_rules! half {
                ($x:expr, $y:expr) => {
                    a = $add($add(a, $x), b);
                    d = $right::<R0>($xor(d, a));
                    c = $add(c, d);
                    b = $right::<R1>($xor(b, c));
                    a = $add($add(a, $y), b);
                    d = $right::<R2>($xor(d, a));
                    c = $add(c, d);
                    b = $right::<R3>($xor(b, c));
                };
            }
            unroll!(|ROUND| if ROUND < ROUNDS {
                let [x0, x1, x2, x3] = $input(message, &inputs[ROUND % PERIOD]);
                half!(x0, x1);
                (a, c, d) = ($turn::<0b10_01_00_11>(a), $turn::<0b00_11_10_01>(c), $turn::<0b01_00_11_10>(d));
                half!(x2, x3);
                (a, c, d) = ($turn::<0b00_11_10_01>(a), $turn::<0b10_01_00_11>(c), $turn::<0b01_00_11_10>(d));
            });
            cast([$xor(a, c), $xor(b, d)])
        }
    };
}

rows!(compress_u32, message_u32, input_u32, u32, __m128i, _mm_add_epi32, _mm_xor_si128, _mm_ror_epi32, _mm_shuffle_epi32);
rows!(
    compress_u64,
    message_u64,
    input_u64,
    u64,
    __m256i,
    _mm256_add_epi64,
    _mm256_xor_si256,
    _mm256_ror_epi64,
    _mm256_permute4x64_epi64
);

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn input_u32([low, high]: [__m256i; 2], input: &Input<u32>) -> [__m128i; 4] {
    let (orders, constants) = (cast::<_, [__m256i; 2]>(input.order), cast::<_, [__m256i; 2]>(input.constants));
    let [x01, x23] = [0, 1].map(|i| _mm256_xor_si256(_mm256_permutex2var_epi32(low, orders[i], high), constants[i]));
    [
        _mm256_castsi256_si128(x01),
        _mm256_extracti128_si256::<1>(x01),
        _mm256_castsi256_si128(x23),
        _mm256_extracti128_si256::<1>(x23),
    ]
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn input_u64([m0, m1, m2, m3]: [__m256i; 4], input: &Input<u64>) -> [__m256i; 4] {
    let (orders, constants) = (cast::<_, [__m256i; 4]>(input.order), cast::<_, [__m256i; 4]>(input.constants));
    [0, 1, 2, 3].map(|i| {
        let low = _mm256_permutex2var_epi64(m0, orders[i], m1);
        let high = _mm256_permutex2var_epi64(m2, orders[i], m3);
        let upper = _mm256_cmpgt_epi64_mask(orders[i], _mm256_set1_epi64x(7));
        _mm256_xor_si256(_mm256_mask_blend_epi64(upper, low, high), constants[i])
    })
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn message_u32(message: [u32; 16]) -> [__m256i; 2] {
    cast::<_, [__m256i; 2]>(message).map(|vector| opaque(vector))
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn message_u64(message: [u64; 16]) -> [__m256i; 4] {
    cast::<_, [__m256i; 4]>(message).map(|vector| opaque(vector))
}

/// The vector itself, in a register: the compiler would gather its words from memory again for every permutation, one by
/// one, at a loss of a fourth.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn opaque(mut vector: __m256i) -> __m256i {
    // SAFETY: the text is a comment; nothing runs.
    unsafe { std::arch::asm!("/* {0} */", inout(ymm_reg) vector, options(pure, nomem, nostack, preserves_flags)) };
    vector
}
