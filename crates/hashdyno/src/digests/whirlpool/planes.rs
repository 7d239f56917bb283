//! Whirlpool of 64 messages in planes of bytes: to shift columns and to turn rows is to name other
//! planes.
//!
//! ```text
//! key, text: 8 rows of 8 planes, and a plane is a byte of each of 64 messages
//! s[n] = S-box of plane n of row (row - n)
//! to[row][n] = key + s[n] + s[n+1] + s[n+3] + s[n+5] + s[n+7] + 2 s[n+2]
//!            + 4 (s[n+3] + s[n+6]) + 8 (s[n+1] + s[n+4])
//! ```

use std::arch::x86_64::*;

use super::{ROUNDS, SBOX};
use crate::many::Design;
use crate::padding::{Endian, Padding};
use crate::parts::lanes::Lanes;
use crate::parts::lanes::planes::{Plane, Table, of_long_words, to_long_words};
use crate::parts::mds::Rows;
use crate::parts::mds::avx512::{sum, sum3, times};

pub(super) struct Planes;

/// A row of each of 64 messages, in words or its bytes apart.
type Row = [Plane; 8];

impl Design<u64, 8, 8> for Planes {
    const MIN_FILL: usize = 5;
    const PADDING: Padding = super::PADDING;
    const ENDIAN: Endian = Endian::Little;

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 8], block: &[L; 8]) {
        // SAFETY: the kernel is compiled for this and needs it.
        unsafe { compress(bytemuck::cast_mut(chain), bytemuck::cast_ref(block)) }
    }
}

/// As `super::compress`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn compress(chain: &mut [Row; 8], block: &[Row; 8]) {
    let zeros = [[_mm512_setzero_si512(); 8]; 8];
    let (mut key, mut text, mut next_key, mut next_text) = (zeros, zeros, zeros, zeros);
    for row in 0..8 {
        key[row] = of_long_words(chain[row]);
        let block = of_long_words(block[row]);
        for n in 0..8 {
            text[row][n] = sum(key[row][n], block[n]);
        }
    }
    for [even, odd] in ROUNDS.as_chunks().0 {
        round(&key, &constant(even), &mut next_key);
        round(&text, &next_key, &mut next_text);
        round(&next_key, &constant(odd), &mut key);
        round(&next_text, &key, &mut text);
    }
    for row in 0..8 {
        let text = to_long_words(text[row]);
        for n in 0..8 {
            chain[row][n] = sum3(chain[row][n], text[n], block[row][n]);
        }
    }
}

/// A round constant: bytes of the first row, the same in all messages.
#[target_feature(enable = "avx512f,avx512bw")]
fn constant(bytes: &Rows) -> [Row; 8] {
    let mut rows = [[_mm512_setzero_si512(); 8]; 8];
    for n in 0..8 {
        rows[0][n] = _mm512_set1_epi8(bytes[n] as i8);
    }
    rows
}

/// Substitutes the bytes, shifts column n down by n, mixes the rows and adds the key, of which a
/// plane for each is given.
///
/// The circulant matrix as in `super::avx512`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn round(from: &[Row; 8], key: &[Row; 8], to: &mut [Row; 8]) {
    for (row, mixed) in to.iter_mut().enumerate() {
        let mut s = *mixed;
        for n in 0..8 {
            s[n] = TABLE.look_up(from[(row + 8 - n) % 8][n]);
        }
        let mut pairs = s;
        for n in 0..8 {
            // Ones, fours and eights have this pair in common.
            pairs[n] = sum(s[n], s[(n + 5) % 8]);
        }
        for n in 0..8 {
            let ones =
                sum3(sum3(pairs[n], s[(n + 7) % 8], s[(n + 3) % 8]), s[(n + 1) % 8], key[row][n]);
            let fours = times::<4>(pairs[(n + 6) % 8]);
            let eights = times::<8>(pairs[(n + 4) % 8]);
            mixed[n] = sum3(sum(ones, times::<2>(s[(n + 2) % 8])), fours, eights);
        }
    }
}

static TABLE: Table = Table::new(&SBOX);
