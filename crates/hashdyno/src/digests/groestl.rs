//! Groestl as submitted to the third round of the SHA-3 contest (Gauravaram, Knudsen and others,
//! 2011; "tweaked").
//!
//! A column of the state is a `u64` with row 0 as its lowest byte. Padding counts blocks, not bits.

#[cfg(target_arch = "x86_64")]
mod pairs;
#[cfg(target_arch = "x86_64")]
mod planes;
#[cfg(target_arch = "x86_64")]
mod rows;

use crate::kernel::kernels;
use crate::many::lanes;
#[cfg(target_arch = "x86_64")]
use crate::mds::planes::Planes;
use crate::mds::{Tables, mixed_column};
use crate::unroll::sixteen;
use crate::{Digest, Kernel, Security, State, Tail};
#[cfg(target_arch = "x86_64")]
use planes::Both;

digests! {
    GROESTL_224 groestl_224 Groestl224,
    GROESTL_256 groestl_256 Groestl256,
    GROESTL_384 groestl_384 Groestl384,
    GROESTL_512 groestl_512 Groestl512,
}

static GROESTL_224: Digest =
    Digest { name: "groestl-224", aliases: &["groestl224"], ..groestl::<8, 224>() };

static GROESTL_256: Digest =
    Digest { name: "groestl-256", aliases: &["groestl256"], ..groestl::<8, 256>() };

static GROESTL_384: Digest =
    Digest { name: "groestl-384", aliases: &["groestl384"], ..groestl::<16, 384>() };

static GROESTL_512: Digest =
    Digest { name: "groestl-512", aliases: &["groestl512"], ..groestl::<16, 512>() };

/// What the digests have in common, for a state of `N` columns and an output of `BITS`.
const fn groestl<const N: usize, const BITS: usize>() -> Digest {
    Digest {
        family: "groestl",
        specified_in: "Groestl (SHA-3 contest, third round)",
        security: Security::Legacy,
        output_len: BITS / 8,
        block_len: 8 * N,
        start: |state| {
            let mut chain = [0; N];
            chain[N - 1] = (BITS as u64).swap_bytes();
            state.init(chain);
        },
        finish: finish::<N>,
        one: if N == 8 { NARROW } else { WIDE },
        many: if N == 8 { NARROW_MANY } else { WIDE_MANY },
        ..Digest::BASE
    }
}

const NARROW: &[Kernel] =
    kernels![rows::NARROW_GFNI, pairs::VAES, rows::NARROW_AES; Kernel::portable(absorb::<8>)];
const NARROW_MANY: &[Kernel] = kernels![lanes!(Planes<Both, 8>, u64, 8 * vbmi)];

const WIDE: &[Kernel] =
    kernels![rows::WIDE_GFNI, rows::WIDE_VAES, rows::WIDE_AES; Kernel::portable(absorb::<16>)];
const WIDE_MANY: &[Kernel] = kernels![lanes!(Planes<Both, 16>, u64, 8 * vbmi)];

/// The output transformation, P(h) + h, is what absorbing zeros amounts to, but for Q of zeros.
fn finish<const N: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let block = 8 * N;
    let rest = tail.bytes.len();
    let count = if rest + 9 <= block { 1 } else { 2 };
    let mut blocks = [0; 3 * MAX_BLOCK];
    blocks[..rest].copy_from_slice(tail.bytes);
    blocks[rest] = 0x80;
    let total = tail.message_len / block as u64 + count as u64;
    blocks[count * block - 8..count * block].copy_from_slice(&total.to_be_bytes());
    tail.kernel.absorb(state, &blocks[..(count + 1) * block]);

    let end = state.view::<[u64; N]>();
    xor(end, const { &permuted::<N, Q>([0; N]) });
    let bytes = end.map(u64::to_le);
    let bytes: &[u8] = bytemuck::cast_slice(&bytes);
    out.copy_from_slice(&bytes[bytes.len() - out.len()..]);
}

/// The longest block, in bytes (Groestl-384 and -512).
const MAX_BLOCK: usize = 128;

fn absorb<const N: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u64; N]>();
    for block in blocks.as_chunks::<8>().0.as_chunks::<N>().0 {
        let m = block.map(u64::from_le_bytes);
        let mut sum = *chain;
        xor(&mut sum, &m);
        xor(chain, &permuted::<N, P>(sum));
        xor(chain, &permuted::<N, Q>(m));
    }
}

fn xor<const N: usize>(columns: &mut [u64; N], with: &[u64; N]) {
    for (column, with) in columns.iter_mut().zip(with) {
        *column ^= with;
    }
}

const P: bool = true;
const Q: bool = false;

/// The columns after permutation P, or else Q: 10 rounds for 8 columns, 14 for 16.
#[inline(always)]
const fn permuted<const N: usize, const IS_P: bool>(mut columns: [u64; N]) -> [u64; N] {
    let rounds = if N == 8 { 10 } else { 14 };
    let shifts = const { shifts(N, IS_P) };
    let mut round = 0;
    while round < rounds {
        let mut bytes = [[0; 8]; N];
        let mut column = 0;
        while column < N {
            let constant = ((column as u64) << 4) ^ round;
            let sum = columns[column] ^ if IS_P { constant } else { !(constant << 56) };
            bytes[column] = sum.to_le_bytes();
            column += 1;
        }
        sixteen!(COLUMN => {
            if COLUMN < N {
                columns[COLUMN] = mixed_column(&TABLES, &bytes, COLUMN, &shifts);
            }
        });
        round += 1;
    }
    columns
}

/// How far ShiftBytes rotates each row to the left.
const fn shifts(columns: usize, is_p: bool) -> [usize; 8] {
    match (columns, is_p) {
        (8, P) => [0, 1, 2, 3, 4, 5, 6, 7],
        (8, Q) => [1, 3, 5, 7, 0, 2, 4, 6],
        (_, P) => [0, 1, 2, 3, 4, 5, 6, 11],
        (_, Q) => [1, 3, 5, 11, 0, 2, 4, 6],
    }
}

/// SubBytes and MixBytes in one: what a byte in a row adds to the column.
static TABLES: Tables = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut row = 0;
        while row < 8 {
            tables[row][byte] = mixed(SBOX[byte]).rotate_left(8 * row as u32);
            row += 1;
        }
        byte += 1;
    }
    tables
};

/// What an `x` in row 0 adds to the column: the first column of MixBytes, circ(2, 2, 3, 4, 5, 3, 5,
/// 7), times x.
const fn mixed(x: u8) -> u64 {
    let (x2, x4) = (double(x), double(double(x)));
    u64::from_le_bytes([x2, x4 ^ x2 ^ x, x4 ^ x, x2 ^ x, x4 ^ x, x4, x2 ^ x, x2])
}

/// The S-box of AES: inverses in GF(2^8), found as the powers of 3 in both directions, then an
/// affine map.
const SBOX: [u8; 256] = {
    let mut powers = [1; 256];
    let mut exponent = 1;
    while exponent < 256 {
        powers[exponent] = powers[exponent - 1] ^ double(powers[exponent - 1]);
        exponent += 1;
    }
    let mut sbox = [0x63; 256];
    while exponent > 0 {
        exponent -= 1;
        let x = powers[255 - exponent];
        let affine = x ^ x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(3) ^ x.rotate_left(4);
        sbox[powers[exponent] as usize] = affine ^ 0x63;
    }
    sbox
};

/// Twice `x` in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
const fn double(x: u8) -> u8 {
    (x << 1) ^ ((x >> 7) * 0x1b)
}
