//! One message by a design for many, the same in every lane: where a step waits for the last one, AVX-512's ternary logic and rotations
//! are instructions that general registers lack.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable};

use super::transpose::{four, transpose};
use super::x86_64::vector;
use super::{Lanes, Pieces, read_apart};
use crate::kernel::Absorb;
use crate::many::Design;
use crate::padding::Order;
use crate::words::opaque_in;
use crate::{Features, Kernel, State};

vector! {
    /// Four words of 32 bits in a register of SSE2, by AVX-512's instructions.
    U32x4Vl: 4 of u32 as i32, four together, in __m128i;
    splat _mm_set1_epi32; plus _mm_add_epi32; xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128;
    left(self; distance) Self(_mm_rolv_epi32(self.0, _mm_set1_epi32(distance as i32)));
    up(self; distance) Self(_mm_sllv_epi32(self.0, _mm_set1_epi32(distance as i32)));
    down(self; distance) Self(_mm_srlv_epi32(self.0, _mm_set1_epi32(distance as i32)));
    swap_bytes(self) Self(_mm_shuffle_epi8(self.0, _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)));
    ordered(self) Self(ordered(self.0));
    select(self, yes, no) Self(_mm_ternarylogic_epi32::<0xca>(self.0, yes.0, no.0));
    majority(self, b, c) Self(_mm_ternarylogic_epi32::<0xe8>(self.0, b.0, c.0));
}

/// [`Lanes::ordered`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn ordered(register: __m128i) -> __m128i {
    opaque_in!(xmm_reg register)
}

/// For a digest whose state is the design's chain, of little-endian words.
pub(crate) const fn one<D: Design<u32, CHAIN, WORDS>, const CHAIN: usize, const WORDS: usize>() -> Kernel {
    const { assert!(matches!(D::ORDER, Order::Little)) };
    Kernel { name: "avx512vl", needs: Features::AVX512F.union(Features::AVX512VL), absorb: Absorb::One(absorb::<D, CHAIN, WORDS>) }
}

#[target_feature(enable = "avx512f,avx512vl")]
fn absorb<D: Design<u32, CHAIN, WORDS>, const CHAIN: usize, const WORDS: usize>(state: &mut State, blocks: &[u8]) {
    let state = state.view::<[u32; CHAIN]>();
    let mut chain = [U32x4Vl::splat(0); CHAIN];
    for (vector, word) in chain.iter_mut().zip(*state) {
        *vector = U32x4Vl::splat(word);
    }
    for block in blocks.chunks_exact(D::BLOCK) {
        let mut words = [U32x4Vl::splat(0); WORDS];
        for (vector, word) in words.iter_mut().zip(block.as_chunks().0) {
            *vector = U32x4Vl::splat(u32::from_le_bytes(*word));
        }
        D::compress(&mut chain, &words);
    }
    for (word, vector) in state.iter_mut().zip(&mut chain) {
        *word = U32x4Vl::words(std::slice::from_mut(vector))[0];
    }
}
