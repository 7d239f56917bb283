//! GOST R 34.11-94 (RFC 5831), with the S-boxes of its test parameters or with CryptoPro's (RFC
//! 4357).
//!
//! A 256-bit vector is four words, the least significant first. The rest of the message is filled
//! up with zeros. PHP 8.2 counts a bit too many for every whole 512 MiB, so that its digest of such
//! a message is another.
//!
//! ```text
//! h = 0, sum = 0
//! for each block m:  sum += m;  h = step(h, m)
//! end:               h = step(h, length in bits);  h = step(h, sum)
//! step:  four keys from h and m                                           (6.1)
//!        s = the four words of h, each encrypted under its key            (6.2)
//!        h = psi^61(h ^ psi(m ^ psi^12(s)))                               (6.3)
//! ```

use bytemuck::{Pod, Zeroable};

use crate::kernel::{kernels, many_kernels};
use crate::parts::arrays::{Mapped, from_fn};
use crate::{Digest, Kernel, Purpose, Security, Spelling, State, Tail};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod many;

digests! {
    GOST gost Gost,
    GOST_CRYPTO gost_crypto GostCrypto,
}

static GOST: Digest = Digest {
    name: "gost",
    aliases: &["gost94"],
    spelling: Spelling { php: Some("gost"), ..Spelling::NONE },
    family: "gost94",
    purpose: Purpose::NationalStandard,
    specified_in: "GOST R 34.11-94, RFC 5831",
    security: Security::Legacy,
    output_len: 32,
    block_len: 32,
    start: |state| state.init(Chain { h: [0; 4], sum: [0; 4] }),
    finish,
    one: kernels![avx512::kernel::<TEST>(), avx2::one::<TEST>(); Kernel::portable(absorb::<TEST>)],
    many: many_kernels![avx512::many::<TEST>(), avx2::many::<TEST>()],
    ..Digest::BASE
};

static GOST_CRYPTO: Digest = Digest {
    name: "gost-crypto",
    aliases: &["gost94-crypto", "md_gost94"],
    spelling: Spelling { php: Some("gost-crypto"), ..Spelling::NONE },
    specified_in: "GOST R 34.11-94, RFC 4357",
    one: kernels![
        avx512::kernel::<CRYPTO_PRO>(),
        avx2::one::<CRYPTO_PRO>();
        Kernel::portable(absorb::<CRYPTO_PRO>)
    ],
    many: many_kernels![avx512::many::<CRYPTO_PRO>(), avx2::many::<CRYPTO_PRO>()],
    ..GOST
};

/// What the hash keeps between blocks.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Chain {
    /// The chaining value.
    h: [u64; 4],
    /// Sum of the blocks modulo 2^256.
    sum: [u64; 4],
}

/// The rest, then the length in bits, then the sum of the blocks.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    if !tail.bytes.is_empty() {
        let mut block = [0; 32];
        block[..tail.bytes.len()].copy_from_slice(tail.bytes);
        tail.kernel.absorb(state, &block);
    }
    let sum = state.read::<Chain>().sum;
    for words in [[tail.message_len << 3, tail.message_len >> 61, 0, 0], sum] {
        tail.kernel.absorb(state, bytemuck::bytes_of(&words.mapped(u64::to_le)));
    }
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<Chain>().h.mapped(u64::to_le)));
}

fn absorb<const SET: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    for block in blocks.as_chunks::<32>().0 {
        let block = bytemuck::cast::<_, [[u8; 8]; 4]>(*block).mapped(u64::from_le_bytes);
        add(&mut chain.sum, &block);
        chain.h = step(chain.h, block, &BOXES[SET]);
    }
}

/// The step function: the four words of `h` are encrypted with four keys, and the result is stirred
/// into `h` and the block.
#[inline(always)]
fn step(h: [u64; 4], block: [u64; 4], boxes: &Boxes) -> [u64; 4] {
    let encrypted = encrypt(h, keys(h, block), boxes);
    // psi^61(h ^ psi(block ^ psi^12(encrypted))), with the part that does not wait for the
    // encryption by itself.
    let fixed = stir(&PSI_61, xor(h, stir(&PSI_1, block)));
    xor(fixed, stir(&PSI_74, encrypted))
}

