//! Messages of up to 240 bytes with a seed or a secret. Those without are another file's, whose
//! words of the secret are known to the compiler.
//!
//! | bytes | reference function | bytes of the secret, 64 bits | 128 bits |
//! |---|---|---|---|
//! | 0 | | 56 to 71 | 64 to 95 |
//! | 1 to 3 | `XXH3_len_1to3` | 0 to 7 | 0 to 15 |
//! | 4 to 8 | `XXH3_len_4to8` | 8 to 23 | 16 to 31 |
//! | 9 to 16 | `XXH3_len_9to16` | 24 to 55 | 32 to 63 |
//! | 17 to 128 | `XXH3_len_17to128` | 32 for each 32 bytes | the same |
//! | 129 to 240 | `XXH3_len_129to240` | from 0, then from 3, the last from 119 or 103 | the same |
//!
//! Two words of the secret meet two words of the message. The seed is added to the first word of
//! the secret and subtracted from the second.

use super::short::{LOW, MIX, few, join, outer_halves};
use super::{Hash, PRIMES32, PRIMES64, Sums, avalanche, folded_product};
use crate::digests::xxh::avalanche64;
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::words::product;

/// The hash of 64 or of 128 bits under a secret.
pub(super) trait Keys: Hash {
    /// That of up to 240 bytes.
    fn short(bytes: &[u8], secret: &[u8], seed: u64) -> Self;
    /// That of more bytes, so many, of which these are the sums.
    fn joined(sums: Sums, len: u64, secret: &[u8]) -> Self;
}

impl Keys for u64 {
    fn short(bytes: &[u8], secret: &[u8], seed: u64) -> Self {
        let (len, key) = (bytes.len() as u64, |at| word(secret, at));
        match bytes.len() {
            0 => avalanche64(seed ^ key(56) ^ key(64)),
            1..=3 => {
                let flip = (key(0) & LOW ^ key(0) >> 32).wrapping_add(seed);
                avalanche64(u64::from(few(bytes)) ^ flip)
            }
            4..=8 => {
                let [first, last] = outer_halves(bytes);
                let flip = (key(8) ^ key(16)).wrapping_sub(twice(seed));
                let mut hash = (last | first << 32) ^ flip;
                hash ^= hash.rotate_left(49) ^ hash.rotate_left(24);
                hash = hash.wrapping_mul(MIX);
                hash = (hash ^ (hash >> 35).wrapping_add(len)).wrapping_mul(MIX);
                hash ^ hash >> 28
            }
            9..=16 => {
                let low = word(bytes, 0) ^ (key(24) ^ key(32)).wrapping_add(seed);
                let high = word(bytes, bytes.len() - 8) ^ (key(40) ^ key(48)).wrapping_sub(seed);
                let sum = len.wrapping_add(low.swap_bytes()).wrapping_add(high);
                avalanche(sum.wrapping_add(folded_product(low, high)))
            }
            17..=128 => {
                let mut sum = len.wrapping_mul(PRIMES64[1]);
                // From both ends to the middle, where the two may overlap.
                for i in 0..(bytes.len() - 1) / 32 + 1 {
                    sum =
                        sum.wrapping_add(mixed(bytes, 16 * i, secret, 32 * i, seed)).wrapping_add(
                            mixed(bytes, bytes.len() - 16 * (i + 1), secret, 32 * i + 16, seed),
                        );
                }
                avalanche(sum)
            }
            _ => {
                // The last key is at `XXH3_SECRET_SIZE_MIN - 17`, however long the secret is.
                let step =
                    |sum: u64, at, key| sum.wrapping_add(mixed(bytes, at, secret, key, seed));
                let first =
                    (0..8).fold(len.wrapping_mul(PRIMES64[1]), |sum, i| step(sum, 16 * i, 16 * i));
                let rest = (8..bytes.len() / 16)
                    .fold(avalanche(first), |sum, i| step(sum, 16 * i, 16 * (i - 8) + 3));
                avalanche(step(rest, bytes.len() - 16, SHORTEST_SECRET - 17))
            }
        }
    }

    fn joined(sums: Sums, len: u64, secret: &[u8]) -> Self {
        joined(sums, secret, 11, len.wrapping_mul(PRIMES64[1]))
    }
}

