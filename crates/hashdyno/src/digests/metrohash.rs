//! MetroHash (J. A. Rogers, 2015) of 64 and of 128 bits, seed 0, as its classes compute it; each
//! word's least significant byte comes first.
//!
//! The functions metrohash64_1 to metrohash128crc_2 are not here: they take the message's length
//! before its first byte.
//!
//! ```text
//! block of 32 bytes, words w0 .. w3, factors k0 .. k3 of the class:
//!     a = (a + w0 * k0) >>> 29 + c          c = (c + w2 * k2) >>> 29 + a
//!     b = (b + w1 * k1) >>> 29 + d          d = (d + w3 * k3) >>> 29 + b
//! after the last block: `joined`
//! rest: 16, 8, 4, 2 and 1 bytes, each where its bit of the length is set; a last mixing
//! ```

use crate::parts::arrays::Mapped;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::words::{words_of, write};
use crate::{Digest, Features, Purpose, Security};

digests! {
    METROHASH64 metrohash64 Metrohash64,
    METROHASH128 metrohash128 Metrohash128,
}

static METROHASH64: Digest = Digest {
    name: "metrohash64",
    aliases: &["metro64"],
    one: &[checksum_kernel!("portable", Features::empty(), Metro64, after::<Metro64>)],
    ..base::<Metro64>()
};

static METROHASH128: Digest = Digest {
    name: "metrohash128",
    aliases: &["metro128"],
    one: &[checksum_kernel!("portable", Features::empty(), Metro128, after::<Metro128>)],
    ..base::<Metro128>()
};

const fn base<C: Checksum>() -> Digest {
    Digest {
        family: "metrohash",
        purpose: Purpose::HashTable,
        specified_in: "MetroHash 1.1.3 (J. A. Rogers)",
        security: Security::Checksum,
        output_len: C::LEN,
        block_len: C::BLOCK,
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: &[],
        ..Digest::BASE
    }
}

/// A hash that takes four words at a time.
trait Metro: Checksum<Register = [u64; 4]> {
    const K: [u64; 4];
    /// How far the registers are turned when the blocks have ended.
    const TURN: u32;
}

#[inline(always)]
fn after<M: Metro>([mut a, mut b, mut c, mut d]: [u64; 4], bytes: &[u8]) -> [u64; 4] {
    for block in bytes.as_chunks::<32>().0 {
        let words: [u64; 4] = words_of(block);
        let turned = |register: u64, index: usize| {
            register.wrapping_add(words[index].wrapping_mul(M::K[index])).rotate_right(29)
        };
        // In this order: c and d add the new a and b.
        a = turned(a, 0).wrapping_add(c);
        b = turned(b, 1).wrapping_add(d);
        c = turned(c, 2).wrapping_add(a);
        d = turned(d, 3).wrapping_add(b);
    }
    [a, b, c, d]
}

/// The registers when the blocks have ended.
#[inline(always)]
fn joined<M: Metro>([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    let [k0, k1, ..] = M::K;
    let turned = |x: u64, y: u64, z: u64, by: u64, times: u64| {
        let sum = x.wrapping_add(y).wrapping_mul(by).wrapping_add(z);
        sum.rotate_right(M::TURN).wrapping_mul(times)
    };
    c ^= turned(a, d, b, k0, k1);
    d ^= turned(b, c, a, k1, k0);
    a ^= turned(a, c, d, k0, k1);
    b ^= turned(b, d, c, k1, k0);
    [a, b, c, d]
}

/// The next `LEN` bytes, if as many are left.
#[inline(always)]
fn next<'m, const LEN: usize>(rest: &mut &'m [u8]) -> Option<&'m [u8; LEN]> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(bytes)
}

struct Metro64;

impl Metro for Metro64 {
    const K: [u64; 4] = [0xd6d0_18f5, 0xa2aa_033b, 0x6299_2fc1, 0x30bc_5b29];
    const TURN: u32 = 37;
}

/// Every register of [`Metro64`] starts from it.
const START: u64 = Metro64::K[2].wrapping_mul(Metro64::K[0]);

impl Checksum for Metro64 {
    type Register = [u64; 4];
    const START: [u64; 4] = [START; 4];
    const BLOCK: usize = 32;
    const LEN: usize = 8;

