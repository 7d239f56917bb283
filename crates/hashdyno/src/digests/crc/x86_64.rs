//! CRCs by carry-less multiplication (V. Gopal et al., "Fast CRC Computation for Generic
//! Polynomials Using PCLMULQDQ Instruction", Intel, 2009).
//!
//! A sum of 16 bytes stands for all bytes before it: both leave the same remainder. The sum is
//! folded onto the bytes n bits further on. Each half takes one multiplication by its own power:
//!
//! ```text
//! sum = [low | high]       next = the 16 bytes that lie n bits further on
//! new sum = low * (power of x mod P)  ^  high * (power of x mod P)  ^  next       (onto.rs)
//! ```
//!
//! The powers are in `folding.rs`. Long messages have several sums, which do not wait for each
//! other:
//!
//! ```text
//! sums = the first blocks; the register is added to the first of them
//! for each further group of blocks:  every sum is folded onto the block in its own place
//! all sums are folded onto the last whole block
//! if bytes are left:                 the sum is folded onto the last 16 bytes        (behind)
//! the sum of 16 bytes is reduced to the register            (product_of_words, barrett)
//! ```
//!
//! The multiplication is scarce. Intel's cores start one in a cycle, of any width, so wider vectors
//! take more bytes with each. A Zen 4 takes two cycles for one.
//!
//! | kernel | bytes | function | why |
//! |---|---|---|---|
//! | all | 0 to 64 | `few.rs` has a table | independent products instead of a chain of folds |
//! | `pclmulqdq`, `-avx` | 65 to 127 | `after_blocks` | folds all blocks onto the last at once |
//! | `pclmulqdq`, `-avx` | from 128 | `after_blocks` | eight sums of 16 bytes |
//! | `vpclmulqdq-avx2` | 65 to 127 | `after_256` | one sum of 32 bytes |
//! | `vpclmulqdq-avx2` | from 128 | `after_long_256` | four sums of 32 bytes |
//! | `vpclmulqdq` | 65 to 127 | `after_256` | vectors of 64 bytes gain nothing below `SHORT` |
//! | `vpclmulqdq` | 128 to 255 | `summed_512` | one sum of 64 bytes |
//! | `vpclmulqdq` | from 256 | `summed_512` | four sums of 64 bytes (`wide.rs`) |
//! | CRC-32C | 0 to 127 | `after_sse42` | SSE 4.2's instruction (`Crc::INSTRUCTION`) |
//!
//! Pieces of messages go through `known_128`, `known_256` and `known_512`. The catalogue's kernels
//! begin at `after_128`, `after_256` and `after_512`, with numbers from memory.

use std::arch::x86_64::*;
use std::sync::atomic::{AtomicU8, Ordering};

use super::folding::{FARTHEST, Folding, Known};
use super::{Crc, Register};
use crate::parts::arrays::Mapped;
use crate::parts::checksum::checksum_kernel;
use crate::parts::prefetch::{UNCACHED, fetch_ahead};
use crate::{Cpu, Features, Kernel};

mod few;
mod onto;
mod order;
mod wide;

use few::{
    after_few, after_pairs, after_pairs_128, barrett, most_of_few_128, of_few_128, of_few_256,
    product_of_words, vector,
};
pub(super) use few::{after_word, of_few, of_word};
use onto::{four_onto, onto_by, pair_onto, pair_onto_256, products};
pub(super) use onto::{onto_128, onto_256};
use order::{bits_ordered, bytes_ordered, load_128, load_256, ordered, reflected, reflected_256};
pub(super) use wide::{after_512, join_512, joined_512, onto_512, summed_512};

pub(super) const NEEDS: Features =
    Features::PCLMULQDQ.union(Features::SSSE3).union(Features::SSE42);

/// Whether this machine's CPU has [`NEEDS`]: 0 until [`learn`] has asked.
static ANSWER: AtomicU8 = AtomicU8::new(0);
const LACKS: u8 = 1;
const HAS: u8 = 2;

/// Whether the CPU is known to have [`NEEDS`]: one comparison for a function of a few bytes, where
/// [`Cpu::native`] takes four instructions more.
#[inline(always)]
pub(super) fn is_known() -> bool {
    ANSWER.load(Ordering::Relaxed) == HAS
}

