use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Adler, MOST, Sums};
use crate::checksum::kernel;
use crate::words::{few, few_of_word};
use crate::{Features, Kernel};

/// 64 bytes at a time; one instruction weights and adds them.
pub(super) const fn avx512vnni() -> Kernel {
    let needs = Features::AVX512VNNI.union(Features::AVX512BW).union(Features::AVX2);
    kernel!("avx512vnni", needs, "avx512vnni,avx512bw,avx2", Adler, after_512)
}

/// 32 bytes at a time.
pub(super) const fn avx2() -> Kernel {
    kernel!("avx2", Features::AVX2, "avx2", Adler, after_256)
}

/// From byte 32 - n on: n, n - 1 .. n - 31, for n up to 32: for how much each of the last n bytes counts.
static LEFT: [u8; 64] = {
    let mut left = [0; 64];
    let mut index = 0;
    while index < 64 {
        left[index] = 32u8.wrapping_sub(index as u8);
        index += 1;
    }
    left
};

#[inline]
#[target_feature(enable = "avx512vnni,avx512bw,avx2")]
fn after_512(sums: Sums, bytes: &[u8]) -> Sums {
    if bytes.len() < 128 { after_256(sums, bytes) } else { after_runs_512(sums, bytes) }
}

#[inline(never)]
#[target_feature(enable = "avx512vnni,avx512bw,avx2")]
fn after_runs_512(mut sums: Sums, bytes: &[u8]) -> Sums {
    for run in bytes.chunks(MOST) {
        let (groups, rest) = run.as_chunks();
        sums = after_256(sums.after(totals_512(groups), groups.as_flattened().len()), rest);
    }
    sums
}

#[inline]
#[target_feature(enable = "avx512vnni,avx512bw")]
fn totals_512(groups: &[[u8; 64]]) -> (u32, u64) {
    /// 64, 63 .. 1.
    const WEIGHTS: [u8; 64] = {
        let mut weights = [0; 64];
        let mut index = 0;
        while index < 64 {
            weights[index] = 64 - index as u8;
            index += 1;
        }
        weights
    };
    let zero = _mm512_setzero_si512();
    let weights = load_512(&WEIGHTS);
    let (mut sum, mut before) = (zero, zero);
    // A weighted sum takes 5 cycles: four of them wait for each other in turn.
    let mut weighted = [zero; 4];
    let (quads, groups) = groups.as_chunks::<4>();
    let mut add = |weighted: &mut __m512i, group: &[u8; 64]| {
        let bytes = load_512(group);
        before = _mm512_add_epi64(before, sum);
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(bytes, zero));
        *weighted = _mm512_dpbusd_epi32(*weighted, bytes, weights);
    };
    for quad in quads {
        weighted.iter_mut().zip(quad).for_each(|(weighted, group)| add(weighted, group));
    }
    weighted.iter_mut().zip(groups).for_each(|(weighted, group)| add(weighted, group));
    let [a, b, c, d] = weighted;
    let weighted = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    let total = |words: __m512i| _mm512_reduce_add_epi32(words) as u32;
    (total(sum), 64 * u64::from(total(before)) + u64::from(total(weighted)))
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
        Some(last) if bytes.len() <= MOST => after_run(sums, bytes, last),
        Some(_) => after_runs(sums, bytes),
        None => after_few(sums, bytes),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn after_runs(mut sums: Sums, bytes: &[u8]) -> Sums {
    for run in bytes.chunks(MOST) {
        sums = match run.last_chunk() {
            Some(last) => after_run(sums, run, last),
            None => after_few(sums, run),
        };
    }
    sums
}

/// The sums after a run of 32 bytes or more.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn after_run(sums: Sums, bytes: &[u8], last: &[u8; 32]) -> Sums {
    sums.after(totals(bytes.as_chunks().0, last, bytes.len() % 32), bytes.len())
}

/// The sums after fewer than 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn after_few(sums: Sums, bytes: &[u8]) -> Sums {
    let len = bytes.len();
    let total = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let products = _mm_maddubs_epi16(cast::<[u8; 16], _>(*first), left_128(len));
            // Those of the last bytes that are not among the first.
            let last = _mm_andnot_si128(_mm_cmpgt_epi8(left_128(32 - len), _mm_setzero_si128()), cast::<[u8; 16], _>(*last));
            let products = _mm_add_epi16(products, _mm_maddubs_epi16(last, left_128(16)));
            totals_128(_mm_add_epi64(sums_128(cast(*first)), sums_128(last)), products)
        }
        _ if len < 8 => totals_of_word(few_of_word(bytes) << (8 * (8 - len.max(1)))),
        _ => {
            let few: __m128i = cast(few(bytes));
            totals_128(sums_128(few), _mm_maddubs_epi16(few, left_128(len)))
        }
    };
    sums.after(total, len)
}

