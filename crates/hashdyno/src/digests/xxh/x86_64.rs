//! XXH32 and XXH64 on x86-64: the two multiplications of a word are done in different units.
//!
//! A word goes into its sum by `sum = rotate(sum + word * P2) * P1`. The first multiplication does
//! not wait for the sum; the second does. A block is a word for each of four sums. The chain of a
//! sum is an addition, a rotation and a multiplication: 1 + 1 + 3 cycles by general registers.
//! Eight multiplications for a block would take eight cycles where one unit multiplies. Compilers
//! do all by vectors or none.
//!
//! ```text
//! ahead (parts/ahead.rs), a run of bytes at a time:
//!     vectors:             products of run n + 1 = words * P2        -> memory
//!     general registers:   a, b, c, d = rotate(a + product) * P1 ..  <- products of run n
//! by vectors, by lanes:    a, b, c, d side by side in one register, all products there
//!                          rotate(s, 13) * P1 = (s >> 19) * P1 + s * (P1 << 13):
//!                          two products that do not wait for each other
//! ```
//!
//! | kernel | bytes of a message | way | why |
//! |---|---|---|---|
//! | `avx2-words` (XXH32) | 16 to 31 | one word after another | a vector's sums join later |
//! | `avx2-words` (XXH32) | 32 to 1023 | by vectors | products ahead pay from eight runs on |
//! | `avx2-words` (XXH32) | from 1024 | ahead | vectors multiply or add more slowly than words |
//! | `avx2` (XXH32) | from 16 | by vectors | four sums in a register |
//! | `sse2` (XXH32) | from 16 | by vectors | the same in two registers of two sums |
//! | `avx512dq-zen` | from 32 | by lanes | a vector's product takes three cycles, too |
//! | `avx512dq-zen5` | 32 to 3071 | by lanes | the same |
//! | `avx512dq-zen5` | from 3072 | ahead | words are added and rotated in less time |
//! | `avx512dq` | 32 to 511 | one word after another | products ahead pay from four runs on |
//! | `avx512dq` | from 512 | ahead | a vector's product takes longer than a word's |
//! | `avx2` (XXH64) | 32 to 1023 | one word after another | products ahead pay from four runs on |
//! | `avx2` (XXH64) | from 1024 | ahead | a product is made of three of 32 bits |
//!
//! Messages shorter than a block have no sums: `digest_by` in `xxh.rs`. Pieces go the way of long
//! messages. The digests' own functions take up to 47 bytes (XXH32) and 63 (XXH64) word by word,
//! whatever the kernel: `apart` and `hash_apart` in `xxh.rs`.

use std::arch::{asm, x86_64::*};
use std::mem::transmute;

use bytemuck::cast;

use super::many::{Xxh32, Xxh64};
use super::{PRIMES32, PRIMES64, Word, added, digest_by, digest_long, merged, seal_by};
use crate::kernel::one_shot;
use crate::parts::ahead::ahead;
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::chains;
use crate::parts::lanes::wide::Wide2;
use crate::parts::lanes::x86_64::{AVX512DQ, U32x8, U64x4Vl};
use crate::{Code, Cores, Features, Kernel, State};

