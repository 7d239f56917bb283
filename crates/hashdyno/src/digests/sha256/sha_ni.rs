//! SHA-256 by x86's SHA extensions.

use std::arch::x86_64::*;

use super::CUBE_ROOTS;
use crate::unroll::sixteen;
use crate::{Absorb, Features, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel =
    Kernel { name: "sha-ni", needs: Features::SHA.union(Features::SSE41), absorb: Absorb::One(absorb) };

/// The instructions take two steps at a time and the chain as two vectors, ABEF and CDGH.
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let chain = state.view::<[u32; 8]>();
    let [abcd, efgh] = bytemuck::cast::<_, [__m128i; 2]>(*chain);
    let (cdab, hgfe) = (_mm_shuffle_epi32(abcd, 0xb1), _mm_shuffle_epi32(efgh, 0x1b));
    let mut abef = _mm_alignr_epi8(cdab, hgfe, 8);
    let mut cdgh = _mm_blend_epi16(hgfe, cdab, 0xf0);
    for block in blocks.as_chunks::<64>().0 {
        let before = (abef, cdgh);
        let mut words = bytemuck::cast::<_, [__m128i; 4]>(*block).map(|word| _mm_shuffle_epi8(word, order));
        sixteen!(I => {
            let latest = words[(I + 3) % 4];
            if I >= 4 {
                let seven_ago = _mm_alignr_epi8(latest, words[(I + 2) % 4], 4);
                let mixed = _mm_add_epi32(_mm_sha256msg1_epu32(words[I % 4], words[(I + 1) % 4]), seven_ago);
                words[I % 4] = _mm_sha256msg2_epu32(mixed, latest);
            }
            let sums = _mm_add_epi32(words[I % 4], bytemuck::cast(CUBE_ROOTS.as_chunks::<4>().0[I]));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, 0x0e));
        });
        abef = _mm_add_epi32(abef, before.0);
        cdgh = _mm_add_epi32(cdgh, before.1);
    }
    let (feba, dchg) = (_mm_shuffle_epi32(abef, 0x1b), _mm_shuffle_epi32(cdgh, 0xb1));
    *chain = bytemuck::cast([_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)]);
}
