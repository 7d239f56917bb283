//! CRCs by carry-less multiplication (V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
//! Instruction", Intel, 2009): what was summed up so far is folded onto the bytes n bits further on by multiplying it by
//! x^n mod P; the last 16 bytes go through the tables.

use std::arch::x86_64::*;

use super::{Crc, absorbed, times_x};
use crate::kernel::Absorb;
use crate::{Features, Kernel, State};

/// 16 bytes at a time.
pub(super) const fn pclmulqdq<C: Crc>() -> Kernel {
    let needs = Features::PCLMULQDQ.union(Features::SSSE3).union(Features::SSE42);
    Kernel { name: "pclmulqdq", needs, absorb: Absorb::One(absorb_128::<C>) }
}

/// 64 bytes at a time.
pub(super) const fn vpclmulqdq<C: Crc>() -> Kernel {
    let needs = Features::VPCLMULQDQ.union(Features::AVX512F).union(Features::GFNI).union(Features::SSSE3).union(Features::SSE42);
    Kernel { name: "vpclmulqdq", needs, absorb: Absorb::One(absorb_512::<C>) }
}

#[target_feature(enable = "pclmulqdq,ssse3")]
fn absorb_128<C: Crc>(state: &mut State, bytes: &[u8]) {
    fold::<C>(state, bytes, |register, first, groups| {
        let load = |group: &[u8; 64]| bytemuck::cast::<_, [[u8; 16]; 4]>(*group).map(|block| load_128::<C>(&block));
        let mut sums = load(first);
        sums[0] = _mm_xor_si128(sums[0], register);
        for group in groups {
            for (sum, next) in sums.iter_mut().zip(load(group)) {
                *sum = onto_128::<C, 512>(*sum, next);
            }
        }
        sums
    });
}

#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn absorb_512<C: Crc>(state: &mut State, bytes: &[u8]) {
    fold::<C>(state, bytes, |register, first, groups| {
        let mut sum = _mm512_xor_si512(load_512::<C>(first), _mm512_zextsi128_si512(register));
        let (quads, groups) = groups.as_chunks::<4>();
        if !quads.is_empty() {
            let zero = _mm512_setzero_si512();
            let mut sums = [zero, zero, zero, sum];
            for quad in quads {
                for (sum, group) in sums.iter_mut().zip(quad) {
                    *sum = onto_512::<C, 2048>(*sum, load_512::<C>(group));
                }
            }
            let [a, b, c, d] = sums;
            sum = onto_512::<C, 512>(onto_512::<C, 512>(onto_512::<C, 512>(a, b), c), d);
        }
        for group in groups {
            sum = onto_512::<C, 512>(sum, load_512::<C>(group));
        }
        // SAFETY: a vector is its four quarters.
        unsafe { std::mem::transmute::<__m512i, [__m128i; 4]>(sum) }
    });
}

/// Below how many bytes [`Crc::SHORT`] is faster.
const SHORT: usize = 256;

/// Absorbs `bytes`; `fold_groups` sums the 64 byte groups of them, the register added to the first, into one.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
fn fold<C: Crc>(state: &mut State, bytes: &[u8], fold_groups: impl FnOnce(__m128i, &[u8; 64], &[[u8; 64]]) -> [__m128i; 4]) {
    if let Some(short) = C::SHORT
        && bytes.len() < SHORT
    {
        // SAFETY: it needs SSE 4.2, and so do both kernels here.
        return unsafe { short(state, bytes) };
    }
    let register = state.view::<C::Register>();
    let start = bytemuck::cast(in_order::<C>((*register).into()));
    let (groups, rest) = bytes.as_chunks::<64>();
    let (blocks, rest) = rest.as_chunks::<16>();
    let (sum, blocks) = if let [first, groups @ ..] = groups {
        let [a, b, c, d] = fold_groups(start, first, groups);
        (onto_128::<C, 128>(onto_128::<C, 128>(onto_128::<C, 128>(a, b), c), d), blocks)
    } else if let [first, blocks @ ..] = blocks {
        (_mm_xor_si128(start, load_128::<C>(first)), blocks)
    } else {
        return *register = absorbed::<C>(*register, rest);
    };
    let sum = blocks.iter().fold(sum, |sum, block| onto_128::<C, 128>(sum, load_128::<C>(block)));
    *register = absorbed::<C>(bytemuck::Zeroable::zeroed(), &in_order::<C>(bytemuck::cast(sum)).to_le_bytes());
    if !rest.is_empty() {
        *register = absorbed::<C>(*register, rest);
    }
}

