//! The same for Zen 5, which does eight of the instruction in three cycles, and a multiplication of
//! any width in two.

use std::arch::x86_64::*;

use super::super::Castagnoli;
use super::super::x86_64::{join_512, joined_512, onto_512, summed_512};
use super::{CRC, POWERS, after_sse42, after_sum, after_word, joined};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::checksum::checksum_kernel;
use crate::parts::prefetch::{UNCACHED, fetch};
use crate::{Cores, Features, Kernel};

/// Six chains, and vectors of 64 bytes.
pub(in super::super) const fn kernel() -> Kernel {
    let needs =
        Features::SSE42.union(Features::VPCLMULQDQ).union(Features::AVX512F).union(Features::GFNI);
    checksum_kernel!(
        "sse4.2-zen5", needs, "sse4.2,pclmulqdq,vpclmulqdq,avx512f,gfni", Castagnoli, after,
        ..=FEW => unsafe after_few
    )
    .only(Cores::ZEN5)
}

/// How many registers have general registers of their own beside the places that they read.
const CHAINS: usize = 6;

/// Words of eight bytes that each chain takes in a step.
const WORDS: usize = 5;

/// Bytes of a step: four vectors, and what the chains take.
const STEP: usize = VECTORS + 8 * CHAINS * WORDS;
const VECTORS: usize = 256;

/// The most steps of a chunk, beyond which a power has no place in the table.
const STEPS: usize = (POWERS.len() - FEW / 8) / (CHAINS * WORDS);

/// Up to how many bytes one chain is faster: the CPU has the next message's under way meanwhile.
const FEW: usize = 159;

/// How many bytes left behind fours of vectors take longer by vectors, and by the instruction
/// behind those, than to be joined.
const MUCH: usize = 3 * 64 + 2 * 8;

/// From how many bytes on both at once are worth while.
const MIN_CHUNK: usize = 1920;

/// From how many bytes on they are no more: most come from memory, and that gives one stream sooner
/// than seven.
const BEYOND: usize = 1 << 24;

/// # Safety
/// The CPU has SSE 4.2.
#[inline(always)]
unsafe fn after_few(register: u32, bytes: &[u8]) -> u32 {
    // SAFETY: this function's own condition.
    unsafe { after_sse42(register, bytes) }
}

#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn after(register: u32, bytes: &[u8]) -> u32 {
    match bytes.len() {
        len if len <= FEW => after_sse42(register, bytes),
        MIN_CHUNK..BEYOND => after_chunks(register, bytes),
        len if len > 2 * VECTORS && len % VECTORS >= MUCH => after_quads(register, bytes),
        _ => after_vectors(register, bytes),
    }
}

/// By vectors alone, and the instruction for the end.
#[inline(never)]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn after_vectors(register: u32, bytes: &[u8]) -> u32 {
    let (groups, rest) = bytes.as_chunks();
    let sum = summed_512(CRC, _mm_cvtsi32_si128(register as i32), groups);
    after_sse42(after_sum(join_512(CRC, sum, &[])), rest)
}

/// By vectors, four at a time, and by a chain beside them that takes what they leave, [`MUCH`] and
/// more.
#[inline(never)]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn after_quads(register: u32, bytes: &[u8]) -> u32 {
    let (vectors, rest) = bytes.split_at(bytes.len() / VECTORS * VECTORS);
    let (words, rest) = rest.as_chunks();
    let sum = summed_512(CRC, _mm_cvtsi32_si128(register as i32), bytemuck::cast_slice(vectors));
    let beside = words.iter().fold(0, |register, word| after_word(register, word));
    after_sse42(joined([after_sum(join_512(CRC, sum, &[])), beside], words.len(), 0), rest)
}

#[inline(never)]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn after_chunks(mut register: u32, mut bytes: &[u8]) -> u32 {
    let uncached = bytes.len() >= UNCACHED;
    while bytes.len() >= STEP {
        let steps = (bytes.len() / STEP).min(STEPS - 1);
        let (vectors, rest) = bytes.split_at(VECTORS * steps);
        let words = (rest.len() / (8 * CHAINS)).min(WORDS * STEPS);
        let (chains, rest) = rest.split_at(8 * CHAINS * words);
        let (more, rest) = if rest.len() <= FEW { rest.as_chunks() } else { ([].as_slice(), rest) };
        register = after_chunk(
            register,
            bytemuck::cast_slice(vectors),
            bytemuck::cast_slice(chains),
            more,
            uncached,
        );
        bytes = rest;
    }
    if bytes.len() <= FEW { after_sse42(register, bytes) } else { after_vectors(register, bytes) }
}

/// First the vectors, four for each step; then what the chains take, as many words each; then what
/// the last of them takes besides, while the others are joined. `uncached` says that the next
/// chunk, as long, is to be fetched.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn after_chunk(
    register: u32,
    vectors: &[[[u8; 64]; 4]],
    chains: &[[u8; 8]],
    more: &[[u8; 8]],
    uncached: bool,
) -> u32 {
    let (first, others) = vectors.split_first().expect("a step at least");
    let mut ahead = chains.as_ptr_range().end.cast::<[u8; STEP]>();
    let words = chains.len() / CHAINS;
    assert!(words >= WORDS * others.len());
    let mut chains =
        Chains { registers: [0; CHAINS], next: from_fn(|chain| chains[chain * words..].as_ptr()) };
    // SAFETY: any 64 bytes are a vector.
    let load = |bytes: &[u8; 64]| unsafe { std::mem::transmute::<[u8; 64], __m512i>(*bytes) };
    let mut sums = first.mapped(|bytes| load(&bytes));
    sums[0] = _mm512_xor_si512(sums[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128(register as i32)));
    for group in others {
        if uncached {
            fetch(ahead);
            ahead = ahead.wrapping_add(1);
        }
        for (sum, next) in sums.iter_mut().zip(group) {
            *sum = onto_512::<_, 2048>(CRC, *sum, load(next));
        }
        // SAFETY: as many as were asserted for each but the first vectors.
        unsafe { chains.take(WORDS) };
    }
    // SAFETY: what is left of so many words each.
    unsafe { chains.take(words - WORDS * others.len()) };
    let [a, b, c, d, e, f] = chains.and(more);
    let first = after_sum(join_512(CRC, joined_512(CRC, sums), &[]));
    joined([first, a, b, c, d, e, f], words, more.len())
}

/// Chains of the instruction that take turns.
struct Chains {
    registers: [u32; CHAINS],
    /// What each takes next.
    next: [*const [u8; 8]; CHAINS],
}

impl Chains {
    /// Takes so many words by each.
    ///
    /// # Safety
    /// There are so many where each reads.
    #[inline]
    #[target_feature(enable = "sse4.2")]
    unsafe fn take(&mut self, words: usize) {
        for _ in 0..words {
            for (register, next) in self.registers.iter_mut().zip(&mut self.next) {
                // SAFETY: this function's own condition.
                *register = after_word(*register, unsafe { &**next });
                *next = next.wrapping_add(1);
            }
        }
    }

    /// All registers, the last after these, too.
    #[inline]
    #[target_feature(enable = "sse4.2")]
    fn and(mut self, words: &[[u8; 8]]) -> [u32; CHAINS] {
        let [.., last] = &mut self.registers;
        *last = words.iter().fold(*last, |register, word| after_word(register, word));
        self.registers
    }
}
