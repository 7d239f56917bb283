//! From a register per message to a register per word, without a detour through memory.
//!
//! ```text
//! rows of 32 bits       words: of two in turn          halves: of 64 bits
//! a0 a1 a2 a3           a0 b0 a1 b1   (low a, b)       a0 b0 c0 d0
//! b0 b1 b2 b3           a2 b2 a3 b3   (high a, b)      a1 b1 c1 d1
//! c0 c1 c2 c3           c0 d0 c1 d1   (low c, d)       a2 b2 c2 d2
//! d0 d1 d2 d3           c2 d2 c3 d3   (high c, d)      a3 b3 c3 d3
//! ```
//!
//! Longer registers do this in each block of 128 bits, then exchange blocks. A transposition of
//! rows of 64 bits has one level, of two rows.

#[cfg(target_arch = "aarch64")]
use std::arch::aarch64::*;
#[cfg(target_feature = "simd128")]
use std::arch::wasm32::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// A vector register, taken apart into blocks of 128 bits.
pub(crate) trait Register: Copy {
    /// Word i of register j to word j of register i, within each block of 128 bits, for words of 32
    /// bits.
    fn four(rows: &mut [Self; 4]);
    /// The same for words of 64 bits.
    fn two(rows: &mut [Self; 2]);
    /// Block i of register j to block j of register i, for each set of registers that are `step`
    /// apart.
    fn blocks(registers: &mut [Self], step: usize);
}

/// Word i of register j to word j of register i. There are as many registers as words in one, and
/// words have 32 bits or 64.
#[inline(always)]
pub(super) fn transpose<R: Register, const N: usize>(rows: &mut [R; N]) {
    if const { N * 4 == size_of::<R>() } {
        for rows in rows.as_chunks_mut().0 {
            R::four(rows);
        }
        R::blocks(rows, 4);
    } else {
        for rows in rows.as_chunks_mut().0 {
            R::two(rows);
        }
        R::blocks(rows, 2);
    }
}

