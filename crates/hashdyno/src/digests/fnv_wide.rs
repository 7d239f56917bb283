//! Fowler-Noll-Vo hashes of 128 to 1024 bits (RFC 9923): those of `fnv` in words of 64 bits. The
//! most significant byte comes first, as the code in the RFC and Go have it.
//!
//! ```text
//! FNV-1a: hash = (hash ^ byte) * prime              FNV-1: hash = (hash * prime) ^ byte
//! prime = 2^power + rest, with a rest of 9 bits:    hash * prime = hash << power + hash * rest
//! ```
//!
//! The product is modulo 2^(64 WORDS). A word of the product takes one multiplication and two parts
//! of the shifted hash.

use crate::parts::barrier;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::unroll::sixteen;
use crate::{Digest, Features, Kernel, Purpose, Security};

digests! {
    FNV1_128 fnv1_128 Fnv1_128: u128,
    FNV1A_128 fnv1a_128 Fnv1a128: u128,
    FNV1_256 fnv1_256 Fnv1_256: [u8; 32],
    FNV1A_256 fnv1a_256 Fnv1a256: [u8; 32],
    FNV1_512 fnv1_512 Fnv1_512: [u8; 64],
    FNV1A_512 fnv1a_512 Fnv1a512: [u8; 64],
    FNV1_1024 fnv1_1024 Fnv1_1024: [u8; 128],
    FNV1A_1024 fnv1a_1024 Fnv1a1024: [u8; 128],
}

macro_rules! digest {
    (
        $constant:ident, $words:literal, $first:literal,
        $name:literal
    ) => {
        static $constant: Digest = Digest {
            name: $name,
            one: &[portable::<Fnv<$words, $first>>()],
            ..base::<Fnv<$words, $first>>()
        };
    };
}

digest!(FNV1_128, 2, false, "fnv1-128");
digest!(FNV1A_128, 2, true, "fnv1a-128");
digest!(FNV1_256, 4, false, "fnv1-256");
digest!(FNV1A_256, 4, true, "fnv1a-256");
digest!(FNV1_512, 8, false, "fnv1-512");
digest!(FNV1A_512, 8, true, "fnv1a-512");
digest!(FNV1_1024, 16, false, "fnv1-1024");
digest!(FNV1A_1024, 16, true, "fnv1a-1024");

const fn base<C: Checksum>() -> Digest {
    Digest {
        family: "fnv-wide",
        purpose: Purpose::HashTable,
        specified_in: "RFC 9923",
        security: Security::Checksum,
        output_len: C::LEN,
        block_len: 1,
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: &[],
        ..Digest::BASE
    }
}

/// FNV-1a where the byte comes `FIRST`, FNV-1 where the multiplication does.
struct Fnv<const WORDS: usize, const FIRST: bool>;

impl<const WORDS: usize, const FIRST: bool> Checksum for Fnv<WORDS, FIRST> {
    /// The lowest word first.
    type Register = [u64; WORDS];
    const START: [u64; WORDS] = {
        let (mut start, mut byte) = ([0; WORDS], 0);
        while byte < AUTHORS.len() {
            start = constant_times_prime(start);
            start[0] ^= AUTHORS[byte] as u64;
            byte += 1;
        }
        start
    };

    #[inline(always)]
    fn finish(hash: [u64; WORDS], _: &[u8], _: u64, out: &mut [u8]) {
        for (out, word) in out.chunks_mut(8).zip(hash.iter().rev()) {
            out.copy_from_slice(&word.to_be_bytes());
        }
    }
}

/// The offset basis is the hash of this line, from zero (section 2.3).
const AUTHORS: &[u8; 32] = b"chongo <Landon Curt Noll> /\\../\\";

const fn portable<C: Fnvs>() -> Kernel {
    checksum_kernel!("portable", Features::empty(), C: Fnvs, after::<C>)
}

#[inline]
fn after<C: Fnvs>(hash: C::Register, bytes: &[u8]) -> C::Register {
    C::after(hash, bytes)
}

/// What [`Fnv`] of every size is.
trait Fnvs: Checksum {
    /// The hash after some bytes more.
    fn after(hash: Self::Register, bytes: &[u8]) -> Self::Register;
}

impl<const WORDS: usize, const FIRST: bool> Fnvs for Fnv<WORDS, FIRST> {
    /// FNV-1a is FNV-1 from the first byte on, multiplied once more: one loop serves both, the one
    /// of which the compiler makes shorter code.
    #[inline(always)]
    fn after(hash: [u64; WORDS], bytes: &[u8]) -> [u64; WORDS] {
        if !FIRST {
            return bytes.iter().fold(hash, |hash, byte| with(times_prime(hash), *byte));
        }
        match bytes {
            [first, bytes @ ..] => {
                times_prime(Fnv::<WORDS, false>::after(with(hash, *first), bytes))
            }
            [] => hash,
        }
    }
}

#[inline(always)]
fn with<const WORDS: usize>(mut hash: [u64; WORDS], byte: u8) -> [u64; WORDS] {
    hash[0] ^= u64::from(byte);
    hash
}

/// The product by the prime, which is a power of two and a number of few bits. `$opaque` gives back
/// the word that it is given.
macro_rules! times_prime {
    ($hash:ident, $opaque:path) => {{
        let (power, rest) = const { prime(WORDS) };
        // No prime has a power that is whole words, so `64 - bits` is a distance of a word.
        let (words, bits) = (power / 64, power % 64);
        let (mut product, mut carry) = ([0; WORDS], 0u128);
        // Unrolled: a loop would read the hash of 1024 bits from memory, word by word.
        sixteen!(WORD => {
            if WORD < WORDS {
                // The product is below 2^73 and each part below 2^64: the sum has 128 bits at most.
                carry >>= 64;
                if WORD >= words {
                    let mut shifted = $hash[WORD - words] << bits;
                    if WORD > words {
                        // Else the two are one instruction, six operations of AMD's cores.
                        shifted |= $opaque($hash[WORD - words - 1] >> (64 - bits));
                    }
                    carry += shifted as u128;
                }
                carry += $hash[WORD] as u128 * rest as u128;
                product[WORD] = carry as u64;
            }
        });
        product
    }};
}

#[inline(always)]
fn times_prime<const WORDS: usize>(hash: [u64; WORDS]) -> [u64; WORDS] {
    times_prime!(hash, barrier::word)
}

/// The same while the library is compiled.
const fn constant_times_prime<const WORDS: usize>(hash: [u64; WORDS]) -> [u64; WORDS] {
    const fn same(word: u64) -> u64 {
        word
    }
    times_prime!(hash, same)
}

/// The exponent of the power and the rest (section 2.2).
const fn prime(words: usize) -> (usize, u64) {
    match words {
        2 => (88, 0x13b),
        4 => (168, 0x163),
        8 => (344, 0x157),
        _ => (680, 0x18d),
    }
}
