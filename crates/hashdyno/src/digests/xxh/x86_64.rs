//! Two multiplications lead from a word to its sum. The first does not wait for the sum, and is done for many words at once; the
//! second must not be, because a vector multiplication takes thrice as long. Compilers join both or none.

use std::arch::{asm, x86_64::*};
use std::mem::transmute;

use super::{PRIMES32, PRIMES64, Word, absorb};
use crate::kernel::Absorb;
use crate::{Features, Kernel, State};

pub(super) const XXH32_AVX2: Kernel = Kernel { name: "avx2", needs: Features::AVX2, absorb: Absorb::One(xxh32_avx2) };
pub(super) const XXH64_AVX512DQ: Kernel =
    Kernel { name: "avx512dq", needs: Features::AVX512DQ, absorb: Absorb::One(xxh64_avx512dq) };

#[target_feature(enable = "avx2")]
fn xxh32_avx2(state: &mut State, blocks: &[u8]) {
    let prime = _mm256_set1_epi32(PRIMES32[2] as i32);
    absorb_by::<u32>(state, blocks, |words| {
        bytemuck::cast(bytemuck::cast::<_, [__m256i; 2]>(*words).map(|words| _mm256_mullo_epi32(words, prime)))
    });
}

#[target_feature(enable = "avx512f,avx512dq")]
fn xxh64_avx512dq(state: &mut State, blocks: &[u8]) {
    let prime = _mm512_set1_epi64(PRIMES64[2] as i64);
    absorb_by::<u64>(state, blocks, |words| {
        // SAFETY: 64 bytes are a vector, and a vector is 64 bytes.
        unsafe { transmute(_mm512_mullo_epi64(transmute::<[u8; 64], __m512i>(*words), prime)) }
    });
}

/// Absorbs `blocks`; `products` multiplies 64 bytes of words by prime 2. While a run is summed up, the next is multiplied.
#[inline(always)]
fn absorb_by<W: Word>(state: &mut State, blocks: &[u8], products: impl Fn(&[u8; 64]) -> [u8; 64]) {
    if blocks.len() < WORTH {
        return absorb::<W>(state, blocks);
    }
    let (runs, rest) = blocks.as_chunks::<RUN>();
    let mut sums = *state.view::<[W; 4]>();
    let mut buffers = [Buffer([[0; 64]; RUN / 64]), Buffer([[0; 64]; RUN / 64])];
    let multiply = |buffer: &mut Buffer, run: &[u8; RUN]| {
        for (to, from) in buffer.0.iter_mut().zip(run.as_chunks().0) {
            *to = products(from);
        }
        // SAFETY: no instruction. It may have changed the buffer, for all the compiler knows, so that words are loaded from
        // there, not taken out of vectors.
        unsafe { asm!("/* {} */", in(reg) buffer, options(nostack, preserves_flags)) };
    };
    if let Some((first, runs)) = runs.split_first() {
        multiply(&mut buffers[0], first);
        for (index, run) in runs.iter().enumerate() {
            multiply(&mut buffers[(index + 1) % 2], run);
            add::<W>(&mut sums, &buffers[index % 2]);
        }
        add::<W>(&mut sums, &buffers[runs.len() % 2]);
    }
    *state.view() = sums;
    if !rest.is_empty() {
        absorb::<W>(state, rest);
    }
}

#[inline(always)]
fn add<W: Word>(sums: &mut [W; 4], products: &Buffer) {
    let [mut a, mut b, mut c, mut d] = *sums;
    for products in bytemuck::cast_slice::<_, [W; 4]>(&products.0) {
        a = W::opaque(a.add_product(products[0]));
        b = W::opaque(b.add_product(products[1]));
        c = W::opaque(c.add_product(products[2]));
        d = W::opaque(d.add_product(products[3]));
    }
    *sums = [a, b, c, d];
}

/// How many bytes are multiplied ahead.
const RUN: usize = 128;

/// From how many bytes on that is faster than to do one after another.
const WORTH: usize = 512;

#[repr(align(64))]
struct Buffer([[u8; 64]; RUN / 64]);
