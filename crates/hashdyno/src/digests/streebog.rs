//! Streebog, GOST R 34.11-2012 (RFC 6986).
//!
//! A 512-bit vector is 64 bytes, the least significant first. The digest is printed least
//! significant byte first, as all software does; RFC 6986 prints it, and its messages, the other
//! way round.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod planes;
mod tables;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use bytemuck::{Pod, Zeroable};

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::Padding;
use crate::parts::mds::{self, Rows, Tables, mix, xor};
use crate::{Digest, Kernel, Purpose, Security, State, Tail};
use tables::{PI, ROUNDS};

digests! {
    STREEBOG_256 streebog_256 Streebog256,
    STREEBOG_512 streebog_512 Streebog512,
}

static STREEBOG_512: Digest = Digest {
    name: "streebog-512",
    aliases: &["streebog512", "stribog512", "gost2012-512", "md_gost12_512"],
    family: "streebog",
    purpose: Purpose::NationalStandard,
    specified_in: "GOST R 34.11-2012, RFC 6986",
    security: Security::Sound,
    output_len: 64,
    block_len: 64,
    start: |state| state.init(Chain { h: [0; 64], n: [0; 64], sigma: [0; 64], bits: [0; 8] }),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

static STREEBOG_256: Digest = Digest {
    name: "streebog-256",
    aliases: &["streebog256", "stribog256", "gost2012-256", "md_gost12_256"],
    output_len: 32,
    start: |state| state.init(Chain { h: [1; 64], n: [0; 64], sigma: [0; 64], bits: [0; 8] }),
    ..STREEBOG_512
};

const ONE: &[Kernel] =
    kernels![avx512::AVX512, avx2::AVX2, x86_64::X86_64; Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![lanes!(planes::Planes, u64, 8 * vbmi)];

/// What Streebog keeps between blocks.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Chain {
    /// The chaining value.
    h: Rows,
    /// Bits absorbed.
    n: Rows,
    /// Sum of the blocks modulo 2^512.
    sigma: Rows,
    /// Bits of the message, for the last steps of many in lanes: nothing else sets them.
    bits: [u8; 8],
}

/// A bit 1 in the byte after the message, and zeros.
const PADDING: Padding = Padding::of_mark(1);

/// The padded rest, then the length and the sum of the blocks, both at count 0; of the result, the
/// most significant words.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; 64];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    block[tail.bytes.len()] = PADDING.mark;
    tail.kernel.absorb(state, &block);
    let mut count = [0; 64];
    count[..16].copy_from_slice(&(u128::from(tail.message_len) << 3).to_le_bytes());
    for block in [count, state.read::<Chain>().sigma] {
        state.view::<Chain>().n = [0; 64];
        tail.kernel.absorb(state, &block);
    }
    out.copy_from_slice(&state.read::<Chain>().h[64 - out.len()..]);
}

fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, round);
}

/// Absorbs blocks by a `round` that is as [`round`].
#[inline(always)]
fn absorb_by(state: &mut State, blocks: &[u8], round: impl Fn(&Rows, &Rows, &mut Rows)) {
    let chain = state.view::<Chain>();
    for block in blocks.as_chunks().0 {
        compress(&mut chain.h, &chain.n, block, &round);
        add(&mut chain.n, &BLOCK_BITS);
        add(&mut chain.sigma, block);
    }
}

/// g of RFC 6986, 8: the block cipher E in the mode of Miyaguchi and Preneel.
///
/// `key` has the next iteration constant added already, so adding it takes no step of its own.
#[inline(always)]
fn compress(h: &mut Rows, n: &Rows, block: &Rows, round: impl Fn(&Rows, &Rows, &mut Rows)) {
    let (mut key, mut next_key, mut next_text) = ([0; 64], [0; 64], [0; 64]);
    round(&xor(h, n), &ROUNDS[0], &mut key);
    let mut text = xor(block, &xor(&key, &ROUNDS[0]));
    for [even, odd] in ROUNDS[1..].as_chunks().0 {
        round(&key, even, &mut next_key);
        round(&text, &xor(&next_key, even), &mut next_text);
        round(&next_key, odd, &mut key);
        round(&next_text, &xor(&key, odd), &mut text);
    }
    *h = xor(h, &xor(&text, block));
}

/// Substitutes the bytes, transposes them, multiplies every row, and adds the key: X L P S.
#[inline(never)]
fn round(rows: &Rows, key: &Rows, result: &mut Rows) {
    mix(&TABLES, rows, key, result, |row, number| 8 * number + row);
}

/// Addition modulo 2^512.
fn add(sum: &mut Rows, other: &Rows) {
    let mut carry = false;
    for (sum, other) in sum.as_chunks_mut().0.iter_mut().zip(other.as_chunks().0) {
        let (partial, first) = u64::from_le_bytes(*sum).overflowing_add(u64::from_le_bytes(*other));
        let (whole, second) = partial.overflowing_add(u64::from(carry));
        (*sum, carry) = (whole.to_le_bytes(), first | second);
    }
}

/// 512, the number of bits in a block.
const BLOCK_BITS: Rows = {
    let mut bits = [0; 64];
    bits[1] = 2;
    bits
};

static TABLES: Tables = mds::tables(&[&PI; 8], &LINEAR);

/// The linear map l, which RFC 6986 prints as 64 words, as the matrix that it is (O. Kazymyrov, V.
/// Kazymyrova, 2013), its bits counted from the other end.
const LINEAR: [[u8; 8]; 8] = [
    [0x83, 0xe0, 0x8e, 0x2b, 0x4b, 0x31, 0x1c, 0x64],
    [0x18, 0xdc, 0xf5, 0x9e, 0x4f, 0x47, 0x8b, 0xa4],
    [0x28, 0x77, 0x32, 0x8a, 0xd9, 0x86, 0x7d, 0xf9],
    [0x9e, 0xa8, 0x10, 0x18, 0x65, 0x8c, 0x06, 0x5b],
    [0x38, 0xc1, 0x93, 0xba, 0x8c, 0x65, 0x21, 0x03],
    [0x50, 0x89, 0x8a, 0x32, 0xa9, 0x9c, 0xcc, 0xac],
    [0x8e, 0x98, 0x83, 0x1a, 0x01, 0x0f, 0xb6, 0x46],
    [0x64, 0x87, 0x46, 0xb2, 0x07, 0x8b, 0x47, 0x83],
];
