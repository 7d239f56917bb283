//! GOST R 34.11-94 with the four encryptions in one vector: the eight S-boxes are two tables of 64
//! entries, in registers, that are looked up by a nibble and its place in the word.
//!
//! All the rest of the step is linear and takes whole bytes: a few permutations of bytes, added.
//!
//! ```text
//! one message:   xmm: words 0 .. 3 of data, or one word of four keys
//! many:          a message in each quarter, and `SETS` vectors in turn
//! boxes[0]       S-boxes of nibbles 0, 2, 4, 6 of a word, 16 entries each
//! boxes[1]       S-boxes of nibbles 1, 3, 5, 7, entries shifted left by 4
//! index          16 * (number of the byte in its word) + nibble           VPTERNLOG, VPERMB
//! ```

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{C_3, Chain, NIBBLES, add, lanes, many, shift};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::lanes::transpose::Register;
use crate::parts::lines::Lines;
use crate::parts::unroll::sixteen;
use crate::{Batch, Code, Features, Kernel, State};

const NEEDS: Features = Features::AVX512VBMI.union(Features::AVX512BW).union(Features::AVX512VL);

pub(super) const fn kernel<const SET: usize>() -> Kernel {
    Kernel::of("avx512vbmi", NEEDS, Code::Blocks(absorb::<SET>))
}

/// Sixteen messages at a time, the encryptions of four in a vector.
pub(super) const fn many<const SET: usize>() -> Kernel {
    Kernel::of("vbmix16", NEEDS, Code::Lanes(4 * SETS, absorb_many::<SET>))
}

/// How many vectors take turns where one would wait for itself.
const SETS: usize = 4;

type Bytes = [u8; 64];

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn absorb<const SET: usize>(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, &BOXES[SET]);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn absorb_by(state: &mut State, blocks: &[u8], boxes: &[Bytes; 2]) {
    let chain = state.view::<Chain>();
    let mut h = cast(chain.h);
    for block in blocks.as_chunks::<32>().0 {
        let block = cast(*block);
        add(&mut chain.sum, &cast(block));
        h = step(h, block, boxes);
    }
    chain.h = cast(h);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn absorb_many<const SET: usize>(batch: &mut Batch<'_>) {
    many::absorb_by::<{ 4 * SETS }>(batch, 3, |h, blocks| step_many(h, blocks, &BOXES[SET]));
}

/// The step function of many messages.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn step_many(h: &mut [[u64; 4]; 4 * SETS], blocks: &[[u64; 4]; 4 * SETS], boxes: &[Bytes; 2]) {
    let (mut data, mut keys) =
        ([[_mm512_setzero_si512(); SETS]; 2], [[_mm512_setzero_si512(); SETS]; 8]);
    for set in 0..SETS {
        // words 0 to 3 of the keys, words 4 to 7, data
        let mut of_messages = [[_mm512_setzero_si512(); 4]; 3];
        for at in 4 * set..4 * set + 4 {
            let (wide_h, wide_block) =
                (_mm512_zextsi256_si512(cast(h[at])), _mm512_zextsi256_si512(cast(blocks[at])));
            let [low, high] = keys_of(wide_h, wide_block);
            for (kind, vector) in of_messages.iter_mut().zip([
                low,
                high,
                _mm512_permutexvar_epi8(cast(HALVES), wide_h),
            ]) {
                kind[at % 4] = vector;
            }
            h[at] = cast(fixed(cast(h[at]), cast(blocks[at])));
        }
        // From a message in each register to a word of four messages in each.
        for registers in &mut of_messages {
            Register::blocks(registers, 1);
        }
        for word in 0..4 {
            (keys[word][set], keys[4 + word][set]) = (of_messages[0][word], of_messages[1][word]);
        }
        (data[0][set], data[1][set]) = (of_messages[2][0], of_messages[2][1]);
    }
    let [newer, older] = encrypt_four(data, &keys, boxes).mapped(cast::<_, [__m128i; 4 * SETS]>);
    for (h, (newer, older)) in h.iter_mut().zip(newer.into_iter().zip(older)) {
        *h = cast(stirred(cast(*h), newer, older));
    }
}

