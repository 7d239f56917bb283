//! komihash (A. Vaneev, 2021), version 5, of 64 bits, seed 0. The most significant byte comes
//! first.
//!
//! Each step multiplies two words, adds the product's upper half to one register and gives the sum
//! and the lower half to another. Four such pairs take blocks of 64 bytes, one pair what is left.

use crate::function::{function, kernel_of_function};
use crate::parts::checksum::{self, Checksum, split};
use crate::parts::words::{marked, marked_word, product, words_of, write};
use crate::{Digest, Purpose, Security};

digests! {
    KOMIHASH (komihash) Komihash: u64,
}

function! {
    /// komihash of a message (A. Vaneev; komihash.h, version 5), seed 0.
    komihash: u64 = KOMIHASH,
    ..=15 => of_few, ..=isize::MAX as usize => longer
}

static KOMIHASH: Digest = Digest {
    name: "komihash",
    aliases: &["komihash-v5"],
    family: "komihash",
    purpose: Purpose::HashTable,
    specified_in: "komihash.h, version 5 (A. Vaneev)",
    security: Security::Checksum,
    output_len: Komi::LEN,
    block_len: Komi::BLOCK,
    start: checksum::start::<Komi>,
    finish: checksum::finish::<Komi>,
    one: &[kernel_of_function!(Komi, after, komihash)],
    ..Digest::BASE
};

/// Digits of pi, four words for each half of the pairs.
const DIGITS: [[u64; 4]; 2] = [
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89],
    [0x4528_21e6_38d0_1377, 0xbe54_66cf_34e9_0c6c, 0xc0ac_29b7_c97c_50dd, 0x3f84_d5b5_b547_0917],
];

/// The first pair after seed 0.
const PAIR: [u64; 2] = mixed([DIGITS[0][0], DIGITS[1][0]]);

struct Komi;

impl Checksum for Komi {
    /// The four pairs, lower halves first.
    type Register = [u64; 8];
    const START: [u64; 8] = {
        let ([low, high], [lows, highs]) = (PAIR, DIGITS);
        [
            low,
            low ^ lows[1],
            low ^ lows[2],
            low ^ lows[3],
            high,
            high ^ highs[1],
            high ^ highs[2],
            high ^ highs[3],
        ]
    };
    const BLOCK: usize = 64;
    const LEN: usize = 8;

    #[inline(always)]
    fn finish(register: [u64; 8], rest: &[u8], len: u64, out: &mut [u8]) {
        let pair = if len < 64 {
            PAIR
        } else {
            let [a, b, c, d, e, f, g, h] = register;
            [a ^ b ^ c ^ d, e ^ f ^ g ^ h]
        };
        write(of_rest(pair, rest, len == 0).to_be_bytes(), out);
    }
}

/// The hash from the pair before the last bytes, which are fewer than a block.
#[inline(always)]
fn of_rest(pair: [u64; 2], rest: &[u8], is_empty: bool) -> u64 {
    let (words, few) = rest.as_chunks::<16>();
    let pair = words.iter().fold(pair, |pair, words| step(pair, words_of(words)));
    // Behind whole pairs of words stands the mark alone, behind an empty message nothing.
    let last = if few.is_empty() { [u64::from(!is_empty), 0] } else { marked(few, 1) };
    mixed(step(pair, last))[0]
}

/// The hash of a message of up to 15 bytes, for [`function!`].
#[inline(always)]
fn of_few(message: &[u8]) -> u64 {
    // An empty message has no mark.
    let words =
        if message.len() < 8 { [marked_word(message, 1, 0), 0] } else { marked(message, 1) };
    mixed(step(PAIR, words))[0]
}

/// The same of a message of any length.
#[inline(never)]
fn longer(message: &[u8]) -> u64 {
    if message.len() < 64 { of_rest(PAIR, message, message.is_empty()) } else { of_blocks(message) }
}

/// A call at the end of [`longer`], which saves no registers for it.
#[inline(never)]
fn of_blocks(message: &[u8]) -> u64 {
    let (blocks, rest) = split::<Komi>(message);
    let mut out = [0; 8];
    Komi::finish(after(Komi::START, blocks), rest, message.len() as u64, &mut out);
    u64::from_be_bytes(out)
}

/// The registers after some blocks more.
#[inline(always)]
fn after(register: [u64; 8], bytes: &[u8]) -> [u64; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = register;
    for block in bytes.as_chunks::<64>().0 {
        let words: [u64; 8] = words_of(block);
        let [p, q, r, s] = [
            product(a ^ words[0], e ^ words[4]),
            product(b ^ words[1], f ^ words[5]),
            product(c ^ words[2], g ^ words[6]),
            product(d ^ words[3], h ^ words[7]),
        ];
        e = e.wrapping_add(p[1]);
        f = f.wrapping_add(q[1]);
        g = g.wrapping_add(r[1]);
        h = h.wrapping_add(s[1]);
        (b, c, d, a) = (e ^ q[0], f ^ r[0], g ^ s[0], h ^ p[0]);
    }
    [a, b, c, d, e, f, g, h]
}

/// The pair after two words more.
#[inline(always)]
fn step([low, high]: [u64; 2], words: [u64; 2]) -> [u64; 2] {
    mixed_by([low ^ words[0], high ^ words[1]], high)
}

const fn mixed(pair: [u64; 2]) -> [u64; 2] {
    mixed_by(pair, pair[1])
}

#[inline(always)]
const fn mixed_by(factors: [u64; 2], high: u64) -> [u64; 2] {
    let product = product(factors[0], factors[1]);
    let high = high.wrapping_add(product[1]);
    [high ^ product[0], high]
}
