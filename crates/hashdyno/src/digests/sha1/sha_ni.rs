//! SHA-1 by x86's SHA extensions.

use std::arch::x86_64::*;

use bytemuck::cast;

use crate::padding::padded_end;
use crate::unroll::sixteen;
use crate::{Absorb, Batch, Features, Kernel, State};

/// One message.
pub(super) const X1: Kernel = Kernel { name: "sha-ni", needs: NEEDS, absorb: Absorb::One(absorb) };

/// Four in turn: the instruction for four steps takes longer than until it can begin anew.
pub(super) const X4: Kernel = Kernel { name: "sha-ni-x4", needs: NEEDS.union(Features::AVX2), absorb: Absorb::Many(4, absorb_many) };

const NEEDS: Features = Features::SHA.union(Features::SSE41);

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    compress::<1>(std::array::from_mut(state.view()), &[blocks.as_chunks().0]);
}

#[target_feature(enable = "sha,avx2")]
fn absorb_many(batch: &mut Batch<'_>) {
    batch.in_turn::<[u32; 5], 4, 64>(
        3,
        |message, end| padded_end(message, end),
        |chains, blocks| compress_four(chains, blocks),
        |chain| chain.map(u32::to_be),
    );
}

/// In a function of its own that is not compiled for AVX2: these instructions wait for the upper halves of registers if those are
/// in use.
#[inline(never)]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress_four(chains: &mut [[u32; 5]; 4], blocks: &[&[[u8; 64]]; 4]) {
    compress(chains, blocks);
}

/// As many blocks of each message. The instructions take four steps at a time and the earliest word in the highest lane.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::digests) fn compress<const COUNT: usize>(chains: &mut [[u32; 5]; COUNT], blocks: &[&[[u8; 64]]; COUNT]) {
    let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let (mut abcd, mut e) = ([_mm_setzero_si128(); COUNT], [_mm_setzero_si128(); COUNT]);
    for number in 0..COUNT {
        let [a, b, c, d, last] = chains[number];
        abcd[number] = _mm_shuffle_epi32(cast([a, b, c, d]), 0x1b);
        e[number] = _mm_set_epi32(last as i32, 0, 0, 0);
    }
    for at in 0..blocks[0].len() {
        let (before, e_before) = (abcd, e);
        let mut words = [[_mm_setzero_si128(); 8]; COUNT];
        for number in 0..COUNT {
            for (word, bytes) in words[number].iter_mut().zip(cast::<_, [__m128i; 4]>(blocks[number][at])) {
                *word = _mm_shuffle_epi8(bytes, order);
            }
        }
        // `e` of the next four steps is `a` of four steps ago, turned: the instructions find it in the old `abcd`.
        macro_rules! four_steps {
            ($group:expr, $turned:ident) => {
                for number in 0..COUNT {
                    let sum = $turned(e[number], words[number][$group as usize % 8]);
                    e[number] = abcd[number];
                    abcd[number] = _mm_sha1rnds4_epu32(abcd[number], sum, $group / 5);
                }
            };
        }
        four_steps!(0, _mm_add_epi32);
        four_steps!(1, _mm_sha1nexte_epu32);
        four_steps!(2, _mm_sha1nexte_epu32);
        four_steps!(3, _mm_sha1nexte_epu32);
        sixteen!(I => {
            const GROUP: usize = I + 4;
            for words in &mut words {
                words[GROUP % 8] = scheduled::<COUNT, GROUP>(words);
            }
            four_steps!(GROUP as i32, _mm_sha1nexte_epu32);
        });
        for number in 0..COUNT {
            e[number] = _mm_sha1nexte_epu32(e[number], e_before[number]);
            abcd[number] = _mm_add_epi32(abcd[number], before[number]);
        }
    }
    for number in 0..COUNT {
        let [a, b, c, d] = cast(_mm_shuffle_epi32(abcd[number], 0x1b));
        chains[number] = [a, b, c, d, _mm_extract_epi32(e[number], 3) as u32];
    }
}

/// The words of a group of four steps, from those of the last eight groups.
///
/// From step 32 on, `W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) <<< 2` says the same as the definition, needs no word of its
/// own group, and spares the extension's instruction, which keeps the unit busy that the steps need. But that is more
/// instructions, of which several messages in turn would make too many.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn scheduled<const COUNT: usize, const GROUP: usize>(words: &[__m128i; 8]) -> __m128i {
    let back = |groups: usize| words[(GROUP + 8 - groups) % 8];
    if COUNT > 1 || GROUP < 8 {
        return _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(back(4), back(3)), back(2)), back(1));
    }
    let six_steps_back = _mm_alignr_epi8(back(2), back(1), 8);
    let mixed = _mm_xor_si128(_mm_xor_si128(back(4), back(8)), _mm_xor_si128(back(7), six_steps_back));
    _mm_or_si128(_mm_slli_epi32(mixed, 2), _mm_srli_epi32(mixed, 30))
}
