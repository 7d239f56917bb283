//! Messages of up to 240 bytes: four algorithms, by length, each for 64 and for 128 bits.

use super::{avalanche, folded_product, key};
use crate::digests::xxh::{PRIMES32, PRIMES64, avalanche64};

/// The hash of 64 bits.
pub(super) fn hash64(bytes: &[u8]) -> u64 {
    match bytes.len() {
        0 => avalanche64(key(56) ^ key(64)),
        1..=3 => avalanche64(u64::from(few(bytes)) ^ (key(0) & LOW ^ key(0) >> 32)),
        4..=8 => rrmxmx(u64::from(word32(bytes, 0)).rotate_left(32) | last32(bytes), bytes.len()),
        9..=16 => two_words64(bytes),
        17..=128 => avalanche(ends(bytes).fold(start(bytes), |sum, (i, head, tail)| {
            sum.wrapping_add(mixed(bytes, head, 32 * i)).wrapping_add(mixed(bytes, tail, 32 * i + 16))
        })),
        len => {
            let first = avalanche((0..8).fold(start(bytes), |sum, i| sum.wrapping_add(mixed(bytes, 16 * i, 16 * i))));
            let rest = (8..len / 16).fold(first, |sum, i| sum.wrapping_add(mixed(bytes, 16 * i, 16 * (i - 8) + 3)));
            avalanche(rest.wrapping_add(mixed(bytes, len - 16, 119)))
        }
    }
}

/// The hash of 128 bits.
pub(super) fn hash128(bytes: &[u8]) -> u128 {
    match bytes.len() {
        0 => join(avalanche64(key(64) ^ key(72)), avalanche64(key(80) ^ key(88))),
        1..=3 => {
            let few = few(bytes);
            let low = u64::from(few) ^ (key(0) & LOW ^ key(0) >> 32);
            let high = u64::from(few.swap_bytes().rotate_left(13)) ^ (key(8) & LOW ^ key(8) >> 32);
            join(avalanche64(low), avalanche64(high))
        }
        4..=8 => one_word128(bytes),
        9..=16 => two_words128(bytes),
        17..=128 => {
            sealed(bytes, ends(bytes).fold([start(bytes), 0], |sums, (i, head, tail)| both(sums, bytes, head, tail, 32 * i)))
        }
        len => {
            let first = (0..4).fold([start(bytes), 0], |sums, i| both(sums, bytes, 32 * i, 32 * i + 16, 32 * i));
            let rest = (4..len / 32).fold(first.map(avalanche), |sums, i| both(sums, bytes, 32 * i, 32 * i + 16, 32 * i - 125));
            sealed(bytes, both(rest, bytes, len - 16, len - 32, 103))
        }
    }
}

const LOW: u64 = 0xffff_ffff;
const MIX: u64 = 0x9fb2_1c65_1e98_df25;

/// One to three bytes and their number.
fn few(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[bytes.len() - 1], bytes.len() as u8, bytes[0], bytes[bytes.len() / 2]])
}

fn rrmxmx(word: u64, len: usize) -> u64 {
    let mut hash = word ^ key(8) ^ key(16);
    hash = (hash ^ hash.rotate_left(49) ^ hash.rotate_left(24)).wrapping_mul(MIX);
    hash = (hash ^ (hash >> 35).wrapping_add(len as u64)).wrapping_mul(MIX);
    hash ^ hash >> 28
}

fn two_words64(bytes: &[u8]) -> u64 {
    let low = word(bytes, 0) ^ key(24) ^ key(32);
    let high = word(bytes, bytes.len() - 8) ^ key(40) ^ key(48);
    let sum = (bytes.len() as u64).wrapping_add(low.swap_bytes()).wrapping_add(high);
    avalanche(sum.wrapping_add(folded_product(low, high)))
}

fn one_word128(bytes: &[u8]) -> u128 {
    let keyed = (u64::from(word32(bytes, 0)) | last32(bytes) << 32) ^ key(16) ^ key(24);
    let [mut low, mut high] = product(keyed, PRIMES64[1] + 4 * bytes.len() as u64);
    high = high.wrapping_add(low << 1);
    low ^= high >> 3;
    low = (low ^ low >> 35).wrapping_mul(MIX);
    join(low ^ low >> 28, avalanche(high))
}

fn two_words128(bytes: &[u8]) -> u128 {
    let (first, second) = (word(bytes, 0), word(bytes, bytes.len() - 8));
    let [mut low, mut high] = product(first ^ second ^ key(32) ^ key(40), PRIMES64[1]);
    low = low.wrapping_add((bytes.len() as u64 - 1) << 54);
    let second = second ^ key(48) ^ key(56);
    high = high.wrapping_add(second).wrapping_add((second & LOW) * u64::from(PRIMES32[2] - 1));
    let [low, carried] = product(low ^ high.swap_bytes(), PRIMES64[2]);
    join(avalanche(low), avalanche(carried.wrapping_add(high.wrapping_mul(PRIMES64[2]))))
}

/// For 17 to 128 bytes: the number of a pair of 16 bytes, and where its two are, one from the front, one from the end, the
/// innermost first.
fn ends(bytes: &[u8]) -> impl Iterator<Item = (usize, usize, usize)> {
    let len = bytes.len();
    (0..=(len - 1) / 32).rev().map(move |i| (i, 16 * i, len - 16 * (i + 1)))
}

fn start(bytes: &[u8]) -> u64 {
    (bytes.len() as u64).wrapping_mul(PRIMES64[1])
}

/// 16 bytes of the message with 16 of the secret.
#[inline(always)]
fn mixed(bytes: &[u8], at: usize, secret: usize) -> u64 {
    folded_product(word(bytes, at) ^ key(secret), word(bytes, at + 8) ^ key(secret + 8))
}

/// Twice 16 bytes of the message with 32 of the secret.
#[inline(always)]
fn both([low, high]: [u64; 2], bytes: &[u8], one: usize, two: usize, secret: usize) -> [u64; 2] {
    let sum = |at: usize| word(bytes, at).wrapping_add(word(bytes, at + 8));
    let low = low.wrapping_add(mixed(bytes, one, secret)) ^ sum(two);
    let high = high.wrapping_add(mixed(bytes, two, secret + 16)) ^ sum(one);
    [low, high]
}

fn sealed(bytes: &[u8], [low, high]: [u64; 2]) -> u128 {
    let len = (bytes.len() as u64).wrapping_mul(PRIMES64[2]);
    let product = low.wrapping_mul(PRIMES64[1]).wrapping_add(high.wrapping_mul(PRIMES64[4])).wrapping_add(len);
    join(avalanche(low.wrapping_add(high)), avalanche(product).wrapping_neg())
}

fn product(a: u64, b: u64) -> [u64; 2] {
    let product = u128::from(a) * u128::from(b);
    [product as u64, (product >> 64) as u64]
}

fn join(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|index| bytes[at..][..8][index]))
}

fn word32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|index| bytes[at..][..4][index]))
}

fn last32(bytes: &[u8]) -> u64 {
    word32(bytes, bytes.len() - 4).into()
}