/// The step function. Of what the encryption gives, one half is known a round before the other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn step(h: __m256i, block: __m256i, boxes: &[Bytes; 2]) -> __m256i {
    let (wide_h, wide_block) = (_mm512_zextsi256_si512(h), _mm512_zextsi256_si512(block));
    let [low, high] = keys_of(wide_h, wide_block);
    let [data_low, data_high, ..] = quarters(_mm512_permutexvar_epi8(cast(HALVES), wide_h));
    let keys: [[__m128i; 1]; 8] = cast([quarters(low), quarters(high)]);
    let [[newer], [older]] = encrypt([data_low, data_high], &keys, boxes);
    // The CPU does this while the last rounds wait, since the text has it behind them.
    stirred(fixed(h, block), newer, older)
}

/// Words 0 to 3 of the four keys, and words 4 to 7.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
fn keys_of(h: __m512i, block: __m512i) -> [__m512i; 2] {
    // The block does not wait for the step before.
    [
        added(added(cast(LOW_KEYS_OF_C.0), block, &LOW_KEYS_OF_BLOCK), h, &LOW_KEYS_OF_H),
        added(added(cast(HIGH_KEYS_OF_C.0), block, &HIGH_KEYS_OF_BLOCK), h, &HIGH_KEYS_OF_H),
    ]
}

/// What does not wait for the encryption.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
fn fixed(h: __m256i, block: __m256i) -> __m256i {
    added_256(added_256(_mm256_setzero_si256(), block, &PSI_62), h, &PSI_61)
}

/// What the encryption gives, stirred into what does not wait for it.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
fn stirred(fixed: __m256i, newer: __m128i, older: __m128i) -> __m256i {
    let wide = |half| _mm256_zextsi128_si256(half);
    added_128(added_128(fixed, wide(older), &PSI_74_OLDER), wide(newer), &PSI_74_NEWER)
}

