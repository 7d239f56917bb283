//! FNV-1a of 256 bytes at a time, as its neighbour for AVX-512 does 64 (see there): bit k of all
//! low bytes is found at once, from the bits below it and a prefix sum without carries.
//!
//! Eight vectors of bytes are turned into eight planes: of plane k, bit r of byte j is bit k of
//! byte j of vector r. So a prefix sum goes along the bytes of a plane for eight vectors side by
//! side, and what the vectors before add goes along the bits of one byte.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::Word;
use crate::parts::checksum::{Checksum, checksum_kernel};
use crate::{Cores, Features, Kernel};

pub(super) const fn kernel<C: Checksum<Register: Word>>() -> Kernel {
    checksum_kernel!(
        "avx2",
        Features::AVX2,
        "avx2",
        C: Checksum<Register: Word>,
        after::<C::Register>,
        ..=FEW => unsafe after_few::<C::Register>
    )
}

/// The same for Zen 5 and Intel's cores, as in AVX-512.
pub(super) const fn words<C: Checksum<Register: Word>>() -> Kernel {
    checksum_kernel!(
        "avx2-words",
        Features::AVX2,
        "avx2",
        C: Checksum<Register: Word>,
        after::<C::Register>,
        ..=FEW => unsafe super::after::<C::Register>
    )
    .except(Cores::ZEN)
}

/// Bytes of a block.
const BLOCK: usize = 256;

/// Up to how many bytes the plain chain is faster.
pub(super) const FEW: usize = 127;

/// What follows from a prime. No vector of weights lies across two lines of the cache.
#[repr(C, align(64))]
pub(super) struct Powers {
    /// `[j][..]`: digit j, to base 2^16 and signed, of prime^(BLOCK - i), in the order in which
    /// bytes i become words of 16 bits.
    weights: [[[i16; 16]; BLOCK / 16]; 4],
    /// prime^n.
    powers: [u64; BLOCK + 1],
}

impl Powers {
    pub(super) const fn of(prime: u64) -> Self {
        let mut powers = Self { weights: [[[0; 16]; BLOCK / 16]; 4], powers: [1; BLOCK + 1] };
        let mut n = 1;
        while n <= BLOCK {
            powers.powers[n] = powers.powers[n - 1].wrapping_mul(prime);
            let at = BLOCK - n;
            let (mut left, mut digit) = (powers.powers[n], 0);
            while digit < 4 {
                powers.weights[digit][at / 32 * 2 + at / 8 % 2][at % 8 + at / 16 % 2 * 8] =
                    left as i16;
                left = left.wrapping_sub(left as i16 as u64) >> 16;
                digit += 1;
            }
            n += 1;
        }
        powers
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn after<W: Word>(hash: W, bytes: &[u8]) -> W {
    // SAFETY: this function is compiled for AVX2.
    if bytes.len() <= FEW { unsafe { after_few(hash, bytes) } } else { after_blocks(hash, bytes) }
}

/// The hash after at most [`FEW`] bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn after_few<W: Word>(hash: W, bytes: &[u8]) -> W {
    if size_of::<W>() == 4 && bytes.len() >= 8 {
        // SAFETY: this function's own condition.
        unsafe { after_pairs(hash, bytes, |a, b| _mm_mul_epu32(a, b)) }
    } else {
        super::after(hash, bytes)
    }
}

/// By a multiplier of vectors: before it more steps can wait than before that of words, so that the
/// next message begins sooner.
///
/// # Safety
/// The CPU has SSE4.1 and what `times` needs.
#[inline(always)]
pub(super) unsafe fn after_pairs<W: Word>(
    hash: W,
    bytes: &[u8],
    times: impl Fn(__m128i, __m128i) -> __m128i,
) -> W {
    // SAFETY: this function's own condition.
    unsafe {
        let prime = _mm_cvtsi64_si128(W::PRIME.into() as i64);
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut hash = _mm_cvtsi64_si128(hash.into() as i64);
        for pair in pairs {
            let both = _mm_cvtepu8_epi64(_mm_cvtsi32_si128(u16::from_le_bytes(*pair).into()));
            hash = times(_mm_xor_si128(hash, both), prime);
            hash = times(_mm_xor_si128(hash, _mm_unpackhi_epi64(both, both)), prime);
        }
        super::after(W::from_low(_mm_cvtsi128_si64(hash) as u64), rest)
    }
}

/// The first, shorter block is preceded by zeros, which change nothing as long as the hash is 0:
/// its own low byte is added to the first byte of the message, the rest of it comes in later.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn after_blocks<W: Word>(hash: W, bytes: &[u8]) -> W {
    let (first, others) = bytes.split_at((bytes.len() - 1) % BLOCK + 1);
    let hash: u64 = hash.into();
    let mut padded = [0; BLOCK];
    padded[BLOCK - first.len()..].copy_from_slice(first);
    padded[BLOCK - first.len()] ^= hash as u8;
    let mut carries = [_mm256_setzero_si256(); 8];
    let powers = W::LONG_POWERS;
    let mut hash = (hash & !0xff).wrapping_mul(powers.powers[first.len()]);
    let (mut one, mut other) = (Block::new(&padded), Block::new(&[0; BLOCK]));
    let (mut current, mut next) = (&mut one, &mut other);
    current.find_lower::<W>(&mut carries);
    for block in others.as_chunks().0 {
        // The upper bits of one block wait for each other while the lower ones of the next do.
        *next = Block::new(block);
        current.find_upper_beside::<W>(next, &mut carries);
        hash = hash.wrapping_add(current.weighted::<W>()).wrapping_mul(powers.powers[BLOCK]);
        (current, next) = (next, current);
    }
    current.find_upper::<W>(&mut carries);
    W::from_low(hash.wrapping_add(current.weighted::<W>()))
}

