//! CRC-32C by its instruction and by carry-less multiplication at once (as P. Cawley does in
//! fast-crc32, 2022): they are done in different parts of the CPU. The multiplication takes the
//! first part of a chunk, three chains of the instruction the others. Shorter messages go through
//! chains alone.

use std::arch::x86_64::*;

use bytemuck::Pod;

pub(super) mod zen5;

use super::folding::Known;
use super::x86_64::{NEEDS, NEEDS_256, combined_128, join, known_128, of_few, onto_128, onto_256};
use super::{Castagnoli, Crc, times_power};
use crate::parts::checksum::checksum_kernel;
use crate::parts::prefetch::{UNCACHED, fetch};
use crate::{Cores, Features, Kernel};

/// One chain of the instruction: three cycles for eight bytes.
pub(super) const fn sse42() -> Kernel {
    checksum_kernel!("sse4.2", Features::SSE42, "sse4.2", Castagnoli, after_sse42)
}

/// Three chains, and vectors of 32 bytes. Vectors alone are as fast on Intel's cores, and of up to
/// some KiB twice as fast.
pub(super) const fn fused_256() -> Kernel {
    checksum_kernel!(
        "sse4.2-vpclmulqdq", NEEDS_256, "sse4.2,pclmulqdq,vpclmulqdq,avx2", Castagnoli,
        after_fused_256, ..=64 => unsafe of_few::<Castagnoli>
    )
    .only(Cores::AMD)
}

/// The same for long messages, else six chains.
pub(super) const fn fused_256_or_six() -> Kernel {
    checksum_kernel!(
        "sse4.2-vpclmulqdq-zen5", NEEDS_256, "sse4.2,pclmulqdq,vpclmulqdq,avx2", Castagnoli,
        after_fused_256_or_six, ..=64 => unsafe of_few::<Castagnoli>
    )
    .only(Cores::ZEN5)
}

/// Three chains, and vectors of 16 bytes.
pub(super) const fn fused_128() -> Kernel {
    checksum_kernel!(
        "sse4.2-pclmulqdq", NEEDS, "sse4.2,pclmulqdq", Castagnoli, after_fused_128,
        ..=64 => unsafe of_few::<Castagnoli>
    )
}

/// Three chains alone: on a Zen 4, multiplications beside them make messages of any length slower.
pub(super) const fn chains() -> Kernel {
    checksum_kernel!(
        "sse4.2-chains", NEEDS, "sse4.2,pclmulqdq", Castagnoli, after_chains,
        ..=64 => unsafe of_few::<Castagnoli>
    )
    .only(Cores::AMD)
}

/// Six chains: a Zen 5 starts two instructions a cycle.
pub(super) const fn six_chains() -> Kernel {
    checksum_kernel!(
        "sse4.2-six-chains", NEEDS, "sse4.2,pclmulqdq", Castagnoli, after_six_chains,
        ..=64 => unsafe of_few::<Castagnoli>
    )
    .only(Cores::ZEN5)
}

const CRC: Known<Castagnoli> = Known::new();

/// Words of eight bytes that each chain takes in a step.
const WORDS: usize = 5;

/// Bytes that they take in a step.
const CHAINED: usize = 3 * 8 * WORDS;

/// The most steps of a chunk.
const STEPS: usize = 64;

/// From how many bytes on three chains are faster than one, during which the CPU has the next
/// message under way.
const MIN_CHAINS: usize = 256;

/// From how many bytes on six chains are faster than three.
const MIN_SIX: usize = 768;

/// From how many bytes on three chains and vectors of 32 bytes are faster than six chains.
const LONG: usize = 32 << 10;

/// From how many bytes on Intel's cores multiply vectors of 16 bytes sooner than they go through
/// chains.
const MIN_BLOCKS: usize = 128;

#[inline]
#[target_feature(enable = "sse4.2")]
pub(super) fn after_sse42(register: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut register = words.iter().fold(register, |register, word| after_word(register, word));
    if rest.is_empty() {
        return register;
    }
    // Four bytes, two and one: what there is of each.
    let (four, rest) = rest.as_chunks::<4>();
    if let [four] = four {
        register = _mm_crc32_u32(register, u32::from_le_bytes(*four));
    }
    let (two, rest) = rest.as_chunks::<2>();
    if let [two] = two {
        register = _mm_crc32_u16(register, u16::from_le_bytes(*two));
    }
    if let [one] = rest {
        register = _mm_crc32_u8(register, *one);
    }
    register
}

#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx2")]
fn after_fused_256(register: u32, bytes: &[u8]) -> u32 {
    match bytes.len() {
        <__m256i as Vector>::MIN_CHUNK.. => after_chunks_256(register, bytes),
        _ => after_chains(register, bytes),
    }
}

#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx2")]
fn after_fused_256_or_six(register: u32, bytes: &[u8]) -> u32 {
    match bytes.len() {
        LONG.. => after_chunks_256(register, bytes),
        _ => after_six_chains(register, bytes),
    }
}

