//! Messages of which no more than seven bytes are left: one block, most of whose words are zero.

use super::super::out::{MAX_LANES, NOT_YET};
use super::super::queue::Shortest;
use super::super::step::Tiny;
use super::super::{Batch, Design, from_little_endian, load};
use crate::Messages;
use crate::lanes::{Lanes, Word};

/// What is left of messages, one in each lane, when there is but one block to come and no more than
/// seven bytes in it.
struct TinyTail<L: Lanes, const CHAIN: usize> {
    chain: [L; CHAIN],
    /// The bytes with the mark behind them, the first lowest: 4 or 8 in the first word; 4 in the
    /// second, where words have no more.
    words: [L; 2],
    /// How many bits the messages have.
    bits: L,
    /// The length of the messages if no byte is left of them.
    emptied: Option<u64>,
    numbers: [usize; MAX_LANES],
}

/// Digests them, full sets of them, and says how many.
#[inline(always)]
pub(in super::super) fn run<D, L, const CHAIN: usize, const WORDS: usize>(
    batch: &mut Batch<'_>,
    chain: &[L; CHAIN],
    tiny: Tiny<'_, L::Word>,
) -> usize
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let mut done = 0;
    // One loop for all of them, so that what is inlined is there once.
    loop {
        let tail = match tiny {
            Tiny::Rows(mark) => match of_rows(batch, chain, mark, done) {
                Some(tail) => tail,
                None => return done,
            },
            Tiny::Shortest(_, count) if done == count => return done,
            Tiny::Shortest(shortest, _) => of_shortest(chain, shortest, done),
            Tiny::Emptied(..) if done > 0 => return done,
            Tiny::Emptied(mark, group) => of_empty_tails(chain, mark, group),
        };
        absorb::<D, L, CHAIN, WORDS>(batch, tail);
        done += L::COUNT;
    }
}

/// Of rows, from number `first` on.
#[inline(always)]
fn of_rows<L: Lanes, const CHAIN: usize>(
    batch: &Batch<'_>,
    chain: &[L; CHAIN],
    mark: u8,
    first: usize,
) -> Option<TinyTail<L, CHAIN>> {
    let Messages::Rows { data, width } = batch.messages else { return None };
    if (first + L::COUNT) * width > data.len() {
        return None;
    }
    let words = L::tiny_rows(&data[first * width..], width, mark)?;
    let mut numbers = [NOT_YET; MAX_LANES];
    for (lane, number) in numbers[..L::COUNT].iter_mut().enumerate() {
        *number = first + lane;
    }
    let bits = L::splat(L::Word::cut(8 * width as u64));
    Some(TinyTail { chain: *chain, words, bits, emptied: None, numbers })
}

/// Of the shortest messages, from place `first` on.
#[inline(always)]
fn of_shortest<L: Lanes, const CHAIN: usize>(
    chain: &[L; CHAIN],
    shortest: &Shortest<L::Word>,
    first: usize,
) -> TinyTail<L, CHAIN> {
    let mut numbers = [NOT_YET; MAX_LANES];
    numbers[..L::COUNT].copy_from_slice(&shortest.numbers[first..][..L::COUNT]);
    TinyTail {
        chain: *chain,
        words: [load(&shortest.low, first), load(&shortest.high, first)],
        bits: load(&shortest.bits, first),
        emptied: None,
        numbers,
    }
}

/// Of messages of one length, shorter than [`super::ONE_WORD_LEN`], which the blocks before have
/// taken up.
#[inline(always)]
fn of_empty_tails<L: Lanes, const CHAIN: usize>(
    chain: &[L; CHAIN],
    mark: u8,
    group: &[(usize, &[u8])],
) -> TinyTail<L, CHAIN> {
    let splat = |number: usize| L::splat(L::Word::cut(number as u64));
    let len = group[0].1.len();
    let mut numbers = [NOT_YET; MAX_LANES];
    for (number, (index, _)) in numbers.iter_mut().zip(group) {
        *number = *index;
    }
    TinyTail {
        chain: *chain,
        words: [splat(mark.into()), splat(0)],
        bits: splat(8 * len),
        emptied: Some(len as u64),
        numbers,
    }
}

/// The last block: the words known to be zero are so to the compiler.
#[inline(always)]
fn absorb<D, L, const CHAIN: usize, const WORDS: usize>(
    batch: &mut Batch<'_>,
    tail: TinyTail<L, CHAIN>,
) where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let TinyTail { mut chain, words, bits, emptied, numbers } = tail;
    let mut block = [L::splat(L::Word::cut(0)); WORDS];
    block[0] = words[0];
    if size_of::<L::Word>() == 4 {
        block[1] = words[1];
    }
    let mut block = from_little_endian(block, D::ENDIAN);
    D::finish_tiny(batch.digest, &mut block, &mut chain, bits);
    if D::ADJUSTS
        && let Some(len) = emptied
    {
        D::adjust(|word, value| chain[word] = L::splat(value), 0, 0, len);
    }
    D::compress(&mut chain, &block);
    // By way of memory, where a longer chain is anyway: what is done with the words would else be
    // mixed with the compression, which needs the registers.
    let chain = if const { CHAIN > 16 } { chain } else { std::hint::black_box(chain) };
    batch.put_out(D::output(chain, batch.digest.output_len), &numbers);
}
