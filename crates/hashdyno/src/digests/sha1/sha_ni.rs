//! SHA-1 by x86's SHA extensions.

use std::arch::x86_64::*;

use crate::unroll::sixteen;
use crate::{Absorb, Features, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel =
    Kernel { name: "sha-ni", needs: Features::SHA.union(Features::SSE41), absorb: Absorb::One(absorb) };

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    compress(state.view(), blocks.as_chunks().0);
}

/// A run of blocks into a chain.
///
/// The instructions take four steps at a time and the earliest word in the highest lane.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::digests) fn compress(chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
    let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let (first, last) = chain.split_first_chunk_mut::<4>().expect("the chain has five words");
    let mut abcd = _mm_shuffle_epi32(bytemuck::cast(*first), 0x1b);
    let mut e = _mm_set_epi32(last[0] as i32, 0, 0, 0);
    for block in blocks {
        let (before, e_before) = (abcd, e);
        let mut words = [_mm_setzero_si128(); 8];
        for (word, bytes) in words.iter_mut().zip(bytemuck::cast::<_, [__m128i; 4]>(*block)) {
            *word = _mm_shuffle_epi8(bytes, order);
        }
        // `e` of the next four steps is `a` of four steps ago, turned: the instructions find it in the old `abcd`.
        macro_rules! four_steps {
            ($group:expr, $sum:expr) => {
                let sum = $sum;
                e = abcd;
                abcd = _mm_sha1rnds4_epu32(abcd, sum, $group / 5);
            };
        }
        four_steps!(0, _mm_add_epi32(e, words[0]));
        four_steps!(1, _mm_sha1nexte_epu32(e, words[1]));
        four_steps!(2, _mm_sha1nexte_epu32(e, words[2]));
        four_steps!(3, _mm_sha1nexte_epu32(e, words[3]));
        sixteen!(I => {
            const GROUP: usize = I + 4;
            words[GROUP % 8] = scheduled::<GROUP>(&words);
            four_steps!(GROUP as i32, _mm_sha1nexte_epu32(e, words[GROUP % 8]));
        });
        e = _mm_sha1nexte_epu32(e, e_before);
        abcd = _mm_add_epi32(abcd, before);
    }
    *first = bytemuck::cast(_mm_shuffle_epi32(abcd, 0x1b));
    last[0] = _mm_extract_epi32(e, 3) as u32;
}

/// The words of a group of four steps, from those of the last eight groups.
///
/// From step 32 on, `W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) <<< 2` says the same as the definition, needs no word of its
/// own group, and spares the extension's instruction, which keeps the unit busy that the steps need.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn scheduled<const GROUP: usize>(words: &[__m128i; 8]) -> __m128i {
    let back = |groups: usize| words[(GROUP + 8 - groups) % 8];
    if GROUP < 8 {
        return _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(back(4), back(3)), back(2)), back(1));
    }
    let six_steps_back = _mm_alignr_epi8(back(2), back(1), 8);
    let mixed = _mm_xor_si128(_mm_xor_si128(back(4), back(8)), _mm_xor_si128(back(7), six_steps_back));
    _mm_or_si128(_mm_slli_epi32(mixed, 2), _mm_srli_epi32(mixed, 30))
}
