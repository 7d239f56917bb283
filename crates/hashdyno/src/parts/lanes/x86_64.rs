//! The lanes of SSE2, AVX2 and AVX-512, by `vector!` (`vector.rs`); `Vl` in a name stands for the
//! instructions that AVX-512 has for smaller registers.
//!
//! Before AVX-512 a rotation is two shifts and an OR, or a byte shuffle where it has whole bytes
//! and the CPU has SSSE3 (`turns.rs`).
//! AVX-512 rotates in one instruction, and has VPTERNLOG for `select` and `majority`. Orders of
//! shuffles of AVX2 are hidden from the compiler (`turn_256`), which would split or merge shuffles.
//! `pad_256` makes each vector in registers: a load of bytes from several stores would wait.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable};

use super::tiny::{eight_long_rows, eight_rows, four_rows, sixteen_rows};
use super::transpose::{Register, transpose};
use super::vector::vector;
use super::{Arithmetic, Ends, Lanes, Pieces, join, pad, swap_by_masks};
use crate::Features;
use crate::parts::barrier;

mod turns;

use turns::{
    down_128, left_128, left_128_by_bytes, left_128_of_64, left_256_of_32, left_256_of_64,
    turn_256, turn_512, up_128,
};

vector! {
    /// Four words of 32 bits in a register of SSE2.
    U32x4: 4 of u32 as i32, four together, in __m128i,
    compiled for "sse2", needs Features::SSE2;
    splat _mm_set1_epi32; plus _mm_add_epi32; xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128;
    left(a; distance) left_128(a, distance);
    up(a; distance) up_128(a, distance);
    down(a; distance) down_128(a, distance);
    swap_bytes(a) {
        let odd = _mm_set1_epi32(0x00ff_00ff);
        _mm_or_si128(_mm_and_si128(left_128(a, 8), odd), _mm_andnot_si128(odd, left_128(a, 24)))
    };
}

vector! {
    /// Four words of 32 bits in a register of SSE2, by SSSE3's shuffle.
    U32x4Ssse3: 4 of u32 as i32, four together, in __m128i,
    compiled for "ssse3", needs Features::SSSE3;
    splat _mm_set1_epi32; plus _mm_add_epi32; xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128;
    left(a; distance) left_128_by_bytes(a, distance);
    up(a; distance) up_128(a, distance);
    down(a; distance) down_128(a, distance);
    swap_bytes(a) _mm_shuffle_epi8(a, bytemuck::cast(SWAP_32));
}

vector! {
    /// Four words of 32 bits in a register of SSE2, by AVX-512's instructions.
    U32x4Vl: 4 of u32 as i32, four together, in __m128i,
    compiled for "avx512f,avx512vl", needs VL;
    splat _mm_set1_epi32; plus _mm_add_epi32; xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128;
    left(a; distance) _mm_rolv_epi32(a, _mm_set1_epi32(distance as i32));
    up(a; distance) _mm_sllv_epi32(a, _mm_set1_epi32(distance as i32));
    down(a; distance) _mm_srlv_epi32(a, _mm_set1_epi32(distance as i32));
    swap_bytes(a) _mm_shuffle_epi8(a, bytemuck::cast(SWAP_32));
    barrier(a) barrier_128(a);
    in_place(a) in_place_128(a);
    select(a, yes, no) _mm_ternarylogic_epi32::<0xca>(a, yes, no);
    majority(a, b, c) _mm_ternarylogic_epi32::<0xe8>(a, b, c);
}

vector! {
    /// Two words of 64 bits in a register of SSE2, by SSSE3's shuffle.
    U64x2: 2 of u64 as i64, two together, in __m128i,
    compiled for "ssse3", needs Features::SSSE3;
    splat _mm_set1_epi64x; plus _mm_add_epi64;
    xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128;
    left(a; distance) left_128_of_64(a, distance);
    up(a; distance) _mm_sll_epi64(a, _mm_cvtsi32_si128(distance as i32));
    down(a; distance) _mm_srl_epi64(a, _mm_cvtsi32_si128(distance as i32));
    swap_bytes(a) _mm_shuffle_epi8(a, bytemuck::cast(SWAP_64));
}