    #[inline(always)]
    fn finish(register: [u64; 4], mut rest: &[u8], len: u64, out: &mut [u8]) {
        let [k0, k1, k2, k3] = Self::K;
        // A message shorter than a block has no registers, so its hash begins as the start value.
        let mut hash = START;
        if len >= 32 {
            let [a, b, ..] = joined::<Self>(register);
            hash = hash.wrapping_add(a ^ b);
        }
        if let Some(pair) = next(&mut rest) {
            let [mut a, mut b] = words_of::<16, 2>(pair).mapped(|word| {
                hash.wrapping_add(word.wrapping_mul(k2)).rotate_right(29).wrapping_mul(k3)
            });
            a ^= a.wrapping_mul(k0).rotate_right(21).wrapping_add(b);
            b ^= b.wrapping_mul(k3).rotate_right(21).wrapping_add(a);
            hash = hash.wrapping_add(b);
        }
        let mut take = |value: u64, turn: u32| {
            hash = hash.wrapping_add(value.wrapping_mul(k3));
            hash ^= hash.rotate_right(turn).wrapping_mul(k1);
        };
        if let Some(word) = next(&mut rest) {
            take(u64::from_le_bytes(*word), 55);
        }
        if let Some(four) = next(&mut rest) {
            take(u32::from_le_bytes(*four).into(), 26);
        }
        if let Some(two) = next(&mut rest) {
            take(u16::from_le_bytes(*two).into(), 48);
        }
        if let [one] = rest {
            take((*one).into(), 37);
        }
        hash = (hash ^ hash.rotate_right(28)).wrapping_mul(k0);
        write((hash ^ hash.rotate_right(29)).to_le_bytes(), out);
    }
}

struct Metro128;

impl Metro for Metro128 {
    const K: [u64; 4] = [0xc83a_91e1, 0x8648_dbdb, 0x7bde_c03b, 0x2f58_70a5];
    const TURN: u32 = 21;
}

impl Checksum for Metro128 {
    type Register = [u64; 4];
    const START: [u64; 4] = {
        let [k0, k1, k2, k3] = Self::K;
        [
            k0.wrapping_neg().wrapping_mul(k3),
            k1.wrapping_mul(k2),
            k0.wrapping_mul(k2),
            k1.wrapping_neg().wrapping_mul(k3),
        ]
    };
    const BLOCK: usize = 32;
    const LEN: usize = 16;

    #[inline(always)]
    fn finish(register: [u64; 4], mut rest: &[u8], len: u64, out: &mut [u8]) {
        let [k0, k1, k2, k3] = Self::K;
        // A shorter message takes a and b as they start.
        let [mut a, mut b, ..] = if len >= 32 { joined::<Self>(register) } else { register };
        let turned = |register: u64, value: u64| {
            register.wrapping_add(value.wrapping_mul(k2)).rotate_right(33).wrapping_mul(k3)
        };
        let onto_a = |a: u64, b: u64, turn: u32| {
            a ^ a.wrapping_mul(k2).wrapping_add(b).rotate_right(turn).wrapping_mul(k1)
        };
        let onto_b = |b: u64, a: u64, turn: u32| {
            b ^ b.wrapping_mul(k3).wrapping_add(a).rotate_right(turn).wrapping_mul(k0)
        };
        if let Some(pair) = next::<16>(&mut rest) {
            let [low, high] = words_of(pair);
            (a, b) = (turned(a, low), turned(b, high));
            a = onto_a(a, b, 45);
            b = onto_b(b, a, 45);
        }
        if let Some(word) = next(&mut rest) {
            a = onto_a(turned(a, u64::from_le_bytes(*word)), b, 27);
        }
        if let Some(four) = next(&mut rest) {
            b = onto_b(turned(b, u32::from_le_bytes(*four).into()), a, 46);
        }
        if let Some(two) = next(&mut rest) {
            a = onto_a(turned(a, u16::from_le_bytes(*two).into()), b, 22);
        }
        if let [one] = rest {
            b = onto_b(turned(b, (*one).into()), a, 58);
        }
        // Four turns of one step, as the reference has them, with other factors and distances.
        let last = |x: u64, y: u64, by: u64, turn: u32| {
            x.wrapping_add(x.wrapping_mul(by).wrapping_add(y).rotate_right(turn))
        };
        a = last(a, b, k0, 13);
        b = last(b, a, k1, 37);
        a = last(a, b, k2, 13);
        b = last(b, a, k3, 37);
        write::<16>(bytemuck::cast([a.to_le_bytes(), b.to_le_bytes()]), out);
    }
}
