//! One message by the text of many: each word stands in all lanes of a register.
//!
//! Chains of MD4's kin wait for their newest word. AVX-512 computes any function of three words by
//! one instruction, and rotates by one. On Intel's cores each takes a cycle, as one of a general
//! register does, and a step is an operation or two shorter.

use super::{Design, splat, to_memory_order};
use crate::parts::lanes::Lanes;
use crate::parts::lanes::x86_64::{U32x4Vl, VL};
use crate::{Code, Cores, Kernel, State};

/// The kernel for one message of a [`Design`] by AVX-512's instructions, for Intel's cores.
pub(crate) const fn kernel<D, const CHAIN: usize, const WORDS: usize>() -> Kernel
where
    D: Design<u32, CHAIN, WORDS>,
{
    Kernel::of("avx512vl", VL, Code::Blocks(absorb::<D, CHAIN, WORDS>)).only(Cores::OTHER)
}

#[target_feature(enable = "avx512f,avx512vl")]
fn absorb<D, const CHAIN: usize, const WORDS: usize>(state: &mut State, blocks: &[u8])
where
    D: Design<u32, CHAIN, WORDS>,
{
    let words = state.view::<[u32; CHAIN]>();
    let mut chain = splat::<U32x4Vl, CHAIN>(*words);
    for block in blocks.chunks_exact(D::BLOCK) {
        let block: [u32; WORDS] = bytemuck::pod_read_unaligned(block);
        D::compress(&mut chain, &to_memory_order(splat(block), D::ENDIAN));
    }
    for (word, lanes) in words.iter_mut().zip(&mut chain) {
        *word = U32x4Vl::words(std::slice::from_mut(lanes))[0];
    }
}
