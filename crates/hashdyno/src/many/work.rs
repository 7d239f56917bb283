//! What kernels in lanes do: the work of a [`Design`], and that of a [`Sponge`].

use std::marker::PhantomData;

use super::lane_run::{self, LaneRun};
use super::out::MAX_LANES;
use super::shape::Shape;
use super::sponges::{self, Sponge};
use super::step::{Room, Round, Rows, Step, Tiny};
use super::{Batch, Design, iterated, running, splat};
use crate::lanes::Lanes;

/// What is done with a batch in lanes.
pub(crate) trait Work {
    /// The lanes.
    type Lanes: Lanes;
    /// Whether messages may have begun already, and may come in pieces.
    const RESUMES: bool;
    /// As [`Design::ITERATES`].
    const ITERATES: bool;

    /// What is compiled as functions of their own.
    type Round: Round;
    /// What is compiled once for all kernels with such lanes.
    type Frame: Frame<<Self::Round as Round>::Word>;

    /// Digests all messages; `step` has the functions, compiled for the lanes.
    fn run(batch: &mut Batch<'_>, step: Step<<Self::Round as Round>::Word>);
}

/// What is around the steps.
pub(crate) trait Frame<W> {
    /// Digests all messages.
    fn run(batch: &mut Batch<'_>, room: &Room<'_, W>);
}

/// No function: the text is inlined.
impl Round for () {
    type Word = u64;
    type Chain = ();
    type Block = ();