/// Asks the CPU once, for [`is_known`].
#[inline(always)]
pub(super) fn learn() {
    #[cold]
    fn ask() {
        let answer = if Cpu::native().has(NEEDS) { HAS } else { LACKS };
        ANSWER.store(answer, Ordering::Relaxed);
    }
    if ANSWER.load(Ordering::Relaxed) == 0 {
        ask();
    }
}

pub(super) const NEEDS_256: Features = NEEDS.union(Features::VPCLMULQDQ).union(Features::AVX2);
pub(super) const NEEDS_512: Features =
    NEEDS.union(Features::VPCLMULQDQ).union(Features::AVX512F).union(Features::GFNI);

/// 16 bytes at a time.
pub(super) const fn pclmulqdq<C: Crc>() -> Kernel {
    checksum_kernel!(
        "pclmulqdq", NEEDS, "pclmulqdq,sse4.2", C: Crc, unsafe known_128::<C>,
        ..=most_of_few_128::<C>() => unsafe of_few_128::<C>
    )
}

/// The same in instructions of three operands. A Zen 4 takes two cycles for a multiplication, and
/// time for each instruction between two of them: copies are spared.
pub(super) const fn pclmulqdq_avx<C: Crc>() -> Kernel {
    checksum_kernel!(
        "pclmulqdq-avx", NEEDS.union(Features::AVX), "pclmulqdq,sse4.2,avx", C: Crc,
        unsafe known_128::<C>, ..=most_of_few_128::<C>() => unsafe of_few_128::<C>
    )
}

/// 32 bytes at a time.
pub(super) const fn vpclmulqdq_avx2<C: Crc>() -> Kernel {
    checksum_kernel!(
        "vpclmulqdq-avx2", NEEDS_256, "pclmulqdq,vpclmulqdq,avx2", C: Crc, known_256::<C>,
        ..=64 => unsafe of_few_256::<C>
    )
}

/// 64 bytes at a time.
pub(super) const fn vpclmulqdq<C: Crc>() -> Kernel {
    checksum_kernel!(
        "vpclmulqdq", NEEDS_512, "pclmulqdq,vpclmulqdq,avx512f,gfni", C: Crc, known_512::<C>,
        ..=64 => unsafe of_few_256::<C>
    )
}

/// The register after some bytes, compiled into its callers: a call takes a cycle or two that the
/// multiplications do not hide.
///
/// # Safety
/// As [`after_blocks`].
#[inline(always)]
pub(super) unsafe fn known_128<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function's own condition.
    unsafe {
        match bytes.len() {
            33.. => after_blocks(Known::<C>::new(), register, bytes),
            _ => after_short(Known::<C>::new(), register, bytes),
        }
    }
}

#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
pub(super) fn known_256<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    after_256(Known::<C>::new(), register, bytes)
}

#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx512f,gfni")]
fn known_512<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    after_512(Known::<C>::new(), register, bytes)
}

#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
pub(super) fn after_128<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    if bytes.len() < SHORT {
        after_short(crc, register, bytes)
    } else {
        after_long_128(crc, register, bytes)
    }
}

#[inline(never)]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn after_long_128<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function is compiled for what it wants.
    unsafe { after_blocks(crc, register, bytes) }
}

/// The register after 16 bytes or more by vectors of 16 bytes, by code that is compiled for what
/// its caller has.
///
/// # Safety
/// The CPU has PCLMULQDQ and SSE 4.2.
#[inline(always)]
unsafe fn after_blocks<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function's own condition.
    unsafe {
        let (blocks, _) = bytes.as_chunks::<16>();
        let start = ordered::<C>(vector(register));
        let [first, groups @ ..] = blocks.as_chunks::<8>().0 else {
            let [first, between @ .., last] = blocks else {
                return register; // never: there are 33 bytes
            };
            let first = _mm_xor_si128(start, load_128::<C>(first));
            let far = crc.distances().0[between.len() % FARTHEST];
            let sum = onto_by(first, bytemuck::cast(far), load_128::<C>(last));
            return after_sum(crc, with_distant(crc, sum, between), bytes);
        };
        let mut sums = first.mapped(|block| load_128::<C>(&block));
        sums[0] = _mm_xor_si128(sums[0], start);
        for group in groups {
            let pairs = sums.as_chunks_mut::<2>().0.iter_mut().zip(group.as_chunks::<2>().0);
            for (pair, [first, second]) in pairs {
                let next = [load_128::<C>(first), load_128::<C>(second)];
                *pair = pair_onto::<_, 1024>(crc, *pair, next);
            }
        }
        // Each is moved on to the last block at once: no multiplication waits for another.
        let (rest, distances) = (blocks.as_chunks::<8>().1, &crc.distances().0);
        let [far @ .., e, f, g, h] = sums;
        let sum = if let [between @ .., last] = rest {
            let sum = with_distant(crc, load_128::<C>(last), between);
            four_onto([e, f, g, h], &distances[between.len()..], sum)
        } else {
            let sum = onto_128::<_, 128>(crc, g, h);
            onto_128::<_, 384>(crc, e, onto_128::<_, 256>(crc, f, sum))
        };
        after_sum(crc, four_onto(far, &distances[rest.len() + 3..], sum), bytes)
    }
}

