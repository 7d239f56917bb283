//! Groestl as submitted to the third round of the SHA-3 contest (Gauravaram, Knudsen and others,
//! 2011; "tweaked").
//!
//! A column of the state is a `u64` with row 0 as its lowest byte. Padding counts blocks, not bits.
//!
//! ```text
//! h: the output length in bits, in the last column
//! for each block m:  h ^= P(h ^ m) ^ Q(m)
//! end:               h ^= P(h);  the last bytes of h are the digest
//! round of P or Q:   AddRoundConstant, SubBytes, ShiftBytes, MixBytes
//! ```

#[cfg(target_arch = "x86_64")]
mod pairs;
#[cfg(target_arch = "x86_64")]
mod planes;
#[cfg(target_arch = "x86_64")]
mod rows;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, put_marked};
use crate::parts::arrays::Mapped;
use crate::parts::mds::Tables;
#[cfg(target_arch = "x86_64")]
use crate::parts::mds::planes::Planes;
use crate::parts::mds::rounds::{Rounds, absorb, of_zeros, rounds, xor};
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
    kernels![rows::NARROW_GFNI, pairs::VAES, rows::NARROW_AES; portable::<8>()];
const NARROW_MANY: &[Kernel] = many_kernels![lanes!(Planes<Both, 8>, u64, 8 * vbmi)];

const WIDE: &[Kernel] =
    kernels![rows::WIDE_GFNI, rows::WIDE_VAES, rows::WIDE_AES; portable::<16>()];
const WIDE_MANY: &[Kernel] = many_kernels![lanes!(Planes<Both, 16>, u64, 8 * vbmi)];

const fn portable<const N: usize>() -> Kernel {
    Kernel::portable(absorb::<Permutation<P>, Permutation<Q>, N>)
}

/// The length is the number of blocks.
const PADDING: Padding = Padding::with_length(8, Endian::Big);

/// The output transformation, P(h) + h, is what absorbing zeros amounts to, but for Q of zeros.
fn finish<const N: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let block = 8 * N;
    let rest = tail.bytes.len();
    let count = PADDING.blocks(rest, block);
    let mut blocks = [[0u64; N]; 3];
    let blocks: &mut [u8] = bytemuck::cast_slice_mut(&mut blocks);
    put_marked(tail.bytes, PADDING.mark, blocks);
    let total = tail.message_len / block as u64 + count as u64;
    blocks[count * block - 8..count * block].copy_from_slice(&total.to_be_bytes());
    tail.kernel.absorb(state, &blocks[..(count + 1) * block]);

    let end = state.view::<[u64; N]>();
    xor(end, const { &of_zeros::<Permutation<Q>, N>() });
    let bytes = end.mapped(u64::to_le);
    let bytes: &[u8] = bytemuck::cast_slice(&bytes);
    out.copy_from_slice(&bytes[bytes.len() - out.len()..]);
}

const P: bool = true;
const Q: bool = false;

/// P or Q: 10 rounds for 8 columns, 14 for 16.
struct Permutation<const IS_P: bool>;

impl<const N: usize, const IS_P: bool> Rounds<N> for Permutation<IS_P> {
    const TABLES: &'static Tables = &TABLES;
    const SHIFTS: [usize; 8] = shifts(N, IS_P);
    const CONSTANTS: &'static [[u64; N]] =
        const { &constants::<N, IS_P>() }.split_at(1 + rounds(N)).0;
}

/// The constants of the rounds, and zeros behind them.
const fn constants<const N: usize, const IS_P: bool>() -> [[u64; N]; 15] {
    let (mut constants, mut at) = ([[0; N]; 15], 0);
    while at < rounds(N) * N {
        let constant = ((at % N) as u64) << 4 ^ (at / N) as u64;
        constants[at / N][at % N] = if IS_P { constant } else { !(constant << 56) };
        at += 1;
    }
    constants
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
