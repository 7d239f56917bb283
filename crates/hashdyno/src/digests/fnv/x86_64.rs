//! FNV-1a of 64 bytes at a time, though each byte waits for the one before.
//!
//! A byte is added without carry to the low byte l of the hash alone: hash ^ byte = hash + (x - l) with x = l ^ byte. Once all l
//! of a run of n bytes are known, the rest is a weighted sum: the hash after it is hash * p^n + the sum of (x - l) p^(n - i).
//!
//! The next l is x times the prime, and all that bit k of this product takes from x is bit k itself and, by carries, bits below
//! it. So bit k of all 64 x is found at once, as a prefix sum without carries over what lower bits and the message give.

use std::arch::x86_64::*;
use std::array::from_fn;
use std::mem::transmute;

use super::Word;
use crate::kernel::Absorb;
use crate::{Features, Kernel, State};

pub(super) const fn kernel<W: Word>() -> Kernel {
    let needs = Features::AVX512VBMI.union(Features::AVX512VNNI).union(Features::GFNI).union(Features::PCLMULQDQ);
    Kernel { name: "avx512", needs, absorb: Absorb::One(absorb::<W>) }
}

/// How many blocks of 64 bytes are weighted before their weighted bytes are summed up.
const BLOCKS: usize = 8;
const RUN: usize = 64 * BLOCKS;

/// What follows from a prime.
pub(super) struct Powers {
    /// `[j][i]`: digit j, to base 256 and from -128 to 127, of prime^(RUN - i).
    weights: [[i8; RUN]; 8],
    /// prime^64.
    block: u64,
    /// 255 times the sum of prime^1 to prime^64.
    excess: u64,
    /// The products of the prime and of each bit, modulo 256.
    bits: [i8; 8],
}

impl Powers {
    pub(super) const fn of(prime: u64) -> Self {
        let mut powers = Self { weights: [[0; RUN]; 8], block: 1, excess: 0, bits: [0; 8] };
        let (mut power, mut index) = (prime, RUN);
        while index > 0 {
            index -= 1;
            let (mut left, mut digit) = (power, 0);
            while digit < 8 {
                powers.weights[digit][index] = left as i8;
                left = left.wrapping_sub(left as i8 as u64) >> 8;
                digit += 1;
            }
            if index >= RUN - 64 {
                powers.block = power;
                powers.excess = powers.excess.wrapping_add(power.wrapping_mul(255));
            }
            power = power.wrapping_mul(prime);
        }
        let mut bit = 0;
        while bit < 8 {
            powers.bits[bit] = (prime << bit) as i8;
            bit += 1;
        }
        powers
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq")]
fn absorb<W: Word>(state: &mut State, bytes: &[u8]) {
    let (blocks, rest) = bytes.as_chunks::<64>();
    if blocks.len() < 2 {
        return super::absorb::<W>(state, bytes);
    }
    let hash = state.view::<W>();
    *hash = after_blocks(*hash, blocks);
    super::absorb::<W>(state, rest);
}

/// The hash after `blocks`. The sums take 255 - l, a byte without sign, for -l.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq")]
fn after_blocks<W: Word>(hash: W, blocks: &[[u8; 64]]) -> W {
    let mut hash: u64 = hash.into();
    let mut carries = from_fn(|bit| 0u64.wrapping_sub(hash >> bit & 1));
    let mut previous = _mm512_set1_epi8(hash as i8);
    // SAFETY: 64 bytes are a vector.
    let one_on: __m512i = unsafe { transmute(ONE_ON) };
    for run in blocks.chunks(BLOCKS) {
        let mut sums = [_mm512_setzero_si512(); 8];
        for (block, at) in run.iter().zip((RUN - 64 * run.len()..).step_by(64)) {
            // SAFETY: 64 bytes are a vector.
            let bytes: __m512i = unsafe { transmute(*block) };
            let products = products(bytes, &mut carries, &W::POWERS.bits);
            let low = _mm512_permutex2var_epi8(products, one_on, previous);
            previous = products;
            let added = _mm512_xor_si512(low, bytes);
            let removed = _mm512_xor_si512(low, _mm512_set1_epi8(-1));
            for (sum, weights) in sums.iter_mut().zip(&W::POWERS.weights).take(size_of::<W>()) {
                let weights = weights[at..].first_chunk::<64>().expect("a weight for each byte");
                // SAFETY: 64 bytes are a vector.
                let weights: __m512i = unsafe { transmute(*weights) };
                *sum = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(*sum, added, weights), removed, weights);
            }
            hash = hash.wrapping_mul(W::POWERS.block).wrapping_sub(W::POWERS.excess);
        }
        for (digit, sum) in sums.into_iter().take(size_of::<W>()).enumerate() {
            hash = hash.wrapping_add((_mm512_reduce_add_epi32(sum) as u64) << (8 * digit));
        }
    }
    W::from_low(hash)
}

/// The low bytes of the hash after each of `bytes`. `carries` are the bits of the one before them, each 64 times; they become
/// those of the last.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni,pclmulqdq")]
fn products(bytes: __m512i, carries: &mut [u64; 8], prime_bits: &[i8; 8]) -> __m512i {
    let planes = planes(bytes);
    let mut products = _mm512_setzero_si512();
    for bit in 0..8 {
        let carried = _mm512_test_epi8_mask(products, _mm512_set1_epi8((1u8 << bit) as i8));
        let bits = prefix_sums(carried << 1 ^ planes[bit]) ^ carries[bit];
        carries[bit] = ((bits ^ carried) as i64 >> 63) as u64;
        products = _mm512_mask_add_epi8(products, bits, products, _mm512_set1_epi8(prime_bits[bit]));
    }
    products
}

/// Bit k of each of the bytes in word k.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn planes(bytes: __m512i) -> [u64; 8] {
    // SAFETY: 64 bytes are a vector.
    let (reversed, gathered): (__m512i, __m512i) = unsafe { (transmute(REVERSED), transmute(GATHERED)) };
    // A word of bytes is a matrix of bits, its last byte the first row: multiplied by the unit vectors it gives its columns.
    let columns = _mm512_gf2p8affine_epi64_epi8::<0>(
        _mm512_set1_epi64(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, -128i8 as u8])),
        _mm512_shuffle_epi8(bytes, reversed),
    );
    // SAFETY: a vector is eight words.
    unsafe { transmute(_mm512_permutexvar_epi8(gathered, columns)) }
}

/// Bit i: the sum without carry of bits 0 to i.
#[inline]
#[target_feature(enable = "pclmulqdq")]
fn prefix_sums(bits: u64) -> u64 {
    _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(bits as i64), _mm_set1_epi8(-1))) as u64
}

/// A table of 64 byte numbers: which byte comes to each place.
macro_rules! order {
    ($($name:ident: |$place:ident| $from:expr;)*) => {$(
        const $name: [u8; 64] = {
            let mut order = [0; 64];
            let mut $place = 0;
            while $place < 64 {
                order[$place] = $from as u8;
                $place += 1;
            }
            order
        };
    )*};
}

order! {
    ONE_ON: |place| if place == 0 { 127 } else { place - 1 };
    REVERSED: |place| place ^ 7;
    GATHERED: |place| place % 8 * 8 + place / 8;
}