/// Declares what a register does, by instructions for the words of the lower and of the upper half
/// of each block, of two registers in turn, and for these halves themselves. Functions of
/// references, for the reason that `vector` has.
macro_rules! register {
    (
        $register:ident, $features:literal,
        [$low_words:ident, $high_words:ident, $low_halves:ident, $high_halves:ident],
        $registers:ident, $step:ident => $blocks:expr
    ) => {
        impl Register for $register {
            #[inline(always)]
            fn four(rows: &mut [Self; 4]) {
                #[inline]
                #[target_feature(enable = $features)]
                fn four([a, b, c, d]: &mut [$register; 4]) {
                    let low = [$low_words(*a, *b), $low_words(*c, *d)];
                    let high = [$high_words(*a, *b), $high_words(*c, *d)];
                    (*a, *b) = ($low_halves(low[0], low[1]), $high_halves(low[0], low[1]));
                    (*c, *d) = ($low_halves(high[0], high[1]), $high_halves(high[0], high[1]));
                }
                // SAFETY: see `vector`.
                unsafe { four(rows) }
            }

            #[inline(always)]
            fn two(rows: &mut [Self; 2]) {
                #[inline]
                #[target_feature(enable = $features)]
                fn two([a, b]: &mut [$register; 2]) {
                    (*a, *b) = ($low_halves(*a, *b), $high_halves(*a, *b));
                }
                // SAFETY: see `vector`.
                unsafe { two(rows) }
            }

            #[inline(always)]
            fn blocks($registers: &mut [Self], $step: usize) {
                $blocks
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
register!(
    __m128i, "sse2",
    [_mm_unpacklo_epi32, _mm_unpackhi_epi32, _mm_unpacklo_epi64, _mm_unpackhi_epi64],
    _registers, _step => ()
);

#[cfg(target_arch = "x86_64")]
register!(
    __m256i, "avx2",
    [_mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64],
    registers, step => {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn blocks_of(a: &mut __m256i, b: &mut __m256i) {
            // Computed first: `a` is replaced below.
            let second = _mm256_permute2x128_si256::<0x31>(*a, *b);
            (*a, *b) = (_mm256_permute2x128_si256::<0x20>(*a, *b), second);
        }
        let (first, second) = registers.split_at_mut(step);
        for (a, b) in first.iter_mut().zip(second) {
            // SAFETY: see `vector`.
            unsafe { blocks_of(a, b) }
        }
    }
);

#[cfg(target_arch = "x86_64")]
register!(
    __m512i, "avx512f",
    [_mm512_unpacklo_epi32, _mm512_unpackhi_epi32, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64],
    registers, step => {
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn blocks_of(a: &mut __m512i, b: &mut __m512i, c: &mut __m512i, d: &mut __m512i) {
            // Two levels: even and odd blocks of pairs, then of all four.
            let even_ab = _mm512_shuffle_i32x4::<0x88>(*a, *b);
            let odd_ab = _mm512_shuffle_i32x4::<0xdd>(*a, *b);
            let even_cd = _mm512_shuffle_i32x4::<0x88>(*c, *d);
            let odd_cd = _mm512_shuffle_i32x4::<0xdd>(*c, *d);
            *a = _mm512_shuffle_i32x4::<0x88>(even_ab, even_cd);
            *b = _mm512_shuffle_i32x4::<0x88>(odd_ab, odd_cd);
            *c = _mm512_shuffle_i32x4::<0xdd>(even_ab, even_cd);
            *d = _mm512_shuffle_i32x4::<0xdd>(odd_ab, odd_cd);
        }
        let (first, others) = registers.split_at_mut(step);
        let (second, others) = others.split_at_mut(step);
        let (third, fourth) = others.split_at_mut(step);
        for (((a, b), c), d) in first.iter_mut().zip(second).zip(third).zip(fourth) {
            // SAFETY: see `vector`.
            unsafe { blocks_of(a, b, c, d) }
        }
    }
);

#[cfg(target_arch = "aarch64")]
register!(
    uint32x4_t, "neon", [vzip1q_u32, vzip2q_u32, low_pairs, high_pairs], _registers, _step => ()
);

#[cfg(target_arch = "aarch64")]
register!(
    uint64x2_t, "neon",
    [low_quarters, high_quarters, vzip1q_u64, vzip2q_u64],
    _registers, _step => ()
);

#[cfg(target_feature = "simd128")]
register!(
    v128, "simd128", [low_words, high_words, low_halves, high_halves], _registers, _step => ()
);

/// Declares an order of the words of two registers.
#[cfg(target_feature = "simd128")]
macro_rules! shuffled {
    ($($name:ident by $shuffle:ident $from:tt;)*) => {$(
        #[inline(always)]
        fn $name(a: v128, b: v128) -> v128 {
            shuffled!(@ $shuffle a b $from)
        }
    )*};
    (@ $shuffle:ident $a:ident $b:ident [$($from:literal)*]) => {
        $shuffle::<$($from),*>($a, $b)
    };
}

#[cfg(target_feature = "simd128")]
shuffled! {
    low_words by u32x4_shuffle [0 4 1 5];
    high_words by u32x4_shuffle [2 6 3 7];
    low_halves by u64x2_shuffle [0 2];
    high_halves by u64x2_shuffle [1 3];
}

/// Declares what a register does as one of other words.
#[cfg(target_arch = "aarch64")]
macro_rules! seen_as {
    ($($name:ident $register:ident by $instruction:ident of $other:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "neon")]
        fn $name(a: $register, b: $register) -> $register {
            bytemuck::cast($instruction(
                bytemuck::cast::<_, $other>(a),
                bytemuck::cast::<_, $other>(b),
            ))
        }
    )*};
}

#[cfg(target_arch = "aarch64")]
seen_as! {
    low_pairs uint32x4_t by vzip1q_u64 of uint64x2_t;
    high_pairs uint32x4_t by vzip2q_u64 of uint64x2_t;
    low_quarters uint64x2_t by vzip1q_u32 of uint32x4_t;
    high_quarters uint64x2_t by vzip2q_u32 of uint32x4_t;
}