vector! {
    /// Eight words of 32 bits in a register of AVX2.
    U32x8: 8 of u32 as i32, four together, in __m256i,
    compiled for "avx2", needs Features::AVX2;
    splat _mm256_set1_epi32; plus _mm256_add_epi32;
    xor _mm256_xor_si256; and _mm256_and_si256; or _mm256_or_si256;
    left(a; distance) left_256_of_32(a, distance);
    up(a; distance) _mm256_sllv_epi32(a, _mm256_set1_epi32(distance as i32));
    down(a; distance) _mm256_srlv_epi32(a, _mm256_set1_epi32(distance as i32));
    swap_bytes(a) _mm256_shuffle_epi8(a, turn_256(SWAP_32));
    barrier(a) barrier_256(a);
    in_place(a) in_place_256(a);
    [pad_256, rows eight_rows, table look_up_256, ends end_256]
}

vector! {
    /// Four words of 64 bits in a register of AVX2.
    U64x4: 4 of u64 as i64, two together, in __m256i,
    compiled for "avx2", needs Features::AVX2;
    splat _mm256_set1_epi64x; plus _mm256_add_epi64;
    xor _mm256_xor_si256; and _mm256_and_si256; or _mm256_or_si256;
    left(a; distance) left_256_of_64(a, distance);
    up(a; distance) _mm256_sllv_epi64(a, _mm256_set1_epi64x(distance.into()));
    down(a; distance) _mm256_srlv_epi64(a, _mm256_set1_epi64x(distance.into()));
    swap_runs(a; bits) match bits {
        8 => _mm256_shuffle_epi8(
            a,
            turn_256([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]),
        ),
        16 => _mm256_shuffle_epi8(
            a,
            turn_256([2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]),
        ),
        32 => left_256_of_64(a, 32),
        _ => swap_by_masks(U64x4(a), bits).0,
    };
    swap_bytes(a) _mm256_shuffle_epi8(a, turn_256(SWAP_64));
    barrier(a) barrier_256(a);
    [pad_256, rows four_rows, ends end_256]
}

vector! {
    /// Four words of 64 bits in a register of AVX2, by AVX-512's instructions.
    U64x4Vl: 4 of u64 as i64, two together, in __m256i,
    compiled for "avx512f,avx512vl", needs VL;
    splat _mm256_set1_epi64x; plus _mm256_add_epi64;
    xor _mm256_xor_si256; and _mm256_and_si256; or _mm256_or_si256;
    left(a; distance) _mm256_rolv_epi64(a, _mm256_set1_epi64x(distance.into()));
    up(a; distance) _mm256_sllv_epi64(a, _mm256_set1_epi64x(distance.into()));
    down(a; distance) _mm256_srlv_epi64(a, _mm256_set1_epi64x(distance.into()));
    swap_bytes(a) _mm256_shuffle_epi8(a, bytemuck::cast([SWAP_64; 2]));
    select(a, yes, no) _mm256_ternarylogic_epi64::<0xca>(a, yes, no);
    [pad_256, rows four_rows, ends end_256]
}

vector! {
    /// Sixteen words of 32 bits in a register of AVX-512.
    U32x16: 16 of u32 as i32, four together, in __m512i,
    compiled for "avx512f,avx512bw,avx512vl", needs AVX512;
    splat _mm512_set1_epi32; plus _mm512_add_epi32;
    xor _mm512_xor_si512; and _mm512_and_si512; or _mm512_or_si512;
    left(a; distance) _mm512_rolv_epi32(a, _mm512_set1_epi32(distance as i32));
    up(a; distance) _mm512_sllv_epi32(a, _mm512_set1_epi32(distance as i32));
    down(a; distance) _mm512_srlv_epi32(a, _mm512_set1_epi32(distance as i32));
    swap_bytes(a) _mm512_shuffle_epi8(a, turn_512(SWAP_32));
    barrier(a) barrier_512(a);
    in_place(a) in_place_512(a);
    select(a, yes, no) _mm512_ternarylogic_epi32::<0xca>(a, yes, no);
    majority(a, b, c) _mm512_ternarylogic_epi32::<0xe8>(a, b, c);
    [pad_256, rows sixteen_rows, ends end_512]
}

