//! An HMAC of an HMAC of an HMAC, in lanes: PBKDF2 (RFC 8018). The loop is one for all lanes of a
//! word, since what it computes beside compressions goes by way of memory, as their blocks do.
//!
//! ```text
//! inner, outer:   the chains after the block of each key       (a column of words for each lane)
//! block:          U | padding of a digest behind one block
//! each round:     U = compress(inner, block);  U = compress(outer, block);  all ^= U
//! ```
//!
//! A round is two compressions, because a digest and its padding fit into one block.

use super::out::{MAX_LANES, NOT_YET};
use super::step::Step;
use super::{Batch, Design, Iterated, to_memory_order};
use crate::padding::Endian;
use crate::parts::lanes::{Lanes, Word, join};

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
    assert!(
        !D::ADJUSTS
            && len <= CHAIN * size_of::<L::Word>()
            && len.is_multiple_of(size_of::<L::Word>()),
        "the digest is whole words of the chain"
    );
    const {
        let fits = CHAIN <= MAX_CHAIN && WORDS <= MAX_WORDS && L::COUNT <= MAX_LANES;
        assert!(!D::ITERATES || fits && align_of::<L>() <= align_of::<Room<0>>());
    }
    let padding = to_memory_order(padding::<D, L, CHAIN, WORDS>(batch), D::ENDIAN);
    let mut block = Room([0; MAX_WORDS * MAX_LANES]);
    let words = L::COUNT * WORDS;
    bytemuck::cast_slice_mut(&mut block.0)[..words]
        .copy_from_slice(bytemuck::cast_slice::<L, L::Word>(&padding));
    // SAFETY: pointers to one type or another are passed alike. Both functions are given as many
    // words of room as they want, aligned as lanes are: asserted above.
    let lanes = unsafe {
        OfWord::<L::Word> {
            count: L::COUNT,
            chain: CHAIN,
            endian: D::ENDIAN,
            compress: std::mem::transmute::<
                unsafe fn(&mut [L; CHAIN], &[L; WORDS]),
                unsafe fn(*mut L::Word, *const L::Word),
            >(step.compress),
            put_out: std::mem::transmute::<
                unsafe fn(&mut Batch<'_>, &[L; CHAIN], &[usize; MAX_LANES]),
                unsafe fn(&mut Batch<'_>, *const L::Word, &[usize; MAX_LANES]),
            >(step.put_out),
        }
    };
    iterate(batch, iterated, &lanes, &mut block);
}

/// Lanes without their type, and a kernel's step for them.
struct OfWord<W> {
    /// How many lanes, and words of a chain.
    count: usize,
    chain: usize,
    /// The order of the bytes in words of the digest.
    endian: Endian,
    /// Takes a block in each lane into the chains.
    compress: unsafe fn(*mut W, *const W),
    /// Writes the digests of the lanes that have a number.
    put_out: unsafe fn(&mut Batch<'_>, *const W, &[usize; MAX_LANES]),
}

/// The most words of a chain, and of a block.
const MAX_CHAIN: usize = 8;
const MAX_WORDS: usize = 16;

/// Words of all lanes, of up to 64 bits, aligned as lanes may be.
#[repr(C, align(64))]
struct Room<const WORDS: usize>([u64; WORDS]);

/// Iterates HMACs of all messages. `block` holds the padding of a digest behind a block of the key.
#[inline(never)]
fn iterate<W: Word>(
    batch: &mut Batch<'_>,
    iterated: Iterated<'_>,
    lanes: &OfWord<W>,
    block: &mut Room<{ MAX_WORDS * MAX_LANES }>,
) {
    let &OfWord { count, chain, endian, .. } = lanes;
    let (digest, chain) = (batch.output_len() / size_of::<W>() * count, chain * count);
    let mut rooms = [const { Room([0; MAX_CHAIN * MAX_LANES]) }; 4];
    #[expect(clippy::disallowed_methods, reason = "once for a batch")]
    let [inner, outer, state, all] = rooms.each_mut().map(|room| {
        let words: &mut [W] = bytemuck::cast_slice_mut(&mut room.0);
        &mut words[..chain]
    });
    let block: &mut [W] = bytemuck::cast_slice_mut(&mut block.0);
    let messages = batch.messages.len();
    for first in (0..messages).step_by(count) {
        // Lanes behind the last message repeat it. They have no number, so nobody gets their
        // digest.
        let number = |lane: usize| (first + lane).min(messages - 1);
        for (start, states) in [&mut *inner, &mut *outer].into_iter().zip(iterated.states) {
            let state_len = chain / count * size_of::<W>();
            columns(start, count, |lane| &states[number(lane) * state_len..]);
        }
        columns(&mut block[..digest], count, |lane| batch.messages.message(number(lane)));
        if endian != Endian::NATIVE {
            block[..digest].iter_mut().for_each(|word| *word = word.swap_bytes());
        }
        all.fill(W::cut(0));
        for _ in 0..iterated.rounds {
            for start in [&*inner, &*outer] {
                state.copy_from_slice(start);
                // SAFETY: a kernel's own step, and room for its own lanes.
                unsafe { (lanes.compress)(state.as_mut_ptr(), block.as_ptr()) };
                // The padding stays behind the digest: it is the same in all blocks.
                block[..digest].copy_from_slice(&state[..digest]);
            }
            for (all, code) in all.iter_mut().zip(&block[..digest]) {
                *all = *all ^ *code;
            }
        }
        let mut numbers = [NOT_YET; MAX_LANES];
        for (lane, number) in numbers[..count.min(messages - first)].iter_mut().enumerate() {
            *number = first + lane;
        }
        // SAFETY: as above.
        unsafe { (lanes.put_out)(batch, all.as_ptr(), &numbers) };
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

/// The first words of each lane's bytes, as they lie in memory.
fn columns<'a, W: Word>(columns: &mut [W], count: usize, bytes: impl Fn(usize) -> &'a [u8]) {
    for lane in 0..count {
        let words = bytes(lane).chunks_exact(size_of::<W>());
        for (word, bytes) in columns[lane..].iter_mut().step_by(count).zip(words) {
            *word = bytemuck::pod_read_unaligned(bytes);
        }
    }
}