/// Declares a kernel: name, needs, features, word, and the function from sums and blocks to sums.
/// It takes whole messages from so many bytes on, shorter ones another, [`digest_long`] if none is
/// given. It suits all cores, or those behind `on`.
macro_rules! xxh_kernel {
    (
        $(#[$doc:meta])* $kernel:ident: $name:literal, $needs:expr, $features:literal, $word:ty,
        $added:ident from $long:expr $(, on $cores:expr)?
    ) => {
        xxh_kernel!(
            $(#[$doc])* $kernel: $name, $needs, $features, $word,
            digest_long::<$word> => $added from $long $(, on $cores)?
        );
    };
    (
        $(#[$doc:meta])* $kernel:ident: $name:literal, $needs:expr, $features:literal, $word:ty,
        $shorter:path => $added:ident from $long:expr $(, on $cores:expr)?
    ) => {
        $(#[$doc])*
        pub(super) const $kernel: Kernel = {
            #[target_feature(enable = $features)]
            fn absorb(state: &mut State, blocks: &[u8]) {
                let sums = state.view::<[$word; 4]>();
                *sums = $added(*sums, blocks);
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            fn digest_longer(message: &[u8], out: &mut [u8]) {
                seal_by(message, out, |sums, blocks| $added(sums, blocks));
            }

            let one_shot = one_shot!($features, [] [] size_of::<$word>(), |message, out| {
                digest_by::<$word>(message, out, |message, out| {
                    if message.len() < $long {
                        $shorter(message, out)
                    } else {
                        // A call at the end: shorter messages save no registers for it.
                        digest_longer(message, out)
                    }
                });
            });
            Kernel::of($name, $needs.covering($features), Code::OneShot(absorb, one_shot))
                $(.only($cores))?
        };
    };
}

xxh_kernel! {
    /// For cores on which a multiplication of vectors, or an addition, takes longer than one of
    /// words.
    XXH32_WORDS: "avx2-words", Features::AVX2, "avx2", u32, xxh32_by_few_or_words from 32,
    on Cores::OTHER.union(Cores::ZEN5)
}
xxh_kernel!(XXH32_AVX2: "avx2", Features::AVX2, "avx2", u32, xxh32_avx2 from 16);
xxh_kernel! {
    /// For cores that start one multiplication of words a cycle. Zen 5 starts three.
    XXH32_SSE2: "sse2", Features::SSE2, "sse2", u32, xxh32_sse2 from 16,
    on Cores::ZEN.union(Cores::OTHER)
}
xxh_kernel!(XXH64_AVX2: "avx2", Features::AVX2, "avx2", u64, xxh64_avx2 from 4 * RUN64);
xxh_kernel! {
    XXH64_ZEN5: "avx512dq-zen5", AVX512DQ, "avx512f,avx512vl,avx512dq", u64,
    digest_in_lanes => xxh64_avx512dq from 24 * RUN512, on Cores::ZEN5
}
xxh_kernel! {
    /// In lanes at any length.
    XXH64_ZEN: "avx512dq-zen", AVX512DQ, "avx512f,avx512vl,avx512dq", u64,
    digest_in_lanes => xxh64_in_lanes from usize::MAX, on Cores::ZEN
}
xxh_kernel!(
    XXH64_AVX512DQ: "avx512dq", Features::AVX512DQ, "avx512f,avx512dq", u64,
    xxh64_avx512dq from 4 * RUN512
);

pub(super) const XXH32_MANY: Kernel = chains::avx2::<Xxh32, Wide2<U32x8>, _, _, _>();
pub(super) const XXH64_MANY: Kernel = chains::avx512::<Xxh64, Wide2<Wide2<U64x4Vl>>, _, _, _>();

/// How many bytes [`added_by`] multiplies at once.
const RUN32: usize = 128;
const RUN64: usize = 256;
const RUN512: usize = 128;

/// The four sums side by side, each in 64 bits of which the lower half counts. A rotation
/// multiplied is two products, and their sum with that of the next word is the next sum to be
/// rotated: five cycles for 16 bytes.
#[target_feature(enable = "avx2")]
#[inline]
fn xxh32_avx2(sums: [u32; 4], blocks: &[u8]) -> [u32; 4] {
    let [p1, p2] = [_mm256_set1_epi64x(PRIMES32[1].into()), _mm256_set1_epi64x(PRIMES32[2].into())];
    let [first, others @ ..] = blocks.as_chunks::<16>().0 else { return sums };
    let product =
        |block: &[u8; 16]| _mm256_mul_epu32(_mm256_cvtepu32_epi64(bytemuck::cast(*block)), p2);
    let rotated = |sums, product| {
        let mut lower = _mm256_mul_epu32(sums, _mm256_slli_epi32::<13>(p1));
        let mut shifted = _mm256_srli_epi32::<19>(sums);
        // Which unit an instruction waits for depends on their order. With the addition in front
        // of the shift, 16 bytes take 5.4 cycles on Zen 4, and 5.2 in this order. And compilers
        // would add the product last, when all wait for it.
        barrier::vectors_together!(ymm_reg: lower shifted);
        let mut lower = _mm256_add_epi32(lower, product);
        barrier::vectors_together!(ymm_reg: lower shifted);
        _mm256_add_epi32(lower, _mm256_mul_epu32(shifted, p1))
    };
    let mut wide = _mm256_add_epi32(_mm256_cvtepu32_epi64(bytemuck::cast(sums)), product(first));
    for block in others {
        wide = rotated(wide, product(block));
    }
    let [a, _, b, _, c, _, d, _] =
        bytemuck::cast::<_, [u32; 8]>(rotated(wide, _mm256_setzero_si256()));
    [a, b, c, d]
}

/// The same by pairs of sums.
#[target_feature(enable = "sse2")]
#[inline]
fn xxh32_sse2(sums: [u32; 4], blocks: &[u8]) -> [u32; 4] {
    let [p1, p2] = [_mm_set1_epi64x(PRIMES32[1].into()), _mm_set1_epi64x(PRIMES32[2].into())];
    let apart = |words: __m128i| {
        let zero = _mm_setzero_si128();
        [_mm_unpacklo_epi32(words, zero), _mm_unpackhi_epi32(words, zero)]
    };
    let rotated = |sums: __m128i, word: __m128i| {
        let upper = _mm_mul_epu32(_mm_srli_epi32::<19>(sums), p1);
        let lower =
            _mm_add_epi32(_mm_mul_epu32(sums, _mm_slli_epi32::<13>(p1)), _mm_mul_epu32(word, p2));
        // As above.
        _mm_add_epi32(barrier::register!(xmm_reg lower), upper)
    };
    let [first, others @ ..] = blocks.as_chunks::<16>().0 else { return sums };
    let mut pairs = apart(cast(sums));
    for (pair, word) in pairs.iter_mut().zip(apart(cast(*first))) {
        *pair = _mm_add_epi32(*pair, _mm_mul_epu32(word, p2));
    }
    for block in others {
        let [first, second] = apart(cast(*block));
        pairs = [rotated(pairs[0], first), rotated(pairs[1], second)];
    }
    let [a, _, b, _, c, _, d, _] =
        cast::<_, [u32; 8]>(pairs.mapped(|pair| rotated(pair, _mm_setzero_si128())));
    [a, b, c, d]
}

#[target_feature(enable = "avx2")]
#[inline]
fn xxh32_by_few_or_words(sums: [u32; 4], blocks: &[u8]) -> [u32; 4] {
    if blocks.len() < 8 * RUN32 { xxh32_avx2(sums, blocks) } else { xxh32_by_words(sums, blocks) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn xxh32_by_words(sums: [u32; 4], blocks: &[u8]) -> [u32; 4] {
    let prime = _mm256_set1_epi32(PRIMES32[2] as i32);
    added_by::<_, RUN32>(sums, blocks, |words| {
        bytemuck::cast(
            bytemuck::cast::<_, [__m256i; 2]>(*words)
                .mapped(|words| _mm256_mullo_epi32(words, prime)),
        )
    })
}

#[target_feature(enable = "avx2")]
#[inline]
fn xxh64_avx2(sums: [u64; 4], blocks: &[u8]) -> [u64; 4] {
    let prime = _mm256_set1_epi64x(PRIMES64[2] as i64);
    let upper = _mm256_srli_epi64::<32>(prime);
    added_by::<_, RUN64>(sums, blocks, |words| {
        let mut words: [__m256i; 2] = bytemuck::cast(*words);
        for words in &mut words {
            let crossed = _mm256_add_epi64(
                _mm256_mul_epu32(_mm256_srli_epi64::<32>(*words), prime),
                _mm256_mul_epu32(*words, upper),
            );
            *words =
                _mm256_add_epi64(_mm256_mul_epu32(*words, prime), _mm256_slli_epi64::<32>(crossed));
        }
        bytemuck::cast(words)
    })
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn xxh64_avx512dq(sums: [u64; 4], blocks: &[u8]) -> [u64; 4] {
    let prime = _mm512_set1_epi64(PRIMES64[2] as i64);
    added_by::<_, RUN512>(sums, blocks, |words| {
        // SAFETY: 64 bytes are a vector, and a vector is 64 bytes.
        unsafe { transmute(_mm512_mullo_epi64(transmute::<[u8; 64], __m512i>(*words), prime)) }
    })
}

/// The four sums in lanes, as in [`xxh32_avx2`]. On AMD's cores a product of 64 bits takes three
/// cycles, so the chain takes five cycles for 32 bytes. One sum after another takes four times as
/// many instructions. With fewer of them, the CPU works on the next message at the same time.
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
#[inline]
fn xxh64_in_lanes(sums: [u64; 4], blocks: &[u8]) -> [u64; 4] {
    cast(added_in_lanes(cast(sums), blocks.as_chunks().0))
}

#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
#[inline]
fn added_in_lanes(sums: __m256i, blocks: &[[u8; 32]]) -> __m256i {
    let p2 = _mm256_set1_epi64x(PRIMES64[2] as i64);
    let product = |block: &[u8; 32]| _mm256_mullo_epi64(cast(*block), p2);
    let [first, others @ ..] = blocks else { return sums };
    let mut wide = _mm256_add_epi64(sums, product(first));
    for block in others {
        wide = rotated_in_lanes(wide, product(block));
    }
    rotated_in_lanes(wide, _mm256_setzero_si256())
}

/// Rotates the sums by 31, multiplies them by prime 1 and adds `product`.
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
#[inline]
fn rotated_in_lanes(sums: __m256i, mut product: __m256i) -> __m256i {
    let p1 = _mm256_set1_epi64x(PRIMES64[1] as i64);
    let mut lower = _mm256_mullo_epi64(sums, _mm256_slli_epi64::<31>(p1));
    let mut shifted = _mm256_srli_epi64::<33>(sums);
    // As in `xxh32_avx2`.
    barrier::vectors_together!(ymm_reg: product lower shifted);
    let lower = barrier::register!(ymm_reg _mm256_add_epi64(lower, product));
    _mm256_add_epi64(lower, _mm256_mullo_epi64(shifted, p1))
}

/// The digest of a message of a block or more.
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
#[inline(never)]
fn digest_in_lanes(message: &[u8], out: &mut [u8]) {
    let (blocks, rest) = message.as_chunks();
    let sums = added_in_lanes(cast(u64::START), blocks);
    // `joined64` in lanes: the four rotations are one instruction, then two additions of halves.
    let turned = _mm256_rolv_epi64(sums, _mm256_setr_epi64x(1, 7, 12, 18));
    let pair = _mm_add_epi64(_mm256_castsi256_si128(turned), _mm256_extracti128_si256::<1>(turned));
    let joined = _mm_cvtsi128_si64(_mm_add_epi64(pair, _mm_unpackhi_epi64(pair, pair))) as u64;
    // The sums multiplied again do not wait for `joined`.
    let products = _mm256_mullo_epi64(sums, _mm256_set1_epi64x(PRIMES64[2] as i64));
    let sums: [u64; 4] = cast(rotated_in_lanes(products, _mm256_setzero_si256()));
    u64::sealed(merged(joined, sums), message.len() as u64, rest).write(out);
}

/// The sums with `blocks` added; `products` multiplies 64 bytes of words by prime 2. While a run of
/// `RUN` bytes is summed up, the next is multiplied; from four of them on that is faster than to do
/// one after another.
#[inline(always)]
fn added_by<W: Chained, const RUN: usize>(
    mut sums: [W; 4],
    blocks: &[u8],
    products: impl Fn(&[u8; 64]) -> [u8; 64],
) -> [W; 4] {
    if blocks.len() < 4 * RUN {
        return added_apart(sums, blocks);
    }
    let (runs, rest) = blocks.as_chunks::<RUN>();
    ahead(&mut sums, runs, products, add);
    if rest.is_empty() { sums } else { added_apart(sums, rest) }
}

/// Never inlined into a kernel, as [`super::absorb`].
#[inline(never)]
fn added_apart<W: Word>(sums: [W; 4], blocks: &[u8]) -> [W; 4] {
    added(sums, blocks)
}

/// Never inlined: in one loop with the products that are found ahead, XXH64 of 16 KiB takes 1.12
/// times as long on Zen 4.
#[inline(never)]
fn add<W: Chained, const RUN: usize>(sums: &mut [W; 4], products: &[u8; RUN]) {
    let mut local = *sums;
    for products in bytemuck::cast_slice(products) {
        W::add_products(&mut local, products);
    }
    *sums = local;
}

trait Chained: Word {
    /// [`Word::add_product`] for each sum in turn, four times. Which unit of the CPU an instruction
    /// waits for depends on their order, and one unit alone multiplies: compilers order them
    /// otherwise, and take a quarter longer.
    fn add_products(sums: &mut [Self; 4], products: &[Self; 16]);
}

/// Implements [`Chained`]: type, which part of a register it is, rotation, prime 1.
macro_rules! chained {
    ($word:ty, $part:literal, $rotation:literal, $prime:expr) => {
        chained! {
            @ $word, $part, $rotation, $prime,
            a "0" b "1" c "2" d "3" a "4" b "5" c "6" d "7"
            a "8" b "9" c "10" d "11" a "12" b "13" c "14" d "15"
        }
    };
    (@ $word:ty, $part:literal, $rotation:literal, $prime:expr, $($sum:ident $index:literal)*) => {
        impl Chained for $word {
            #[inline(always)]
            fn add_products([a, b, c, d]: &mut [Self; 4], products: &[Self; 16]) {
                // SAFETY: arithmetic, and loads from `products`.
                unsafe {
                    asm!(
                        $(
                            concat!(
                                "add {", stringify!($sum), $part, "}, [{products} + ", $index,
                                " * {size}]"
                            ),
                            concat!("rol {", stringify!($sum), $part, "}, ", $rotation),
                            concat!("imul {", stringify!($sum), $part, "}, {prime", $part, "}"),
                        )*
                        a = inout(reg) *a,
                        b = inout(reg) *b,
                        c = inout(reg) *c,
                        d = inout(reg) *d,
                        products = in(reg) products,
                        prime = in(reg) $prime,
                        size = const size_of::<Self>(),
                        options(pure, readonly, nostack),
                    );
                }
            }
        }
    };
}

chained!(u32, ":e", 13, PRIMES32[1]);
chained!(u64, "", 31, PRIMES64[1]);