/// The bits of each byte in the order that the multiplication wants, or back.
#[inline(always)]
fn in_order<C: Crc>(bytes: u128) -> u128 {
    if C::MSB_FIRST { bytes.reverse_bits().swap_bytes() } else { bytes }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn load_128<C: Crc>(block: &[u8; 16]) -> __m128i {
    let bytes: __m128i = bytemuck::cast(*block);
    if !C::MSB_FIRST {
        return bytes;
    }
    let nibble = _mm_set1_epi8(15);
    let reversed: __m128i = bytemuck::cast(*b"\x00\x08\x04\x0c\x02\x0a\x06\x0e\x01\x09\x05\x0d\x03\x0b\x07\x0f");
    let low = _mm_shuffle_epi8(_mm_slli_epi16::<4>(reversed), _mm_and_si128(bytes, nibble));
    let high = _mm_shuffle_epi8(reversed, _mm_and_si128(_mm_srli_epi16::<4>(bytes), nibble));
    _mm_or_si128(low, high)
}

#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn load_512<C: Crc>(group: &[u8; 64]) -> __m512i {
    // SAFETY: any 64 bytes are a vector.
    let bytes: __m512i = unsafe { std::mem::transmute(*group) };
    if C::MSB_FIRST {
        _mm512_gf2p8affine_epi64_epi8::<0>(bytes, _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64))
    } else {
        bytes
    }
}

/// `sum` moved on by `BITS`, and added to what is there.
#[inline]
#[target_feature(enable = "pclmulqdq")]
fn onto_128<C: Crc, const BITS: u32>(sum: __m128i, next: __m128i) -> __m128i {
    let factors = bytemuck::cast(const { factors::<C>(BITS) });
    let low = _mm_clmulepi64_si128::<0x00>(sum, factors);
    _mm_xor_si128(_mm_xor_si128(low, next), _mm_clmulepi64_si128::<0x11>(sum, factors))
}

/// Each quarter of `sum` moved on by `BITS`, and added to the quarter that is there.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f")]
fn onto_512<C: Crc, const BITS: u32>(sum: __m512i, next: __m512i) -> __m512i {
    let factors = _mm512_broadcast_i32x4(bytemuck::cast(const { factors::<C>(BITS) }));
    let low = _mm512_clmulepi64_epi128::<0x00>(sum, factors);
    let high = _mm512_clmulepi64_epi128::<0x11>(sum, factors);
    _mm512_ternarylogic_epi64::<0x96>(low, high, next)
}

/// What the halves of 16 bytes are multiplied by to move them on by `bits`. The first is 64 bits further away; one x of each
/// is there already, since the product of two reflected words of 64 bits has 127.
const fn factors<C: Crc>(bits: u32) -> [u64; 2] {
    [power::<C>(bits + 63), power::<C>(bits - 1)]
}

/// x^n modulo the polynomial, the coefficient of x^0 in bit 63.
const fn power<C: Crc>(mut n: u32) -> u64 {
    let width = 8 * size_of::<C::Register>() as u32;
    let mut remainder = 1 << (width - 1);
    while n > 0 {
        remainder = times_x(C::POLYNOMIAL, remainder);
        n -= 1;
    }
    remainder << (64 - width)
}
