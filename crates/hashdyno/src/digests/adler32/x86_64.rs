//! Adler-32 by vectors of 32 and of 64 bytes.
//!
//! A run of bytes needs two totals. One is the sum of the bytes. The other counts a byte as often
//! as there are bytes from it to the end of the run. `Sums::after` joins both with the state:
//!
//! ```text
//! weighted = sum over all groups of (size of a group - place in the group) * byte
//! before   = sum over all groups of the bytes of all groups before
//! other total = size of a group * before + weighted
//! ```
//!
//! Short messages are two loads that overlap, with one weight for each byte.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Adler, MAX_RUN, Sums};
use crate::parts::checksum::checksum_kernel;
use crate::parts::prefetch::{UNCACHED, fetch_ahead};
use crate::parts::words::{byte_sums, upper_of_word};
use crate::{Features, Kernel};

/// 64 bytes at a time; one instruction weights and adds them.
pub(super) const fn avx512vnni() -> Kernel {
    let needs = Features::AVX512VNNI
        .union(Features::AVX512BW)
        .union(Features::AVX512VL)
        .union(Features::AVX2);
    checksum_kernel!(
        "avx512vnni", needs, "avx512vnni,avx512bw,avx512vl,avx2", Adler, after_512,
        ..=128 => unsafe after_few_512
    )
}

/// 32 bytes at a time.
pub(super) const fn avx2() -> Kernel {
    checksum_kernel!("avx2", Features::AVX2, "avx2", Adler, after_256, ..=64 => unsafe after_few)
}

/// From byte 64 - n on: n, n - 1 .. n - 31, for n up to 64: for how much each of the last n bytes
/// counts.
const LEFT: &[i8; 96] = &{
    let mut left = [0; 96];
    let mut index = 0;
    while index < 96 {
        left[index] = 64 - index as i8;
        index += 1;
    }
    left
};

/// Fewer than 512 bytes are sooner summed in vectors of 256 bits, on Zen 4 and on Intel's cores.
#[inline]
#[target_feature(enable = "avx512vnni,avx512bw,avx2")]
fn after_512(sums: Sums, bytes: &[u8]) -> Sums {
    if bytes.len() < 512 { after_256(sums, bytes) } else { after_runs_512(sums, bytes) }
}

#[inline(never)]
#[target_feature(enable = "avx512vnni,avx512bw,avx2")]
fn after_runs_512(mut sums: Sums, bytes: &[u8]) -> Sums {
    for run in bytes.chunks(MAX_RUN) {
        let (groups, rest) = run.as_chunks();
        sums = sums.after(totals_512(groups, bytes.len() >= UNCACHED), groups.as_flattened().len());
        sums = after_256(sums, rest);
    }
    sums
}

/// 64, 63 .. 1.
const WEIGHTS: &[u8; 64] = &{
    let mut weights = [0; 64];
    let mut index = 0;
    while index < 64 {
        weights[index] = 64 - index as u8;
        index += 1;
    }
    weights
};

