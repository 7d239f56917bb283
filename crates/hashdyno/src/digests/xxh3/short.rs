//! Messages of up to 240 bytes: five algorithms, by length, each for 64 and for 128 bits.
//!
//! | bytes | reference | 64 bits | 128 bits |
//! |---|---|---|---|
//! | 0 | | `few64` | `few128` |
//! | 1 to 3 | `XXH3_len_1to3` | `few64` | `few128` |
//! | 4 to 8 | `XXH3_len_4to8` | `rrmxmx` | `one_word128` |
//! | 9 to 16 | `XXH3_len_9to16` | `two_words64` | `two_words128` |
//! | 17 to 128 | `XXH3_len_17to128` | `ends64` | `ends128` |
//! | 129 to 240 | `XXH3_len_129to240` | `run64` | `run128` |
//!
//! Words of 4 to 16 bytes overlap instead of being filled up: two loads take any length. Sums of
//! seed and secret are constants here, because the seed is 0.

use super::{SECRET, Secret, avalanche, key};
use crate::digests::xxh::{PRIMES32, PRIMES64, avalanche64};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::words::{at_most, folded_product, product};

/// Does it for 16 bytes of both ends at a time, the innermost first. One way for all lengths, which
/// longer ones enter sooner: a way for each would end in code that the compiler takes for common,
/// and it joins them there by way of vectors.
macro_rules! by_length {
    ($bytes:ident, $i:ident => $step:expr) => {
        if $bytes.len() > 32 {
            if $bytes.len() > 64 {
                if $bytes.len() > 96 {
                    let $i = 3;
                    $step;
                }
                let $i = 2;
                $step;
            }
            let $i = 1;
            $step;
        }
        let $i = 0;
        $step;
    };
}

/// The hash of 64 bits of up to 16 bytes.
#[inline(always)]
pub(super) fn few64(bytes: &[u8]) -> u64 {
    match bytes.len() {
        4..=8 => rrmxmx(outer_halves(bytes), bytes.len()),
        9.. => two_words64(bytes),
        1..=3 => avalanche64(u64::from(few(bytes)) ^ (key(0) & LOW ^ key(0) >> 32)),
        0 => avalanche64(key(56) ^ key(64)),
    }
}

/// The hash of 64 bits of 17 to 128 bytes: 16 from the front and 16 from the end at a time, and as
/// much of both as there is.
#[inline(always)]
pub(super) fn ends64(bytes: &[u8]) -> u64 {
    let (secret, mut taken) = (barrier::loaded(&SECRET), (start(bytes), bytes));
    by_length!(bytes, i => taken = added_ends(taken, i, secret));
    avalanche(taken.0)
}

/// The hash of 64 bits of 129 to 240 bytes.
#[inline(always)]
pub(super) fn run64(bytes: &[u8]) -> u64 {
    // An avalanche follows the first eight blocks of 16 bytes; up to seven more come then.
    let (first, others) = bytes.as_chunks().0.split_at(8);
    let others = at_most::<7, _>(others).enumerate();
    let sum = first.iter().enumerate().fold(start(bytes), |sum, (i, block)| {
        sum.wrapping_add(mixed(words(block), &SECRET, 16 * i))
    });
    let rest = others.fold(avalanche(sum), |sum, (i, block)| {
        sum.wrapping_add(mixed(words(block), &SECRET, 16 * i + 3))
    });
    avalanche(rest.wrapping_add(mixed(words(last(bytes)), &SECRET, 119)))
}

/// The hash of 128 bits of up to 16 bytes.
#[inline(always)]
pub(super) fn few128(bytes: &[u8]) -> u128 {
    match bytes.len() {
        4..=8 => one_word128(bytes),
        9.. => two_words128(bytes),
        1..=3 => {
            let few = few(bytes);
            let low = u64::from(few) ^ (key(0) & LOW ^ key(0) >> 32);
            let high = u64::from(few.swap_bytes().rotate_left(13)) ^ (key(8) & LOW ^ key(8) >> 32);
            join(avalanche64(low), avalanche64(high))
        }
        0 => join(avalanche64(key(64) ^ key(72)), avalanche64(key(80) ^ key(88))),
    }
}

/// The hash of 128 bits of 17 to 128 bytes, as [`ends64`].
#[inline(always)]
pub(super) fn ends128(bytes: &[u8]) -> u128 {
    let (secret, mut sums, mut bytes) = (barrier::loaded(&SECRET), [start(bytes), 0], bytes);
    by_length!(bytes, i => (sums, bytes) = both_ends(sums, bytes, i, secret));
    sealed(bytes, sums)
}

