//! The columns of a run in vectors of 256 bits. In straight Rust they are in vectors in some builds
//! only: LLVM's choice differs with the code around them.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::COLUMNS;

/// Declares the columns of words: the load of as many words as a vector has sums, the extension of
/// words to sums, and the addition of sums.
macro_rules! columns {
    ($(#[$doc:meta])* $name:ident: $word:ty, $sum:ty, $load:expr, $extended:ident, $plus:ident) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(super) fn $name(groups: &[u8]) -> [[$sum; COLUMNS]; 2] {
            const VECTORS: usize = COLUMNS * size_of::<$sum>() / 32;
            const PIECE: usize = COLUMNS * size_of::<$word>() / VECTORS;
            let [mut columns, mut before] = [[_mm256_setzero_si256(); VECTORS]; 2];
            for group in groups.as_chunks::<PIECE>().0.as_chunks::<VECTORS>().0 {
                for (vector, piece) in group.iter().enumerate() {
                    let words = $extended($load(piece));
                    before[vector] = $plus(before[vector], columns[vector]);
                    columns[vector] = $plus(columns[vector], words);
                }
            }
            [cast(columns), cast(before)]
        }
    };
}

columns! {
    /// Of bytes.
    of_bytes: u8, u32, |piece: &[u8; 8]| _mm_cvtsi64_si128(i64::from_le_bytes(*piece)),
    _mm256_cvtepu8_epi32, _mm256_add_epi32
}

columns! {
    /// Of words of 16 bits.
    of_words: u16, u32, |piece: &[u8; 16]| cast(*piece), _mm256_cvtepu16_epi32, _mm256_add_epi32
}

columns! {
    /// Of words of 32 bits.
    of_long_words: u32, u64, |piece: &[u8; 16]| cast(*piece), _mm256_cvtepu32_epi64,
    _mm256_add_epi64
}