impl Keys for u128 {
    fn short(bytes: &[u8], secret: &[u8], seed: u64) -> Self {
        let (len, key) = (bytes.len() as u64, |at| word(secret, at));
        match bytes.len() {
            0 => join(avalanche64(seed ^ key(64) ^ key(72)), avalanche64(seed ^ key(80) ^ key(88))),
            1..=3 => {
                let few = few(bytes);
                let low = (key(0) & LOW ^ key(0) >> 32).wrapping_add(seed);
                let high = (key(8) & LOW ^ key(8) >> 32).wrapping_sub(seed);
                // The upper half hashes the same bytes in another order.
                let turned = few.swap_bytes().rotate_left(13);
                join(avalanche64(u64::from(few) ^ low), avalanche64(u64::from(turned) ^ high))
            }
            4..=8 => {
                let [first, last] = outer_halves(bytes);
                let flip = (key(16) ^ key(24)).wrapping_add(twice(seed));
                let [mut low, mut high] =
                    product((first | last << 32) ^ flip, PRIMES64[1].wrapping_add(len << 2));
                high = high.wrapping_add(low << 1);
                low ^= high >> 3;
                low = (low ^ low >> 35).wrapping_mul(MIX);
                join(low ^ low >> 28, avalanche(high))
            }
            9..=16 => {
                let (first, last) = (word(bytes, 0), word(bytes, bytes.len() - 8));
                let flip = (key(32) ^ key(40)).wrapping_sub(seed);
                let [low, high] = product(first ^ last ^ flip, PRIMES64[1]);
                let low = low.wrapping_add((len - 1) << 54);
                let last = last ^ (key(48) ^ key(56)).wrapping_add(seed);
                let high = high
                    .wrapping_add(last)
                    .wrapping_add((last & LOW).wrapping_mul(u64::from(PRIMES32[2] - 1)));
                let [low, carried] = product(low ^ high.swap_bytes(), PRIMES64[2]);
                let carried = carried.wrapping_add(high.wrapping_mul(PRIMES64[2]));
                join(avalanche(low), avalanche(carried))
            }
            17..=128 => {
                let start = [len.wrapping_mul(PRIMES64[1]), 0];
                let sums = (0..(bytes.len() - 1) / 32 + 1).rev().fold(start, |sums, i| {
                    both(sums, bytes, [16 * i, bytes.len() - 16 * (i + 1)], secret, 32 * i, seed)
                });
                sealed(sums, len, seed)
            }
            _ => {
                let step =
                    |sums, i, key| both(sums, bytes, [32 * i, 32 * i + 16], secret, key, seed);
                let start = [len.wrapping_mul(PRIMES64[1]), 0];
                let first = (0..4).fold(start, |sums, i| step(sums, i, 32 * i));
                let rest = (4..bytes.len() / 32)
                    .fold(first.mapped(avalanche), |sums, i| step(sums, i, 32 * (i - 4) + 3));
                let ends = [bytes.len() - 16, bytes.len() - 32];
                // The last 32 bytes come the other way round, and so does the sign of the seed.
                let last = SHORTEST_SECRET - 17 - 16;
                sealed(both(rest, bytes, ends, secret, last, seed.wrapping_neg()), len, seed)
            }
        }
    }

    fn joined(sums: Sums, len: u64, secret: &[u8]) -> Self {
        let high = joined(sums, secret, secret.len() - 64 - 11, !len.wrapping_mul(PRIMES64[2]));
        join(<u64 as Keys>::joined(sums, len, secret), high)
    }
}

/// The shortest secret that the specification allows. Short messages take no more of any.
pub(super) const SHORTEST_SECRET: usize = 136;

/// The seed with its lower half, turned round, added without carry to the upper.
fn twice(seed: u64) -> u64 {
    seed ^ u64::from((seed as u32).swap_bytes()) << 32
}

/// The sums joined to one, by the secret from byte `at` on. Compiled into its callers: most know
/// the secret.
#[inline(always)]
pub(super) fn joined(sums: Sums, secret: &[u8], at: usize, start: u64) -> u64 {
    let pairs = sums.as_chunks::<2>().0.iter().enumerate();
    avalanche(pairs.fold(start, |hash, (index, pair)| {
        // As words: the compiler would take known keys in vectors, and put the sums in another
        // order for it.
        let [low, high] = pair.mapped(barrier::word);
        let key = |part| word(secret, at + 16 * index + part);
        hash.wrapping_add(folded_product(low ^ key(0), high ^ key(8)))
    }))
}

/// Two words of the message with those of the secret and the seed.
fn mixed(bytes: &[u8], at: usize, secret: &[u8], key: usize, seed: u64) -> u64 {
    folded_product(
        word(bytes, at) ^ word(secret, key).wrapping_add(seed),
        word(bytes, at + 8) ^ word(secret, key + 8).wrapping_sub(seed),
    )
}

/// Twice 16 bytes of the message with 32 of the secret.
fn both(
    [low, high]: [u64; 2],
    bytes: &[u8],
    [one, two]: [usize; 2],
    secret: &[u8],
    key: usize,
    seed: u64,
) -> [u64; 2] {
    let sum = |at| word(bytes, at).wrapping_add(word(bytes, at + 8));
    [
        low.wrapping_add(mixed(bytes, one, secret, key, seed)) ^ sum(two),
        high.wrapping_add(mixed(bytes, two, secret, key + 16, seed)) ^ sum(one),
    ]
}

fn sealed([low, high]: [u64; 2], len: u64, seed: u64) -> u128 {
    let product = low
        .wrapping_mul(PRIMES64[1])
        .wrapping_add(high.wrapping_mul(PRIMES64[4]))
        .wrapping_add(len.wrapping_sub(seed).wrapping_mul(PRIMES64[2]));
    join(avalanche(low.wrapping_add(high)), avalanche(product).wrapping_neg())
}

/// The word at byte `at`.
#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("eight bytes"))
}
