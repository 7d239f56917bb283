//! FNV-1a of 64 bytes at a time, though each byte waits for the one before.
//!
//! A byte is added without carry to the low byte l of the hash alone: hash ^ byte = hash + (x - l)
//! with x = l ^ byte. Once all l of a run of n bytes are known, the rest is a weighted sum: the
//! hash after it is hash * p^n + the sum of (x - l) p^(n - i).
//!
//! The next l is x times the prime, and all that bit k of this product takes from x is bit k itself
//! and, by carries, bits below it. So bit k of all 64 x is found at once, as a prefix sum without
//! carries over what lower bits and the message give.

use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::mem::transmute;

use bytemuck::Pod;

use super::Word;
use super::avx2::{FEW, after_few, after_pairs};
use crate::parts::barrier;
use crate::parts::checksum::{Checksum, checksum_kernel};
use crate::parts::lines::Lines;
use crate::{Cores, Features, Kernel};

pub(super) const fn kernel<C: Checksum<Register: Word>>() -> Kernel {
    checksum_kernel!(
        "avx512",
        NEEDS,
        "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq",
        C: Checksum<Register: Word>,
        after::<C::Register>,
        ..=FEW => unsafe after_few::<C::Register>
    )
}

/// The same for Zen 5 and Intel's cores, where few bytes are not sooner done by the multiplier of
/// vectors.
pub(super) const fn words<C: Checksum<Register: Word>>() -> Kernel {
    checksum_kernel!(
        "avx512-words",
        NEEDS,
        "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq",
        C: Checksum<Register: Word>,
        after::<C::Register>,
        ..=FEW => unsafe super::after::<C::Register>
    )
    .except(Cores::ZEN)
}

/// The same for hashes of 64 bits on AMD's older cores, whose multiplier of vectors takes such
/// words as fast as that of words.
pub(super) const fn zen<C: Checksum<Register = u64>>() -> Kernel {
    checksum_kernel!(
        "avx512dq-zen",
        NEEDS.union(Features::AVX512DQ).union(Features::AVX512VL),
        "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq,avx512dq,avx512vl",
        C: Checksum<Register = u64>,
        after::<C::Register>,
        ..=FEW => unsafe after_few_words
    )
    .only(Cores::ZEN)
}

const NEEDS: Features = Features::AVX512VBMI
    .union(Features::AVX512VNNI)
    .union(Features::GFNI)
    .union(Features::PCLMULQDQ);

/// How many blocks of 64 bytes are weighted before their weighted bytes are summed up.
const BLOCKS: usize = 8;
const RUN: usize = 64 * BLOCKS;

/// What follows from a prime. No vector of weights lies across two lines of the cache.
#[repr(C, align(64))]
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

