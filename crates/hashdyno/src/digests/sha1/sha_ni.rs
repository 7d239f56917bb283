//! SHA-1 by x86's SHA extensions.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{INITIAL, Sha1Lanes};
use crate::kernel::one_shot;
use crate::many::TINY_LEN;
use crate::many::kernels::{OfDesign, run_avx2};
use crate::padding::Block;
use crate::parts::barrier;
use crate::parts::lanes::x86_64::U32x8;
use crate::parts::sha_instructions::{self, Chain, NEEDS};
use crate::parts::unroll::sixteen;
use crate::{Batch, Code, Features, Kernel, State};

/// One message.
pub(super) const X1: Kernel = {
    let one_shot = one_shot!("sha,sse4.1,ssse3", [] [] 20, |message, out| {
        let [abcd, e] = sha_instructions::digest::<Sha1, 5>(&INITIAL, message);
        let (first, last) = out.split_at_mut(16);
        first.copy_from_slice(&cast::<_, [u8; 16]>(_mm_shuffle_epi8(abcd, order())));
        last.copy_from_slice(&_mm_extract_epi32(e, 3).to_be_bytes());
    });
    Kernel::of("sha-ni", NEEDS, Code::OneShot(absorb, one_shot))
};

/// Four in turn: the instruction for four steps takes longer than until it can begin anew.
pub(super) const X4: Kernel =
    Kernel::of("sha-ni-x4", NEEDS, Code::Lanes(4, sha_instructions::absorb_many::<Sha1, 5>))
        .resuming();

/// The same, but tiny messages in lanes if they are not few: there the words of a block that are
/// known to be zero take no time.
pub(super) const X4_TINY_X8: Kernel =
    Kernel::of("sha-ni-x4-avx2x8", NEEDS.union(Features::AVX2), Code::Lanes(4, absorb_many))
        .resuming();

#[target_feature(enable = "sha,sse4.1,ssse3,avx2")]
fn absorb_many(batch: &mut Batch<'_>) {
    // Fewer do not fill enough lanes.
    if batch.messages().len() >= 32 && batch.longest() < TINY_LEN {
        run_avx2::<OfDesign<Sha1Lanes, U32x8, 5, 16>>(batch);
    } else {
        sha_instructions::absorb_many::<Sha1, 5>(batch);
    }
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_words(state.view(), blocks.as_chunks().0);
}

/// A run of blocks into a chain.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::digests) fn absorb_words(words: &mut [u32; 5], blocks: &[[u8; 64]]) {
    sha_instructions::absorb::<Sha1, 5>(words, blocks);
}

/// The chain: ABCD, and E with zeros below, the first word highest.
struct Sha1;

impl sha_instructions::Design<5> for Sha1 {
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    unsafe fn chain([a, b, c, d, e]: &[u32; 5]) -> Chain {
        [_mm_shuffle_epi32(cast([*a, *b, *c, *d]), 0x1b), _mm_set_epi32(*e as i32, 0, 0, 0)]
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    unsafe fn words_of([abcd, e]: Chain) -> [u32; 5] {
        let [a, b, c, d] = cast(_mm_shuffle_epi32(abcd, 0x1b));
        [a, b, c, d, _mm_extract_epi32(e, 3) as u32]
    }

    /// The instructions take four steps at a time and the earliest word in the highest lane.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    unsafe fn compress<const COUNT: usize>(
        before: [Chain; COUNT],
        blocks: [Block; COUNT],
    ) -> [Chain; COUNT] {
        let mut chains = before;
        let mut words = [[_mm_setzero_si128(); 8]; COUNT];
        for number in 0..COUNT {
            for place in 0..4 {
                words[number][place] = _mm_shuffle_epi8(blocks[number][place], order());
            }
        }
        // `e` of the next four steps is `a` of four steps ago, turned: the instructions find it in
        // the old `abcd`.
        macro_rules! four_steps {
            ($group:expr, $turned:ident) => {
                for number in 0..COUNT {
                    let (words, [abcd, e]) = (&words[number], &mut chains[number]);
                    let sum = $turned(*e, words[$group as usize % 8]);
                    *e = *abcd;
                    *abcd = _mm_sha1rnds4_epu32(*abcd, sum, $group / 5);
                }
                barrier::in_step(&mut chains);
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
        for ([abcd, e], [abcd_before, e_before]) in chains.iter_mut().zip(before) {
            *e = _mm_sha1nexte_epu32(*e, e_before);
            *abcd = _mm_add_epi32(*abcd, abcd_before);
        }
        chains
    }
}

/// The words of a group of four steps, from those of the last eight groups.
///
/// From step 32 on, `W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) <<< 2` says the same as the
/// definition, needs no word of its own group, and spares the extension's instruction, which keeps
/// the unit busy that the steps need. But that is more instructions, of which several messages in
/// turn would make too many.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn scheduled<const COUNT: usize, const GROUP: usize>(words: &[__m128i; 8]) -> __m128i {
    let back = |groups: usize| words[(GROUP + 8 - groups) % 8];
    if COUNT > 1 || GROUP < 8 {
        return _mm_sha1msg2_epu32(
            _mm_xor_si128(_mm_sha1msg1_epu32(back(4), back(3)), back(2)),
            back(1),
        );
    }
    let six_steps_back = _mm_alignr_epi8(back(2), back(1), 8);
    let mixed =
        _mm_xor_si128(_mm_xor_si128(back(4), back(8)), _mm_xor_si128(back(7), six_steps_back));
    _mm_or_si128(_mm_slli_epi32(mixed, 2), _mm_srli_epi32(mixed, 30))
}

/// The order that turns the bytes of a vector round.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn order() -> __m128i {
    _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f)
}
