//! SHA-256 by x86's SHA extensions.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{CUBE_ROOTS, initial};
use crate::padding::x86_64::{Block, end};
use crate::unroll::sixteen;
use crate::{Absorb, Batch, Features, Kernel, State, Whole};

/// One message.
pub(super) const fn x1<const BITS: usize>() -> Kernel {
    let whole = Whole { digest: digest::<BITS>, each: digest_each::<BITS> };
    Kernel { name: "sha-ni", needs: NEEDS, absorb: Absorb::Whole(absorb, whole) }
}

/// Four in turn: the instruction for two steps can begin anew in half the time that it takes.
pub(super) const fn x4() -> Kernel {
    Kernel { name: "sha-ni-x4", needs: NEEDS, absorb: Absorb::Many(4, absorb_many) }
}

const NEEDS: Features = Features::SHA.union(Features::SSE41);

/// The chain as the instructions have it: ABEF and CDGH, the first word highest.
type Chain = [__m128i; 2];

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let words = state.view::<[u32; 8]>();
    let chains = absorb_blocks([chain(words)], &[blocks.as_chunks().0]);
    *words = cast(in_order(chains[0]));
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
#[inline]
fn digest<const BITS: usize>(message: &[u8], out: &mut [u8]) {
    let mut chains = absorb_blocks([chain(const { &initial(BITS) })], &[message.as_chunks().0]);
    // SAFETY: this is compiled for SSE4.1.
    let ([mut next, last], mut two) = unsafe { end(message) };
    loop {
        chains = compress(chains, [next]);
        if !two {
            break;
        }
        (next, two) = (last, false);
    }
    let [abcd, efgh] = in_order(chains[0]);
    let bytes: [u8; 32] = cast([_mm_shuffle_epi8(abcd, order()), _mm_shuffle_epi8(efgh, order())]);
    out.copy_from_slice(&bytes[..BITS / 8]);
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn digest_each<const BITS: usize>(batch: &mut Batch<'_>) {
    batch.each(|message, out| digest::<BITS>(message, out));
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb_many(batch: &mut Batch<'_>) {
    batch.in_turn::<[u32; 8], 4, 64>(
        3,
        |message, blocks| {
            // SAFETY: this is compiled for SSE4.1.
            let (end, two) = unsafe { end(message) };
            *blocks = cast(end);
            1 + usize::from(two)
        },
        |words, blocks| {
            let mut chains = [[_mm_setzero_si128(); 2]; 4];
            for number in 0..4 {
                chains[number] = chain(&words[number]);
            }
            chains = absorb_blocks(chains, blocks);
            for number in 0..4 {
                words[number] = cast(in_order(chains[number]));
            }
        },
        |words| words.map(u32::to_be),
    );
}

/// As many blocks of each message.
#[expect(clippy::needless_range_loop, reason = "a number of a block of every message")]
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb_blocks<const COUNT: usize>(mut chains: [Chain; COUNT], blocks: &[&[[u8; 64]]; COUNT]) -> [Chain; COUNT] {
    for at in 0..blocks[0].len() {
        let mut words = [[_mm_setzero_si128(); 4]; COUNT];
        for number in 0..COUNT {
            words[number] = cast(blocks[number][at]);
        }
        chains = compress(chains, words);
    }
    chains
}

/// A block of each message, as it is in memory. The instructions take two steps at a time.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress<const COUNT: usize>(before: [Chain; COUNT], mut words: [Block; COUNT]) -> [Chain; COUNT] {
    for words in words.as_flattened_mut() {
        *words = _mm_shuffle_epi8(*words, order());
    }
    let mut chains = before;
    sixteen!(I => {
        for number in 0..COUNT {
            let (words, [abef, cdgh]) = (&mut words[number], &mut chains[number]);
            let latest = words[(I + 3) % 4];
            if I >= 4 {
                let seven_ago = _mm_alignr_epi8(latest, words[(I + 2) % 4], 4);
                let mixed = _mm_add_epi32(_mm_sha256msg1_epu32(words[I % 4], words[(I + 1) % 4]), seven_ago);
                words[I % 4] = _mm_sha256msg2_epu32(mixed, latest);
            }
            let sums = _mm_add_epi32(words[I % 4], cast(CUBE_ROOTS.as_chunks::<4>().0[I]));
            *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sums);
            *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sums, 0x0e));
        }
    });
    for (chain, before) in chains.as_flattened_mut().iter_mut().zip(before.as_flattened()) {
        *chain = _mm_add_epi32(*chain, *before);
    }
    chains
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn chain(words: &[u32; 8]) -> Chain {
    let [abcd, efgh] = cast::<_, [__m128i; 2]>(*words);
    let (cdab, hgfe) = (_mm_shuffle_epi32(abcd, 0xb1), _mm_shuffle_epi32(efgh, 0x1b));
    [_mm_alignr_epi8(cdab, hgfe, 8), _mm_blend_epi16(hgfe, cdab, 0xf0)]
}

/// The words of a chain: ABCD and EFGH, the first lowest.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn in_order([abef, cdgh]: Chain) -> [__m128i; 2] {
    let (feba, dchg) = (_mm_shuffle_epi32(abef, 0x1b), _mm_shuffle_epi32(cdgh, 0xb1));
    [_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)]
}

/// The order that turns the bytes of words round.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn order() -> __m128i {
    _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)
}