/// The totals of groups; `uncached` says that those that follow are to be fetched ahead.
#[inline]
#[target_feature(enable = "avx512vnni,avx512bw")]
fn totals_512(groups: &[[u8; 64]], uncached: bool) -> (u64, u64) {
    let zero = _mm512_setzero_si512();
    let weights = load_512(WEIGHTS);
    let plus = |a, b| _mm512_add_epi64(a, b);
    // What comes before each quad, and before each group within its quad.
    let (mut sum, mut before_quads, mut before_groups) = (zero, zero, zero);
    // A weighted sum takes 5 cycles: four of them wait for each other in turn.
    let mut weighted = [zero; 4];
    let (quads, groups) = groups.as_chunks::<4>();
    let add = |weighted: &mut __m512i, group: &[u8; 64]| {
        let bytes = load_512(group);
        *weighted = _mm512_dpbusd_epi32(*weighted, bytes, weights);
        _mm512_sad_epu8(bytes, zero)
    };
    for quad in quads {
        if uncached {
            fetch_ahead(quad);
        }
        let mut sums = [zero; 4];
        for (sum, (weighted, group)) in sums.iter_mut().zip(weighted.iter_mut().zip(quad)) {
            *sum = add(weighted, group);
        }
        // `sum` comes before each of the four groups and is counted four times at the end.
        let [one, second, third, fourth] = sums;
        let two = plus(one, second);
        let three = plus(two, third);
        before_groups = plus(before_groups, plus(plus(one, two), three));
        before_quads = plus(before_quads, sum);
        sum = plus(sum, plus(three, fourth));
    }
    for (weighted, group) in weighted.iter_mut().zip(groups) {
        before_groups = plus(before_groups, sum);
        sum = plus(sum, add(weighted, group));
    }
    let [a, b, c, d] = weighted;
    let weighted = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    let total = |words: __m512i| _mm512_reduce_add_epi32(words) as u32;
    let before = 4 * u64::from(total(before_quads)) + u64::from(total(before_groups));
    (total(sum).into(), 64 * before + u64::from(total(weighted)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_512(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: any 64 bytes are a vector.
    unsafe { std::mem::transmute(*bytes) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn after_256(sums: Sums, bytes: &[u8]) -> Sums {
    match bytes.last_chunk() {
        // SAFETY: this function is compiled for AVX2.
        _ if bytes.len() <= 64 => unsafe { after_few(sums, bytes) },
        Some(last) if bytes.len() <= MAX_RUN => after_run(sums, bytes, last, false),
        _ => after_runs(sums, bytes),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn after_runs(mut sums: Sums, bytes: &[u8]) -> Sums {
    for run in bytes.chunks(MAX_RUN) {
        sums = match run.last_chunk() {
            Some(last) => after_run(sums, run, last, bytes.len() >= UNCACHED),
            None => super::after(sums, run),
        };
    }
    sums
}

/// The sums after a run of 32 bytes or more; `uncached` as in [`totals_512`].
#[inline(never)]
#[target_feature(enable = "avx2")]
fn after_run(sums: Sums, bytes: &[u8], last: &[u8; 32], uncached: bool) -> Sums {
    sums.after(totals(bytes.as_chunks().0, last, bytes.len() % 32, uncached), bytes.len())
}

/// The sums after up to 64 bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn after_few(sums: Sums, bytes: &[u8]) -> Sums {
    // SAFETY: this function's own condition.
    let totals = unsafe {
        match bytes.len() {
            0..=8 => byte_sums(upper_of_word(bytes)),
            9..=16 => totals_of_two(bytes),
            17..=32 => totals_of_two_128(bytes),
            _ => totals_of_two_256(bytes),
        }
    };
    sums.after_few(totals, bytes.len())
}

/// The same, where up to 16 bytes are loaded as what they are.
///
/// # Safety
/// The CPU has AVX2, AVX-512BW, AVX-512VL and AVX-512VNNI.
#[inline(always)]
unsafe fn after_few_512(sums: Sums, bytes: &[u8]) -> Sums {
    // SAFETY: this function's own condition.
    unsafe {
        match bytes.len() {
            ..=16 => sums.after_few(totals_of_vector(bytes), bytes.len()),
            17..=64 => after_few(sums, bytes),
            _ => sums.after_few(totals_of_two_512(bytes), bytes.len()),
        }
    }
}

/// The totals of up to 16 bytes.
#[inline]
#[target_feature(enable = "avx512vnni,avx512bw,avx512vl,avx2")]
fn totals_of_vector(bytes: &[u8]) -> (u32, u32) {
    // SAFETY: the mask has the bytes that there are.
    let vector =
        unsafe { _mm_maskz_loadu_epi8(((1u32 << bytes.len()) - 1) as u16, bytes.as_ptr().cast()) };
    let weighted = _mm_dpbusd_epi32(_mm_setzero_si128(), vector, left_128(bytes.len()));
    total_words(sums_128(vector), weighted)
}

/// The totals of 9 to 16 bytes: the first eight, and the last without those.
#[inline]
#[target_feature(enable = "avx2")]
fn totals_of_two(bytes: &[u8]) -> (u32, u32) {
    let word = |word: Option<&[u8; 8]>| i64::from_le_bytes(*word.expect("9 bytes or more"));
    let among_first = 8 * (16 - bytes.len());
    let both = _mm_set_epi64x(
        word(bytes.last_chunk()) >> among_first << among_first,
        word(bytes.first_chunk()),
    );
    let left = _mm_unpacklo_epi64(left_128(bytes.len()), left_128(8));
    totals_128(sums_128(both), _mm_maddubs_epi16(both, left))
}

/// The same of 17 to 32 bytes, 16 and 16.
#[inline]
#[target_feature(enable = "avx2")]
fn totals_of_two_128(bytes: &[u8]) -> (u32, u32) {
    let half = |half: Option<&[u8; 16]>| cast(*half.expect("17 bytes or more"));
    let (first, last): (__m128i, __m128i) = (half(bytes.first_chunk()), half(bytes.last_chunk()));
    let among_first = _mm_cmpgt_epi8(left_128(32 - bytes.len()), _mm_setzero_si128());
    let last = _mm_andnot_si128(among_first, last);
    let products = _mm_add_epi16(
        _mm_maddubs_epi16(first, left_128(bytes.len())),
        _mm_maddubs_epi16(last, left_128(16)),
    );
    totals_128(_mm_add_epi64(sums_128(first), sums_128(last)), products)
}

/// The same of 33 to 64 bytes, 32 and 32.
#[inline]
#[target_feature(enable = "avx2")]
fn totals_of_two_256(bytes: &[u8]) -> (u32, u32) {
    let half = |half: Option<&[u8; 32]>| cast(*half.expect("33 bytes or more"));
    let (first, last): (__m256i, __m256i) = (half(bytes.first_chunk()), half(bytes.last_chunk()));
    let zero = _mm256_setzero_si256();
    let last = _mm256_andnot_si256(_mm256_cmpgt_epi8(left_256(64 - bytes.len()), zero), last);
    let sums = _mm256_add_epi64(_mm256_sad_epu8(first, zero), _mm256_sad_epu8(last, zero));
    let weighted = _mm256_add_epi32(
        words(_mm256_maddubs_epi16(first, left_256(bytes.len()))),
        words(_mm256_maddubs_epi16(last, left_256(32))),
    );
    let pairs = _mm256_add_epi32(weighted, _mm256_srli_epi64::<32>(weighted));
    total_quads(_mm256_blend_epi32::<0xaa>(pairs, _mm256_slli_epi64::<32>(sums)))
}

/// [`total_pairs`] of twice as many.
#[inline]
#[target_feature(enable = "avx2")]
fn total_quads(totals: __m256i) -> (u32, u32) {
    total_pairs(_mm_add_epi32(
        _mm256_castsi256_si128(totals),
        _mm256_extracti128_si256::<1>(totals),
    ))
}

/// As [`totals_of_two_256`], of 65 to 128 bytes.
#[inline]
#[target_feature(enable = "avx512vnni,avx512bw,avx2")]
fn totals_of_two_512(bytes: &[u8]) -> (u32, u32) {
    let half = |half: Option<&[u8; 64]>| load_512(half.expect("65 bytes or more"));
    let (first, last) = (half(bytes.first_chunk()), half(bytes.last_chunk()));
    let last = _mm512_maskz_mov_epi8(!0 << (128 - bytes.len()), last);
    let (zero, weights) = (_mm512_setzero_si512(), load_512(WEIGHTS));
    let weighted = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(zero, first, weights), last, weights);
    let of_first = _mm512_sad_epu8(first, zero);
    // What of the first has a weight beyond 64 and less.
    let more = _mm512_mul_epu32(of_first, _mm512_set1_epi64(bytes.len() as i64 - 64));
    let pairs =
        _mm512_add_epi32(_mm512_add_epi32(weighted, _mm512_srli_epi64::<32>(weighted)), more);
    let sums = _mm512_slli_epi64::<32>(_mm512_add_epi64(of_first, _mm512_sad_epu8(last, zero)));
    let totals = _mm512_mask_blend_epi32(0xaaaa, pairs, sums);
    total_quads(_mm256_add_epi32(
        _mm512_castsi512_si256(totals),
        _mm512_extracti64x4_epi64::<1>(totals),
    ))
}

/// The totals of groups and of the last `rest` of `last`, fewer than 32: these count for as much
/// less as there are of them, and the sum of all bytes for so much more. `uncached` as in
/// [`totals_512`].
#[inline]
#[target_feature(enable = "avx2")]
fn totals(groups: &[[u8; 32]], last: &[u8; 32], rest: usize, uncached: bool) -> (u64, u64) {
    let zero = _mm256_setzero_si256();
    let sums = |bytes: __m256i| _mm256_sad_epu8(bytes, zero);
    let left = left_256(32 - rest);
    let last = _mm256_andnot_si256(_mm256_cmpgt_epi8(left, zero), cast(*last));
    let mut weighted = words(_mm256_maddubs_epi16(last, left));
    let left = left_256(32);
    // Of pairs of groups, the sum of all before counts twice, that of the first of them once.
    let (mut sum, mut before, mut before_pairs) = (zero, zero, zero);
    let mut add = |[one, other]: [&[u8; 32]; 2]| {
        let (one, other) = (cast(*one), cast(*other));
        let (sum_of_one, sum_of_other) = (sums(one), sums(other));
        before_pairs = _mm256_add_epi32(before_pairs, sum);
        before = _mm256_add_epi32(before, sum_of_one);
        sum = _mm256_add_epi32(sum, _mm256_add_epi32(sum_of_one, sum_of_other));
        // Twice 255 times 32 and 31 is less than 2^15.
        let products =
            _mm256_add_epi16(_mm256_maddubs_epi16(one, left), _mm256_maddubs_epi16(other, left));
        weighted = _mm256_add_epi32(weighted, words(products));
    };
    let (eights, groups) = groups.as_chunks::<8>();
    for eight in eights {
        if uncached {
            fetch_ahead(eight);
        }
        for pair in eight.as_chunks::<2>().0 {
            add(pair.each_ref());
        }
    }
    let (pairs, single) = groups.as_chunks::<2>();
    for [one, other] in pairs {
        add([one, other]);
    }
    before = _mm256_add_epi32(before, _mm256_add_epi32(before_pairs, before_pairs));
    // `before` is of whole pairs until here: a single group is behind all of them.
    if let [single] = single {
        let single = cast(*single);
        before = _mm256_add_epi32(before, sum);
        sum = _mm256_add_epi32(sum, sums(single));
        weighted = _mm256_add_epi32(weighted, words(_mm256_maddubs_epi16(single, left)));
    }
    sum = _mm256_add_epi32(sum, sums(last));
    let totals =
        _mm256_hadd_epi32(_mm256_hadd_epi32(sum, before), _mm256_hadd_epi32(weighted, zero));
    let totals =
        _mm_add_epi32(_mm256_castsi256_si128(totals), _mm256_extracti128_si256::<1>(totals));
    let [sum, before, weighted, _]: [u32; 4] = cast(totals);
    // Weights of the rest are 0, -1 and less: `weighted` may be negative.
    let of_rest = (rest as u64 * u64::from(sum)).wrapping_add(i64::from(weighted as i32) as u64);
    (sum.into(), (32 * u64::from(before)).wrapping_add(of_rest))
}

/// The totals, given the sums of eight bytes each, and the products of bytes in pairs.
#[inline]
#[target_feature(enable = "avx2")]
fn totals_128(sums: __m128i, products: __m128i) -> (u32, u32) {
    total_words(sums, _mm_madd_epi16(products, _mm_set1_epi16(1)))
}

/// The totals, given the sums of eight bytes each, and the weighted ones of four.
#[inline]
#[target_feature(enable = "avx2")]
fn total_words(sums: __m128i, weighted: __m128i) -> (u32, u32) {
    let pairs = _mm_add_epi32(weighted, _mm_srli_epi64::<32>(weighted));
    total_pairs(_mm_blend_epi32::<0b1010>(pairs, _mm_slli_epi64::<32>(sums)))
}

/// The totals that are two sums each: the weighted ones lowest.
#[inline]
#[target_feature(enable = "avx2")]
fn total_pairs(pairs: __m128i) -> (u32, u32) {
    let totals = _mm_cvtsi128_si64(_mm_add_epi32(pairs, _mm_unpackhi_epi64(pairs, pairs))) as u64;
    ((totals >> 32) as u32, totals as u32)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sums_128(bytes: __m128i) -> __m128i {
    _mm_sad_epu8(bytes, _mm_setzero_si128())
}

/// Products of pairs, in twos.
#[inline]
#[target_feature(enable = "avx2")]
fn words(products: __m256i) -> __m256i {
    _mm256_madd_epi16(products, _mm256_set1_epi16(1))
}

/// For what each of the first 16 of `len` bytes counts, at most 64.
#[inline]
#[target_feature(enable = "avx2")]
fn left_128(len: usize) -> __m128i {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&LEFT[64 - len..][..16]))
}

/// The same of the first 32.
#[inline]
#[target_feature(enable = "avx2")]
fn left_256(len: usize) -> __m256i {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&LEFT[64 - len..][..32]))
}
