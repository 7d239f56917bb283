//! Whirlpool (P. Barreto, V. Rijmen, 2003): the final version, which ISO/IEC 10118-3 standardises.
//!
//! ```text
//! state: 8 rows of 8 bytes; zeros before the first block
//! for each block:
//!     key = chain                     text = chain ^ block
//!     ten rounds:
//!         key = rho(key) ^ constant of the round, in row 0
//!         text = rho(text) ^ key
//!     chain ^= text ^ block                                     (Miyaguchi-Preneel)
//! rho: S-box of each byte, column n shifted down by n, each row times a circulant matrix
//! ```
//!
//! A round of the key and a round of the text are the same function. `round` does S-box, shift and
//! matrix in one look-up for each byte (`parts/mds.rs`).

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::lines::Lines;
use crate::parts::mds::{self, Rows, Tables, mix, xor};
use crate::{Digest, Kernel, Security, Spelling, State, Tail};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod planes;
#[cfg(target_arch = "x86_64")]
mod x86_64;

digests! {
    WHIRLPOOL whirlpool Whirlpool,
}

static WHIRLPOOL: Digest = Digest {
    name: "whirlpool",
    spelling: Spelling { php: Some("whirlpool"), openssl: Some("whirlpool"), python: None },
    family: "whirlpool",
    specified_in: "ISO/IEC 10118-3",
    security: Security::Sound,
    output_len: 64,
    block_len: 64,
    start: |state| state.init::<Rows>([0; 64]),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] =
    kernels![avx512::AVX512, avx2::AVX2, x86_64::X86_64; Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![lanes!(planes::Planes, u64, 8 * vbmi)];

// The length field has 256 bits, of which a message here fills 67 at most.
const PADDING: Padding = Padding::with_length(32, Endian::Big);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    out.copy_from_slice(&state.read::<Rows>());
}

fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, round);
}

/// Absorbs blocks by a `round` that is as [`round`].
#[inline(always)]
fn absorb_by(state: &mut State, blocks: &[u8], round: impl Fn(&Rows, &Rows, &mut Rows)) {
    let chain = state.view::<Rows>();
    for block in blocks.as_chunks().0 {
        compress(chain, block, &round);
    }
}

/// The block cipher W in the mode of Miyaguchi and Preneel.
#[inline(always)]
fn compress(chain: &mut Rows, block: &Rows, round: impl Fn(&Rows, &Rows, &mut Rows)) {
    let (mut key, mut text) = (*chain, xor(chain, block));
    let (mut next_key, mut next_text) = ([0; 64], [0; 64]);
    for [even, odd] in ROUNDS.as_chunks().0 {
        // Two rounds a turn: the rows go to and fro between two places and are never copied.
        round(&key, even, &mut next_key);
        round(&text, &next_key, &mut next_text);
        round(&next_key, odd, &mut key);
        round(&next_text, &key, &mut text);
    }
    *chain = xor(chain, &xor(&text, block));
}

/// Substitutes the bytes, shifts column n down by n, mixes the rows and adds the key.
#[inline(never)]
fn round(rows: &Rows, key: &Rows, result: &mut Rows) {
    mix(&TABLES, rows, key, result, |row, column| (row + 8 - column) % 8 * 8 + column);
}

static TABLES: Tables = mds::tables(&[&SBOX; 8], &mds::circulant([1, 1, 4, 1, 8, 5, 2, 9]));

/// The key schedule's round constants: the S-box, eight bytes at a time, in the first row.
static ROUNDS: Lines<[Rows; 10]> = {
    let mut rounds = [[0; 64]; 10];
    let mut at = 0;
    while at < 80 {
        rounds[at / 8][at % 8] = SBOX[at];
        at += 1;
    }
    Lines(rounds)
};

/// The S-box, from its mini-boxes: E on the left, its inverse on the right, and R between them.
const SBOX: [u8; 256] = {
    let mut sbox = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (left, right) = (E[byte >> 4], INVERSE[byte & 15]);
        let middle = R[(left ^ right) as usize];
        sbox[byte] = E[(left ^ middle) as usize] << 4 | INVERSE[(right ^ middle) as usize];
        byte += 1;
    }
    sbox
};

const E: [u8; 16] =
    [0x1, 0xb, 0x9, 0xc, 0xd, 0x6, 0xf, 0x3, 0xe, 0x8, 0x7, 0x4, 0xa, 0x2, 0x5, 0x0];

/// The inverse of [`E`].
const INVERSE: [u8; 16] = {
    let mut inverse = [0; 16];
    let mut at = 0;
    while at < 16 {
        inverse[E[at] as usize] = at as u8;
        at += 1;
    }
    inverse
};

const R: [u8; 16] =
    [0x7, 0xc, 0xb, 0xd, 0xe, 0x4, 0x9, 0xf, 0x6, 0x3, 0x8, 0xa, 0x2, 0x5, 0x1, 0x0];
