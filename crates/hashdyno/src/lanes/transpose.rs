//! From a register per message to a register per word, without a detour through memory.

#[cfg(target_arch = "aarch64")]
use std::arch::aarch64::*;
#[cfg(target_feature = "simd128")]
use std::arch::wasm32::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// A vector register, taken apart into blocks of 128 bits.
pub(crate) trait Register: Copy {
    /// The words of the lower half of each block, of `self` and `other` in turn.
    fn low_words(self, other: Self) -> Self;
    /// Those of the upper half.
    fn high_words(self, other: Self) -> Self;
    /// The lower half of each block, of `self` and `other` in turn.
    fn low_halves(self, other: Self) -> Self;
    /// The upper half.
    fn high_halves(self, other: Self) -> Self;
    /// Block i of register j to block j of register i, for each set of registers that are `step`
    /// apart.
    fn blocks(registers: &mut [Self], step: usize);
}

/// Word i of register j to word j of register i. There are as many registers as words in one, and
/// words have 32 bits or 64.
#[inline(always)]
pub(super) fn transpose<R: Register, const N: usize>(rows: &mut [R; N]) {
    if N * 4 == size_of::<R>() {
        for rows in rows.as_chunks_mut().0 {
            four(rows);
        }
        R::blocks(rows, 4);
    } else {
        for rows in rows.as_chunks_mut().0 {
            two(rows);
        }
        R::blocks(rows, 2);
    }
}

/// Word i of register j to word j of register i, within each block of 128 bits, for words of 32
/// bits.
#[inline(always)]
pub(super) fn four<R: Register>([a, b, c, d]: &mut [R; 4]) {
    let (low, high) = ([a.low_words(*b), c.low_words(*d)], [a.high_words(*b), c.high_words(*d)]);
    (*a, *b) = (low[0].low_halves(low[1]), low[0].high_halves(low[1]));
    (*c, *d) = (high[0].low_halves(high[1]), high[0].high_halves(high[1]));
}

/// The same for words of 64 bits.
#[inline(always)]
pub(super) fn two<R: Register>([a, b]: &mut [R; 2]) {
    (*a, *b) = (a.low_halves(*b), a.high_halves(*b));
}

macro_rules! register {
    (
        $register:ident,
        [$low_words:ident, $high_words:ident, $low_halves:ident, $high_halves:ident],
        $registers:ident, $step:ident => $blocks:expr
    ) => {
        impl Register for $register {
            #[inline(always)]
            fn low_words(self, other: Self) -> Self {
                // SAFETY: see `vector`.
                unsafe { $low_words(self, other) }
            }

            #[inline(always)]
            fn high_words(self, other: Self) -> Self {
                // SAFETY: see `vector`.
                unsafe { $high_words(self, other) }
            }

            #[inline(always)]
            fn low_halves(self, other: Self) -> Self {
                // SAFETY: see `vector`.
                unsafe { $low_halves(self, other) }
            }

            #[inline(always)]
            fn high_halves(self, other: Self) -> Self {
                // SAFETY: see `vector`.
                unsafe { $high_halves(self, other) }
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
    __m128i,
    [_mm_unpacklo_epi32, _mm_unpackhi_epi32, _mm_unpacklo_epi64, _mm_unpackhi_epi64],
    _registers, _step => ()
);

#[cfg(target_arch = "x86_64")]
register!(
    __m256i,
    [_mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64],
    registers, step => {
        for i in 0..step {
            let (a, b) = (registers[i], registers[i + step]);
            // SAFETY: see `vector`.
            unsafe {
                registers[i] = _mm256_permute2x128_si256::<0x20>(a, b);
                registers[i + step] = _mm256_permute2x128_si256::<0x31>(a, b);
            }
        }
    }
);

#[cfg(target_arch = "x86_64")]
register!(
    __m512i,
    [_mm512_unpacklo_epi32, _mm512_unpackhi_epi32, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64],
    registers, step => {
        for i in 0..step {
            let (a, b, c, d) = (
                registers[i],
                registers[i + step],
                registers[i + 2 * step],
                registers[i + 3 * step],
            );
            // SAFETY: see `vector`.
            unsafe {
                let (even_ab, odd_ab) =
                    (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xdd>(a, b));
                let (even_cd, odd_cd) =
                    (_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xdd>(c, d));
                registers[i] = _mm512_shuffle_i32x4::<0x88>(even_ab, even_cd);
                registers[i + step] = _mm512_shuffle_i32x4::<0x88>(odd_ab, odd_cd);
                registers[i + 2 * step] = _mm512_shuffle_i32x4::<0xdd>(even_ab, even_cd);
                registers[i + 3 * step] = _mm512_shuffle_i32x4::<0xdd>(odd_ab, odd_cd);
            }
        }
    }
);

#[cfg(target_arch = "aarch64")]
register!(uint32x4_t, [vzip1q_u32, vzip2q_u32, low_pairs, high_pairs], _registers, _step => ());

#[cfg(target_arch = "aarch64")]
register!(
    uint64x2_t,
    [low_quarters, high_quarters, vzip1q_u64, vzip2q_u64],
    _registers, _step => ()
);

#[cfg(target_feature = "simd128")]
register!(v128, [low_words, high_words, low_halves, high_halves], _registers, _step => ());

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
