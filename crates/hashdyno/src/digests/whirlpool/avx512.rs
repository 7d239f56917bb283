//! Whirlpool with the state in a vector. The circulant matrix is a polynomial in z, the turn of a
//! row by one byte: 1 + z + z^3 + z^5 + z^7 + 2 z^6 + 4 (z^2 + z^5) + 8 (z^4 + z^7); what is
//! multiplied by 4 and by 8 is (1 + z^3) turned.
//!
//! ```text
//! zmm: row 0, row 1 .. row 7; a row is 8 bytes, column 0 lowest
//! turned(n): VPERMB by `TURNED[n]`, which shifts the columns and turns the rows by n
//! times:     GF2P8MULB
//! sum3:      VPTERNLOG, an exclusive or of three
//! ```

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{ROUNDS, SBOX};
use crate::kernel::Code;
use crate::parts::mds::Rows;
use crate::parts::mds::avx512::{NEEDS, Substitution, moved, sum, sum3, times};
use crate::{Kernel, State};

pub(super) const AVX512: Kernel = Kernel::of("avx512vbmi", NEEDS, Code::Blocks(absorb));

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let sbox = Substitution::new(&SBOX);
    let state = state.view::<Rows>();
    let mut chain = cast(*state);
    for block in blocks.as_chunks::<64>().0 {
        let block = cast(*block);
        let (mut key, mut text) = (chain, sum(chain, block));
        for constant in &ROUNDS.0 {
            key = round(sbox, key, cast(*constant));
            text = round(sbox, text, key);
        }
        chain = sum3(chain, text, block);
    }
    *state = cast(chain);
}

/// Substitutes the bytes, shifts column n down by n, mixes the rows and adds the key.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn round(sbox: Substitution, state: __m512i, key: __m512i) -> __m512i {
    let state = sbox.of(state);
    let turned = |bytes: usize| moved(state, &TURNED[bytes]);
    let pair = sum(turned(0), turned(3));
    // The key joins the sum here, so it costs no instruction of its own.
    let ones = sum3(sum3(turned(1), turned(5), turned(7)), pair, key);
    let twos = times::<2>(turned(6));
    // A turn of the rows is a rotation of words by whole bytes.
    let fours = times::<4>(_mm512_rol_epi64::<16>(pair));
    let eights = times::<8>(_mm512_rol_epi64::<32>(pair));
    sum3(sum(ones, twos), fours, eights)
}

/// Where the bytes come from when the columns are shifted and the rows turned.
static TURNED: [Rows; 8] = {
    let mut turned = [[0; 64]; 8];
    let mut at = 0;
    while at < 8 * 64 {
        let (by, row, to) = (at / 64, at / 8 % 8, at % 8);
        let column = (to + 8 - by) % 8;
        turned[by][8 * row + to] = (8 * ((row + 8 - column) % 8) + column) as u8;
        at += 1;
    }
    turned
};