/// The totals of a word's bytes: the lowest counts eight times. No product leaves 16 bits.
#[inline(always)]
fn totals_of_word(bytes: u64) -> (u32, u64) {
    const LANES: u64 = 0x00ff_00ff_00ff_00ff;
    let (even, odd) = (bytes & LANES, bytes >> 8 & LANES);
    let total = |lanes: u64, weights: u64| lanes.wrapping_mul(weights) >> 48;
    let sum = total(even + odd, 0x0001_0001_0001_0001) as u32;
    (sum, total(even, 0x0008_0006_0004_0002) + total(odd, 0x0007_0005_0003_0001))
}

/// The totals of groups and of the last `rest` of `last`, fewer than 32: these count for as much less as there are of them, and
/// the sum of all bytes for so much more.
#[inline]
#[target_feature(enable = "avx2")]
fn totals(groups: &[[u8; 32]], last: &[u8; 32], rest: usize) -> (u32, u64) {
    let zero = _mm256_setzero_si256();
    let sums = |bytes: __m256i| _mm256_sad_epu8(bytes, zero);
    let words = |products: __m256i| _mm256_madd_epi16(products, _mm256_set1_epi16(1));
    let left = left_256(rest);
    let last = _mm256_andnot_si256(_mm256_cmpgt_epi8(left, zero), cast(*last));
    let mut weighted = words(_mm256_maddubs_epi16(last, left));
    let left = left_256(0);
    // Of pairs of groups, the sum of all before counts twice, that of the first of them once.
    let (mut sum, mut before, mut before_pairs) = (zero, zero, zero);
    let mut add = |[one, other]: [&[u8; 32]; 2]| {
        let (one, other) = (cast(*one), cast(*other));
        let (sum_of_one, sum_of_other) = (sums(one), sums(other));
        before_pairs = _mm256_add_epi32(before_pairs, sum);
        before = _mm256_add_epi32(before, sum_of_one);
        sum = _mm256_add_epi32(sum, _mm256_add_epi32(sum_of_one, sum_of_other));
        // Twice 255 times 32 and 31 is less than 2^15.
        let products = _mm256_add_epi16(_mm256_maddubs_epi16(one, left), _mm256_maddubs_epi16(other, left));
        weighted = _mm256_add_epi32(weighted, words(products));
    };
    let (eights, groups) = groups.as_chunks::<8>();
    for [a, b, c, d, e, f, g, h] in eights {
        add([a, b]);
        add([c, d]);
        add([e, f]);
        add([g, h]);
    }
    let (pairs, single) = groups.as_chunks::<2>();
    for [one, other] in pairs {
        add([one, other]);
    }
    before = _mm256_add_epi32(before, _mm256_add_epi32(before_pairs, before_pairs));
    if let [single] = single {
        let single = cast(*single);
        before = _mm256_add_epi32(before, sum);
        sum = _mm256_add_epi32(sum, sums(single));
        weighted = _mm256_add_epi32(weighted, words(_mm256_maddubs_epi16(single, left)));
    }
    sum = _mm256_add_epi32(sum, sums(last));
    let totals = _mm256_hadd_epi32(_mm256_hadd_epi32(sum, before), _mm256_hadd_epi32(weighted, zero));
    let totals = _mm_add_epi32(_mm256_castsi256_si128(totals), _mm256_extracti128_si256::<1>(totals));
    let [sum, before, weighted, _]: [u32; 4] = cast(totals);
    let of_rest = (rest as u64 * u64::from(sum)).wrapping_add(i64::from(weighted as i32) as u64);
    (sum, (32 * u64::from(before)).wrapping_add(of_rest))
}

/// The totals of 16 bytes or 32, given the sums of eight of them, and their products in pairs.
#[inline]
#[target_feature(enable = "avx2")]
fn totals_128(sums: __m128i, products: __m128i) -> (u32, u64) {
    let totals = _mm_hadd_epi32(sums, _mm_madd_epi16(products, _mm_set1_epi16(1)));
    let totals = _mm_add_epi32(totals, _mm_srli_epi64::<32>(totals));
    (_mm_cvtsi128_si32(totals) as u32, _mm_extract_epi32::<2>(totals) as u64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sums_128(bytes: __m128i) -> __m128i {
    _mm_sad_epu8(bytes, _mm_setzero_si128())
}

/// For what each of the first 16 of `len` bytes counts, fewer than 32.
#[inline]
#[target_feature(enable = "avx2")]
fn left_128(len: usize) -> __m128i {
    bytemuck::pod_read_unaligned(&LEFT[32 - len..][..16])
}

/// 32, 31 .. 1, less `rest`.
#[inline]
#[target_feature(enable = "avx2")]
fn left_256(rest: usize) -> __m256i {
    bytemuck::pod_read_unaligned(&LEFT[rest..][..32])
}
