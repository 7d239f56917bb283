//! Sponges in lanes: the blocks of a message are added to a part of a state, which a permutation
//! then mixes.
//!
//! For digests whose messages do not end as those of a [`super::Design`] do: more than one byte
//! follows them, blocks are shorter than a vector, or the digest takes more than one permutation.

use super::groups::least_full;
use super::{Batch, splat, to_memory_order};
use crate::State;
use crate::padding::Endian;
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::lanes::Lanes;

/// A sponge with a state of `STATE` words and blocks of `RATE` words, which are `BLOCK` bytes.
pub(crate) trait Sponge<const STATE: usize, const RATE: usize, const BLOCK: usize> {
    /// As [`super::Design::MIN_FILL`].
    const MIN_FILL: usize;
    /// What follows a message, before zeros.
    const SUFFIX: &'static [u8];
    /// What joins the last byte of the last block.
    const END: u8;
    /// Longer messages are left to the kernel for one.
    const LONGEST: usize = usize::MAX;

    /// Mixes the state of each lane.
    fn permute<L: Lanes<Word = u64>>(state: &mut [L; STATE]);
}

/// The blocks of a message's tail, one or two. They lie apart from [`Input`], which is moved: a
/// move would copy their bytes.
pub(crate) type TailBlocks<const BLOCK: usize> = [[u8; BLOCK]; 2];

/// What a lane absorbs: blocks where they lie, and up to two behind them.
pub(crate) struct Input<'a, const BLOCK: usize> {
    body: &'a [[u8; BLOCK]],
    tail: &'a TailBlocks<BLOCK>,
    /// How many blocks there are in all.
    blocks: usize,
}

impl<'a, const BLOCK: usize> Input<'a, BLOCK> {
    /// Whole blocks, and nothing behind them.
    pub(crate) fn of_blocks(body: &'a [[u8; BLOCK]]) -> Self {
        Self { body, tail: const { &[[0; BLOCK]; 2] }, blocks: body.len() }
    }

    /// A message, a suffix no longer than a block, and zeros; `end` joins the last byte of all.
    /// What follows the whole blocks of the message is written to `tail`.
    #[inline(always)]
    pub(crate) fn padded(
        message: &'a [u8],
        suffix: &[u8],
        end: u8,
        tail: &'a mut TailBlocks<BLOCK>,
    ) -> Self {
        let (body, rest) = message.as_chunks();
        *tail = [[0; BLOCK]; 2];
        let bytes = tail.as_flattened_mut();
        bytes[..rest.len()].copy_from_slice(rest);
        bytes[rest.len()..][..suffix.len()].copy_from_slice(suffix);
        let blocks = (rest.len() + suffix.len()).div_ceil(BLOCK);
        bytes[blocks * BLOCK - 1] |= end;
        Self { body, tail, blocks: body.len() + blocks }
    }

    /// Block of that number: zeros behind the last.
    #[inline(always)]
    fn block(&self, number: usize) -> &[u8; BLOCK] {
        match self.body.get(number) {
            Some(block) => block,
            None => self.tail.get(number - self.body.len()).unwrap_or(const { &[0; BLOCK] }),
        }
    }
}

/// The state of one lane.
pub(crate) struct Column<'a> {
    words: &'a [u64],
    lane: usize,
    lanes: usize,
}

impl Column<'_> {
    /// A word of it.
    #[inline(always)]
    pub(crate) fn word(&self, number: usize) -> u64 {
        self.words[number * self.lanes + self.lane]
    }
}

/// Absorbs an input in each lane and permutes on for so many `outputs`: `put` is given the lane,
/// the number of the output and the state.
#[inline(always)]
pub(crate) fn absorb<
    S,
    L,
    const STATE: usize,
    const RATE: usize,
    const BLOCK: usize,
    const LANES: usize,
>(
    initial: [u64; STATE],
    inputs: &[Input<'_, BLOCK>; LANES],
    outputs: usize,
    mut put: impl FnMut(usize, usize, Column<'_>),
) where
    S: Sponge<STATE, RATE, BLOCK>,
    L: Lanes<Word = u64>,
{
    const { assert!(L::COUNT == LANES && BLOCK == 8 * RATE) };
    let (mut first, mut last) = (usize::MAX, 0);
    for input in inputs {
        (first, last) = (first.min(input.blocks), last.max(input.blocks));
    }
    let mut state = splat::<L, STATE>(initial);
    let mut rows = [const { &[0; BLOCK] }; LANES];
    // After `number` permutations, an input of n blocks has its output `number - n`.
    for number in 1..last + outputs {
        for (row, input) in rows.iter_mut().zip(inputs) {
            // Zeros behind the last block leave the state as it is, for further outputs.
            *row = input.block(number - 1);
        }
        let words: [L; RATE] = to_memory_order(L::read(|lane| &rows[lane][..]), Endian::Little);
        for (word, read) in state.iter_mut().zip(words) {
            *word = *word ^ read;
        }
        S::permute(&mut state);
        if number < first {
            continue;
        }
        for (lane, input) in inputs.iter().enumerate() {
            if let Some(output) = number.checked_sub(input.blocks)
                && output < outputs
            {
                let words = L::words(&mut state);
                put(lane, output, Column { words, lane, lanes: LANES });
            }
        }
    }
}

/// Digests all messages of a batch.
#[inline(always)]
pub(crate) fn run<
    S,
    L,
    const STATE: usize,
    const RATE: usize,
    const BLOCK: usize,
    const LANES: usize,
>(
    batch: &mut Batch<'_>,
) where
    S: Sponge<STATE, RATE, BLOCK>,
    L: Lanes<Word = u64>,
{
    let mut state = State::new();
    (batch.digest.start)(&mut state);
    let initial = state.read();
    let outputs = batch.output_len().div_ceil(BLOCK);
    let mut tails = [[[0; BLOCK]; 2]; LANES];
    let mut groups = batch.groups::<LANES, _>(least_full(LANES, S::MIN_FILL), |len| {
        if len > S::LONGEST { usize::MAX } else { len / BLOCK }
    });
    while let Some(group) = groups.next(batch) {
        let messages = group.mapped(|(_, message)| message);
        let is_long = |lane: usize| messages[lane].len() > S::LONGEST;
        for lane in 0..LANES {
            // A lane that would be empty has the first message.
            if is_long(lane) && (lane == 0 || group[lane].0 != group[0].0) {
                batch.digest_one(group[lane].0);
            }
        }
        let mut tails = tails.each_mut().into_iter();
        let inputs = from_fn(|lane| {
            let message = if is_long(lane) { &[] } else { messages[lane] };
            Input::padded(message, S::SUFFIX, S::END, tails.next().expect("one for each lane"))
        });
        absorb::<S, L, STATE, RATE, BLOCK, LANES>(
            initial,
            &inputs,
            outputs,
            |lane, output, column| {
                if is_long(lane) {
                    return;
                }
                let Some(out) = batch.output(group[lane].0).chunks_mut(BLOCK).nth(output) else {
                    return;
                };
                // Whole words apart: a copy of any length is a call.
                let (words, rest) = out.as_chunks_mut();
                for (number, out) in words.iter_mut().enumerate() {
                    *out = column.word(number).to_le_bytes();
                }
                if !rest.is_empty() {
                    let last = column.word(words.len()).to_le_bytes();
                    rest.copy_from_slice(&last[..rest.len()]);
                }
            },
        );
    }
}
