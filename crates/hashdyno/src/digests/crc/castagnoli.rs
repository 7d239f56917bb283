//! CRC-32C by its instruction and by carry-less multiplication at once (as P. Cawley does in
//! fast-crc32, 2022): they are done in different parts of the CPU. The multiplication takes the
//! first part of a chunk, three chains of the instruction the others.

use std::arch::x86_64::*;

pub(super) mod zen5;

use super::folding::Known;
use super::x86_64::{after_256, combined_128, of_few, onto_256};
use super::{Castagnoli, Crc, times_x};
use crate::checksum::checksum_kernel;
use crate::{Features, Kernel};

/// One chain of the instruction: three cycles for eight bytes.
pub(super) const fn sse42() -> Kernel {
    checksum_kernel!("sse4.2", Features::SSE42, "sse4.2", Castagnoli, after_sse42)
}

/// Three chains, and vectors of 32 bytes.
pub(super) const fn fused() -> Kernel {
    let needs = Features::SSE42.union(Features::VPCLMULQDQ).union(Features::AVX2);
    checksum_kernel!(
        "sse4.2-vpclmulqdq", needs, "sse4.2,pclmulqdq,vpclmulqdq,avx2", Castagnoli, after_fused,
        ..=64 => unsafe of_few::<Castagnoli>
    )
}

const CRC: Known<Castagnoli> = Known::new();

/// Words of eight bytes that each chain takes in a step.
const WORDS: usize = 5;

/// Bytes of a step: four vectors, and what the chains take.
const STEP: usize = 128 + 3 * 8 * WORDS;

/// The most steps of a chunk.
const STEPS: usize = 64;

/// From how many bytes on that is faster than to multiply alone.
const MIN_CHUNK: usize = 960;

#[inline]
#[target_feature(enable = "sse4.2")]
pub(super) fn after_sse42(register: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut register = words.iter().fold(register, |register, word| after_word(register, word));
    if rest.is_empty() {
        return register;
    }
    // Four bytes, two and one: what there is of each.
    let (four, rest) = rest.as_chunks::<4>();
    if let [four] = four {
        register = _mm_crc32_u32(register, u32::from_le_bytes(*four));
    }
    let (two, rest) = rest.as_chunks::<2>();
    if let [two] = two {
        register = _mm_crc32_u16(register, u16::from_le_bytes(*two));
    }
    if let [one] = rest {
        register = _mm_crc32_u8(register, *one);
    }
    register
}

#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx2")]
fn after_fused(register: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < MIN_CHUNK {
        after_256(CRC, register, bytes)
    } else {
        after_chunks(register, bytes)
    }
}

#[inline(never)]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx2")]
fn after_chunks(mut register: u32, mut bytes: &[u8]) -> u32 {
    while bytes.len() >= MIN_CHUNK {
        let (chunk, rest) = bytes.split_at(STEP * (bytes.len() / STEP).min(STEPS));
        register = after_chunk(register, chunk);
        bytes = rest;
    }
    after_256(CRC, register, bytes)
}

#[inline]
#[target_feature(enable = "sse4.2")]
fn after_word(register: u32, word: &[u8; 8]) -> u32 {
    _mm_crc32_u64(register.into(), u64::from_le_bytes(*word)) as u32
}

/// A whole number of steps.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx2")]
fn after_chunk(register: u32, bytes: &[u8]) -> u32 {
    let steps = bytes.len() / STEP;
    let (vectors, words) = bytes.split_at(128 * steps);
    let vectors: &[[[u8; 32]; 4]] = bytemuck::cast_slice(vectors);
    let words: &[[[u8; 8]; WORDS]] = bytemuck::cast_slice(words);
    let (first, others) = words.split_at(steps);
    let (second, third) = others.split_at(steps);
    let mut registers = [0; 3];
    let mut chains = |a: &[[u8; 8]; WORDS], b: &[[u8; 8]; WORDS], c: &[[u8; 8]; WORDS]| {
        for word in 0..WORDS {
            registers = [
                after_word(registers[0], &a[word]),
                after_word(registers[1], &b[word]),
                after_word(registers[2], &c[word]),
            ];
        }
    };
    chains(&first[0], &second[0], &third[0]);
    let mut sums: [__m256i; 4] = bytemuck::cast(vectors[0]);
    sums[0] = _mm256_xor_si256(sums[0], _mm256_set_epi64x(0, 0, 0, register.into()));
    for (((group, a), b), c) in
        vectors[1..].iter().zip(&first[1..]).zip(&second[1..]).zip(&third[1..])
    {
        for (sum, next) in sums.iter_mut().zip(group) {
            *sum = onto_256::<_, 1024>(CRC, *sum, bytemuck::cast(*next));
        }
        chains(a, b, c);
    }
    let [a, b, c] = registers;
    joined([after_sum(combined_128(CRC, sums)), a, b, c], WORDS * steps, 0)
}

/// The register after what is summed up in 16 bytes.
#[inline]
#[target_feature(enable = "sse4.2")]
fn after_sum(sum: __m128i) -> u32 {
    let low = _mm_crc32_u64(0, _mm_cvtsi128_si64(sum) as u64);
    _mm_crc32_u64(low, _mm_extract_epi64::<1>(sum) as u64) as u32
}

/// The register after all of what these are the registers of, one behind the other: of so many
/// words of eight bytes each but the first, and the last of so many more.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn joined<const N: usize>(registers: [u32; N], words: usize, more: usize) -> u32 {
    let vector = |word: u32| _mm_cvtsi32_si128(word as i32);
    let mut sum = _mm_setzero_si128();
    // The first comes last: it is what takes longest.
    for (index, register) in registers[..N - 1].iter().enumerate().rev() {
        sum = _mm_xor_si128(
            sum,
            _mm_clmulepi64_si128::<0>(
                vector(*register),
                vector(POWERS[(N - 1 - index) * words + more]),
            ),
        );
    }
    _mm_crc32_u64(0, _mm_cvtsi128_si64(sum) as u64) as u32 ^ registers[N - 1]
}

/// x^(64 n - 33) modulo the polynomial: two reflected words of 32 bits, multiplied, have one x
/// more, and the instruction brings 32.
static POWERS: [u32; 3 * WORDS * STEPS + 1] = {
    let mut powers = [0; _];
    let (mut power, mut n) = (1u64 << 31, 0);
    while n < 31 {
        power = times_x(Castagnoli::POLYNOMIAL, power);
        n += 1;
    }
    n = 1;
    while n < powers.len() {
        powers[n] = power as u32;
        let mut bit = 0;
        while bit < 64 {
            power = times_x(Castagnoli::POLYNOMIAL, power);
            bit += 1;
        }
        n += 1;
    }
    powers
};