/// The hash of 128 bits of 129 to 240 bytes.
#[inline(always)]
pub(super) fn run128(bytes: &[u8]) -> u128 {
    // As `run64`, by 32 bytes: four blocks, up to three more, and the last 32 bytes.
    let (first, others) = bytes.as_chunks().0.split_at(4);
    let sums = first
        .iter()
        .enumerate()
        .fold([start(bytes), 0], |sums, (i, pair)| both(sums, halves(pair), &SECRET, 32 * i));
    let sums = sums.mapped(avalanche);
    let sums = at_most::<3, _>(others)
        .enumerate()
        .fold(sums, |sums, (i, pair)| both(sums, halves(pair), &SECRET, 32 * i + 3));
    let [before, last] = halves(last(bytes));
    sealed(bytes, both(sums, [last, before], &SECRET, 103))
}

pub(super) const LOW: u64 = 0xffff_ffff;
pub(super) const MIX: u64 = 0x9fb2_1c65_1e98_df25;

/// One to three bytes and their number.
#[inline(always)]
pub(super) fn few(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([
        bytes[bytes.len() - 1],
        bytes.len() as u8,
        bytes[0],
        bytes[bytes.len() / 2],
    ])
}

#[inline(always)]
fn rrmxmx([first, last]: [u64; 2], len: usize) -> u64 {
    static KEYS: u64 = key(8) ^ key(16);
    static FACTOR: u64 = MIX;
    let mut hash = barrier::from_memory!("xor", first << 32 | last, KEYS, |hash, keys| hash ^ keys);
    hash = barrier::from_memory!(
        "imul",
        hash ^ hash.rotate_left(49) ^ hash.rotate_left(24),
        FACTOR,
        u64::wrapping_mul
    );
    hash = barrier::from_memory!(
        "imul",
        hash ^ (hash >> 35).wrapping_add(len as u64),
        FACTOR,
        u64::wrapping_mul
    );
    hash ^ hash >> 28
}

#[inline(always)]
fn two_words64(bytes: &[u8]) -> u64 {
    let [first, last] = outer_words(bytes);
    let (low, high) = (first ^ key(24) ^ key(32), last ^ key(40) ^ key(48));
    let sum = (bytes.len() as u64).wrapping_add(low.swap_bytes()).wrapping_add(high);
    avalanche(sum.wrapping_add(folded_product(low, high)))
}

#[inline(always)]
fn one_word128(bytes: &[u8]) -> u128 {
    let [first, last] = outer_halves(bytes);
    let keyed = (first | last << 32) ^ key(16) ^ key(24);
    let [mut low, mut high] = product(keyed, PRIMES64[1] + 4 * bytes.len() as u64);
    high = high.wrapping_add(low << 1);
    low ^= high >> 3;
    low = (low ^ low >> 35).wrapping_mul(MIX);
    join(low ^ low >> 28, avalanche(high))
}

#[inline(always)]
fn two_words128(bytes: &[u8]) -> u128 {
    let [first, second] = outer_words(bytes);
    let [mut low, mut high] = product(first ^ second ^ key(32) ^ key(40), PRIMES64[1]);
    low = low.wrapping_add((bytes.len() as u64 - 1) << 54);
    let second = second ^ key(48) ^ key(56);
    high = high.wrapping_add(second).wrapping_add((second & LOW) * u64::from(PRIMES32[2] - 1));
    // The product of 128 bits by a prime of 64: the upper word takes the carry of the lower.
    let [low, carried] = product(low ^ high.swap_bytes(), PRIMES64[2]);
    join(avalanche(low), avalanche(carried.wrapping_add(high.wrapping_mul(PRIMES64[2]))))
}

/// Bytes `16 * i` to `16 * i + 15` from the front, and as many from the end.
#[inline(always)]
fn ends(bytes: &[u8], i: usize) -> [&[u8; 16]; 2] {
    let (head, tail) = (16 * i, bytes.len() - 16 * (i + 1));
    [
        bytes[head..].first_chunk().expect("no shorter"),
        bytes[tail..].first_chunk().expect("no shorter"),
    ]
}

#[inline(always)]
fn last<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.last_chunk().expect("no shorter")
}