/// Adds to a sum the blocks before it, 15 at most.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn with_distant<C: Folding>(crc: C, sum: __m128i, before: &[[u8; 16]]) -> __m128i {
    before.iter().rev().zip(&crc.distances().0).fold(sum, |sum, (block, factors)| {
        onto_by(load_128::<C>(block), bytemuck::cast(*factors), sum)
    })
}

#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
pub(super) fn after_256<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    match bytes.len() {
        // SAFETY: this function is compiled for what it wants.
        33..=64 if !C::INSTRUCTION => unsafe { after_pairs(crc, register, bytes) },
        SHORT.. => after_long_256(crc, register, bytes),
        65.. if !C::INSTRUCTION => after_by(crc, register, bytes, |start, blocks| {
            let (pairs, rest) = blocks.as_chunks::<2>();
            let load = |pair: &[[u8; 16]; 2]| load_256::<C>(bytemuck::cast_ref(pair));
            let sum = _mm256_xor_si256(load(&pairs[0]), _mm256_zextsi128_si256(start));
            join_256(
                crc,
                pairs[1..].iter().fold(sum, |sum, pair| onto_256::<_, 256>(crc, sum, load(pair))),
                rest,
            )
        }),
        _ => after_short(crc, register, bytes),
    }
}

#[inline(never)]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
fn after_long_256<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    after_by(crc, register, bytes, |start, blocks| {
        let (groups, rest) = blocks.as_chunks::<8>();
        let [first, groups @ ..] = groups else { return fold(crc, start, blocks) };
        let load = |blocks: &[[u8; 16]; 2]| load_256::<C>(bytemuck::cast_ref(blocks));
        let uncached = bytes.len() >= UNCACHED;
        let mut sums: [__m256i; 4] =
            bytemuck::cast_ref::<_, [[[u8; 16]; 2]; 4]>(first).mapped(|blocks| load(&blocks));
        sums[0] = _mm256_xor_si256(sums[0], _mm256_zextsi128_si256(start));
        for group in groups {
            if uncached {
                fetch_ahead(group);
            }
            let pairs = bytemuck::cast_ref::<_, [[[[u8; 16]; 2]; 2]; 2]>(group);
            for (pair, next) in sums.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
                *pair = pair_onto_256::<_, 1024>(crc, *pair, next.mapped(|blocks| load(&blocks)));
            }
        }
        let [a, b, c, d] = sums;
        // Whatever is left is taken as soon as the sum is no longer than that.
        let mut sums = [onto_256::<_, 512>(crc, a, c), onto_256::<_, 512>(crc, b, d)];
        let (fours, rest) = rest.as_chunks::<4>();
        for four in fours {
            let [a, b] = *bytemuck::cast_ref::<_, [[[u8; 16]; 2]; 2]>(four);
            sums = [
                onto_256::<_, 512>(crc, sums[0], load(&a)),
                onto_256::<_, 512>(crc, sums[1], load(&b)),
            ];
        }
        let mut sum = onto_256::<_, 256>(crc, sums[0], sums[1]);
        let (pairs, rest) = rest.as_chunks::<2>();
        for pair in pairs {
            sum = onto_256::<_, 256>(crc, sum, load(pair));
        }
        join_256(crc, sum, rest)
    })
}

