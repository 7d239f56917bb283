//! CRCs of up to 64 bytes. Words are not folded onto one another. Each is multiplied by the power
//! of x for its distance from the end, all at once.
//!
//! A fold would wait for the fold before it. These products wait for nothing, and one reduction
//! follows their sum:
//!
//! ```text
//! 17 to 32 bytes:     first 16 bytes        last 16 bytes, without bytes of the first 16
//!                     [ w0  |  w1 ]         [ w2  |  w3 ]
//!                       *p0    *p1            *p2              p: from `powers`, for each length
//!                       sum = w0 p0 ^ w1 p1 ^ w2 p2 ^ w3
//!                       register = barrett(sum)
//! ```
//!
//! The last word needs no product: the reduction expects it where it is. The first vector is read
//! from the begin of the message and the last from its end, so both are whole for every length.
//! Bytes that both have are cleared in the last, by a mask (`ENDS`) or by two shifts.
//!
//! | bytes | function | products | why |
//! |---|---|---|---|
//! | 0 to 8 | `of_few` | 0 | one word; the effect of the first register is in `STARTS` |
//! | 1 to 8, of a piece | `after_few` | 0 | one word, to which any register is added |
//! | 9 to 16 | `product_of_words` | 1 | two words that overlap |
//! | 17 to 32 | `product_of_blocks` | 3 | two vectors of 16 bytes that overlap |
//! | 33 to 64, by AVX2 | `product_of_pairs` | 4, of two words | two vectors that overlap |
//! | 33 to 64, by SSE | `after_pairs_128` | 7 | four vectors; all products together |
//! | any, CRC-32C | `after_sse42` | 0 | SSE 4.2 has an instruction |
//!
//! `barrett` takes two more multiplications, one after the other.

use std::arch::{asm, x86_64::*};

use super::super::castagnoli::after_sse42;
use super::super::folding::{Folding, Known, divisor_of};
use super::super::{Crc, Register};
use super::{onto_by, products, reflected, reflected_256};
use crate::parts::barrier::vectors_together;
use crate::parts::words::upper_of_word;

/// The register of a message of up to 64 bytes; `register` is that of the empty one.
///
/// # Safety
/// The CPU has VPCLMULQDQ and AVX2, and what [`after_few`] wants.
#[inline(always)]
pub(super) unsafe fn of_few_256<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function's own condition.
    unsafe {
        match bytes.len() {
            // first: the fewer bytes, the more a branch counts
            ..=8 => of_few::<C>(register, bytes),
            33.. if !C::INSTRUCTION => after_pairs(Known::<C>::new(), register, bytes),
            _ => of_few::<C>(register, bytes),
        }
    }
}

/// The same of up to [`most_of_few_128`] bytes by vectors of 16 bytes.
///
/// # Safety
/// As [`after_few`].
#[inline(always)]
pub(super) unsafe fn of_few_128<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function's own condition.
    unsafe {
        match bytes.len() {
            ..=32 => of_few::<C>(register, bytes),
            _ => after_pairs_128(Known::<C>::new(), register, bytes),
        }
    }
}

/// How many bytes are few for vectors of 16 bytes.
pub(super) const fn most_of_few_128<C: Crc>() -> usize {
    if C::INSTRUCTION { 32 } else { 64 }
}

/// The register after 33 to 64 bytes.
///
/// # Safety
/// As [`of_few_256`].
#[inline(always)]
pub(super) unsafe fn after_pairs<C: Folding>(
    crc: C,
    register: C::Register,
    bytes: &[u8],
) -> C::Register {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        return register; // never: there are 33 bytes
    };
    // SAFETY: this function's own condition.
    unsafe {
        let first = _mm256_xor_si256(
            bytemuck::cast::<[u8; 32], _>(*first),
            _mm256_zextsi128_si256(vector(register)),
        );
        let product = product_of_pairs(crc, reflected_256::<C>(first), last, bytes.len());
        C::Register::from_low(barrett(crc, product))
    }
}

