//! Kernels of the catalogue by carry-less multiplication: as those in `crc/x86_64.rs`, with factors
//! from memory.

use std::arch::x86_64::*;

use super::super::x86_64::{NEEDS, behind, in_order, load_128, load_256, onto_by, vector};
use super::super::{Order, Register};
use super::entry::{Entry, Running};
use crate::{Absorb, Features, Kernel, State};

/// 16 bytes at a time.
pub(super) const fn pclmulqdq<O: Order>() -> Kernel {
    #[target_feature(enable = "pclmulqdq,sse4.2")]
    fn absorb<O: Order>(state: &mut State, bytes: &[u8]) {
        let running: &mut Running = state.view();
        running.register = after_128::<O>(running.entry(), running.register, bytes);
    }
    Kernel::of("pclmulqdq", NEEDS, Absorb::One(absorb::<O>))
}

/// 32 bytes at a time.
pub(super) const fn vpclmulqdq_avx2<O: Order>() -> Kernel {
    #[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
    fn absorb<O: Order>(state: &mut State, bytes: &[u8]) {
        let running: &mut Running = state.view();
        running.register = after_256::<O>(running.entry(), running.register, bytes);
    }
    let needs = NEEDS.union(Features::VPCLMULQDQ).union(Features::AVX2);
    Kernel::of("vpclmulqdq-avx2", needs, Absorb::One(absorb::<O>))
}

#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn after_128<O: Order>(entry: &Entry, register: u64, bytes: &[u8]) -> u64 {
    let factors = &entry.factors;
    after_by::<O>(entry, register, bytes, |start, blocks| {
        let (groups, rest) = blocks.as_chunks::<4>();
        let [first, groups @ ..] = groups else {
            let (first, rest) = blocks.split_first().expect("16 bytes or more");
            let by_128 = bytemuck::cast(factors.by_128);
            let sum = _mm_xor_si128(start, load_128::<O>(first));
            return rest.iter().fold(sum, |sum, block| onto_by(sum, by_128, load_128::<O>(block)));
        };
        let by_512 = bytemuck::cast(factors.by_512);
        let mut sums = first.map(|block| load_128::<O>(&block));
        sums[0] = _mm_xor_si128(sums[0], start);
        for group in groups {
            for (sum, block) in sums.iter_mut().zip(group) {
                *sum = onto_by(*sum, by_512, load_128::<O>(block));
            }
        }
        factors.join::<O>(sums, rest)
    })
}

#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
fn after_256<O: Order>(entry: &Entry, register: u64, bytes: &[u8]) -> u64 {
    if bytes.len() < 128 {
        return after_128::<O>(entry, register, bytes);
    }
    let factors = &entry.factors;
    after_by::<O>(entry, register, bytes, |start, blocks| {
        let (groups, rest) = blocks.as_chunks::<8>();
        let load = |group: &[[u8; 16]; 8]| {
            bytemuck::cast_ref::<_, [[u8; 32]; 4]>(group).map(|pair| load_256::<O>(&pair))
        };
        let mut sums = load(&groups[0]);
        sums[0] = _mm256_xor_si256(sums[0], _mm256_zextsi128_si256(start));
        for group in &groups[1..] {
            for (sum, next) in sums.iter_mut().zip(load(group)) {
                *sum = onto_256(*sum, factors.by_1024, next);
            }
        }
        let [a, b, c, d] = sums;
        let (first, second) = (onto_256(a, factors.by_512, c), onto_256(b, factors.by_512, d));
        let halves = |sum| (_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let ((a, b), (c, d)) = (halves(first), halves(second));
        factors.join::<O>([a, b, c, d], rest)
    })
}

/// The register after `bytes`; `fold_blocks` sums blocks of 16 bytes, of which there is one at
/// least, the first with the register added to it, into one.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn after_by<O: Order>(
    entry: &Entry,
    register: u64,
    bytes: &[u8],
    fold_blocks: impl FnOnce(__m128i, &[[u8; 16]]) -> __m128i,
) -> u64 {
    let Some(last) = bytes.last_chunk::<16>() else { return entry.after(register, bytes) };
    let factors = &entry.factors;
    let by_128 = bytemuck::cast(factors.by_128);
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut sum = fold_blocks(in_order::<O>(vector(register)), blocks);
    if !rest.is_empty() {
        sum = behind::<O>(sum, rest.len(), last, by_128);
    }
    // The first half is moved on by 64 bits; both are divided as P. Barrett does.
    let product = _mm_clmulepi64_si128::<0x10>(sum, by_128);
    let sum = _mm_xor_si128(product, _mm_srli_si128::<8>(sum));
    let divisor = bytemuck::cast(factors.divisor);
    let quotient = _mm_clmulepi64_si128::<0x00>(sum, divisor);
    let missing =
        _mm_and_si128(_mm_slli_si128::<8>(quotient), _mm_set1_epi64x(factors.ones as i64));
    let rest = _mm_xor_si128(sum, _mm_clmulepi64_si128::<0x10>(quotient, divisor));
    u64::from_low(_mm_extract_epi64::<1>(in_order::<O>(_mm_xor_si128(rest, missing))) as u64)
}

/// Each half of `sum` multiplied by its factors, and added to the half that is there.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn onto_256(sum: __m256i, factors: [u64; 2], next: __m256i) -> __m256i {
    let factors = _mm256_broadcastsi128_si256(bytemuck::cast(factors));
    let low = _mm256_clmulepi64_epi128::<0x00>(sum, factors);
    _mm256_xor_si256(_mm256_xor_si256(low, next), _mm256_clmulepi64_epi128::<0x11>(sum, factors))
}
