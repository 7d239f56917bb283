//! The one many-message kernel: a [`Design`] in the lanes of a vector.

use std::marker::PhantomData;

use super::queue::{Queue, Shortest};
use super::{Batch, Design, in_order};
use crate::State;
use crate::lanes::{Lanes, Word};
use crate::unroll::sixteen;

/// The most lanes that a kernel may have.
const MAX_LANES: usize = 32;

/// In place of the number of a message that has not ended.
const NOT_YET: usize = usize::MAX;

/// The blocks of the message in a lane.
#[derive(Clone, Copy)]
struct Blocks {
    /// How many are taken from where the message lies.
    body: usize,
    /// How many it makes in all. Those behind the body are its tail: what is left of it, padded.
    total: usize,
}

const NONE: Blocks = Blocks { body: 0, total: 0 };

/// A message in each lane, with its number.
type Group<'a> = [(usize, &'a [u8]); MAX_LANES];

/// The work on a batch: group after group of messages, one in each lane, which begin together.
pub(crate) struct Absorber<'a, 'b, D, L: Lanes, const CHAIN: usize, const WORDS: usize> {
    batch: &'b mut Batch<'a>,
    initial: [L::Word; CHAIN],
    lanes: [Blocks; MAX_LANES],
    /// Where the next block of each lane is, less the bytes of the blocks before it.
    rows: [*const u8; MAX_LANES],
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
    pub(crate) fn run(batch: &mut Batch<'a>) {
        let mut state = State::new();
        (batch.digest.start)(&mut state);
        let mut queue = Queue::new(batch.messages, |len| {
            if D::TINY && len < TINY_LEN {
                return 0;
            }
            let rest = D::tail_len(len);
            (len - rest) / D::BLOCK + D::tail_blocks(rest)
        });
        let mut shortest = if D::TINY { Some(Shortest::<L::Word>::new(D::MARK)) } else { None };
        let mut tails: [[L; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let mut group = [(0, &[][..]); MAX_LANES];
        let mut absorber = Absorber::<D, L, CHAIN, WORDS> {
            batch,
            initial: state.read(),
            lanes: [NONE; MAX_LANES],
            rows: [std::ptr::null(); MAX_LANES],
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
            match absorber.batch.next_group(&mut queue, D::WORTH * L::COUNT / 16 + 1, &mut group[..L::COUNT]) {
                0 => return,
                count => absorber.absorb(&group, count),
            }
        }
    }

    /// A message in each lane, those from `count` on for nothing.
    #[inline(always)]
    fn absorb(&mut self, group: &Group<'a>, count: usize) {
        let len = group[0].1.len();
        if group[..L::COUNT].iter().all(|(_, message)| message.len() == len) {
            // What depends on the length alone is then done once.
            (0..L::COUNT).for_each(|lane| self.start(lane, &group[lane].1[..len]));
        } else {
            (0..L::COUNT).for_each(|lane| self.start(lane, group[lane].1));
        }
        let least = |of: fn(&Blocks) -> usize| self.lanes[..L::COUNT].iter().map(of).fold(usize::MAX, usize::min);
        let (body, first_end) = (least(|lane| lane.body), least(|lane| lane.total));
        let mut chain = splat::<L, CHAIN>(self.initial);
        let mut block = 0;
        loop {
            if block >= body {
                self.turn_to_tails(group, &mut chain, block);
            }
            let at = block * D::BLOCK;
            // SAFETY: the body of a message has the blocks before its tail, and a lane that is behind its body has been turned to a
            // block of its tail. No tail is written here.
            let words = L::read::<WORDS>(|lane| unsafe { std::slice::from_raw_parts(self.rows[lane].wrapping_add(at), D::BLOCK) });
            D::compress(&mut chain, &in_order(words, D::ORDER));
            block += 1;
            if block >= first_end {
                let mut numbers = [NOT_YET; MAX_LANES];
                let mut left = 0;
                for lane in 0..count {
                    let Blocks { total, .. } = self.lanes[lane];
                    numbers[lane] = if total == block { group[lane].0 } else { NOT_YET };
                    left += usize::from(total > block);
                }
                self.put_out(chain, &numbers);
                if left == 0 {
                    return;
                }
                if left * 16 <= D::WORTH * L::COUNT {
                    // A copy: what is lent does not stay in registers.
                    let mut chain = chain;
                    return self.finish_one_by_one(&group[..count], &mut chain, block);
                }
            }
        }
    }

    #[inline(always)]
    fn start(&mut self, lane: usize, message: &'a [u8]) {
        let rest = D::tail_len(message.len());
        let (body, tail) = ((message.len() - rest) / D::BLOCK, D::tail_blocks(rest));
        let trailer = D::trailer(self.batch.digest, rest, message.len() as u64);
        L::pad(&mut self.tail(lane)[..tail * D::BLOCK], message, rest, D::MARK, trailer);
        (self.rows[lane], self.lanes[lane]) = (message.as_ptr(), Blocks { body, total: body + tail });
    }

    /// Prepares the lanes that are behind their bodies for a block; one whose message has ended has its last again.
    #[inline(always)]
    fn turn_to_tails(&mut self, group: &Group<'a>, chain: &mut [L; CHAIN], block: usize) {
        for lane in 0..L::COUNT {
            let Blocks { body, total } = self.lanes[lane];
            if block < body {
                continue;
            }
            let at = block.min(total - 1) - body;
            self.rows[lane] = self.tail(lane)[at * D::BLOCK..].as_ptr().wrapping_sub(block * D::BLOCK);
            if D::ADJUSTS {
                let (words, len) = (L::words(chain), group[lane].1.len());
                D::adjust(|word, value| words[word * L::COUNT + lane] = value, at, len - body * D::BLOCK, len as u64);
            }
        }
    }

    /// The tail of a lane.
    #[inline(always)]
    fn tail(&mut self, lane: usize) -> &mut [u8] {
        assert!(lane < L::COUNT);
        // SAFETY: two vectors for each word of a block have room for two blocks of each lane, in `run`, which outlives `self` and
        // leaves them alone; nothing else is borrowed of them meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.tails.add(lane * 2 * D::BLOCK), 2 * D::BLOCK) }
    }

    /// Puts out the digests of the messages of these numbers, one for each lane.
    #[inline(always)]
    fn put_out(&mut self, chain: [L; CHAIN], numbers: &[usize]) {
        let (len, out) = (self.batch.digest.output_len, &mut *self.batch.out);
        // By way of memory: what is done with the words would else be mixed with the compression, which needs the registers.
        let words = D::output(std::hint::black_box(chain), len);
        let mut lanes = [[0; 16]; MAX_LANES];
        sixteen!(RUN => {
            if 16 * RUN < CHAIN * size_of::<L::Word>() && 16 * RUN < len {
                L::run(&words, RUN, &mut lanes[..L::COUNT]);
                if len - 16 * RUN < 16 {
                    return put_last(&lanes[..L::COUNT], numbers, len, out);
                }
                for (bytes, number) in lanes[..L::COUNT].iter().zip(&numbers[..L::COUNT]) {
                    if *number != NOT_YET {
                        *out[number * len + 16 * RUN..].first_chunk_mut().expect("digests have their place") = *bytes;
                    }
                }
            }
        });
    }

    /// A full set of messages shorter than [`TINY_LEN`], from number `first` on: the words known to be zero are so to the compiler.
    #[inline(always)]
    fn absorb_shortest(&mut self, shortest: &Shortest<L::Word>, first: usize) {
        let zero = L::splat(L::Word::cut(0));
        let mut block = [zero; WORDS];
        block[0] = load(&shortest.low, first);
        if size_of::<L::Word>() == 4 {
            block[1] = load(&shortest.high, first);
        }
        let mut block = in_order(block, D::ORDER);
        let mut chain = splat::<L, CHAIN>(self.initial);
        D::trail(self.batch.digest, &mut block, &mut chain, load(&shortest.bits, first));
        D::compress(&mut chain, &block);
        self.put_out(chain, &shortest.numbers[first..][..L::COUNT]);
    }

    /// Finishes what is left of the messages in the first lanes after so many blocks by the kernel for one.
    #[inline(never)]
    fn finish_one_by_one(&mut self, group: &[(usize, &[u8])], chain: &mut [L; CHAIN], blocks: usize) {
        let one = self.batch.one;
        for (lane, (index, message)) in group.iter().enumerate() {
            let Blocks { body, total } = self.lanes[lane];
            let rest = message.len() - body * D::BLOCK;
            if total <= blocks {
                continue;
            }
            let mut column: [L::Word; CHAIN] = std::array::from_fn(|word| L::words(chain)[word * L::COUNT + lane]);
            let mut state = State::new();
            state.init(column);
            if blocks < body {
                one.absorb(&mut state, &message[blocks * D::BLOCK..body * D::BLOCK]);
            }
            for block in blocks.max(body)..total {
                let at = block - body;
                column = state.read();
                D::adjust(|word, value| column[word] = value, at, rest, message.len() as u64);
                state.init(column);
                one.absorb(&mut state, &self.tail(lane)[at * D::BLOCK..][..D::BLOCK]);
            }
            let words = D::output::<L::Word>(state.read(), self.batch.digest.output_len);
            let out = self.batch.output(*index);
            out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
        }
    }
}

/// Puts out the last bytes of digests, fewer than 16, of the messages of these numbers.
#[inline(never)]
fn put_last(lanes: &[[u8; 16]], numbers: &[usize], len: usize, out: &mut [u8]) {
    let mut piece = |from: usize, size: usize| {
        for (bytes, number) in lanes.iter().zip(numbers) {
            if *number != NOT_YET {
                out[number * len + len / 16 * 16 + from..][..size].copy_from_slice(&bytes[from..][..size]);
            }
        }
    };
    // With a size known to the compiler: a copy of unknown length would be a call.
    if len & 8 != 0 {
        piece(0, 8);
    }
    match len & 12 {
        4 => piece(0, 4),
        12 => piece(8, 4),
        _ => {}
    }
    if len & 3 != 0 {
        piece(len % 16 / 4 * 4, len % 4);
    }
}

/// A word for each lane.
#[inline(always)]
fn load<L: Lanes>(words: &[L::Word], first: usize) -> L {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&words[first..][..L::COUNT]))
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

/// Messages shorter than this fit into 64 bits with the mark.
const TINY_LEN: usize = 8;