/// Calls [`Block::find`] for blocks and bits in turn.
macro_rules! find {
    ($word:ident $carries:ident: $($block:ident $bit:literal)*) => {
        $($block.find::<$word, $bit>(&mut $carries[$bit]);)*
    };
}

/// Bytes of the message, the bytes x that they make when they are added to the hash's low byte, and
/// the product of x and of the prime, as far as they are known.
struct Block {
    message: [__m256i; 8],
    /// The planes of the message.
    planes: [__m256i; 8],
    /// The planes of x.
    factor: [__m256i; 8],
    /// x is added up for each bit of the prime: what those sums carry to the next bit.
    carried: [__m256i; 8],
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(bytes: &[u8; BLOCK]) -> Self {
        let zeros = [_mm256_setzero_si256(); 8];
        let message = cast(*bytes);
        Self { message, planes: transposed(message), factor: zeros, carried: zeros }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_lower<W: Word>(&mut self, carries: &mut [__m256i; 8]) {
        find!(W carries: self 0 self 1 self 2 self 3);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_upper<W: Word>(&mut self, carries: &mut [__m256i; 8]) {
        find!(W carries: self 4 self 5 self 6 self 7);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_upper_beside<W: Word>(&mut self, next: &mut Self, carries: &mut [__m256i; 8]) {
        find!(W carries: self 4 next 0 self 5 next 1 self 6 next 2 self 7 next 3);
    }

    /// Finds bit number `BIT` of x. `carry` is that bit of the hash before the first byte in all
    /// bits of a vector, then of the hash after the last.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn find<W: Word, const BIT: usize>(&mut self, carry: &mut __m256i) {
        // No iterator but a range is unrolled in time for all of this to be constant.
        let is_term = |shift: usize| shift <= BIT && W::PRIME.into() >> shift & 1 == 1;
        let mut sum = _mm256_setzero_si256();
        for shift in 1..8 {
            if is_term(shift) {
                sum = _mm256_xor_si256(
                    sum,
                    _mm256_xor_si256(self.factor[BIT - shift], self.carried[shift]),
                );
            }
        }
        // The product's bit, of which x's own is a term, and to which the message's next is added.
        let product = prefix_sums(_mm256_xor_si256(self.planes[BIT], sum), carry);
        self.factor[BIT] = _mm256_xor_si256(product, sum);
        let mut sum = self.factor[BIT];
        for shift in 1..8 {
            if is_term(shift) {
                let (added, carried) = (self.factor[BIT - shift], self.carried[shift]);
                let both = _mm256_xor_si256(sum, added);
                self.carried[shift] =
                    _mm256_or_si256(_mm256_and_si256(both, carried), _mm256_and_si256(sum, added));
                sum = _mm256_xor_si256(both, carried);
            }
        }
    }

    /// The weighted sum of x - l, with l = x ^ message the low byte of the hash before.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn weighted<W: Word>(&self) -> u64 {
        let zero = _mm256_setzero_si256();
        let mut sums = [zero; 4];
        for (row, (message, x)) in self.message.into_iter().zip(transposed(self.factor)).enumerate()
        {
            let low = _mm256_xor_si256(x, message);
            let halves = [
                _mm256_sub_epi16(_mm256_unpacklo_epi8(x, zero), _mm256_unpacklo_epi8(low, zero)),
                _mm256_sub_epi16(_mm256_unpackhi_epi8(x, zero), _mm256_unpackhi_epi8(low, zero)),
            ];
            for (half, added) in halves.into_iter().enumerate() {
                for (sum, weights) in
                    sums.iter_mut().zip(&W::LONG_POWERS.weights).take(size_of::<W>() / 2)
                {
                    let weights = cast(weights[2 * row + half]);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(added, weights));
                }
            }
        }
        // No sum of 256 products of 255 and 2^15 leaves 32 bits.
        let [a, b, c, d] = sums;
        let sums = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        let sums: [i32; 4] =
            cast(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums)));
        (0..)
            .step_by(16)
            .zip(sums)
            .fold(0, |total: u64, (shift, sum)| total.wrapping_add((sum as u64) << shift))
    }
}

