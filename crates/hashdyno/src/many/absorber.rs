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
    /// Blocks of the tail that the lane has not been given yet. The tail is what is left of the message when whole blocks have been
    /// taken from where it lies, padded.
    tail: usize,
}

const NONE: Lane<'_> = Lane { message: &[], index: 0, rest: 0, tail: 0 };

/// The work on a batch.
pub(crate) struct Absorber<'a, 'b, D, L: Lanes, const CHAIN: usize, const WORDS: usize> {
    batch: &'b mut Batch<'a>,
    initial: [L::Word; CHAIN],
    chain: [L; CHAIN],
    lanes: [Lane<'a>; MAX_LANES],
    /// Where the next block of each lane is.
    rows: [*const u8; MAX_LANES],
    /// How many blocks are there, one after another.
    left: [usize; MAX_LANES],
    /// Whether a lane has a message, a bit each.
    busy: u32,
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
        let mut shortest = if D::TINY { Some(Shortest::new()) } else { None };
        let mut tails: [[L; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let mut absorber = Self {
            batch,
            initial,
            chain: splat::<L, CHAIN>(initial),
            lanes: [NONE; MAX_LANES],
            rows: [std::ptr::null(); MAX_LANES],
            left: [0; MAX_LANES],
            busy: 0,
            tails: (&raw mut tails).cast(),
            design: PhantomData,
        };
        loop {
            if let Some(shortest) = &mut shortest {
                while let count @ 1.. = queue.take_shortest(L::COUNT, shortest) {
                    // No closure: see `lanes::two`.
                    for first in (0..count).step_by(L::COUNT) {
                        absorber.absorb_shortest(shortest, first);
                    }
                }
            }
            absorber.fill(&mut queue);
            if absorber.busy.count_ones() as usize * 16 <= D::WORTH * L::COUNT {
                return absorber.finish_one_by_one();
            }
            absorber.advance();
            absorber.settle();
        }
    }

    /// Gives the next messages to the lanes that have none.
    #[inline(always)]
    fn fill(&mut self, queue: &mut Queue<'a, impl Fn(usize) -> usize>) {
        let fresh = self.busy == 0;
        if fresh {
            self.chain = splat::<L, CHAIN>(self.initial);
        }
        for lane in 0..L::COUNT {
            if self.busy >> lane & 1 == 0 {
                let Some((index, message)) = queue.next() else { return self.keep_idle(lane) };
                self.start(lane, index, message, fresh);
            }
        }
    }

    /// Lets those of a lane and the lanes after it that have no message do what one does that has.
    #[inline(always)]
    fn keep_idle(&mut self, first: usize) {
        let model = self.busy.trailing_zeros() as usize % MAX_LANES;
        for lane in first..L::COUNT {
            if self.busy >> lane & 1 == 0 {
                (self.rows[lane], self.left[lane]) = (self.rows[model], self.left[model]);
            }
        }
    }

    #[inline(always)]
    fn start(&mut self, lane: usize, index: usize, message: &'a [u8], fresh: bool) {
        let rest = D::tail_len(message.len());
        let (body, tail) = ((message.len() - rest) / D::BLOCK, D::tail_blocks(rest));
        self.lanes[lane] = Lane { message, index, rest, tail };
        self.busy |= 1 << lane;
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
        (self.rows[lane], self.left[lane]) = (message.as_ptr(), body);
        if body == 0 {
            self.give_tail(lane);
        }
    }

    /// What comes after the body of a message: all of its tail, or the next block of it if the chain must be changed before each.
    #[inline(always)]
    fn give_tail(&mut self, lane: usize) {
        let Lane { message, rest, tail, .. } = self.lanes[lane];
        let given = D::tail_blocks(rest) - tail;
        if D::ADJUSTS {
            let words = L::words(&mut self.chain);
            D::adjust(|word, value| words[word * L::COUNT + lane] = value, given, rest, message.len() as u64);
        }
        let blocks = if D::ADJUSTS { 1 } else { tail };
        self.lanes[lane].tail -= blocks;
        (self.rows[lane], self.left[lane]) = (self.tail(lane)[given * D::BLOCK..].as_ptr(), blocks);
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
        let blocks = self.left[..L::COUNT].iter().fold(usize::MAX, |least, left| least.min(*left));
        let mut chain = self.chain;
        let mut at = 0;
        for _ in 0..blocks {
            // SAFETY: at a row there are as many blocks, of a message or a tail, as its lane has left; a lane without a message has
            // the row of one that has. No tail is written here.
            let block = L::read::<WORDS>(|lane| unsafe { std::slice::from_raw_parts(self.rows[lane].wrapping_add(at), D::BLOCK) });
            D::compress(&mut chain, &in_order::<D, L, CHAIN, WORDS>(block));
            at += D::BLOCK;
        }
        self.chain = chain;
        for (row, left) in self.rows[..L::COUNT].iter_mut().zip(&mut self.left) {
            (*row, *left) = (row.wrapping_add(at), *left - blocks);
        }
    }

    /// Gives their tails to the lanes that have absorbed the body of their messages, puts out the digests of the messages that have
    /// ended, and frees their lanes.
    #[inline(always)]
    fn settle(&mut self) {
        for lane in 0..L::COUNT {
            if self.left[lane] > 0 || self.busy >> lane & 1 == 0 {
                continue;
            }
            if self.lanes[lane].tail > 0 {
                self.give_tail(lane);
            } else {
                let column = self.column(lane);
                D::output(column, self.batch.output(self.lanes[lane].index));
                self.busy &= !(1 << lane);
            }
        }
    }

    #[inline(always)]
    fn column(&mut self, lane: usize) -> [L::Word; CHAIN] {
        column::<L, CHAIN>(&mut self.chain, lane)
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
        for lane in 0..L::COUNT {
            D::output(column::<L, CHAIN>(&mut chain, lane), self.batch.output(shortest.numbers[first + lane]));
        }
    }

    /// Finishes the messages that are left by the kernel for one.
    #[inline(never)]
    fn finish_one_by_one(&mut self) {
        let (one, busy) = (self.batch.one, self.busy);
        for lane in (0..L::COUNT).filter(|lane| busy >> lane & 1 == 1) {
            let Lane { message, index, rest, tail } = self.lanes[lane];
            let (total, left) = (D::tail_blocks(rest), self.left[lane] * D::BLOCK);
            let given = total - tail;
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
            for block in given..total {
                column = state.read();
                D::adjust(|word, value| column[word] = value, block, rest, message.len() as u64);
                state.init(column);
                one.absorb(&mut state, &padded[block * D::BLOCK..][..D::BLOCK]);
            }
            D::output(state.read(), self.batch.output(index));
        }
    }
}

/// The words of one lane.
#[inline(always)]
fn column<L: Lanes, const WORDS: usize>(vectors: &mut [L; WORDS], lane: usize) -> [L::Word; WORDS] {
    let words = L::words(vectors);
    let mut column = [L::Word::cut(0); WORDS];
    for (place, word) in column.iter_mut().enumerate() {
        *word = words[place * L::COUNT + lane];
    }
    column
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
