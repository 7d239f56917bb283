//! The one many-message kernel: a [`Design`] in the lanes of a vector.

use std::marker::PhantomData;

use super::queue::{Queue, Shortest};
use super::{Batch, Design};
use crate::State;
use crate::lanes::{Lanes, Word};
use crate::padding::Order;

/// The most lanes that a kernel may have.
const MAX_LANES: usize = 32;

/// The message in a lane.
#[derive(Clone, Copy)]
struct Lane<'a> {
    message: &'a [u8],
    /// The message's number.
    index: usize,
    /// How many of its bytes are in the tail.
    rest: usize,
    /// Blocks of the tail: what is left of the message when whole blocks have been taken from where it lies, padded.
    tail: usize,
    /// How many of them the lane has been given so far.
    given: usize,
}

const NONE: Lane<'_> = Lane { message: &[], index: 0, rest: 0, tail: 0, given: 0 };

/// A lane without a message absorbs what is in its tail, for ever.
const IDLE: usize = usize::MAX;

/// The work on a batch.
pub(crate) struct Absorber<'a, 'b, D, L: Lanes, const CHAIN: usize, const WORDS: usize> {
    batch: &'b mut Batch<'a>,
    initial: [L::Word; CHAIN],
    chain: [L; CHAIN],
    lanes: [Lane<'a>; MAX_LANES],
    /// Where the next block of each lane is.
    rows: [*const u8; MAX_LANES],
    /// How many blocks a lane has been given that it has not absorbed yet, one after another; or [`IDLE`].
    left: [usize; MAX_LANES],
    /// How far the next of them is.
    strides: [usize; MAX_LANES],
    busy: usize,
    /// Room for two blocks for each lane.
    tails: *mut u8,
    design: PhantomData<D>,
}

impl<'a, 'b, D, L, const CHAIN: usize, const WORDS: usize> Absorber<'a, 'b, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Does all of it.
    #[inline(always)]
    pub(crate) fn run(batch: &'b mut Batch<'a>) {
        let mut state = State::new();
        (batch.digest.start)(&mut state);
        let initial: [L::Word; CHAIN] = state.read();
        let mut queue = Queue::new(batch.messages, |len| {
            if D::TINY && len < TINY_LEN {
                return 0;
            }
            let rest = D::tail_len(len);
            (len - rest) / D::BLOCK + D::tail_blocks(rest)
        });
        let mut tails: [[L; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let mut absorber = Self {
            batch,
            initial,
            chain: splat::<L, CHAIN>(initial),
            lanes: [NONE; MAX_LANES],
            rows: [std::ptr::null(); MAX_LANES],
            left: [IDLE; MAX_LANES],
            strides: [0; MAX_LANES],
            busy: 0,
            tails: (&raw mut tails).cast(),
            design: PhantomData,
        };
        loop {
            absorber.fill(&mut queue);
            if absorber.busy * 16 <= D::WORTH * L::COUNT {
                return absorber.finish_one_by_one();
            }
            absorber.advance();
            absorber.settle();
        }
    }

    /// Gives the next messages to the lanes that have none.
    #[inline(always)]
    fn fill(&mut self, queue: &mut Queue<'a, impl Fn(usize) -> usize>) {
        if D::TINY {
            let mut shortest = Shortest::new();
            while let count @ 1.. = queue.take_shortest(L::COUNT, &mut shortest) {
                // No closure: see `lanes::two`.
                for first in (0..count).step_by(L::COUNT) {
                    self.absorb_shortest(&shortest, first);
                }
            }
        }
        let fresh = self.busy == 0;
        if fresh {
            self.chain = splat::<L, CHAIN>(self.initial);
        }
        for lane in 0..L::COUNT {
            if self.left[lane] == IDLE {
                let Some((index, message)) = queue.next() else { return self.rest(lane) };
                self.start(lane, index, message, fresh);
            }
        }
    }

    /// Lets a lane and those after it absorb their tails, if they have no message.
    #[inline(always)]
    fn rest(&mut self, first: usize) {
        for lane in first..L::COUNT {
            if self.left[lane] == IDLE {
                (self.rows[lane], self.strides[lane]) = (self.tail(lane).as_ptr(), 0);
            }
        }
    }

    #[inline(always)]
    fn start(&mut self, lane: usize, index: usize, message: &'a [u8], fresh: bool) {
        let rest = D::tail_len(message.len());
        let (body, tail) = ((message.len() - rest) / D::BLOCK, D::tail_blocks(rest));
        self.lanes[lane] = Lane { message, index, rest, tail, given: 0 };
        self.busy += 1;
        let digest = self.batch.digest;
        let blocks = &mut self.tail(lane)[..tail * D::BLOCK];
        L::extend(message, rest, blocks);
        D::pad(digest, blocks, rest, message.len() as u64);
        if !fresh {
            let words = L::words(&mut self.chain);
            for (word, initial) in self.initial.into_iter().enumerate() {
                words[word * L::COUNT + lane] = initial;
            }
        }
        if body > 0 {
            self.give(lane, message.as_ptr(), body);
        } else {
            self.give_tail(lane);
        }
    }

    #[inline(always)]
    fn give(&mut self, lane: usize, row: *const u8, blocks: usize) {
        (self.rows[lane], self.left[lane], self.strides[lane]) = (row, blocks, D::BLOCK);
    }

    /// What comes after the body of a message: all of its tail, or the next block of it if the chain must be changed before each.
    #[inline(always)]
    fn give_tail(&mut self, lane: usize) {
        let Lane { message, rest, tail, given, .. } = self.lanes[lane];
        if D::ADJUSTS {
            let words = L::words(&mut self.chain);
            D::adjust(|word, value| words[word * L::COUNT + lane] = value, given, rest, message.len() as u64);
        }
        let blocks = if D::ADJUSTS { 1 } else { tail };
        self.lanes[lane].given += blocks;
        let row = self.tail(lane)[given * D::BLOCK..].as_ptr();
        self.give(lane, row, blocks);
    }

    /// The tail of a lane.
    #[inline(always)]
    fn tail(&mut self, lane: usize) -> &mut [u8] {
        assert!(lane < L::COUNT);
        // SAFETY: two vectors for each word of a block have room for two blocks of each lane, in `run`, which outlives `self` and
        // leaves them alone; nothing else is borrowed of them meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.tails.add(lane * 2 * D::BLOCK), 2 * D::BLOCK) }
    }

    /// Absorbs blocks until a lane has no more.
    #[inline(always)]
    fn advance(&mut self) {
        let blocks = self.left[..L::COUNT].iter().fold(IDLE, |least, left| least.min(*left));
        let mut chain = self.chain;
        for _ in 0..blocks {
            // SAFETY: at a row there are as many blocks, of a message or a tail, as its lane has left; where the stride is 0, it is
            // a tail. None is written here.
            let block = L::read::<WORDS>(|lane| unsafe { std::slice::from_raw_parts(self.rows[lane], D::BLOCK) });
            D::compress(&mut chain, &in_order::<D, L, CHAIN, WORDS>(block));
            for (row, stride) in self.rows[..L::COUNT].iter_mut().zip(&self.strides) {
                *row = row.wrapping_add(*stride);
            }
        }
        self.chain = chain;
        self.left[..L::COUNT].iter_mut().filter(|left| **left != IDLE).for_each(|left| *left -= blocks);
    }

    /// Gives their tails to the lanes that have absorbed the body of their messages, puts out the digests of the messages that have
    /// ended, and frees their lanes.
    #[inline(always)]
    fn settle(&mut self) {
        for lane in 0..L::COUNT {
            if self.left[lane] > 0 {
                continue;
            }
            if self.lanes[lane].given < self.lanes[lane].tail {
                self.give_tail(lane);
            } else {
                let column = self.column(lane);
                D::output(column, self.batch.output(self.lanes[lane].index));
                self.left[lane] = IDLE;
                self.busy -= 1;
            }
        }
    }

    #[inline(always)]
    fn column(&mut self, lane: usize) -> [L::Word; CHAIN] {
        let words = L::words(&mut self.chain);
        std::array::from_fn(|word| words[word * L::COUNT + lane])
    }

    /// A full set of messages shorter than [`TINY_LEN`], from number `first` on: the words known to be zero are so to the compiler.
    #[inline(always)]
    fn absorb_shortest(&mut self, shortest: &Shortest, first: usize) {
        let mut low = L::splat(L::Word::cut(0));
        let (mut high, mut bits) = (low, low);
        for lane in 0..L::COUNT {
            let (word, len) = (shortest.words[first + lane], shortest.bits[first + lane]);
            L::words(std::slice::from_mut(&mut low))[lane] = L::Word::cut(word);
            L::words(std::slice::from_mut(&mut high))[lane] = L::Word::cut(word >> 32);
            L::words(std::slice::from_mut(&mut bits))[lane] = L::Word::cut(len.into());
        }
        let mut block = [L::splat(L::Word::cut(0)); WORDS];
        block[0] = low;
        if size_of::<L::Word>() == 4 {
            block[1] = high;
        }
        if D::ORDER == Order::Big {
            block[0] = block[0].swap_bytes();
            block[1] = block[1].swap_bytes();
        }
        block[if D::ORDER == Order::Little { WORDS - D::FIELD / size_of::<L::Word>() } else { WORDS - 1 }] = bits;
        let mut chain = splat::<L, CHAIN>(self.initial);
        D::compress(&mut chain, &block);
        let words = L::words(&mut chain);
        for lane in 0..L::COUNT {
            let column = std::array::from_fn(|word| words[word * L::COUNT + lane]);
            D::output(column, self.batch.output(shortest.numbers[first + lane]));
        }
    }

    /// Finishes the messages that are left by the kernel for one.
    #[inline(never)]
    fn finish_one_by_one(&mut self) {
        let one = self.batch.one;
        for lane in (0..L::COUNT).filter(|lane| self.left[*lane] != IDLE).collect::<arrayvec::ArrayVec<_, MAX_LANES>>() {
            let Lane { message, index, rest, tail, given } = self.lanes[lane];
            let left = self.left[lane] * D::BLOCK;
            let mut state = State::new();
            let mut column = self.column(lane);
            state.init(column);
            let padded = self.tail(lane);
            // What the lane was given last, and then what it was not.
            let body = message.len() - rest;
            one.absorb(
                &mut state,
                if given == 0 { &message[body - left..body] } else { &padded[given * D::BLOCK - left..][..left] },
            );
            for block in given..tail {
                column = state.read();
                D::adjust(|word, value| column[word] = value, block, rest, message.len() as u64);
                state.init(column);
                one.absorb(&mut state, &padded[block * D::BLOCK..][..D::BLOCK]);
            }
            D::output(state.read(), self.batch.output(index));
        }
    }
}

/// The same words in every lane.
#[inline(always)]
fn splat<L: Lanes, const WORDS: usize>(words: [L::Word; WORDS]) -> [L; WORDS] {
    let mut vectors: [L; WORDS] = bytemuck::Zeroable::zeroed();
    for (vector, word) in vectors.iter_mut().zip(words) {
        *vector = L::splat(word);
    }
    vectors
}

/// Words as they are in memory, turned into numbers.
#[inline(always)]
fn in_order<D: Design<L::Word, CHAIN, WORDS>, L: Lanes, const CHAIN: usize, const WORDS: usize>(
    mut block: [L; WORDS],
) -> [L; WORDS] {
    if D::ORDER == Order::Big {
        for word in &mut block {
            *word = word.swap_bytes();
        }
    }
    block
}

/// Messages shorter than this fit into 64 bits with the mark.
const TINY_LEN: usize = 8;