#[inline(never)]
#[target_feature(enable = "sse4.2,pclmulqdq,vpclmulqdq,avx2")]
fn after_chunks_256(register: u32, bytes: &[u8]) -> u32 {
    // SAFETY: this function is compiled for what vectors of 32 bytes want.
    unsafe { after_chunks::<__m256i>(register, bytes) }
}

#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn after_fused_128(register: u32, bytes: &[u8]) -> u32 {
    #[inline(never)]
    #[target_feature(enable = "sse4.2,pclmulqdq")]
    fn chunks(register: u32, bytes: &[u8]) -> u32 {
        // SAFETY: this function is compiled for what vectors of 16 bytes want.
        unsafe { after_chunks::<__m128i>(register, bytes) }
    }
    match bytes.len() {
        <__m128i as Vector>::MIN_CHUNK.. => chunks(register, bytes),
        // SAFETY: this function is compiled for what that needs.
        MIN_BLOCKS.. => unsafe { known_128::<Castagnoli>(register, bytes) },
        _ => after_chains(register, bytes),
    }
}

/// By three chains, or one where that is faster.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn after_chains(mut register: u32, mut bytes: &[u8]) -> u32 {
    let uncached = bytes.len() >= UNCACHED;
    while let Some((part, rest)) = bytes.split_at_checked(STEPS * CHAINED) {
        register = match uncached {
            true => after_three::<true>(register, part),
            false => after_three::<false>(register, part),
        };
        bytes = rest;
    }
    if bytes.len() < MIN_CHAINS {
        after_sse42(register, bytes)
    } else {
        after_three::<false>(register, bytes)
    }
}

/// By six chains, or fewer where that is faster.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn after_six_chains(mut register: u32, mut bytes: &[u8]) -> u32 {
    let uncached = bytes.len() >= UNCACHED;
    while bytes.len() >= MIN_SIX {
        let (part, rest) = bytes.split_at(bytes.len().min(STEPS * CHAINED));
        register = match uncached {
            true => after_six::<true>(register, part),
            false => after_six::<false>(register, part),
        };
        bytes = rest;
    }
    after_chains(register, bytes)
}

/// Declares a function of several chains: a register and a part for each. It takes at most
/// [`STEPS`] steps; the last chain takes the words that are left while the others are joined.
///
/// If `AHEAD`, as many bytes behind these are fetched meanwhile, in the order of memory: in the
/// order of the chains, main memory gives half as many bytes a second.
macro_rules! after_parts {
    ($name:ident: $count:literal, $($register:ident $part:ident)*) => {
        #[inline(never)]
        #[target_feature(enable = "sse4.2,pclmulqdq")]
        fn $name<const AHEAD: bool>(register: u32, bytes: &[u8]) -> u32 {
            let (words, rest) = bytes.as_chunks();
            let share = words.len() / $count;
            let more = words;
            $(let ($part, more) = more.split_at(share);)*
            let mut registers = [0; $count];
            registers[0] = register;
            let [$(mut $register),*] = registers;
            let mut ahead: *const [[u8; 64]; $count] = bytes.as_ptr_range().end.cast();
            for word in 0..share {
                if AHEAD && word % 8 == 0 {
                    fetch(ahead);
                    ahead = ahead.wrapping_add(1);
                }
                $($register = after_word($register, &$part[word]);)*
            }
            let mut registers = [$($register),*];
            for word in more.iter().take($count - 1) {
                registers[$count - 1] = after_word(registers[$count - 1], word);
            }
            after_sse42(joined(registers, share, more.len()), rest)
        }
    };
}

after_parts!(after_three: 3, a first b second c third);
after_parts!(after_six: 6, a first b second c third d fourth e fifth f sixth);

/// By both, a chunk at a time; what is left by chains alone.
///
/// # Safety
/// The CPU has SSE 4.2, and what `V` wants.
#[inline(always)]
unsafe fn after_chunks<V: Vector>(mut register: u32, mut bytes: &[u8]) -> u32 {
    let step = size_of::<V::Group>() + CHAINED;
    // SAFETY: this function's own condition.
    unsafe {
        while bytes.len() >= V::MIN_CHUNK {
            let (chunk, rest) = bytes.split_at(step * (bytes.len() / step).min(STEPS));
            register = after_chunk::<V>(register, chunk);
            bytes = rest;
        }
        after_chains(register, bytes)
    }
}

/// Each register after words of its own, as many.
#[inline]
#[target_feature(enable = "sse4.2")]
fn after_each(
    [mut a, mut b, mut c]: [u32; 3],
    [first, second, third]: [&[[u8; 8]]; 3],
) -> [u32; 3] {
    for ((one, two), three) in first.iter().zip(second).zip(third) {
        (a, b, c) = (after_word(a, one), after_word(b, two), after_word(c, three));
    }
    [a, b, c]
}

#[inline]
#[target_feature(enable = "sse4.2")]
fn after_word(register: u32, word: &[u8; 8]) -> u32 {
    _mm_crc32_u64(register.into(), u64::from_le_bytes(*word)) as u32
}

