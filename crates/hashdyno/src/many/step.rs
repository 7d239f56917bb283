//! The parts of a kernel that are functions of their own: all that is written in vectors. They are
//! most of what a kernel costs to compile, and each of them is there once. What is around them
//! counts messages and addresses.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::Batch;
use super::out::MAX_LANES;
use super::queue::Shortest;
use super::shape::{Place, Shape};
use crate::lanes::{Lanes, Pieces, Word};

/// What these functions do.
pub(crate) trait Round {
    /// What a lane holds.
    type Word: Word;
    /// What is kept of each message between blocks.
    type Chain;
    /// A block of each message.
    type Block;

    /// The chain behind `count` blocks of each message, from number `first` on.
    ///
    /// # Safety
    /// The rows have these blocks in all lanes.
    unsafe fn blocks(
        before: &Self::Chain,
        rows: &Rows<'_>,
        first: usize,
        count: usize,
    ) -> Self::Chain;

    /// Digests messages of a few bytes, or the last block of messages that have no byte left.
    /// `chain` is what stands before that block. Gives how many it took.
    fn tiny(batch: &mut Batch<'_>, chain: &Self::Chain, tiny: Tiny<'_, Self::Word>) -> usize;

    /// Puts out the digests of the messages of these numbers, one for each lane.
    fn put_out(batch: &mut Batch<'_>, chain: &Self::Chain, numbers: &[usize; MAX_LANES]);

    /// Digests digests, which `chain` ends in, each behind what made `start`, where a design
    /// iterates. `padding` is the block behind `start` without the digest.
    fn nest(chain: &mut Self::Chain, start: &Self::Chain, padding: &Self::Block, len: usize);
}

/// The functions, compiled for the lanes of a kernel; what they are lent is untyped, so that the
/// frame is the same for all kernels with such lanes.
///
/// To be called below functions that are compiled for the same lanes, and nowhere else.
#[derive(Clone, Copy)]
pub(crate) struct Step<W> {
    /// [`Round::blocks`], from one place for a chain into another or the same.
    pub(super) blocks: unsafe fn(*mut (), *const (), &Rows<'_>, usize, usize),
    /// [`Round::tiny`].
    pub(super) tiny: unsafe fn(&mut Batch<'_>, *const (), Tiny<'_, W>) -> usize,
    /// [`Round::put_out`].
    pub(super) put_out: unsafe fn(&mut Batch<'_>, *const (), &[usize; MAX_LANES]),
    /// [`Round::nest`].
    pub(super) nest: unsafe fn(*mut (), *const (), *const (), usize),
    /// What is around them.
    pub(super) frame: unsafe fn(&mut Batch<'_>, &Room<'_, W>),
}

/// What the frame works with. The places are those of the lanes: a vector for each word.
pub(crate) struct Room<'r, W> {
    pub(super) shape: &'r Shape<W>,
    pub(super) step: Step<W>,
    /// The chain that messages begin with.
    pub(super) initial: *const (),
    /// A place for a chain.
    pub(super) chain: *mut W,
    /// Places for two blocks, in which each lane has two blocks of its own, one lane after another.
    pub(super) tails: *mut u8,
    /// Two blocks.
    pub(super) shared: *mut u8,
    /// Of HMACs: the chain that outer digests begin with, and their block with nothing but padding.
    pub(super) outer: Option<[*const (); 2]>,
}

/// Messages in lanes of which there is but one block to come, and no more than seven bytes in it.
pub(crate) enum Tiny<'t, W> {
    /// Rows of the batch, from the first on, while they fill the lanes; the mark follows each.
    Rows(u8),
    /// So many messages with their marks, which fill the lanes.
    Shortest(&'t Shortest<W>, usize),
    /// A group of messages of one length, which the blocks before have taken up. The mark follows.
    Emptied(u8, &'t [(usize, &'t [u8])]),
}

/// As [`crate::many::Design::adjust`] has it, where the blocks are of tails.
#[derive(Clone, Copy)]
pub(super) enum Adjusted<'r> {
    /// They are not.
    No,
    /// All lanes.
    Alike(Place),
    /// Each lane that has a place here.
    Each(&'r [Option<Place>]),
}

/// Where the blocks in the lanes are.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'r> {
    units: *const *const u8,
    stride: usize,
    next: *const *const u8,
    /// How the chain is adjusted before.
    pub(super) adjusted: Adjusted<'r>,
    rows: PhantomData<&'r [*const u8]>,
}

impl<'r> Rows<'r> {
    /// Each lane's block 0, behind which the others lie. With `next`, a block of these rows is
    /// fetched with each block.
    #[inline(always)]
    pub(super) fn of_lanes(lanes: &'r [*const u8], next: Option<&'r [*const u8]>) -> Self {
        let next = next.map_or(std::ptr::null(), <[_]>::as_ptr);
        let adjusted = Adjusted::No;
        Self { units: lanes.as_ptr(), stride: 0, next, adjusted, rows: PhantomData }
    }

    /// Each [`unit`] of a block has a row of its own in each lane: first those of the first unit.
    #[inline(always)]
    pub(super) fn of_units(
        units: &'r [MaybeUninit<*const u8>],
        lanes: usize,
        place: Place,
    ) -> Self {
        let (units, next) = (units.as_ptr().cast(), std::ptr::null());
        Self { units, stride: lanes, next, adjusted: Adjusted::Alike(place), rows: PhantomData }
    }

    /// The same, with chains that are adjusted before.
    #[inline(always)]
    pub(super) fn adjusted(self, places: &'r [Option<Place>]) -> Self {
        Self { adjusted: Adjusted::Each(places), ..self }
    }

    /// The rows that are fetched, of which there are `lanes`.
    #[inline(always)]
    pub(super) fn next(&self, lanes: usize) -> &'r [*const u8] {
        if self.next.is_null() {
            return &[];
        }
        // SAFETY: `of_lanes` was given as many as there are lanes.
        unsafe { std::slice::from_raw_parts(self.next, lanes) }
    }
}

/// The blocks of [`Rows`] that begin so many bytes behind the first ones, as `L` reads them.
pub(super) struct BlocksAt<'r, L, const WORDS: usize> {
    rows: Rows<'r>,
    at: usize,
    lanes: PhantomData<L>,
}

impl<'r, L: Lanes, const WORDS: usize> BlocksAt<'r, L, WORDS> {
    /// # Safety
    /// The rows have these blocks in all lanes.
    #[inline(always)]
    pub(super) unsafe fn new(rows: Rows<'r>, at: usize) -> Self {
        Self { rows, at, lanes: PhantomData }
    }
}

impl<'r, L: Lanes, const WORDS: usize> Pieces<'r> for BlocksAt<'r, L, WORDS> {
    #[inline(always)]
    fn piece(&self, lane: usize, from: usize, len: usize) -> &'r [u8] {
        // SAFETY: `new`.
        unsafe {
            let row = *self.rows.units.add(from / unit::<L, WORDS>() * self.rows.stride + lane);
            std::slice::from_raw_parts(row.wrapping_add(self.at + from), len)
        }
    }
}

/// What a block is divided into where its parts do not lie together.
pub(super) const fn unit<L: Lanes, const WORDS: usize>() -> usize {
    unit_of(L::PIECE, WORDS * size_of::<L::Word>())
}

/// The same for lanes that read `piece` bytes at a time: a multiple of that, a block at most, and a
/// multiple of what [`Lanes::pad`] writes.
pub(super) const fn unit_of(piece: usize, block: usize) -> usize {
    let piece = if piece < block { piece } else { block };
    if piece > 32 { piece } else { 32 }
}