vector! {
    /// Eight words of 64 bits in a register of AVX-512.
    U64x8: 8 of u64 as i64, two together, in __m512i,
    compiled for "avx512f,avx512bw,avx512vl", needs AVX512;
    splat _mm512_set1_epi64; plus _mm512_add_epi64;
    xor _mm512_xor_si512; and _mm512_and_si512; or _mm512_or_si512;
    left(a; distance) _mm512_rolv_epi64(a, _mm512_set1_epi64(distance.into()));
    up(a; distance) _mm512_sllv_epi64(a, _mm512_set1_epi64(distance.into()));
    down(a; distance) _mm512_srlv_epi64(a, _mm512_set1_epi64(distance.into()));
    swap_bytes(a) _mm512_shuffle_epi8(a, turn_512(SWAP_64));
    barrier(a) barrier_512(a);
    select(a, yes, no) _mm512_ternarylogic_epi64::<0xca>(a, yes, no);
    majority(a, b, c) _mm512_ternarylogic_epi64::<0xe8>(a, b, c);
    [pad_256, rows eight_long_rows, ends end_512]
}

/// Implements [`Arithmetic`]: the product and the comparison.
macro_rules! arithmetic {
    ($lanes:ident; |$a:ident, $b:ident| $product:expr, $above:ident) => {
        impl Arithmetic for $lanes {
            #[inline(always)]
            fn times(self, factor: Self) -> Self {
                let ($a, $b) = (self.0, factor.0);
                // SAFETY: see `vector`.
                Self(unsafe { $product })
            }

            #[inline(always)]
            fn above(self, other: Self) -> Self {
                // SAFETY: see `vector`.
                Self(unsafe { $above(self.0, other.0) })
            }
        }
    };
}

arithmetic!(U32x8; |a, b| _mm256_mullo_epi32(a, b), _mm256_cmpgt_epi32);
arithmetic!(U64x4; |a, b| {
    let crossed = _mm256_add_epi64(
        _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), b),
        _mm256_mul_epu32(a, _mm256_srli_epi64::<32>(b)),
    );
    _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(crossed))
}, _mm256_cmpgt_epi64);
arithmetic!(U64x4Vl; |a, b| _mm256_mullo_epi64(a, b), _mm256_cmpgt_epi64);

/// Which byte each byte of a block of 128 bits comes from, to turn words round.
const SWAP_32: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
const SWAP_64: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/// [`Lanes::barrier`].
#[inline]
#[target_feature(enable = "sse2")]
fn barrier_128(register: __m128i) -> __m128i {
    barrier::register!(xmm_reg register)
}

/// [`Lanes::in_place`].
#[inline]
#[target_feature(enable = "sse2")]
fn in_place_128(register: __m128i) -> __m128i {
    barrier::register_in_place!(xmm_reg register)
}

/// [`Lanes::barrier`].
#[inline]
#[target_feature(enable = "avx2")]
fn barrier_256(register: __m256i) -> __m256i {
    barrier::register!(ymm_reg register)
}

/// [`Lanes::barrier`].
#[inline]
#[target_feature(enable = "avx512f")]
fn barrier_512(register: __m512i) -> __m512i {
    barrier::register!(zmm_reg register)
}

/// [`Lanes::in_place`].
#[inline]
#[target_feature(enable = "avx512f")]
fn in_place_512(register: __m512i) -> __m512i {
    barrier::register_in_place!(zmm_reg register)
}

/// [`Lanes::in_place`].
#[inline]
#[target_feature(enable = "avx2")]
fn in_place_256(register: __m256i) -> __m256i {
    barrier::register_in_place!(ymm_reg register)
}

/// [`Lanes::pad`]. Each vector is made before it is stored: a load of what many small stores wrote
/// would wait for them.
///
/// # Safety
/// As `vector`.
#[inline(always)]
unsafe fn pad_256(blocks: &mut [u8], message: &[u8], rest: usize, mark: u8, trailer: [u64; 4]) {
    let Some(last) = message.last_chunk::<4>() else {
        pad_few(blocks, message, mark);
        return join(blocks, trailer);
    };
    let end = blocks.len().wrapping_sub(32);
    assert!(end < usize::MAX - 32);
    let message = &message[message.len() - rest..];
    let partial = partial(*last, rest, mark);
    // SAFETY: see `vector`.
    unsafe {
        let mut at = 0;
        while at < end {
            let vector = words_256(message, partial, at);
            blocks[at..][..32].copy_from_slice(bytemuck::bytes_of(&vector));
            at += 32;
        }
        let last = _mm256_or_si256(words_256(message, partial, end), bytemuck::cast(trailer));
        blocks[end..].copy_from_slice(bytemuck::bytes_of(&last));
    }
}