/// The register after 33 to 64 bytes.
///
/// # Safety
/// As [`after_few`].
#[inline(always)]
pub(super) unsafe fn after_pairs_128<C: Folding>(
    crc: C,
    register: C::Register,
    bytes: &[u8],
) -> C::Register {
    let (Some(first), Some(last)) = (bytes.first_chunk::<32>(), bytes.last_chunk::<32>()) else {
        return register; // never: there are 33 bytes
    };
    let ([first, mut b], [third, fourth]): ([__m128i; 2], [__m128i; 2]) =
        (bytemuck::cast(*first), bytemuck::cast(*last));
    let not_in_first: [__m128i; 2] = bytemuck::pod_read_unaligned(&ENDS[bytes.len() - 32..][..32]);
    let factors = |len: usize| -> [__m128i; 2] {
        bytemuck::cast::<[u64; 4], _>(*powers(crc, len).first_chunk().expect("a row is longer"))
    };
    let ([mut to_a, mut to_b], [mut to_c, mut to_d]) = (factors(bytes.len()), factors(32));
    // SAFETY: this function's own condition.
    unsafe {
        let mut a = reflected::<C>(_mm_xor_si128(first, vector(register)));
        b = reflected::<C>(b);
        let mut c = reflected::<C>(_mm_and_si128(not_in_first[0], third));
        let mut d = reflected::<C>(_mm_and_si128(not_in_first[1], fourth));
        // Together for the reason that `onto` has.
        vectors_together!(xmm_reg: a b c d to_a to_b to_c to_d);
        let [mut e, mut f] = products(a, to_a);
        let [mut g, mut h] = products(b, to_b);
        let [mut i, mut j] = products(c, to_c);
        let mut k = _mm_clmulepi64_si128::<0x00>(d, to_d);
        vectors_together!(xmm_reg: e f g h i j k);
        // The last word is where it belongs.
        let last = _mm_srli_si128::<8>(d);
        let sum =
            [f, g, h, i, j, k, last].into_iter().fold(e, |sum, next| _mm_xor_si128(sum, next));
        C::Register::from_low(barrett(crc, sum))
    }
}

/// The register of a message of up to 32 bytes, or any number if there is an instruction for it;
/// `register` is that of the empty one.
///
/// # Safety
/// As [`after_few`].
#[inline(always)]
pub(in super::super) unsafe fn of_few<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function's own condition.
    unsafe {
        if bytes.len() > 8 || C::INSTRUCTION {
            return after_few(Known::<C>::new(), register, bytes);
        }
        // What becomes of the register at the start is known for each length, and need not go
        // through the multiplications.
        let word = _mm_cvtsi64_si128(upper_of_word(bytes) as i64);
        C::Register::from_low(barrett(Known::<C>::new(), reflected::<C>(word)))
            ^ C::STARTS[bytes.len()]
    }
}

/// The register of a message of up to 8 bytes, whose bits are not reversed, by code that can be
/// compiled into any other.
///
/// # Safety
/// The CPU has PCLMULQDQ.
#[inline(always)]
pub(in super::super) unsafe fn of_word<C: Crc>(bytes: &[u8]) -> C::Register {
    // SAFETY: this function's own condition.
    C::Register::from_low(unsafe { barrett_of_word::<C>(upper_of_word(bytes)) })
        ^ C::STARTS[bytes.len()]
}

/// The register that `sum` leaves: the product of its lower half with x^64 modulo P, or P x^32 for
/// 32 bits, and what is in the upper.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
pub(super) fn barrett<C: Folding>(crc: C, sum: __m128i) -> u64 {
    let divisor = bytemuck::cast(crc.divisor());
    // `divisor` is the quotient constant in its lower half, the polynomial in its upper.
    let quotient = _mm_clmulepi64_si128::<0x00>(sum, divisor);
    // The polynomial's coefficient of x^0 found no place in its constant.
    let missing = _mm_and_si128(_mm_slli_si128::<8>(quotient), _mm_set1_epi64x(crc.ones() as i64));
    let product = _mm_clmulepi64_si128::<0x10>(quotient, divisor);
    let rest = _mm_xor_si128(_mm_xor_si128(sum, product), missing);
    _mm_extract_epi64::<1>(reflected::<C>(rest)) as u64
}

