//! GOST R 34.11-94 with the four encryptions in one vector: each S-box is a shuffle, and of what it
//! makes of all bytes a blend takes those that are its own.
//!
//! All the rest of the step is linear: sums of permutations of bytes.
//!
//! ```text
//! ymm          lower half: message 0        upper half: message 1, or 0 again
//! data low     low halves of words 0 .. 3   likewise
//! data high    high halves of words 0 .. 3
//! key n        word n of keys 0 .. 3
//!
//! round: word = low + key                   nibbles of all bytes, even and odd
//!        byte n: two VPSHUFB and a sum      for n = 0 .. 3, of all bytes
//!        three blends take byte n of each word from the n-th
//!        high ^= that <<< 11; low and high change names
//! ```

use std::arch::x86_64::*;

use bytemuck::cast;

use super::many::absorb_by;
use super::{C_3, Chain, NIBBLES, add, lanes, shift};
use crate::parts::arrays::Mapped;
use crate::parts::lines::Lines;
use crate::parts::mds::avx2::{Pair, looked_up, sum};
use crate::parts::unroll::sixteen;
use crate::{Batch, Code, Cores, Features, Kernel, State};

pub(super) const fn one<const SET: usize>() -> Kernel {
    Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb::<SET>)).except(Cores::ZEN5)
}

/// Four messages at a time: two in the halves of a vector, and two more where one vector would wait
/// for itself.
pub(super) const fn many<const SET: usize>() -> Kernel {
    Kernel::of("avx2x4", Features::AVX2, Code::Lanes(4, absorb_many::<SET>))
}

#[target_feature(enable = "avx2")]
fn absorb<const SET: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    let mut h = cast(chain.h);
    for block in blocks.as_chunks::<32>().0 {
        add(&mut chain.sum, &cast(*block));
        [h] = step::<1, 1>([h], [cast(*block)], &BOXES[SET]);
    }
    chain.h = cast(h);
}

#[target_feature(enable = "avx2")]
fn absorb_many<const SET: usize>(batch: &mut Batch<'_>) {
    absorb_by::<4>(batch, 2, |h, blocks| {
        *h = cast(step::<4, 2>(cast(*h), cast(*blocks), &BOXES[SET]))
    });
}

/// The step function of some messages, two in a set. What does not wait for the encryption comes
/// after it, or it would wait for that.
#[inline]
#[target_feature(enable = "avx2")]
fn step<const MESSAGES: usize, const SETS: usize>(
    h: [__m256i; MESSAGES],
    block: [__m256i; MESSAGES],
    boxes: &[Pair; 8],
) -> [__m256i; MESSAGES] {
    let (mut data, mut all_keys) =
        ([[_mm256_setzero_si256(); SETS]; 2], [[_mm256_setzero_si256(); SETS]; 8]);
    for set in 0..SETS {
        let (first, second) = (2 * set, (2 * set + 1) % MESSAGES);
        for (data, (a, b)) in data.iter_mut().zip(words(h[first]).into_iter().zip(words(h[second])))
        {
            data[set] = _mm256_set_m128i(b, a);
        }
        for (key, (a, b)) in all_keys
            .iter_mut()
            .zip(keys(h[first], block[first]).into_iter().zip(keys(h[second], block[second])))
        {
            key[set] = _mm256_set_m128i(b, a);
        }
    }
    let [low, high] = encrypt(data, &all_keys, boxes);
    let mut result = h;
    for message in 0..MESSAGES {
        let [low, high] =
            [low, high].mapped(|sets| cast::<_, [__m128i; 2]>(sets[message / 2])[message % 2]);
        let encrypted = [_mm_unpacklo_epi32(high, low), _mm_unpackhi_epi32(high, low)];
        let encrypted = encrypted.mapped(|half| _mm256_broadcastsi128_si256(half));
        // psi^61 h + psi^62 block: the encryption has no part in it. psi^74 of its result comes
        // last.
        let fixed = sum(mixed(halves(h[message]), &PSI_61), mixed(halves(block[message]), &PSI_62));
        result[message] = sum(fixed, mixed(encrypted, &PSI_74));
    }
    result
}

/// The low and the high halves of the four words.
#[inline]
#[target_feature(enable = "avx2")]
fn words(h: __m256i) -> [__m128i; 2] {
    let [a, b] = cast::<_, [__m128; 2]>(h);
    [cast(_mm_shuffle_ps::<0b10_00_10_00>(a, b)), cast(_mm_shuffle_ps::<0b11_01_11_01>(a, b))]
}

/// Words 0 to 7 of the four keys (RFC 5831, 6.1), each vector one word of each: P of the sum of
/// powers of A of both.
#[inline]
#[target_feature(enable = "avx2")]
fn keys(h: __m256i, block: __m256i) -> [__m128i; 8] {
    // Key i is P of A^i h + A^2i block, and of C_3 from the third key on.
    let [u1, u2, u3, _] = shifted(h);
    let [_, v2, v3, v4] = shifted(block);
    let v6 = sum(v2, v3);
    let sums = [
        sum(h, block),
        sum(u1, v2),
        sum(sum(u2, cast(C_3)), v4),
        sum(sum(u3, cast(shift(C_3))), v6),
    ];
    // Byte n of the first and of the second word side by side, in the other half of the third and
    // of the fourth.
    let order = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
    ));
    let [a, b, c, d] = sums.mapped(|sum| _mm256_shuffle_epi8(sum, order));
    let (ab, next_ab) = (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
    let (cd, next_cd) = (_mm256_unpacklo_epi16(c, d), _mm256_unpackhi_epi16(c, d));
    let mut words = [_mm_setzero_si128(); 8];
    let pairs = [
        _mm256_unpacklo_epi32(ab, cd),
        _mm256_unpackhi_epi32(ab, cd),
        _mm256_unpacklo_epi32(next_ab, next_cd),
        _mm256_unpackhi_epi32(next_ab, next_cd),
    ];
    for (words, pair) in words.as_chunks_mut().0.iter_mut().zip(pairs) {
        let (first, second) = (_mm256_castsi256_si128(pair), _mm256_extracti128_si256::<1>(pair));
        *words = [_mm_unpacklo_epi16(first, second), _mm_unpackhi_epi16(first, second)];
    }
    words
}