    #[inline(always)]
    unsafe fn blocks((): &(), _: &Rows<'_>, _: usize, _: usize) {}

    #[inline(always)]
    fn tiny(_: &mut Batch<'_>, (): &(), _: Tiny<'_, u64>) -> usize {
        0
    }

    #[inline(always)]
    fn put_out(_: &mut Batch<'_>, (): &(), _: &[usize; MAX_LANES]) {}

    #[inline(always)]
    fn nest((): &mut (), (): &(), (): &(), _: usize) {}
}

impl Frame<u64> for () {
    #[inline(always)]
    fn run(_: &mut Batch<'_>, _: &Room<'_, u64>) {}
}

/// The work of a design in so many lanes.
pub(crate) struct OfDesign<D, L, const CHAIN: usize, const WORDS: usize, const LANES: usize>(
    PhantomData<(D, L)>,
);

impl<D, L, const CHAIN: usize, const WORDS: usize, const LANES: usize> Work
    for OfDesign<D, L, CHAIN, WORDS, LANES>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    type Lanes = L;
    const RESUMES: bool = true;
    const ITERATES: bool = D::ITERATES;
    type Round = Self;
    type Frame = LaneFrame<L::Vector, LANES>;

    #[inline(always)]
    fn run(batch: &mut Batch<'_>, step: Step<L::Word>) {
        Self::run_shape(batch, step, const { &Shape::of::<D, CHAIN, WORDS>() });
    }
}

impl<D, L, const CHAIN: usize, const WORDS: usize, const LANES: usize>
    OfDesign<D, L, CHAIN, WORDS, LANES>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    #[inline(always)]
    fn run_shape(batch: &mut Batch<'_>, step: Step<L::Word>, shape: &Shape<L::Word>) {
        const { assert!(L::COUNT == LANES) };
        if D::ITERATES
            && let Some(iterated) = batch.iterated
        {
            return iterated::run::<D, L, CHAIN, WORDS>(batch, iterated, step);
        }
        let mut chain: [L; CHAIN] = bytemuck::Zeroable::zeroed();
        let initial = if batch.running { chain } else { splat::<L, CHAIN>(batch.start()) };
        let mut tails: [[L; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let mut shared: [[L::Word; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let outer = if D::ITERATES { batch.outer } else { None };
        let outer = outer.map(|outer| {
            let padding = iterated::padding::<D, L, CHAIN, WORDS>(batch);
            (splat::<L, CHAIN>(outer.chain()), padding)
        });
        let room = Room {
            shape,
            step,
            initial: (&raw const initial).cast(),
            chain: (&raw mut chain).cast(),
            tails: (&raw mut tails).cast(),
            shared: (&raw mut shared).cast(),
            outer: outer
                .as_ref()
                .map(|(chain, block)| [(&raw const *chain).cast(), (&raw const *block).cast()]),
        };
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe { (step.frame)(batch, &room) };
    }
}

/// The work of a design, with a byte of its own behind each message.
pub(crate) struct Marked<const MARK: u8, W>(PhantomData<W>);

impl<const MARK: u8, D, L, const CHAIN: usize, const WORDS: usize, const LANES: usize> Work
    for Marked<MARK, OfDesign<D, L, CHAIN, WORDS, LANES>>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    type Lanes = L;
    const RESUMES: bool = true;
    const ITERATES: bool = D::ITERATES;
    type Round = OfDesign<D, L, CHAIN, WORDS, LANES>;
    type Frame = LaneFrame<L::Vector, LANES>;

    #[inline(always)]
    fn run(batch: &mut Batch<'_>, step: Step<L::Word>) {
        let shape = const { &Shape::of::<D, CHAIN, WORDS>().marked(MARK) };
        Self::Round::run_shape(batch, step, shape);
    }
}

/// The frame of kernels with so many lanes, in registers of a kind.
pub(crate) struct LaneFrame<V, const LANES: usize>(PhantomData<V>);

impl<V: Lanes, const LANES: usize> Frame<V::Word> for LaneFrame<V, LANES> {
    #[inline(always)]
    fn run(batch: &mut Batch<'_>, room: &Room<'_, V::Word>) {
        if batch.running {
            running::run(batch, room, LANES);
        } else {
            LaneRun::<V, LANES>::run(batch, room);
        }
    }
}

impl<D, L, const CHAIN: usize, const WORDS: usize, const LANES: usize> Round
    for OfDesign<D, L, CHAIN, WORDS, LANES>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    type Word = L::Word;
    type Chain = [L; CHAIN];
    type Block = [L; WORDS];

    #[inline(always)]
    unsafe fn blocks(
        before: &[L; CHAIN],
        rows: &Rows<'_>,
        first: usize,
        count: usize,
    ) -> [L; CHAIN] {
        // SAFETY: by contract.
        unsafe { lane_run::blocks::<D, L, CHAIN, WORDS>(*before, rows, first, count) }
    }

    #[inline(always)]
    fn tiny(batch: &mut Batch<'_>, chain: &[L; CHAIN], tiny: Tiny<'_, L::Word>) -> usize {
        if D::TINY { lane_run::tiny::run::<D, L, CHAIN, WORDS>(batch, chain, tiny) } else { 0 }
    }

    #[inline(always)]
    fn put_out(batch: &mut Batch<'_>, chain: &[L; CHAIN], numbers: &[usize; MAX_LANES]) {
        batch.put_out(D::output(*chain, batch.output_len()), numbers);
    }

    #[inline(always)]
    fn nest(chain: &mut [L; CHAIN], start: &[L; CHAIN], padding: &[L; WORDS], len: usize) {
        if D::ITERATES {
            iterated::nest::<D, L, CHAIN, WORDS>(chain, start, padding, len);
        }
    }
}

/// The work of a sponge.
pub(crate) struct OfSponge<
    S,
    L,
    const STATE: usize,
    const RATE: usize,
    const BLOCK: usize,
    const LANES: usize,
>(PhantomData<(S, L)>);

impl<S, L, const STATE: usize, const RATE: usize, const BLOCK: usize, const LANES: usize> Work
    for OfSponge<S, L, STATE, RATE, BLOCK, LANES>
where
    S: Sponge<STATE, RATE, BLOCK>,
    L: Lanes<Word = u64>,
{
    type Lanes = L;
    const RESUMES: bool = false;
    const ITERATES: bool = false;
    type Round = ();
    type Frame = ();

    #[inline(always)]
    fn run(batch: &mut Batch<'_>, _: Step<u64>) {
        sponges::run::<S, L, STATE, RATE, BLOCK, LANES>(batch);
    }
}