/// A register of [`Lanes::read_ends`]: 32 bytes of a message, from `from` on.
///
/// # Safety
/// As `vector`.
#[inline(always)]
unsafe fn end_256(message: &[u8], from: usize, mark: u8) -> __m256i {
    if let Some(whole) = message.get(from..).and_then(<[u8]>::first_chunk::<32>) {
        return bytemuck::pod_read_unaligned(whole);
    }
    let partial = match message.last_chunk::<4>() {
        Some(last) => partial(*last, message.len(), mark),
        None => few(message, mark),
    };
    // SAFETY: see `vector`.
    unsafe { words_256(message, partial, from) }
}

/// The bytes behind the last whole word of `len` bytes, with the mark; `last` are the last four.
#[inline(always)]
fn partial(last: [u8; 4], len: usize, mark: u8) -> u32 {
    let bits = 8 * (len % 4);
    (u64::from(u32::from_le_bytes(last)) >> (32 - bits)) as u32 | u32::from(mark) << bits
}

/// The same of a message of fewer than four bytes.
#[cold]
#[inline(never)]
fn few(message: &[u8], mark: u8) -> u32 {
    crate::parts::words::few(message) as u32 | u32::from(mark) << (8 * message.len())
}

/// 32 bytes of a message, from `at` on, with `partial` behind its last whole word, and zeros. The
/// load leaves out the words that are not whole there.
///
/// # Safety
/// As `vector`.
#[inline(always)]
unsafe fn words_256(message: &[u8], partial: u32, at: usize) -> __m256i {
    // SAFETY: see `vector`; a load touches no word but those that are there.
    unsafe {
        let whole = _mm256_set1_epi32((message.len() / 4) as i32);
        let places = _mm256_add_epi32(
            _mm256_set1_epi32((at / 4) as i32),
            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
        );
        let words = _mm256_maskload_epi32(
            message.as_ptr().wrapping_add(at).cast(),
            _mm256_cmpgt_epi32(whole, places),
        );
        let partial = _mm256_set1_epi32(partial as i32);
        _mm256_or_si256(words, _mm256_and_si256(_mm256_cmpeq_epi32(whole, places), partial))
    }
}

/// A register of [`Lanes::read_ends`]: 64 bytes of a message, from `from` on.
///
/// # Safety
/// As `vector`.
#[inline(always)]
unsafe fn end_512(message: &[u8], from: usize, mark: u8) -> __m512i {
    let rest = message.get(from..);
    if let Some(whole) = rest.and_then(<[u8]>::first_chunk::<64>) {
        return bytemuck::pod_read_unaligned(whole);
    }
    // The bytes that are there, and the one behind them if it lies in this register.
    let left = rest.map_or(0, <[u8]>::len);
    let (there, behind) = ((1 << left) - 1, u64::from(rest.is_some()) << left);
    // SAFETY: see `vector`; a load touches no byte but those that are there.
    unsafe {
        let bytes = _mm512_maskz_loadu_epi8(there, message.as_ptr().wrapping_add(from).cast());
        if mark == 0 {
            return bytes;
        }
        _mm512_mask_blend_epi8(behind, bytes, _mm512_set1_epi8(mark as i8))
    }
}

/// Apart from `pad_256`, whose registers it would need.
#[cold]
#[inline(never)]
fn pad_few(blocks: &mut [u8], message: &[u8], mark: u8) {
    pad(blocks, message, mark);
}

/// [`Lanes::look_up`] by one instruction.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up_256(words: __m256i, table: &[u32; 256]) -> __m256i {
    let places = _mm256_and_si256(words, _mm256_set1_epi32(0xff));
    // SAFETY: no place is greater than 255, and the table has so many words of four bytes.
    unsafe { _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), places) }
}

pub(crate) const AVX512: Features =
    Features::AVX512F.union(Features::AVX512BW).union(Features::AVX512VL);

/// What AVX-512's instructions need in smaller registers.
pub(crate) const VL: Features = Features::AVX512F.union(Features::AVX512VL);

/// What [`U64x4Vl`] needs where it multiplies.
pub(crate) const AVX512DQ: Features = VL.union(Features::AVX512DQ);