/// The hash after at most [`FEW`] bytes by the multiplier of vectors.
///
/// # Safety
/// The CPU has AVX-512DQ and AVX-512VL.
#[inline(always)]
unsafe fn after_few_words(hash: u64, bytes: &[u8]) -> u64 {
    if bytes.len() >= 8 {
        // SAFETY: this function's own condition.
        unsafe { after_pairs(hash, bytes, |a, b| _mm_mullo_epi64(a, b)) }
    } else {
        super::after(hash, bytes)
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq")]
fn after<W: Word>(hash: W, bytes: &[u8]) -> W {
    match bytes.as_chunks::<64>() {
        (blocks @ [_, _, _, ..], rest) => super::after(after_blocks(hash, blocks), rest),
        _ => super::after(hash, bytes),
    }
}

/// The hash after `blocks`. The bits of a block wait for those of the block before: at any time,
/// eight blocks are in work, each one bit ahead of the next.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni,gfni,pclmulqdq")]
fn after_blocks<W: Word>(hash: W, blocks: &[[u8; 64]]) -> W {
    let hash: u64 = hash.into();
    let mut weighed = Weighed::<W> {
        hash,
        sums: [_mm512_setzero_si512(); 8],
        at: first_weight(blocks.len()),
        previous: _mm512_set1_epi8(hash as i8),
        word: PhantomData,
    };
    let mut planes = Lines([[0; 8]; 16]);
    let mut carries = [0; 8];
    let mut products = [_mm512_setzero_si512(); 9];
    for time in 0..blocks.len() + 7 {
        if let Some(carry) = carries.get_mut(time) {
            *carry = 0u64.wrapping_sub(hash >> time & 1);
        }
        if let Some(block) = blocks.get(time) {
            // Twice, so that those of the last eight blocks always follow each other.
            planes.0[time % 8] = planes_of(block);
            planes.0[time % 8 + 8] = planes.0[time % 8];
        }
        let planes: &[[u64; 8]; 8] = planes[time % 8 + 1..].first_chunk().expect("16 of them");
        // A step after its last bit was found: at once, its sums would stand in the bits' way.
        if let Some(done) = time.checked_sub(8) {
            weighed.add(&blocks[done], products[8], blocks.len() - done - 1);
        }
        for bit in (0..8).rev() {
            products[bit + 1] = with_bit(
                products[bit],
                bit,
                planes[7 - bit][bit],
                &mut carries[bit],
                W::POWERS.bits[bit],
            );
        }
    }
    weighed.add(&blocks[blocks.len() - 1], products[8], 0);
    W::from_low(weighed.hash)
}

/// The products of the prime and of the bits of x up to number `bit`, modulo 256, for each byte of
/// a block, given those of the bits below. `plane` is that bit of each byte; `carry` that of the
/// hash before the first, 64 times, then that after the last.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,pclmulqdq")]
fn with_bit(products: __m512i, bit: usize, plane: u64, carry: &mut u64, prime: i8) -> __m512i {
    // Opaque: the compiler would compute those of two blocks as lanes of a vector, on the ports
    // that all waits for.
    let carried =
        barrier::word(_mm512_test_epi8_mask(products, _mm512_set1_epi8((1u8 << bit) as i8)));
    let bits = barrier::word(prefix_sums(carried << 1 ^ plane)) ^ *carry;
    *carry = ((bits ^ carried) as i64 >> 63) as u64;
    _mm512_mask_add_epi8(products, bits, products, _mm512_set1_epi8(prime))
}

/// The weighted sum, and what it needs of the block before.
struct Weighed<W> {
    hash: u64,
    /// A sum for each digit of the weights.
    sums: [__m512i; 8],
    /// The next weight.
    at: usize,
    /// The low bytes of the hash after each byte of the block before, which the products of all
    /// bits are.
    previous: __m512i,
    word: PhantomData<W>,
}

impl<W: Word> Weighed<W> {
    /// Adds a block, which `left` more follow. The sums take 255 - l, a byte without sign, for -l.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn add(&mut self, block: &[u8; 64], products: __m512i, left: usize) {
        let low = _mm512_permutex2var_epi8(products, vector(&ONE_ON), self.previous);
        self.previous = products;
        let added = _mm512_xor_si512(low, vector(block));
        let removed = _mm512_xor_si512(low, _mm512_set1_epi8(-1));
        for (sum, weights) in self.sums.iter_mut().zip(&W::POWERS.weights).take(size_of::<W>()) {
            let weights = vector(weights[self.at..].first_chunk().expect("a weight for each byte"));
            *sum = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(*sum, added, weights), removed, weights);
        }
        self.hash = self.hash.wrapping_mul(W::POWERS.block).wrapping_sub(W::POWERS.excess);
        self.at += 64;
        if self.at == RUN {
            self.join();
            self.at = first_weight(left);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn join(&mut self) {
        for (digit, sum) in self.sums.iter_mut().take(size_of::<W>()).enumerate() {
            self.hash =
                self.hash.wrapping_add((_mm512_reduce_add_epi32(*sum) as u64) << (8 * digit));
            *sum = _mm512_setzero_si512();
        }
    }
}

/// Where the weights begin for the next of `left` blocks: so that the last byte before they are
/// joined is that of weight prime^1.
fn first_weight(left: usize) -> usize {
    RUN - 64 * left.min(BLOCKS)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn vector<B: Pod>(bytes: &[B; 64]) -> __m512i {
    const { assert!(size_of::<B>() == 1) };
    // SAFETY: any 64 bytes are a vector.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Bit k of each of the bytes in word k.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn planes_of(block: &[u8; 64]) -> [u64; 8] {
    // A word of bytes is a matrix of bits, its last byte the first row: multiplied by the unit
    // vectors it gives its columns.
    let columns = _mm512_gf2p8affine_epi64_epi8::<0>(
        _mm512_set1_epi64(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128])),
        _mm512_shuffle_epi8(vector(block), vector(&REVERSED)),
    );
    // SAFETY: a vector is eight words.
    unsafe { transmute(_mm512_permutexvar_epi8(vector(&GATHERED), columns)) }
}

/// Bit i: the sum without carry of bits 0 to i.
#[inline]
#[target_feature(enable = "pclmulqdq")]
fn prefix_sums(bits: u64) -> u64 {
    _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(bits as i64), _mm_set1_epi8(-1)))
        as u64
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
