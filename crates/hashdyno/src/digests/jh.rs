//! JH with 42 rounds, as submitted to the third round of the SHA-3 contest (H. Wu: The hash
//! function JH, 2011).
//!
//! Bitsliced: a word holds one bit of each of 128 four-bit elements, and instead of permuting the
//! elements after a round, one swaps neighbours at a distance of 1, 2, 4 ... 64 in the odd half,
//! which comes round after seven rounds. Padding always takes 512 bits or more, so a message that
//! ends inside a block gets two.

mod many;
#[cfg(target_arch = "x86_64")]
mod nibbles;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::{Digest, Kernel, Security, State, Tail};
use many::JhLanes;

digests! {
    JH_224 jh_224 Jh224,
    JH_256 jh_256 Jh256,
    JH_384 jh_384 Jh384,
    JH_512 jh_512 Jh512,
}

static JH_224: Digest = Digest { name: "jh-224", aliases: &["jh224"], ..jh::<224>() };

static JH_256: Digest = Digest { name: "jh-256", aliases: &["jh256"], ..jh::<256>() };

static JH_384: Digest = Digest { name: "jh-384", aliases: &["jh384"], ..jh::<384>() };

static JH_512: Digest = Digest { name: "jh-512", aliases: &["jh512"], ..jh::<512>() };

/// What the digests have in common, for an output of `BITS`.
const fn jh<const BITS: usize>() -> Digest {
    Digest {
        family: "jh",
        specified_in: "JH (SHA-3 contest, third round)",
        security: Security::Legacy,
        output_len: BITS / 8,
        block_len: 64,
        start: |state| state.init(const { initial(BITS as u16) }),
        finish,
        one: const {
            kernels![
                nibbles::AVX512,
                x86_64::AVX512,
                x86_64::AVX2,
                x86_64::SSE2;
                Kernel::portable(absorb)
            ]
        },
        many: MANY,
        ..Digest::BASE
    }
}

const MANY: &[Kernel] =
    many_kernels![lanes!(JhLanes, u64, 1 * avx512), lanes!(JhLanes, u64, 1 * avx2)];

/// One bit of each of 128 elements.
type Word = [u64; 2];

/// The chaining value, in the order of its bytes: the bits of an element lie in words 0, 2, 4, 6
/// or, of the odd ones, 1, 3, 5, 7.
type Chain = [Word; 8];

/// The compression of zeros under a chaining value that tells the output length.
const fn initial(bits: u16) -> Chain {
    let mut chain = [[0; 2]; 8];
    chain[0][0] = bits.swap_bytes() as u64;
    compress(chain, &[[0; 2]; 4])
}

const PADDING: Padding = Padding::with_length(16, Endian::Big);

/// The padding is never shorter than a block.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let length_bytes = if tail.bytes.is_empty() { PADDING.length_bytes } else { 64 };
    strengthen::<64>(state, tail, Padding { length_bytes, ..PADDING });
    let chain = state.read::<Chain>().mapped(|word| word.mapped(u64::to_le));
    let bytes = bytemuck::bytes_of(&chain);
    out.copy_from_slice(&bytes[bytes.len() - out.len()..]);
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    for block in blocks.as_chunks::<8>().0.as_chunks::<2>().0.as_chunks::<4>().0 {
        *chain = compress(*chain, &block.mapped(|word| word.mapped(u64::from_le_bytes)));
    }
}

/// F8: the message goes in before the 42 rounds and again, into the other half, after them.
#[inline(always)]
const fn compress(mut x: Chain, message: &[Word; 4]) -> Chain {
    add(&mut x, 0, message);
    let mut seven = 0;
    while seven < 42 {
        round::<0>(&mut x, &CONSTANTS[seven]);
        round::<1>(&mut x, &CONSTANTS[seven + 1]);
        round::<2>(&mut x, &CONSTANTS[seven + 2]);
        round::<3>(&mut x, &CONSTANTS[seven + 3]);
        round::<4>(&mut x, &CONSTANTS[seven + 4]);
        round::<5>(&mut x, &CONSTANTS[seven + 5]);
        round::<6>(&mut x, &CONSTANTS[seven + 6]);
        seven += 7;
    }
    add(&mut x, 4, message);
    x
}

#[inline(always)]
const fn add(x: &mut Chain, from: usize, message: &[Word; 4]) {
    let mut word = 0;
    while word < 4 {
        x[from + word][0] ^= message[word][0];
        x[from + word][1] ^= message[word][1];
        word += 1;
    }
}

#[inline(always)]
const fn round<const ROUND: usize>(x: &mut Chain, constants: &[Word; 2]) {
    let mut half = 0;
    while half < 2 {
        let even = sbox([x[0][half], x[2][half], x[4][half], x[6][half]], constants[0][half]);
        let odd = sbox([x[1][half], x[3][half], x[5][half], x[7][half]], constants[1][half]);
        let (even, odd) = mix(even, odd);
        let mut bit = 0;
        while bit < 4 {
            x[2 * bit][half] = even[bit];
            x[2 * bit + 1][half] = swap::<ROUND>(odd[bit]);
            bit += 1;
        }
        half += 1;
    }
    if ROUND == 6 {
        (x[1], x[3], x[5], x[7]) = (turned(x[1]), turned(x[3]), turned(x[5]), turned(x[7]));
    }
}