/// Bit i: the sum without carry of bits 0 to i and `carry`, which then is that of the last.
#[inline]
#[target_feature(enable = "avx2")]
fn prefix_sums(bits: __m256i, carry: &mut __m256i) -> __m256i {
    let mut sums = _mm256_xor_si256(bits, _mm256_slli_si256::<1>(bits));
    sums = _mm256_xor_si256(sums, _mm256_slli_si256::<2>(sums));
    sums = _mm256_xor_si256(sums, _mm256_slli_si256::<4>(sums));
    sums = _mm256_xor_si256(sums, _mm256_slli_si256::<8>(sums));
    // The sum of all in either half, brought to the other. One rotation of both takes twice as
    // long.
    let halves = _mm256_shuffle_epi8(sums, _mm256_set1_epi8(15));
    let lower = _mm256_permute2x128_si256::<0x08>(halves, halves);
    let upper = _mm256_permute2x128_si256::<0x81>(halves, halves);
    let all = _mm256_xor_si256(_mm256_xor_si256(halves, upper), lower);
    // Along the bits of a byte: each is one of the eight vectors' sum.
    let nibble = _mm256_set1_epi8(15);
    let [low, high] = [cast([BELOW[0]; 2]), cast([BELOW[1]; 2])];
    let before = _mm256_xor_si256(
        _mm256_shuffle_epi8(low, _mm256_and_si256(all, nibble)),
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16::<4>(all), nibble)),
    );
    let before = _mm256_xor_si256(before, *carry);
    *carry = _mm256_cmpgt_epi8(_mm256_setzero_si256(), _mm256_xor_si256(before, all));
    _mm256_xor_si256(_mm256_xor_si256(sums, lower), before)
}

/// The sums without carry of the bits below each bit of a byte: `[0]` those of its lower four bits,
/// `[1]` of its upper.
const BELOW: [[u8; 16]; 2] = {
    let mut below = [[0; 16]; 2];
    let mut byte = 0u8;
    loop {
        let mut sums = byte << 1;
        sums ^= sums << 1;
        sums ^= sums << 2;
        sums ^= sums << 4;
        if byte < 16 {
            below[0][byte as usize] = sums;
        }
        if byte.is_multiple_of(16) {
            below[1][byte as usize / 16] = sums;
        }
        if byte == 255 {
            break below;
        }
        byte += 1;
    }
};

/// Bit k of bytes j of vector r becomes bit r of byte j of vector k.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(mut rows: [__m256i; 8]) -> [__m256i; 8] {
    macro_rules! swap {
        ($distance:literal $mask:literal: $($row:literal)*) => {$(
            let (one, other) = (rows[$row], rows[$row + $distance]);
            let changed = _mm256_xor_si256(_mm256_srli_epi16::<$distance>(one), other);
            let changed = _mm256_and_si256(changed, _mm256_set1_epi8($mask));
            rows[$row] = _mm256_xor_si256(one, _mm256_slli_epi16::<$distance>(changed));
            rows[$row + $distance] = _mm256_xor_si256(other, changed);
        )*};
    }
    swap!(4 0x0f: 0 1 2 3);
    swap!(2 0x33: 0 1 4 5);
    swap!(1 0x55: 0 2 4 6);
    rows
}
