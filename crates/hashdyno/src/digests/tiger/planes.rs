//! Tiger of 64 messages: the S-boxes as tables of bytes, looked up in planes of bytes; the sums are
//! of words.
//!
//! ```text
//! a, b, c:    a word of each of 64 messages, eight registers of eight words
//! round:      c ^= word
//!             planes 0 .. 7 = bytes of c                                  (`of_long_words`)
//!             each plane: 8 look-ups, one for each byte of the entry      64 in all
//!             even, odd = words again                                     (`to_long_words`)
//!             a -= even;  b = (b + odd) * factor
//! ```
//!
//! A look-up is two shuffles of two registers (`Table`). A factor is 5, 7 or 9, so a shift and a
//! sum or a difference do the product.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::PADDING;
use super::tables::BOXES;
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::arrays::Mapped;
use crate::parts::lanes::Lanes;
use crate::parts::lanes::planes::{Table, of_long_words, to_long_words};
use crate::parts::lanes::x86_64::U64x8;

pub(super) struct Planes<const PASSES: usize>;

impl<const PASSES: usize> Design<u64, 3, 8> for Planes<PASSES> {
    const MIN_FILL: usize = 5;
    const PADDING: Padding = PADDING;
    const TINY: bool = true;

    #[inline(always)]
    fn mark(digest: &Digest) -> u8 {
        digest.mark
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 3], words: &[L; 8]) {
        // SAFETY: the kernel is compiled for this and needs it.
        unsafe { compress::<PASSES>(bytemuck::cast_mut(chain), bytemuck::cast_ref(words)) }
    }
}

/// A word of each of 64 messages.
type Words = [__m512i; 8];

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn compress<const PASSES: usize>(chain: &mut [Words; 3], words: &[Words; 8]) {
    let mut words = *words;
    let mut registers = *chain;
    // Their names change places, not they: a copy would be by halves, and what is loaded of it
    // after that would wait for both.
    let [mut a, mut b, mut c] = registers.each_mut();
    for pass in 0..PASSES {
        if pass > 0 {
            schedule(&mut words);
        }
        for word in &words {
            match pass {
                0 => round::<5>(a, b, c, word),
                1 => round::<7>(a, b, c, word),
                _ => round::<9>(a, b, c, word),
            }
            (a, b, c) = (b, c, a);
        }
    }
    for n in 0..8 {
        chain[0][n] = _mm512_xor_si512(a[n], chain[0][n]);
        chain[1][n] = _mm512_sub_epi64(b[n], chain[1][n]);
        chain[2][n] = _mm512_add_epi64(c[n], chain[2][n]);
    }
}

/// One round, before the registers change places. Not inlined: the tables would be copied before
/// the loop.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn round<const FACTOR: u64>(a: &mut Words, b: &mut Words, c: &mut Words, word: &Words) {
    for n in 0..8 {
        c[n] = _mm512_xor_si512(c[n], word[n]);
    }
    // Sums carry from byte to byte, so only c leaves its words.
    let bytes = of_long_words(*c);
    let (mut evens, mut odds) = ([_mm512_setzero_si512(); 8], [_mm512_setzero_si512(); 8]);
    for which in 0..3 {
        for (n, table) in TABLES[which].iter().enumerate() {
            [evens[n], odds[n]] =
                table.add([bytes[2 * which], bytes[7 - 2 * which]], [evens[n], odds[n]]);
        }
    }
    for (n, table) in TABLES[3].iter().enumerate() {
        [evens[n]] = table.add([bytes[6]], [evens[n]]);
    }
    let even = to_long_words(evens);
    for n in 0..8 {
        a[n] = _mm512_sub_epi64(a[n], even[n]);
    }
    // Apart: these need not wait for the words that the bytes before become.
    for (n, table) in TABLES[3].iter().enumerate() {
        [odds[n]] = table.add([bytes[1]], [odds[n]]);
    }
    let odd = to_long_words(odds);
    for n in 0..8 {
        let sum = _mm512_add_epi64(b[n], odd[n]);
        b[n] = match FACTOR {
            5 => _mm512_add_epi64(_mm512_slli_epi64::<2>(sum), sum),
            7 => _mm512_sub_epi64(_mm512_slli_epi64::<3>(sum), sum),
            _ => _mm512_add_epi64(_mm512_slli_epi64::<3>(sum), sum),
        };
    }
}

/// Mixes the message words for the next pass, of eight messages at a time: more would not stay in
/// registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn schedule(words: &mut [Words; 8]) {
    for n in 0..8 {
        let mut of_eight: [U64x8; 8] = cast(words.each_ref().mapped(|word| word[n]));
        super::schedule(&mut of_eight);
        for (word, mixed) in words.iter_mut().zip(of_eight) {
            word[n] = cast(mixed);
        }
    }
}

/// Byte n of the entries of each box.
static TABLES: [[Table; 8]; 4] = {
    let mut tables = [const { [const { Table::new(&[0; 256]) }; 8] }; 4];
    let mut at = 0;
    while at < 4 * 8 {
        let (mut entries, mut entry) = ([0; 256], 0);
        while entry < 256 {
            entries[entry] = (BOXES[at / 8][entry] >> (8 * (at % 8))) as u8;
            entry += 1;
        }
        tables[at / 8][at % 8] = Table::new(&entries);
        at += 1;
    }
    tables
};
