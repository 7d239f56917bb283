//! SHA-256 by x86's SHA extensions.
//!
//! ```text
//! lane       3   2   1   0
//! abef       a   b   e   f
//! cdgh       c   d   g   h
//! words[i]   W[4i + 3] .. W[4i], a ring of four vectors
//!
//! SHA256RNDS2 cdgh, abef, sums   two steps: the new abef, in place of cdgh; abef becomes the cdgh
//! SHA256MSG1, SHA256MSG2         the next four words, with W[t - 7] added between
//! ```
//!
//! All steps are one chain of SHA256RNDS2. Four messages in turn fill the time in which one waits.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{CUBE_ROOTS, initial};
use crate::kernel::one_shot;
use crate::padding::Block;
use crate::parts::sha_instructions::{self, Chain, NEEDS};
use crate::parts::unroll::sixteen;
use crate::{Code, Kernel, State};

/// One message.
pub(super) const fn x1<const BITS: usize>() -> Kernel {
    let one_shot = one_shot!(
        "sha,sse4.1,ssse3", [<const BITS: usize>] [::<BITS>] BITS / 8,
        |message, out| {
            let [abcd, efgh] = halves(sha_instructions::digest::<Sha256, 8>(
                const { &initial(BITS) },
                message,
            ));
            let bytes: [u8; 32] =
                cast([_mm_shuffle_epi8(abcd, order()), _mm_shuffle_epi8(efgh, order())]);
            out.copy_from_slice(&bytes[..BITS / 8]);
        }
    );
    Kernel::of("sha-ni", NEEDS, Code::OneShot(absorb, one_shot))
}

/// Four in turn: the instruction for two steps can begin anew in half the time that it takes.
pub(super) const fn x4() -> Kernel {
    Kernel::of("sha-ni-x4", NEEDS, Code::Lanes(4, sha_instructions::absorb_many::<Sha256, 8>))
        .resuming()
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    sha_instructions::absorb::<Sha256, 8>(state.view(), blocks.as_chunks().0);
}

/// The chain: ABEF and CDGH, the first word highest.
struct Sha256;

impl sha_instructions::Design<8> for Sha256 {
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    unsafe fn chain(words: &[u32; 8]) -> Chain {
        let [abcd, efgh] = cast::<_, [__m128i; 2]>(*words);
        let (cdab, hgfe) = (_mm_shuffle_epi32(abcd, 0xb1), _mm_shuffle_epi32(efgh, 0x1b));
        [_mm_alignr_epi8(cdab, hgfe, 8), _mm_blend_epi16(hgfe, cdab, 0xf0)]
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    unsafe fn words_of(chain: Chain) -> [u32; 8] {
        cast(halves(chain))
    }

    /// The instructions take two steps at a time.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    unsafe fn compress<const COUNT: usize>(
        before: [Chain; COUNT],
        mut words: [Block; COUNT],
    ) -> [Chain; COUNT] {
        for words in words.as_flattened_mut() {
            *words = _mm_shuffle_epi8(*words, order());
        }
        let mut chains = before;
        sixteen!(I => {
            for number in 0..COUNT {
                let (words, [abef, cdgh]) = (&mut words[number], &mut chains[number]);
                let latest = words[(I + 3) % 4];
                if I >= 4 {
                    // W[t - 7] lies across two vectors, and no instruction of the extension adds
                    // it.
                    let seven_ago = _mm_alignr_epi8(latest, words[(I + 2) % 4], 4);
                    let mixed = _mm_add_epi32(
                        _mm_sha256msg1_epu32(words[I % 4], words[(I + 1) % 4]),
                        seven_ago,
                    );
                    words[I % 4] = _mm_sha256msg2_epu32(mixed, latest);
                }
                // No sum waits for the chain.
                let sums = _mm_add_epi32(words[I % 4], cast(CUBE_ROOTS.as_chunks::<4>().0[I]));
                // After both lines, which are two steps each, each name has its own words again.
                *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sums);
                *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sums, 0x0e));
            }
        });
        for (chain, before) in chains.as_flattened_mut().iter_mut().zip(before.as_flattened()) {
            *chain = _mm_add_epi32(*chain, *before);
        }
        chains
    }
}

/// The words of a chain: ABCD and EFGH, the first lowest.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn halves([abef, cdgh]: Chain) -> [__m128i; 2] {
    let (feba, dchg) = (_mm_shuffle_epi32(abef, 0x1b), _mm_shuffle_epi32(cdgh, 0xb1));
    [_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)]
}

/// The order that turns the bytes of words round.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn order() -> __m128i {
    _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)
}
