//! An HMAC of an HMAC of an HMAC, in lanes: PBKDF2 (RFC 8018).

use super::out::{MAX_LANES, NOT_YET};
use super::step::Step;
use super::{Batch, Design, Iterated, to_memory_order};
use crate::lanes::{Lanes, Word, join};

/// Does all of it, for a design of which a block has room for a digest and its padding.
#[inline(always)]
pub(super) fn run<D, L, const CHAIN: usize, const WORDS: usize>(
    batch: &mut Batch<'_>,
    iterated: Iterated<'_>,
    step: Step<[L; CHAIN], [L; WORDS]>,
) where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let len = batch.output_len();
    let words = len / size_of::<L::Word>();
    assert!(
        !D::ADJUSTS && words <= CHAIN && len.is_multiple_of(size_of::<L::Word>()),
        "the digest is whole words of the chain"
    );
    let padding = to_memory_order(padding::<D, L, CHAIN, WORDS>(batch), D::ENDIAN);
    let count = batch.messages.len();
    for first in (0..count).step_by(L::COUNT) {
        let number = |lane: usize| (first + lane).min(count - 1);
        let starts = iterated.states.map(|states| {
            columns::<L, CHAIN>(|lane| &states[number(lane) * CHAIN * size_of::<L::Word>()..])
        });
        let mut code = to_memory_order(
            columns::<L, CHAIN>(|lane| batch.messages.message(number(lane))),
            D::ENDIAN,
        );
        let mut all: [L; CHAIN] = bytemuck::Zeroable::zeroed();
        for _ in 0..iterated.rounds {
            for start in &starts {
                let mut block = padding;
                block[..words].copy_from_slice(&code[..words]);
                let mut chain = *start;
                // SAFETY: a kernel's own step, for its own lanes.
                unsafe { (step.compress)(&mut chain, &block) };
                code = to_memory_order(D::output(chain, len), D::ENDIAN);
            }
            for (all, code) in all.iter_mut().zip(code) {
                *all = *all ^ code;
            }
        }
        let mut numbers = [NOT_YET; MAX_LANES];
        for (lane, number) in numbers[..L::COUNT.min(count - first)].iter_mut().enumerate() {
            *number = first + lane;
        }
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe { (step.put_out)(batch, &all, &numbers) };
    }
}

/// What follows a digest in a block behind that of the key, as it is in memory.
#[inline(always)]
pub(super) fn padding<D, L, const CHAIN: usize, const WORDS: usize>(batch: &Batch<'_>) -> [L; WORDS]
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let len = batch.output_len();
    assert!(D::tail_blocks(len) == 1, "a digest and its padding are a block");
    let mut words = [L::Word::cut(0); WORDS];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    bytes[len] = D::mark(batch.digest);
    join(bytes, D::trailer(batch.digest, len, (D::BLOCK + len) as u64));
    super::splat(words)
}

/// The first words of each lane's bytes, as they lie in memory; those that are not there are 0.
#[inline(always)]
fn columns<'a, L: Lanes, const WORDS: usize>(bytes: impl Fn(usize) -> &'a [u8]) -> [L; WORDS] {
    let mut columns: [L; WORDS] = bytemuck::Zeroable::zeroed();
    for lane in 0..L::COUNT {
        let words = bytes(lane).chunks_exact(size_of::<L::Word>()).take(WORDS);
        for (number, word) in words.enumerate() {
            L::words(&mut columns)[number * L::COUNT + lane] = bytemuck::pod_read_unaligned(word);
        }
    }
    columns
}
