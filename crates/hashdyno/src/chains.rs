//! Hashes of 32 bits that are a chain of steps, one for each byte or word, of many messages: one in each lane of two vectors, as far
//! as the shortest of them reaches; what is left of the others is done one by one.

use std::arch::x86_64::*;

use bytemuck::cast;

use crate::checksum::{Checksum, split};
use crate::kernel::Absorb;
use crate::lanes::{Lanes, x86_64::U32x8};
use crate::{Batch, Features, Kernel};

/// A hash of 32 bits that takes words of four bytes one after another. Its methods are called below a function that is compiled
/// for AVX2, and nowhere else.
pub(crate) trait Chain: Checksum<Register = u32> {
    /// Below how many bytes messages are done sooner one after another than in lanes.
    const SHORT: usize;
    /// The hash after some whole blocks more of one message.
    fn after(hash: u32, blocks: &[u8]) -> u32;
    /// The hashes after a word of each message, the first byte lowest.
    fn after_word(hashes: __m256i, words: __m256i) -> __m256i;
}

/// 16 messages, 8 and 8.
pub(crate) const fn avx2x16<C: Chain>() -> Kernel {
    Kernel { name: "avx2x16", needs: Features::AVX2, absorb: Absorb::Many(LANES, absorb::<C>) }
}

const LANES: usize = 16;

/// How many messages are faster in lanes than one by one.
const WORTH: usize = 6;

/// A message that is so much longer than the shortest of its group is done alone.
const MUCH: usize = 128;

#[target_feature(enable = "avx2")]
fn absorb<C: Chain>(batch: &mut Batch<'_>) {
    if batch.longest() < C::SHORT {
        batch.each(|message, out| finish_after::<C>(C::START, message, message.len(), out));
    } else {
        absorb_in_lanes::<C>(batch);
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn absorb_in_lanes<C: Chain>(batch: &mut Batch<'_>) {
    let mut groups = batch.groups::<LANES, _>(WORTH, |len| len.div_ceil(8));
    while let Some(group) = groups.next(batch) {
        let words = group.iter().map(|(_, message)| message.len()).min().unwrap_or(0) / 4;
        let hashes: [u32; LANES] = cast(hashed::<C>(&group, words));
        for ((index, message), hash) in group.into_iter().zip(hashes) {
            let rest = &message[4 * words..];
            if rest.len() > MUCH {
                batch.digest_one(index);
            } else {
                finish_after::<C>(hash, rest, message.len(), batch.output(index));
            }
        }
    }
}

/// Writes the checksum of a message of `len` bytes that ends in `bytes`, given the hash of the whole blocks before.
#[inline(always)]
fn finish_after<C: Chain>(hash: u32, bytes: &[u8], len: usize, out: &mut [u8]) {
    let (blocks, rest) = split::<C>(bytes);
    C::finish(C::after(hash, blocks), rest, len as u64, out);
}

/// The hashes of the first `words` words of each message.
#[inline]
#[target_feature(enable = "avx2")]
fn hashed<C: Chain>(group: &[(usize, &[u8]); LANES], words: usize) -> [__m256i; 2] {
    let mut hashes = [_mm256_set1_epi32(C::START as i32); 2];
    let (eights, single) = (words / 8, words % 8);
    let blocks = group.map(|(_, message)| message[..4 * words].as_chunks::<32>().0);
    for (eight, _) in blocks[0].iter().enumerate() {
        let block = |lane: usize| blocks[lane][eight].as_slice();
        let lower: [__m256i; 8] = cast(U32x8::read::<8>(block));
        let upper: [__m256i; 8] = cast(U32x8::read::<8>(|lane| block(8 + lane)));
        for (lower, upper) in lower.iter().zip(&upper) {
            hashes = [C::after_word(hashes[0], *lower), C::after_word(hashes[1], *upper)];
        }
    }
    for word in 8 * eights..8 * eights + single {
        let word = |lane: usize| i32::from_le_bytes(group[lane].1[4 * word..][..4].try_into().expect("four bytes"));
        let half = |at: usize| {
            let four = |at: usize| [word(at), word(at + 1), word(at + 2), word(at + 3)];
            cast([four(at), four(at + 4)])
        };
        hashes = [C::after_word(hashes[0], half(0)), C::after_word(hashes[1], half(8))];
    }
    hashes
}

/// Declares that a checksum is a [`Chain`] of steps that take a byte: the checksum, the function for one message, and the step for
/// a vector of hashes and one of bytes.
macro_rules! bytewise {
    ($checksum:ty, $after:path; |$hashes:ident, $bytes:ident| $step:expr;) => {
        impl $crate::chains::Chain for $checksum {
            const SHORT: usize = 24;

            #[inline(always)]
            fn after(hash: u32, bytes: &[u8]) -> u32 {
                $after(hash, bytes)
            }

            #[inline(always)]
            fn after_word(mut $hashes: __m256i, mut words: __m256i) -> __m256i {
                // SAFETY: as the trait says, the CPU has AVX2.
                unsafe {
                    for _ in 0..4 {
                        let $bytes = _mm256_and_si256(words, _mm256_set1_epi32(0xff));
                        $hashes = $step;
                        words = _mm256_srli_epi32::<8>(words);
                    }
                }
                $hashes
            }
        }
    };
}
pub(crate) use bytewise;