/// Declares GOST 28147-89 of four words in every quarter of registers, given as low and high
/// halves, with four keys, given as their words: the function, its registers, how they are added,
/// shifted, joined and filled, how they are made as wide as the tables and narrow again; and the
/// other half after a round, from the even nibbles, the odd ones, which come later, and that half.
macro_rules! encryption {
    (
        $encrypt:ident: $register:ident, $add:ident, $shift:ident, $join:ident, $fill:ident,
        $wide:expr, $narrow:expr,
        |$word:ident, $odd:ident, $other:ident, $even:ident| $joined:expr
    ) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
        fn $encrypt<const SETS: usize>(
            [mut low, mut high]: [[$register; SETS]; 2],
            keys: &[[$register; SETS]; 8],
            boxes: &[Bytes; 2],
        ) -> [[$register; SETS]; 2] {
            let (nibbles, places) = ($fill(0x0f0f_0f0f), $fill(0x3020_1000));
            let substituted = |half: usize, words: $register| {
                // 0xea is (words & nibbles) | places.
                let index = $join::<0xea>(words, nibbles, places);
                $narrow(_mm512_permutexvar_epi8($wide(index), cast(boxes[half])))
            };
            let $even = |word: $register| substituted(0, word);
            let joined = |$word: $register, $odd: $register, $other: $register| $joined;
            macro_rules! rounds {
                ($key:expr) => {
                    sixteen!(ROUND => {
                        for set in 0..SETS {
                            let word = $add(low[set], keys[$key(ROUND)][set]);
                            high[set] = joined(word, substituted(1, $shift::<4>(word)), high[set]);
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
    };
}

encryption!(
    // One message takes a quarter of a register. Wider instructions would take more time.
    encrypt: __m128i, _mm_add_epi32, _mm_srli_epi32, _mm_ternarylogic_epi32, _mm_set1_epi32,
    |a| _mm512_castsi128_si512(a), |a| _mm512_castsi512_si128(a),
    // All waits for this. On Zen 4 a rotation takes two cycles, a shift one.
    |word, odd, other, even_of| {
        let halves = |word: __m128i| {
            [
                barrier::register_in_place!(xmm_reg _mm_slli_epi32::<11>(word)),
                barrier::register_in_place!(xmm_reg _mm_srli_epi32::<21>(word)),
            ]
        };
        let late = halves(odd);
        let even = even_of(barrier::register_in_place!(xmm_reg word));
        let early = halves(even);
        let sum = _mm_ternarylogic_epi32::<0x96>(early[0], early[1], other);
        _mm_ternarylogic_epi32::<0x96>(late[0], late[1], sum)
    }
);
encryption!(
    encrypt_four: __m512i, _mm512_add_epi32, _mm512_srli_epi32, _mm512_ternarylogic_epi32,
    _mm512_set1_epi32, |a| a, |a| a,
    // The other half is turned back before: the chain does not wait for that.
    |word, odd, other, even_of| _mm512_rol_epi32::<11>(_mm512_ternarylogic_epi32::<0x96>(
        even_of(word), odd, _mm512_ror_epi32::<11>(other)
    ))
);

/// Declares a function: the sum of `sum`, which is ready first, and of permutations of `bytes`. The
/// orders are read where they are wanted: the compiler would read all of them before, and put what
/// has no register away.
macro_rules! adder {
    (
        $added:ident: $register:ident, $class:ident, $join:ident, $xor:ident,
        |$order:ident, $bytes:ident| $permuted:expr
    ) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
        fn $added<const N: usize>(
            mut sum: $register,
            bytes: $register,
            orders: &[Bytes; N],
        ) -> $register {
            let (place, $bytes) =
                barrier::in_place_with!(std::ptr::from_ref(orders), $class bytes);
            // SAFETY: it is the same reference still.
            let orders = unsafe { &*place };
            let moved = |index: usize| {
                // Of an order that is longer, the first bytes.
                let order = orders[index].first_chunk::<{ size_of::<$register>() }>();
                let $order = cast(*order.expect("64 bytes or fewer"));
                $permuted
            };
            for pair in 0..N / 2 {
                sum = $join::<0x96>(sum, moved(2 * pair), moved(2 * pair + 1));
            }
            if N % 2 == 1 { $xor(sum, moved(N - 1)) } else { sum }
        }
    };
}

adder!(
    added: __m512i, zmm_reg, _mm512_ternarylogic_epi64, _mm512_xor_si512,
    |order, bytes| _mm512_permutexvar_epi8(order, bytes)
);
adder!(
    // What an order takes from nowhere comes from the second register.
    added_256: __m256i, ymm_reg, _mm256_ternarylogic_epi64, _mm256_xor_si256,
    |order, bytes| _mm256_permutex2var_epi8(bytes, order, _mm256_setzero_si256())
);
adder!(
    // Of 128 bits: the others are zero.
    added_128: __m256i, ymm_reg, _mm256_ternarylogic_epi64, _mm256_xor_si256,
    |order, bytes| _mm256_permutexvar_epi8(order, bytes)
);

#[inline]
#[target_feature(enable = "avx512f")]
fn quarters(words: __m512i) -> [[__m128i; 1]; 4] {
    [
        [_mm512_castsi512_si128(words)],
        [_mm512_extracti32x4_epi32::<1>(words)],
        [_mm512_extracti32x4_epi32::<2>(words)],
        [_mm512_extracti32x4_epi32::<3>(words)],
    ]
}

/// The S-boxes of the even nibbles of a word and, in the upper nibble, those of the odd ones.
static BOXES: Lines<[[Bytes; 2]; 2]> = {
    let mut boxes = [[[0; 64]; 2]; 2];
    let mut at = 0;
    while at < 2 * 64 {
        let (set, place, value) = (at / 64, at / 16 % 4, at % 16);
        boxes[set][0][at % 64] = NIBBLES[set][2 * place][value];
        boxes[set][1][at % 64] = NIBBLES[set][2 * place + 1][value] << 4;
        at += 1;
    }
    Lines(boxes)
};

/// Which bytes each byte of a vector is the sum of, a bit for each.
type Sources = [u32; 64];

/// Permutations that add up to a map. A byte that comes from nowhere is number 63: the last of a
/// register of 512 bits, which must be 0. In 256 bits it is the last one, too, or of a second one.
const fn orders<const N: usize>(sources: &Sources) -> [Bytes; N] {
    let mut orders = [[63; 64]; N];
    let mut at = 0;
    while at < 64 {
        let (mut left, mut order) = (sources[at], 0);
        while left != 0 {
            orders[order][at] = left.trailing_zeros() as u8;
            left &= left - 1;
            order += 1;
        }
        at += 1;
    }
    orders
}

/// How many permutations a map takes.
const fn count(sources: &Sources) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < 64 {
        let bytes = sources[at].count_ones() as usize;
        count = if bytes > count { bytes } else { count };
        at += 1;
    }
    count
}

macro_rules! maps {
    ($($name:ident = $sources:expr;)*) => {$(
        static $name: Lines<[Bytes; count(&$sources)]> = Lines(orders(&$sources));
    )*};
}

maps! {
    PSI_61 = psi(61, false, 0);
    PSI_62 = psi(62, false, 0);
    PSI_74_NEWER = psi(74, true, 2);
    PSI_74_OLDER = psi(74, true, 0);
    LOW_KEYS_OF_H = keys(1, 0);
    HIGH_KEYS_OF_H = keys(1, 4);
    LOW_KEYS_OF_BLOCK = keys(2, 0);
    HIGH_KEYS_OF_BLOCK = keys(2, 4);
}

/// psi, `times` over; if `halved`, of the half of each word that begins with lane `first`, the
/// halves one after another.
const fn psi(times: usize, halved: bool, first: usize) -> Sources {
    let from = lanes(times);
    let (mut sources, mut at) = ([0; 64], 0);
    while at < 32 * 16 {
        let (to, lane) = (at / 16, at % 16);
        let taken = from[to / 2] >> lane & 1 == 1;
        if taken && !halved {
            sources[to] |= 1 << (2 * lane + to % 2);
        } else if taken && lane % 4 / 2 == first / 2 {
            sources[to] |= 1 << (2 * (lane / 4 * 2 + lane % 2) + to % 2);
        }
        at += 1;
    }
    sources
}

/// The four keys: words `first` to `first + 3`, word by word, the four keys of each side by side.
/// Between keys, A is applied `shifts` times.
const fn keys(shifts: usize, first: usize) -> Sources {
    let (mut sources, mut words, mut key) = ([0; 64], [1, 2, 4, 8], 0);
    while key < 4 {
        let mut at = 0;
        while at < 4 * 4 * 4 {
            let (word, byte, from) = (at / 16, at / 4 % 4, at % 4);
            if words[byte] >> from & 1 == 1 {
                sources[16 * word + 4 * key + byte] |= 1 << (8 * from + first + word);
            }
            at += 1;
        }
        let mut shifted = 0;
        while shifted < shifts {
            words = shift(words);
            shifted += 1;
        }
        key += 1;
    }
    sources
}

/// What the constant adds to the keys: itself to the third, itself shifted to the fourth.
const fn keys_of_c(first: usize) -> Bytes {
    let words = [[0; 4], [0; 4], C_3, shift(C_3)];
    let (mut keys, mut at) = ([0; 64], 0);
    while at < 64 {
        let (word, key, byte) = (at / 16, at / 4 % 4, at % 4);
        keys[at] = words[key][byte].to_le_bytes()[first + word];
        at += 1;
    }
    keys
}

static LOW_KEYS_OF_C: Lines<Bytes> = Lines(keys_of_c(0));
static HIGH_KEYS_OF_C: Lines<Bytes> = Lines(keys_of_c(4));

/// The low halves of the four words, then the high ones.
static HALVES: Bytes = {
    let (mut halves, mut at) = ([0; 64], 0);
    while at < 32 {
        halves[at] = (at % 16 / 4 * 8 + at / 16 * 4 + at % 4) as u8;
        at += 1;
    }
    halves
};