/// [`barrett`] of a word, not reversed, by code that can be compiled into what is compiled for no
/// such CPU.
///
/// # Safety
/// The CPU has PCLMULQDQ.
#[inline(always)]
unsafe fn barrett_of_word<C: Crc>(word: u64) -> u64 {
    const { assert!(!C::MSB_FIRST) };
    #[repr(align(16))]
    struct Divisor([u64; 2]);
    let divisor = const { &Divisor(divisor_of(C::POLYNOMIAL)) };
    let mut rest = bytemuck::cast([word, 0]);
    let quotient: __m128i;
    // SAFETY: arithmetic, and loads from `divisor`, which is aligned as such loads want it.
    unsafe {
        asm!(
            "pclmulqdq {rest}, xmmword ptr [{divisor}], 0x00",
            "movdqa {quotient}, {rest}",
            "pclmulqdq {rest}, xmmword ptr [{divisor}], 0x10",
            rest = inout(xmm_reg) rest,
            quotient = out(xmm_reg) quotient,
            divisor = in(reg) divisor.0.as_ptr(),
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    let [[_, high], [low, _]]: [[u64; 2]; 2] =
        [bytemuck::cast::<__m128i, _>(rest), bytemuck::cast(quotient)];
    if size_of::<C::Register>() == 8 { high ^ low } else { high }
}

/// The register after up to 32 bytes, or any number if there is an instruction for it.
///
/// # Safety
/// The CPU has PCLMULQDQ and SSE 4.2.
#[inline(always)]
pub(super) unsafe fn after_few<C: Folding>(
    crc: C,
    register: C::Register,
    bytes: &[u8],
) -> C::Register {
    let bits = Into::<u128>::into(register) as u64;
    // SAFETY: this function's own condition.
    unsafe {
        let product = match bytes.len() {
            _ if C::INSTRUCTION => {
                return C::Register::from_low(after_sse42(bits as u32, bytes).into());
            }
            0 => return register,
            1..=8 => return after_word(crc, register, bytes),
            len @ 9..=16 => {
                let word =
                    |word: Option<&[u8; 8]>| u64::from_le_bytes(*word.expect("9 bytes or more"));
                let among_first = 8 * (16 - len);
                let last = word(bytes.last_chunk()) >> among_first << among_first;
                let words = _mm_set_epi64x(last as i64, (word(bytes.first_chunk()) ^ bits) as i64);
                product_of_words(crc, reflected::<C>(words), len)
            }
            len => {
                let block = |block: Option<&[u8; 16]>| *block.expect("17 bytes or more");
                let first =
                    _mm_xor_si128(bytemuck::cast(block(bytes.first_chunk())), vector(register));
                product_of_blocks(crc, reflected::<C>(first), &block(bytes.last_chunk()), len)
            }
        };
        C::Register::from_low(barrett(crc, product))
    }
}

/// The register after 1 to 8 bytes.
///
/// # Safety
/// As [`after_few`].
#[inline(always)]
pub(in super::super) unsafe fn after_word<C: Folding>(
    crc: C,
    register: C::Register,
    bytes: &[u8],
) -> C::Register {
    let bits = Into::<u128>::into(register) as u64;
    let shift = 8 * (8 - bytes.len());
    let word = (upper_of_word(bytes) ^ bits << shift).cast_signed();
    // Of four bytes or more nothing is left of 32 bits.
    let left = if size_of::<C::Register>() == 4 && bytes.len() >= 4 {
        0
    } else {
        bits >> (56 - shift) >> 8
    };
    // SAFETY: this function's own condition.
    C::Register::from_low(unsafe { barrett(crc, reflected::<C>(_mm_cvtsi64_si128(word))) } ^ left)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn vector<R: Register>(register: R) -> __m128i {
    _mm_cvtsi64_si128(Into::<u128>::into(register) as i64)
}

/// Of two words the first, with the register added to it, begins `len` bytes before the end, 9 to
/// 16; of the last no byte is left that is in the first. What is given back is congruent to both,
/// moved on by 64 bits.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
pub(super) fn product_of_words<C: Folding>(crc: C, words: __m128i, len: usize) -> __m128i {
    let factor = _mm_cvtsi64_si128(powers(crc, len)[0] as i64);
    _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(words, factor), _mm_srli_si128::<8>(words))
}

/// The same of blocks of 16 bytes, in order the first of them; `len` is 17 to 32. Those bytes of
/// the last that are in the first are left out here.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn product_of_blocks<C: Folding>(crc: C, first: __m128i, last: &[u8; 16], len: usize) -> __m128i {
    let factors = bytemuck::cast(*powers(crc, len).first_chunk::<2>().expect("a row is longer"));
    let not_in_first: __m128i = bytemuck::pod_read_unaligned(&ENDS[len..][..16]);
    let last = product_of_words(
        crc,
        reflected::<C>(_mm_and_si128(not_in_first, bytemuck::cast(*last))),
        16,
    );
    onto_by(first, factors, last)
}

/// The same of pairs of blocks; `len` is 33 to 64.
#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
fn product_of_pairs<C: Folding>(crc: C, first: __m256i, last: &[u8; 32], len: usize) -> __m128i {
    let factors = |len: usize| {
        bytemuck::cast::<[u64; 4], __m256i>(
            *powers(crc, len).first_chunk().expect("a row is longer"),
        )
    };
    let not_in_first = bytemuck::pod_read_unaligned(&ENDS[len - 32..][..32]);
    let last = reflected_256::<C>(_mm256_and_si256(not_in_first, bytemuck::cast(*last)));
    // The last word has a factor, too: an instruction multiplies a word of each half.
    let product = |words: __m256i, factors: __m256i| {
        _mm256_xor_si256(
            _mm256_clmulepi64_epi128::<0x00>(words, factors),
            _mm256_clmulepi64_epi128::<0x11>(words, factors),
        )
    };
    let products = _mm256_xor_si256(product(first, factors(len)), product(last, factors(32)));
    _mm_xor_si128(_mm256_castsi256_si128(products), _mm256_extracti128_si256::<1>(products))
}

/// From byte n on: the last n of 32 bytes, or of 16 from byte n + 16 on if there are no more.
const ENDS: &[u8; 64] = &{
    let mut ends = [0; 64];
    let mut index = 32;
    while index < 64 {
        ends[index] = 0xff;
        index += 1;
    }
    ends
};

/// What words are multiplied by that begin `len` bytes before the end and 8, 16 .. fewer, as far as
/// they are 8 before it; `len` is at most 64. One x of each is there already, as in
/// [`Folding::by`], and the whole is moved on by 64 bits.
#[inline(always)]
fn powers<C: Folding>(crc: C, len: usize) -> &'static [u64] {
    &crc.powers()[len % 8 * 8 + 8 - len / 8..]
}