#[inline(always)]
fn halves(pair: &[u8; 32]) -> [&[u8; 16]; 2] {
    let [head, tail] = bytemuck::cast_ref::<_, [[u8; 16]; 2]>(pair);
    [head, tail]
}

#[inline(always)]
fn start(bytes: &[u8]) -> u64 {
    (bytes.len() as u64).wrapping_mul(PRIMES64[1])
}

/// Two words of the message with those of the secret from `at` on.
#[inline(always)]
fn mixed([low, high]: [u64; 2], secret: &Secret, at: usize) -> u64 {
    let [low_key, high_key] = words(secret[at..].first_chunk().expect("the secret has them"));
    folded_product(low ^ low_key, high ^ high_key)
}

/// The sum and two words of the message with those of the secret from `at` on.
#[inline(always)]
fn added(sum: u64, [low, high]: [u64; 2], secret: &Secret, at: usize) -> u64 {
    barrier::together!(sum, low, high);
    sum.wrapping_add(mixed([low, high], secret, at))
}

/// The sum with the `i`th ends [`added`], and the message. The next words are read after this sum:
/// read sooner, each pair of words costs a move.
#[inline(always)]
fn added_ends<'a>((sum, bytes): (u64, &'a [u8]), i: usize, secret: &Secret) -> (u64, &'a [u8]) {
    let sum = added(sum, words(ends(bytes, i)[0]), secret, 32 * i);
    let (sum, bytes) = barrier::read_after(sum, bytes);
    let sum = added(sum, words(ends(bytes, i)[1]), secret, 32 * i + 16);
    barrier::read_after(sum, bytes)
}

/// Twice 16 bytes of the message with 32 of the secret.
#[inline(always)]
fn both([low, high]: [u64; 2], [one, two]: [&[u8; 16]; 2], secret: &Secret, at: usize) -> [u64; 2] {
    let sum = |block| words(block).into_iter().fold(0, u64::wrapping_add);
    let low = low.wrapping_add(mixed(words(one), secret, at)) ^ sum(two);
    let high = high.wrapping_add(mixed(words(two), secret, at + 16)) ^ sum(one);
    [low, high]
}

/// [`both`] of the `i`th ends with as few registers as can be: none is saved for it. Gives back the
/// message too, whose next words are read after that.
#[inline(always)]
fn both_ends<'a>(
    [low, high]: [u64; 2],
    bytes: &'a [u8],
    i: usize,
    secret: &Secret,
) -> ([u64; 2], &'a [u8]) {
    // Each product is begun after the words' sum and after the product before it.
    let [a, b] = words(ends(bytes, i)[0]);
    let plain = a.wrapping_add(b);
    barrier::together!(low, plain, a, b);
    let low = low.wrapping_add(mixed([a, b], secret, 32 * i));
    let (low, bytes) = barrier::read_after(low, bytes);
    let [c, d] = words(ends(bytes, i)[1]);
    let low = low ^ c.wrapping_add(d);
    barrier::together!(low, plain, c, d);
    let high = high.wrapping_add(mixed([c, d], secret, 32 * i + 16)) ^ plain;
    let (high, bytes) = barrier::read_after(high, bytes);
    barrier::together!(low, high);
    ([low, high], bytes)
}

#[inline(always)]
fn words(block: &[u8; 16]) -> [u64; 2] {
    bytemuck::cast::<_, [u64; 2]>(*block).mapped(u64::from_le)
}

#[inline(always)]
fn sealed(bytes: &[u8], [low, high]: [u64; 2]) -> u128 {
    let len = (bytes.len() as u64).wrapping_mul(PRIMES64[2]);
    let product = low
        .wrapping_mul(PRIMES64[1])
        .wrapping_add(high.wrapping_mul(PRIMES64[4]))
        .wrapping_add(len);
    join(avalanche(low.wrapping_add(high)), avalanche(product).wrapping_neg())
}

#[inline(always)]
pub(super) fn join(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// The first and the last word of messages no shorter.
#[inline(always)]
fn outer_words(bytes: &[u8]) -> [u64; 2] {
    [*bytes.first_chunk().expect("no shorter"), *last(bytes)].mapped(u64::from_le_bytes)
}

#[inline(always)]
pub(super) fn outer_halves(bytes: &[u8]) -> [u64; 2] {
    [*bytes.first_chunk().expect("no shorter"), *last(bytes)]
        .mapped(|half| u32::from_le_bytes(half).into())
}