/// Bytes that are summed by carry-less multiplication.
trait Vector: Pod {
    /// Four of them, as they are in a message.
    type Group: Pod;
    /// From how many bytes on that is faster than three chains alone.
    const MIN_CHUNK: usize;

    /// This moved on by four vectors, and added to what is there.
    ///
    /// # Safety
    /// The CPU has PCLMULQDQ; for 32 bytes VPCLMULQDQ and AVX2, too.
    unsafe fn onto(self, next: Self) -> Self;

    /// The sum of four consecutive ones.
    ///
    /// # Safety
    /// As above.
    unsafe fn combined(sums: [Self; 4]) -> __m128i;
}

impl Vector for __m128i {
    type Group = [[u8; 16]; 4];
    const MIN_CHUNK: usize = 960;

    #[inline(always)]
    unsafe fn onto(self, next: Self) -> Self {
        // SAFETY: this function's own condition.
        unsafe { onto_128::<_, 512>(CRC, self, next) }
    }

    #[inline(always)]
    unsafe fn combined(sums: [Self; 4]) -> __m128i {
        // SAFETY: this function's own condition.
        unsafe { join(CRC, sums) }
    }
}

impl Vector for __m256i {
    type Group = [[u8; 32]; 4];
    const MIN_CHUNK: usize = 1200;

    #[inline(always)]
    unsafe fn onto(self, next: Self) -> Self {
        // SAFETY: this function's own condition.
        unsafe { onto_256::<_, 1024>(CRC, self, next) }
    }

    #[inline(always)]
    unsafe fn combined(sums: [Self; 4]) -> __m128i {
        // SAFETY: this function's own condition.
        unsafe { combined_128(CRC, sums) }
    }
}

/// A whole number of steps.
///
/// # Safety
/// As [`after_chunks`].
#[inline(always)]
unsafe fn after_chunk<V: Vector>(register: u32, bytes: &[u8]) -> u32 {
    let steps = bytes.len() / (size_of::<V::Group>() + CHAINED);
    let (vectors, words) = bytes.split_at(size_of::<V::Group>() * steps);
    let vectors: &[V::Group] = bytemuck::cast_slice(vectors);
    let words: &[[[u8; 8]; WORDS]] = bytemuck::cast_slice(words);
    let (first, others) = words.split_at(steps);
    let (second, third) = others.split_at(steps);
    // SAFETY: this function's own condition.
    let mut registers = unsafe { after_each([0; 3], [&first[0], &second[0], &third[0]]) };
    let mut sums: [V; 4] = bytemuck::cast(vectors[0]);
    let start: &mut u32 = &mut bytemuck::cast_slice_mut(&mut sums)[0];
    *start ^= register;
    for (((group, a), b), c) in
        vectors[1..].iter().zip(&first[1..]).zip(&second[1..]).zip(&third[1..])
    {
        for (sum, next) in sums.iter_mut().zip(bytemuck::cast::<_, [V; 4]>(*group)) {
            // SAFETY: this function's own condition.
            *sum = unsafe { sum.onto(next) };
        }
        // SAFETY: this function's own condition.
        registers = unsafe { after_each(registers, [a, b, c]) };
    }
    let [a, b, c] = registers;
    // SAFETY: this function's own condition.
    unsafe { joined([after_sum(V::combined(sums)), a, b, c], WORDS * steps, 0) }
}

/// The register after what is summed up in 16 bytes.
#[inline]
#[target_feature(enable = "sse4.2")]
fn after_sum(sum: __m128i) -> u32 {
    let low = _mm_crc32_u64(0, _mm_cvtsi128_si64(sum) as u64);
    _mm_crc32_u64(low, _mm_extract_epi64::<1>(sum) as u64) as u32
}

/// The register after all of what these are the registers of, one behind the other: of so many
/// words of eight bytes each but the first, and the last of so many more.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn joined<const N: usize>(registers: [u32; N], words: usize, more: usize) -> u32 {
    let vector = |word: u32| _mm_cvtsi32_si128(word as i32);
    let mut sum = _mm_setzero_si128();
    // The first comes last: it is what takes longest.
    for (index, register) in registers[..N - 1].iter().enumerate().rev() {
        sum = _mm_xor_si128(
            sum,
            _mm_clmulepi64_si128::<0>(
                vector(*register),
                vector(POWERS[(N - 1 - index) * words + more]),
            ),
        );
    }
    _mm_crc32_u64(0, _mm_cvtsi128_si64(sum) as u64) as u32 ^ registers[N - 1]
}

/// x^(64 n - 33) modulo the polynomial: two reflected words of 32 bits, multiplied, have one x
/// more, and the instruction brings 32.
static POWERS: [u32; 3 * WORDS * STEPS + 1] = {
    let mut powers = [0; _];
    let (mut power, mut n) = (times_power(Castagnoli::POLYNOMIAL, 1 << 31, 31), 1);
    while n < powers.len() {
        powers[n] = power as u32;
        power = times_power(Castagnoli::POLYNOMIAL, power, 64);
        n += 1;
    }
    powers
};