/// A, once to four times: each next word is the sum of two.
#[inline]
#[target_feature(enable = "avx2")]
fn shifted(x: __m256i) -> [__m256i; 4] {
    let next = sum(x, _mm256_permute4x64_epi64::<0b00_11_10_01>(x));
    let twice = _mm256_permute2x128_si256::<0x21>(x, next);
    let once = _mm256_alignr_epi8::<8>(twice, x);
    let four_times = sum(x, once);
    [once, twice, _mm256_alignr_epi8::<8>(four_times, twice), four_times]
}

/// GOST 28147-89 of four words of each message, given as low and high halves.
#[inline]
#[target_feature(enable = "avx2")]
fn encrypt<const SETS: usize>(
    [mut low, mut high]: [[__m256i; SETS]; 2],
    keys: &[[__m256i; SETS]; 8],
    boxes: &[Pair; 8],
) -> [[__m256i; SETS]; 2] {
    let nibbles = _mm256_set1_epi8(15);
    let odd_bytes = _mm256_set1_epi16(0xff00_u16 as i16);
    macro_rules! rounds {
        ($key:expr) => {
            sixteen!(ROUND => {
                for set in 0..SETS {
                    let word = _mm256_add_epi32(low[set], keys[$key(ROUND)][set]);
                    // A shuffle looks up 4 bits, so a byte takes two boxes.
                    let even = _mm256_and_si256(word, nibbles);
                    let odd = _mm256_and_si256(_mm256_srli_epi32::<4>(word), nibbles);
                    let byte = |n: usize| {
                        sum(looked_up(boxes[2 * n], even), looked_up(boxes[2 * n + 1], odd))
                    };
                    let lower = _mm256_blendv_epi8(byte(0), byte(1), odd_bytes);
                    let upper = _mm256_blendv_epi8(byte(2), byte(3), odd_bytes);
                    let substituted = _mm256_blend_epi16::<0b10101010>(lower, upper);
                    // A rotation by 11 in two parts: AVX2 has none.
                    let above = sum(high[set], _mm256_slli_epi32::<11>(substituted));
                    high[set] = sum(above, _mm256_srli_epi32::<21>(substituted));
                }
                (low, high) = (high, low);
            });
        };
    }
    // Keys 0 to 7 three times, then in reverse (GOST 28147-89).
    rounds!(|round| round % 8);
    rounds!(|round| if round < 8 { round } else { 15 - round });
    [low, high]
}

/// Each half, twice.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(x: __m256i) -> [__m256i; 2] {
    [_mm256_permute4x64_epi64::<0b01_00_01_00>(x), _mm256_permute4x64_epi64::<0b11_10_11_10>(x)]
}

/// The sum of permutations of the two halves.
#[inline]
#[target_feature(enable = "avx2")]
fn mixed<const N: usize>([low, high]: [__m256i; 2], orders: &[[Bytes; 2]; N]) -> __m256i {
    let mut mixed = _mm256_setzero_si256();
    for [of_low, of_high] in orders {
        mixed = sum(
            mixed,
            sum(_mm256_shuffle_epi8(low, cast(*of_low)), _mm256_shuffle_epi8(high, cast(*of_high))),
        );
    }
    mixed
}

/// Where each byte of a vector comes from in half of another; 128 is nowhere.
type Bytes = [u8; 32];

/// The S-boxes, those of odd nibbles in the upper nibble.
static BOXES: Lines<[[Pair; 8]; 2]> = {
    let (mut boxes, mut at) = ([[[[0; 16]; 2]; 8]; 2], 0);
    while at < 2 * 8 * 16 {
        let (set, place, nibble) = (at / 128, at / 16 % 8, at % 16);
        let value = NIBBLES[set][place][nibble] << (4 * (place % 2));
        boxes[set][place][0][nibble] = value;
        boxes[set][place][1][nibble] = value;
        at += 1;
    }
    Lines(boxes)
};

macro_rules! maps {
    ($($name:ident = $times:literal;)*) => {$(
        static $name: Lines<[[Bytes; 2]; count($times)]> = Lines(psi($times));
    )*};
}

maps! {
    PSI_61 = 61;
    PSI_62 = 62;
    PSI_74 = 74;
}

/// psi, `times` over, as permutations of the lower and of the upper half.
const fn psi<const N: usize>(times: usize) -> [[Bytes; 2]; N] {
    let (sources, mut orders, mut at) = (lanes(times), [[[128; 32]; 2]; N], 0);
    while at < 32 {
        let (to, half) = (at / 2, at % 2);
        let (mut from, mut order) = (8 * half, 0);
        while from < 8 * half + 8 {
            if sources[to] >> from & 1 == 1 {
                orders[order][half][2 * to] = 2 * (from as u8 % 8);
                orders[order][half][2 * to + 1] = 2 * (from as u8 % 8) + 1;
                order += 1;
            }
            from += 1;
        }
        at += 1;
    }
    orders
}

/// How many permutations psi takes, `times` over.
const fn count(times: usize) -> usize {
    let (sources, mut count, mut at) = (lanes(times), 0, 0);
    while at < 32 {
        let from = (sources[at / 2] >> (8 * (at % 2)) & 0xff).count_ones() as usize;
        count = if from > count { from } else { count };
        at += 1;
    }
    count
}