/// S-box 1 where the constant's bit is set, S-box 0 elsewhere.
#[inline(always)]
const fn sbox([mut a, mut b, mut c, mut d]: [u64; 4], constant: u64) -> [u64; 4] {
    d = !d;
    a ^= !c & constant;
    let t = constant ^ (a & b);
    a ^= c & d;
    d ^= !b & c;
    b ^= a & c;
    c ^= a & !d;
    a ^= b | d;
    d ^= b & c;
    b ^= t & a;
    c ^= t;
    [a, b, c, d]
}

/// L, the (4, 2, 3) MDS code over GF(2^4): odd += 2 even, then even += 2 odd.
#[inline(always)]
const fn mix(
    [mut a, mut b, mut c, mut d]: [u64; 4],
    [mut e, mut f, mut g, mut h]: [u64; 4],
) -> ([u64; 4], [u64; 4]) {
    (e, f, g, h) = (e ^ b, f ^ c, g ^ a ^ d, h ^ a);
    (a, b, c, d) = (a ^ f, b ^ g, c ^ e ^ h, d ^ e);
    ([a, b, c, d], [e, f, g, h])
}

/// Swaps neighbouring runs of 2^ROUND bits; those of 64 are the halves of a word.
#[inline(always)]
const fn swap<const ROUND: usize>(x: u64) -> u64 {
    let run = 1 << (ROUND % 6);
    let mask = u64::MAX / ((1 << run) + 1);
    if ROUND == 6 { x } else { (x & mask) << run | x >> run & mask }
}

const fn turned([low, high]: Word) -> Word {
    [high, low]
}

/// The constants of the rounds, for the even and the odd elements. The first are the fraction of
/// the square root of 2, the next always R6 of the last; which bit an element gets depends on where
/// it would be by now, were elements permuted.
static CONSTANTS: [[Word; 2]; 42] = {
    let mut constants = [[[0; 2]; 2]; 42];
    let mut nibbles = first_constant();
    let mut places = [[0; 128]; 2];
    let mut slot = 0;
    while slot < 256 {
        places[slot % 2][slot / 2] = slot;
        slot += 1;
    }
    let mut round = 0;
    while round < 42 {
        constants[round] = gathered(&nibbles, &places);
        places = moved(&places, 1 << (round % 7));
        nibbles = r6(&nibbles);
        round += 1;
    }
    constants
};

const fn first_constant() -> [u8; 64] {
    let digits = b"6a09e667f3bcc908b2fb1366ea957d3e3adec17512775099da2f590b0667322a";
    let mut nibbles = [0; 64];
    let mut i = 0;
    while i < 64 {
        nibbles[i] = if digits[i] <= b'9' { digits[i] - b'0' } else { digits[i] - b'a' + 10 };
        i += 1;
    }
    nibbles
}

/// The bits of a constant for the elements that stand in the slots of the two words; both count
/// bits from the top of a byte.
const fn gathered(nibbles: &[u8; 64], places: &[[usize; 128]; 2]) -> [Word; 2] {
    let mut words = [[0; 2]; 2];
    let mut slot = 0;
    while slot < 256 {
        let (word, i) = (slot / 128, slot % 128);
        let place = places[word][i];
        let bit = nibbles[place / 4] >> (3 - place % 4) & 1;
        words[word][i / 64] |= (bit as u64) << (i % 64 / 8 * 8 + 7 - i % 8);
        slot += 1;
    }
    words
}

/// The places of the elements after P8, in a state whose odd words were swapped at a distance.
const fn moved(places: &[[usize; 128]; 2], distance: usize) -> [[usize; 128]; 2] {
    let mut moved = [[0; 128]; 2];
    let mut slot = 0;
    while slot < 128 {
        moved[0][slot] = permuted(places[0][slot], 256);
        moved[1][slot] = permuted(places[1][slot ^ distance], 256);
        slot += 1;
    }
    moved
}

/// Where the permutation of `count` elements puts the one at `place`: pi, then P', then phi.
const fn permuted(place: usize, count: usize) -> usize {
    let place = if place & 2 == 0 { place } else { place ^ 1 };
    if place % 2 == 0 { place / 2 } else { count / 2 + ((place / 2) ^ 1) }
}

/// The round function on 64 elements with S-box 0, which makes the constants.
const fn r6(nibbles: &[u8; 64]) -> [u8; 64] {
    const S0: [u8; 16] = [9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14];
    let mut after = [0; 64];
    let mut even = 0;
    while even < 64 {
        let (a, b) = (S0[nibbles[even] as usize], S0[nibbles[even + 1] as usize]);
        let b = b ^ double(a);
        after[permuted(even, 64)] = a ^ double(b);
        after[permuted(even + 1, 64)] = b;
        even += 2;
    }
    after
}

/// Twice `x` in GF(2^4) modulo x^4 + x + 1.
const fn double(x: u8) -> u8 {
    ((x << 1) ^ ((x >> 3) * 3)) & 15
}