/// Below how many bytes longer vectors gain nothing.
const SHORT: usize = 128;

/// The register after fewer than [`SHORT`] bytes.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn after_short<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    // SAFETY: this function is compiled for what they want.
    unsafe {
        match bytes.len() {
            33..=64 if !C::INSTRUCTION => after_pairs_128(crc, register, bytes),
            33.. if !C::INSTRUCTION => after_long_128(crc, register, bytes),
            _ => after_few(crc, register, bytes),
        }
    }
}

/// The register after 16 bytes or more; `fold_blocks` sums blocks of 16 bytes, the first with the
/// register added to it, into one.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn after_by<C: Folding>(
    crc: C,
    register: C::Register,
    bytes: &[u8],
    fold_blocks: impl FnOnce(__m128i, &[[u8; 16]]) -> __m128i,
) -> C::Register {
    let (blocks, _) = bytes.as_chunks();
    after_sum(crc, fold_blocks(ordered::<C>(vector(register)), blocks), bytes)
}

/// The register after 16 bytes or more, of which the whole blocks are summed up.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn after_sum<C: Folding>(crc: C, mut sum: __m128i, bytes: &[u8]) -> C::Register {
    let last = bytes.last_chunk().expect("16 bytes or more");
    let rest = bytes.len() % 16;
    if rest > 0 {
        sum = behind(crc, sum, rest, last);
    }
    C::Register::from_low(barrett(crc, product_of_words(crc, bits_ordered::<C>(sum), 16)))
}

/// Sums what is summed up so far and the `rest` bytes behind it, fewer than 16: the end of `last`,
/// which are the message's last 16 bytes.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn behind<C: Folding>(crc: C, sum: __m128i, rest: usize, last: &[u8; 16]) -> __m128i {
    // The last 16 bytes begin with what of the sum is beyond its first `rest` bytes.
    let moved = |by: usize| bytemuck::pod_read_unaligned::<__m128i>(&MOVED[by..][..16]);
    let (first, others) = (moved(rest), moved(16 + rest));
    let (sum, last) = (bytes_ordered::<C>(sum), bytes_ordered::<C>(load_128::<C>(last)));
    let last = _mm_blendv_epi8(_mm_shuffle_epi8(sum, others), last, others);
    let first = bytes_ordered::<C>(_mm_shuffle_epi8(sum, first));
    onto_128::<_, 128>(crc, first, bytes_ordered::<C>(last))
}

/// Sums blocks one after another.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
fn fold<C: Folding>(crc: C, start: __m128i, blocks: &[[u8; 16]]) -> __m128i {
    let sum = _mm_xor_si128(start, load_128::<C>(&blocks[0]));
    blocks[1..].iter().fold(sum, |sum, block| onto_128::<_, 128>(crc, sum, load_128::<C>(block)))
}

/// Sums four consecutive sums.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.2")]
pub(super) fn join<C: Folding>(crc: C, [a, b, c, d]: [__m128i; 4]) -> __m128i {
    onto_128::<_, 256>(crc, onto_128::<_, 128>(crc, a, b), onto_128::<_, 128>(crc, c, d))
}

/// Sums four consecutive sums.
#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
pub(super) fn combined_128<C: Folding>(crc: C, [a, b, c, d]: [__m256i; 4]) -> __m128i {
    join_256(
        crc,
        onto_256::<_, 256>(crc, onto_256::<_, 512>(crc, a, c), onto_256::<_, 512>(crc, b, d)),
        &[],
    )
}

/// Sums two consecutive sums and the blocks that follow.
#[inline]
#[target_feature(enable = "pclmulqdq,vpclmulqdq,avx2")]
fn join_256<C: Folding>(crc: C, sums: __m256i, rest: &[[u8; 16]]) -> __m128i {
    let sum =
        onto_128::<_, 128>(crc, _mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    rest.iter().fold(sum, |sum, block| onto_128::<_, 128>(crc, sum, load_128::<C>(block)))
}

/// From byte n on: the order that brings the first n of 16 bytes to the end; from byte 16 + n on:
/// that which drops them, its sign bits set where nothing is left.
const MOVED: &[u8; 48] = &{
    let mut order = [0x80; 48];
    let mut index = 0;
    while index < 16 {
        order[16 + index] = index as u8;
        index += 1;
    }
    order
};