/// The four keys (RFC 5831, 6.1), as words 0 to 7 of each.
#[inline(always)]
fn keys(h: [u64; 4], block: [u64; 4]) -> [[u32; 8]; 4] {
    let (mut u, mut v) = (h, block);
    from_fn(|number| {
        if number > 0 {
            u = shift(u);
            v = shift(shift(v));
        }
        if number == 2 {
            u = xor(u, C_3);
        }
        transpose(xor(u, v))
    })
}

/// A: the words move down by one, and the sum of the two lowest comes in at the top.
#[inline(always)]
const fn shift([x0, x1, x2, x3]: [u64; 4]) -> [u64; 4] {
    [x1, x2, x3, x0 ^ x1]
}

/// P: word n of the result has byte n of the four words.
#[inline(always)]
fn transpose([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u32; 8] {
    swap(&mut a, &mut b, 8, 0x00ff_00ff_00ff_00ff);
    swap(&mut c, &mut d, 8, 0x00ff_00ff_00ff_00ff);
    swap(&mut a, &mut c, 16, 0x0000_ffff_0000_ffff);
    swap(&mut b, &mut d, 16, 0x0000_ffff_0000_ffff);
    let low = [a, b, c, d].mapped(|word| word as u32);
    let high = [a, b, c, d].mapped(|word| (word >> 32) as u32);
    [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
}

/// Exchanges the bits of `a` that lie `by` above `mask` with those of `b` at `mask`.
#[inline(always)]
fn swap(a: &mut u64, b: &mut u64, by: u32, mask: u64) {
    let differing = (*a >> by ^ *b) & mask;
    *b ^= differing;
    *a ^= differing << by;
}

/// GOST 28147-89, four words at once, each with its own key.
#[inline(always)]
fn encrypt(words: [u64; 4], keys: [[u32; 8]; 4], boxes: &Boxes) -> [u64; 4] {
    let mut low = words.mapped(|word| word as u32);
    let mut high = words.mapped(|word| (word >> 32) as u32);
    for round in 0..32 {
        // Keys 0 to 7 three times, then in reverse (GOST 28147-89).
        let key = if round < 24 { round % 8 } else { 31 - round };
        for lane in 0..4 {
            let [b0, b1, b2, b3] =
                low[lane].wrapping_add(keys[lane][key]).to_le_bytes().mapped(usize::from);
            high[lane] ^= boxes[0][b0] ^ boxes[1][b1] ^ boxes[2][b2] ^ boxes[3][b3];
        }
        (low, high) = (high, low);
    }
    // The last round does not exchange the halves.
    from_fn(|lane| u64::from(low[lane]) << 32 | u64::from(high[lane]))
}

#[inline(always)]
fn xor(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    from_fn(|word| a[word] ^ b[word])
}

/// Addition modulo 2^256.
#[inline(always)]
fn add(sum: &mut [u64; 4], other: &[u64; 4]) {
    let mut carry = false;
    for (sum, other) in sum.iter_mut().zip(other) {
        let (partial, first) = sum.overflowing_add(*other);
        let (whole, second) = partial.overflowing_add(u64::from(carry));
        (*sum, carry) = (whole, first | second);
    }
}

const C_3: [u64; 4] =
    [0xff00_ff00_ff00_ff00, 0x00ff_00ff_00ff_00ff, 0xff00_00ff_00ff_ff00, 0xff00_ffff_0000_00ff];

/// A linear map of sixteen 16-bit lanes: entry `[from]` has all ones in the lanes that lane `from`
/// is added to.
type Map = [[u64; 4]; 16];

/// Applies a map.
#[inline(always)]
fn stir(map: &Map, words: [u64; 4]) -> [u64; 4] {
    let mut sums = [0; 4];
    for from in 0..16 {
        let lane = (words[from / 4] >> (16 * (from % 4)) & 0xffff) * 0x0001_0001_0001_0001;
        for to in 0..4 {
            sums[to] ^= map[from][to] & lane;
        }
    }
    sums
}

static PSI_1: Map = psi(1);
static PSI_61: Map = psi(61);
static PSI_74: Map = psi(74);

const fn psi(times: usize) -> Map {
    let sources = lanes(times);
    let mut map = [[0; 4]; 16];
    let mut at = 0;
    while at < 256 {
        let (from, to) = (at / 16, at % 16);
        if sources[to] >> from & 1 == 1 {
            map[from][to / 4] |= 0xffff << (16 * (to % 4));
        }
        at += 1;
    }
    map
}

/// The lanes that each lane of psi, `times` over, is the sum of, a bit for each: lanes move down by
/// one, and the sum of lanes 0, 1, 2, 3, 12 and 15 comes in at the top.
const fn lanes(times: usize) -> [u16; 16] {
    let mut sources = [0; 16];
    let mut at = 0;
    while at < 16 {
        sources[at] = 1 << at;
        at += 1;
    }
    while at < 16 + times {
        let [x0, x1, x2, x3, .., x12, _, _, x15] = sources;
        let mut moved = 1;
        while moved < 16 {
            sources[moved - 1] = sources[moved];
            moved += 1;
        }
        sources[15] = x0 ^ x1 ^ x2 ^ x3 ^ x12 ^ x15;
        at += 1;
    }
    sources
}

/// For each byte of a word, what it becomes and where: two S-boxes and the turn by eleven bits.
type Boxes = [[u32; 256]; 4];

const TEST: usize = 0;
const CRYPTO_PRO: usize = 1;

static BOXES: [Boxes; 2] = [pair(&NIBBLES[TEST]), pair(&NIBBLES[CRYPTO_PRO])];

/// The S-boxes of each set, that of the lowest nibble first.
const NIBBLES: [[[u8; 16]; 8]; 2] = [TEST_BOXES, CRYPTO_PRO_BOXES];

const fn pair(nibbles: &[[u8; 16]; 8]) -> Boxes {
    let mut boxes = [[0; 256]; 4];
    let mut at = 0;
    while at < 4 * 256 {
        let (place, byte) = (at / 256, at % 256);
        let value = nibbles[2 * place][byte & 15] | nibbles[2 * place + 1][byte >> 4] << 4;
        boxes[place][byte] = ((value as u32) << (8 * place)).rotate_left(11);
        at += 1;
    }
    boxes
}

#[rustfmt::skip]
const TEST_BOXES: [[u8; 16]; 8] = [
    [ 4, 10,  9,  2, 13,  8,  0, 14,  6, 11,  1, 12,  7, 15,  5,  3],
    [14, 11,  4, 12,  6, 13, 15, 10,  2,  3,  8,  1,  0,  7,  5,  9],
    [ 5,  8,  1, 13, 10,  3,  4,  2, 14, 15, 12,  7,  6,  0,  9, 11],
    [ 7, 13, 10,  1,  0,  8,  9, 15, 14,  4,  6, 12, 11,  2,  5,  3],
    [ 6, 12,  7,  1,  5, 15, 13,  8,  4, 10,  9, 14,  0,  3, 11,  2],
    [ 4, 11, 10,  0,  7,  2,  1, 13,  3,  6,  8,  5,  9, 12, 15, 14],
    [13, 11,  4,  1,  3, 15,  5,  9,  0, 10, 14,  7,  6,  8,  2, 12],
    [ 1, 15, 13,  0,  5,  7, 10,  4,  9,  2,  3, 14,  6, 11,  8, 12],
];

#[rustfmt::skip]
const CRYPTO_PRO_BOXES: [[u8; 16]; 8] = [
    [10,  4,  5,  6,  8,  1,  3,  7, 13, 12, 14,  0,  9,  2, 11, 15],
    [ 5, 15,  4,  0,  2, 13, 11,  9,  1,  7,  6,  3, 12, 14, 10,  8],
    [ 7, 15, 12, 14,  9,  4,  1,  0,  3, 11,  5,  2,  6, 10,  8, 13],
    [ 4, 10,  7, 12,  0, 15,  2,  8, 14,  1,  6,  5, 13, 11,  9,  3],
    [ 7,  6,  4, 11,  9, 12,  2, 10,  1,  8,  0, 14, 15, 13,  3,  5],
    [ 7,  6,  2,  4, 13,  9, 15,  0, 10,  1,  5, 11,  8, 14, 12,  3],
    [13, 14,  4,  1,  7,  0,  5, 10,  3, 12,  8, 15,  6,  2,  9, 11],
    [ 1,  3, 10,  9,  5, 11,  4, 15,  8,  6,  7, 14, 13,  0,  2, 12],
];
