//! Kupyna (DSTU 7564:2014; R. Oliynykov and others: A new standard of Ukraine: the Kupyna hash
//! function, 2015).
//!
//! A column of the state is a `u64` with row 0 as its lowest byte.
//!
//! ```text
//! for each block m:  h ^= T xor(h ^ m) ^ T plus(m)
//! end:               h ^= T xor(h);  the last bytes of h are the digest
//! round of T:        constants of the columns by XOR or PLUS, S-boxes, shift of rows, matrix
//! ```

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod planes;
mod tables;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding};
use crate::parts::arrays::Mapped;
#[cfg(target_arch = "x86_64")]
use crate::parts::mds::planes::Planes;
use crate::parts::mds::rounds::{Rounds, absorb, of_zeros, rounds, xor};
use crate::parts::mds::{self, Tables, circulant};
use crate::{Digest, Kernel, Purpose, Security, State, Tail};
#[cfg(target_arch = "x86_64")]
use planes::Both;
use tables::SBOXES;

digests! {
    KUPYNA_224 kupyna_224 Kupyna224,
    KUPYNA_256 kupyna_256 Kupyna256,
    KUPYNA_384 kupyna_384 Kupyna384,
    KUPYNA_512 kupyna_512 Kupyna512,
}

static KUPYNA_224: Digest =
    Digest { name: "kupyna-224", aliases: &["kupyna224"], ..kupyna::<8, 224>() };

static KUPYNA_256: Digest =
    Digest { name: "kupyna-256", aliases: &["kupyna256"], ..kupyna::<8, 256>() };

static KUPYNA_384: Digest =
    Digest { name: "kupyna-384", aliases: &["kupyna384"], ..kupyna::<16, 384>() };

static KUPYNA_512: Digest =
    Digest { name: "kupyna-512", aliases: &["kupyna512"], ..kupyna::<16, 512>() };

/// What the digests have in common, for a state of `N` columns and an output of `BITS`.
const fn kupyna<const N: usize, const BITS: usize>() -> Digest {
    Digest {
        family: "kupyna",
        purpose: Purpose::NationalStandard,
        specified_in: "DSTU 7564:2014",
        security: Security::Sound,
        output_len: BITS / 8,
        block_len: 8 * N,
        start: |state| {
            let mut chain = [0; N];
            chain[0] = 8 * N as u64;
            state.init(chain);
        },
        finish: finish::<N>,
        one: if N == 8 { NARROW } else { WIDE },
        many: if N == 8 { NARROW_MANY } else { WIDE_MANY },
        ..Digest::BASE
    }
}

const NARROW: &[Kernel] = kernels![avx512::kernel::<1>(); portable::<8>()];
const NARROW_MANY: &[Kernel] = many_kernels![lanes!(Planes<Both, 8>, u64, 8 * vbmi)];
const WIDE: &[Kernel] = kernels![avx512::kernel::<2>(); portable::<16>()];
const WIDE_MANY: &[Kernel] = many_kernels![lanes!(Planes<Both, 16>, u64, 8 * vbmi)];

const fn portable<const N: usize>() -> Kernel {
    Kernel::portable(absorb::<Permutation<XOR>, Permutation<PLUS>, N>)
}

const PADDING: Padding = Padding::with_length(12, Endian::Little);

/// The output transformation, T(h) + h, is what absorbing zeros amounts to, but for the other
/// permutation of zeros.
fn finish<const N: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let block = 8 * N;
    let rest = tail.bytes.len();
    let end = PADDING.blocks(rest, block) * block;
    let mut blocks = [0; 3 * MAX_BLOCK];
    blocks[..rest].copy_from_slice(tail.bytes);
    blocks[rest] = PADDING.mark;
    let bits = u128::from(tail.message_len) << 3;
    blocks[end - 12..end].copy_from_slice(&bits.to_le_bytes()[..12]);
    tail.kernel.absorb(state, &blocks[..end + block]);

    let end = state.view::<[u64; N]>();
    xor(end, const { &of_zeros::<Permutation<PLUS>, N>() });
    let bytes = end.mapped(u64::to_le);
    let bytes: &[u8] = bytemuck::cast_slice(&bytes);
    out.copy_from_slice(&bytes[bytes.len() - out.len()..]);
}

/// The longest block, in bytes (Kupyna-384 and -512).
const MAX_BLOCK: usize = 128;

/// By what a permutation joins the constants of its rounds with the columns.
const XOR: bool = true;
const PLUS: bool = false;

/// The one permutation or the other.
struct Permutation<const BY_XOR: bool>;

impl<const N: usize, const BY_XOR: bool> Rounds<N> for Permutation<BY_XOR> {
    const TABLES: &'static Tables = &TABLES;
    const SHIFTS: [usize; 8] = shifts(N);
    const CONSTANTS: &'static [[u64; N]] =
        const { &constants::<N, BY_XOR>() }.split_at(1 + rounds(N)).0;
    const CARRIES: bool = !BY_XOR;
}

/// The constants of the rounds, and zeros behind them.
const fn constants<const N: usize, const BY_XOR: bool>() -> [[u64; N]; 15] {
    let (mut constants, mut at) = ([[0; N]; 15], 0);
    while at < rounds(N) * N {
        constants[at / N][at % N] = constant(BY_XOR, N, at % N, (at / N) as u64);
        at += 1;
    }
    constants
}

/// The constant of a round for one of so many columns.
#[inline(always)]
const fn constant(by_xor: bool, columns: usize, column: usize, round: u64) -> u64 {
    if by_xor {
        (column as u64) << 4 ^ round
    } else {
        (((columns - 1 - column) as u64) << 4 ^ round) << 56 | 0x00f0_f0f0_f0f0_f0f3
    }
}

/// How far to the left the byte of each row lies that comes to a place: the rows are rotated to the
/// right, by their number but for the last.
const fn shifts(columns: usize) -> [usize; 8] {
    let mut shifts = [0; 8];
    let mut row = 1;
    while row < 8 {
        shifts[row] = columns - if row == 7 && columns == 16 { 11 } else { row };
        row += 1;
    }
    shifts
}

/// The substitution of the bytes and the mixing of the columns in one.
static TABLES: Tables = mds::tables(
    &[
        &SBOXES[0], &SBOXES[1], &SBOXES[2], &SBOXES[3], &SBOXES[0], &SBOXES[1], &SBOXES[2],
        &SBOXES[3],
    ],
    &circulant([1, 4, 7, 6, 8, 1, 5, 1]),
);
