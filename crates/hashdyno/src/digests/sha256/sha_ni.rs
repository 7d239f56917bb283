//! SHA-256 by x86's SHA extensions.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::CUBE_ROOTS;
use crate::padding::padded_end;
use crate::unroll::sixteen;
use crate::{Absorb, Batch, Features, Kernel, State};

/// One message.
pub(super) const X1: Kernel = Kernel { name: "sha-ni", needs: NEEDS, absorb: Absorb::One(absorb) };

/// Four in turn: the instruction for two steps can begin anew in half the time that it takes.
pub(super) const X4: Kernel = Kernel { name: "sha-ni-x4", needs: NEEDS.union(Features::AVX2), absorb: Absorb::Many(4, absorb_many) };

const NEEDS: Features = Features::SHA.union(Features::SSE41);

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 8]>();
    compress::<1>(std::array::from_mut(chain), &[blocks.as_chunks().0]);
}

#[target_feature(enable = "sha,avx2")]
fn absorb_many(batch: &mut Batch<'_>) {
    batch.in_turn::<[u32; 8], 4, 64>(
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
fn compress_four(chains: &mut [[u32; 8]; 4], blocks: &[&[[u8; 64]]; 4]) {
    compress(chains, blocks);
}

/// As many blocks of each message. The instructions take two steps at a time and the chain as two vectors, ABEF and CDGH.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress<const COUNT: usize>(chains: &mut [[u32; 8]; COUNT], blocks: &[&[[u8; 64]]; COUNT]) {
    let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let (mut abef, mut cdgh) = ([_mm_setzero_si128(); COUNT], [_mm_setzero_si128(); COUNT]);
    for number in 0..COUNT {
        let [abcd, efgh] = cast::<_, [__m128i; 2]>(chains[number]);
        let (cdab, hgfe) = (_mm_shuffle_epi32(abcd, 0xb1), _mm_shuffle_epi32(efgh, 0x1b));
        abef[number] = _mm_alignr_epi8(cdab, hgfe, 8);
        cdgh[number] = _mm_blend_epi16(hgfe, cdab, 0xf0);
    }
    for at in 0..blocks[0].len() {
        let before = (abef, cdgh);
        let mut words = [[_mm_setzero_si128(); 4]; COUNT];
        for number in 0..COUNT {
            for (word, bytes) in words[number].iter_mut().zip(cast::<_, [__m128i; 4]>(blocks[number][at])) {
                *word = _mm_shuffle_epi8(bytes, order);
            }
        }
        sixteen!(I => {
            for number in 0..COUNT {
                let words = &mut words[number];
                let latest = words[(I + 3) % 4];
                if I >= 4 {
                    let seven_ago = _mm_alignr_epi8(latest, words[(I + 2) % 4], 4);
                    let mixed = _mm_add_epi32(_mm_sha256msg1_epu32(words[I % 4], words[(I + 1) % 4]), seven_ago);
                    words[I % 4] = _mm_sha256msg2_epu32(mixed, latest);
                }
                let sums = _mm_add_epi32(words[I % 4], cast(CUBE_ROOTS.as_chunks::<4>().0[I]));
                cdgh[number] = _mm_sha256rnds2_epu32(cdgh[number], abef[number], sums);
                abef[number] = _mm_sha256rnds2_epu32(abef[number], cdgh[number], _mm_shuffle_epi32(sums, 0x0e));
            }
        });
        for number in 0..COUNT {
            abef[number] = _mm_add_epi32(abef[number], before.0[number]);
            cdgh[number] = _mm_add_epi32(cdgh[number], before.1[number]);
        }
    }
    for number in 0..COUNT {
        let (feba, dchg) = (_mm_shuffle_epi32(abef[number], 0x1b), _mm_shuffle_epi32(cdgh[number], 0xb1));
        chains[number] = cast([_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)]);
    }
}
