use std::arch::x86_64::*;

use bytemuck::cast;

use super::{Totals, absorb_by};
use crate::kernel::Absorb;
use crate::{Features, Kernel, State};

/// 64 bytes at a time; one instruction weights and adds them.
pub(super) const AVX512VNNI: Kernel =
    Kernel { name: "avx512vnni", needs: Features::AVX512VNNI.union(Features::AVX512BW), absorb: Absorb::One(absorb_512) };

/// 32 bytes at a time.
pub(super) const AVX2: Kernel = Kernel { name: "avx2", needs: Features::AVX2, absorb: Absorb::One(absorb_256) };

/// 64, 63 .. 1; its last half is 32 .. 1.
const WEIGHTS: [u8; 64] = {
    let mut weights = [0; 64];
    let mut index = 0;
    while index < 64 {
        weights[index] = 64 - index as u8;
        index += 1;
    }
    weights
};

#[target_feature(enable = "avx512vnni,avx512bw")]
fn absorb_512(state: &mut State, bytes: &[u8]) {
    absorb_by::<64>(state, bytes, |groups| {
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
        Totals { bytes: total(sum), before: total(before), weighted: total(weighted) }
    });
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_512(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: any 64 bytes are a vector.
    unsafe { std::mem::transmute(*bytes) }
}

#[target_feature(enable = "avx2")]
fn absorb_256(state: &mut State, bytes: &[u8]) {
    absorb_by::<32>(state, bytes, |groups| {
        let zero = _mm256_setzero_si256();
        let weights: __m256i = bytemuck::pod_read_unaligned(&WEIGHTS[32..]);
        let (mut sum, mut before, mut weighted) = (zero, zero, zero);
        for group in groups {
            let bytes: __m256i = cast(*group);
            before = _mm256_add_epi64(before, sum);
            sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero));
            let pairs = _mm256_maddubs_epi16(bytes, weights);
            weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
        let total = |words: __m256i| cast::<_, [u32; 8]>(words).iter().sum();
        Totals { bytes: total(sum), before: total(before), weighted: total(weighted) }
    });
}
