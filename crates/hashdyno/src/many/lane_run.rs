//! The one loop for digests in lanes: group after group of messages, one in each lane.
//!
//! A message is its *body*, the whole blocks that are read where they lie, and its *tail*: what is
//! left, a mark, zeros, and a trailer, which usually is the length. The tail is one or two blocks.
//! The lanes of a group begin together. They compress in step, whatever their lengths:
//!
//! ```text
//! for each group of messages of like length, the longest first:        (queue.rs, groups.rs)
//!     chain = the initial chain, in every lane
//!     for block = 0, 1, 2 ...
//!         words = if every lane is within its body:   the blocks where they lie
//!                 if all messages have one length:    tails of which most bytes are shared
//!                                                     (lane_run/same_length.rs)
//!                 else:                               each lane's own row: body, tail, or its last
//!                                                     block again (lane_run/mixed.rs)
//!         compress(chain, words)
//!         put out the digests of the lanes that have ended              (out.rs)
//!         if too few lanes are left:
//!             the kernel for one goes on from their chains; next group
//! ```
//!
//! Lanes are fast while they are full. So messages come sorted by their number of blocks, and a
//! lane that has ended is not given another message: its chain would have to be exchanged in the
//! middle of the registers. It compresses its last block again until the group ends.
//!
//! To bring bytes into lanes is what costs time beside the compressions, most of all for short
//! messages. That is what the three strategies are for:
//!
//! - **Mixed lengths** (`mixed.rs`): each tail is padded in memory of its lane, and rows point
//!   there. It serves any lengths; the stores must be read again at once.
//! - **One length** (`same_length.rs`): padding, zeros and trailer are made once for all messages
//!   of that length. Only the piece of a tail that holds the last bytes is a lane's own.
//! - **Tiny** (`tiny.rs`): fewer than eight bytes are one block, most of whose words are zero. They
//!   go from the input into two words of a register, and the compiler knows the zeros. Messages
//!   whose body has taken all their bytes end so, too.
//!
//! Messages that are in no cache are fetched while the group before them is hashed, a block of each
//! with each block: lanes read many rows in turn, of which a CPU fetches few ahead by itself.
//!
//! A strategy is chosen for a group, not for a lane. What is written in vectors is a function of its
//! own for each design ([`Step`]); all the rest is compiled once for all designs with so many lanes,
//! which are numbers to it ([`Shape`]). A call moves the chain through memory: a few per cent of the
//! shortest messages' time.

mod mixed;
mod same_length;
pub(super) mod tiny;

use std::array::from_fn;
use std::mem::MaybeUninit;
use std::slice;

use zeroize::Zeroizing;

use super::blocks::Blocks;
use super::out::{MAX_LANES, NOT_YET};
use super::queue::{Queue, Shortest, TINY_LEN};
use super::shape::{MAX_CHAIN, Place, Shape};
use super::step::{Adjusted, BlocksAt, Room, Rows, Step, Tiny};
use super::{Batch, Design, to_memory_order};
use crate::lanes::{Lanes, Word};
use crate::prefetch::fetch_rows;
use crate::{Messages, State};
use same_length::SameLength;

const NONE: Blocks = Blocks { body: 0, total: 0 };

/// A message in each lane, with its number.
type Group<'a> = [(usize, &'a [u8]); MAX_LANES];

/// The work on a batch: group after group of messages, one in each of so many lanes, which begin
/// together.
pub(crate) struct LaneRun<'a, 'b, V: Lanes, const LANES: usize> {
    batch: &'b mut Batch<'a>,
    room: &'b Room<'b, V::Word>,
    /// Bytes before every message, which the initial chain has.
    taken: u64,
    /// As [`Shape::first_trailer`].
    first_trailer: [u64; 4],
    lanes: [Blocks; MAX_LANES],
    /// Where the next block of each lane is, less the bytes of the blocks before it.
    rows: [*const u8; MAX_LANES],
    /// Where the tail of each lane is.
    tail_rows: [*const u8; MAX_LANES],
    /// The same as `rows` of the next group, or a little ahead in the same rows, and whether a block of these
    /// is fetched with each block that is read.
    next_rows: [*const u8; MAX_LANES],
    fetches_next: bool,
    /// What the tails have in common where all messages have one length.
    same_length: SameLength,
}

impl<'a, 'b, V: Lanes, const LANES: usize> LaneRun<'a, 'b, V, LANES> {
    /// Does all of it.
    #[inline(always)]
    pub(crate) fn run(batch: &'b mut Batch<'a>, room: &'b Room<'b, V::Word>) {
        let (shape, taken) = (*room.shape, batch.taken());
        let tiny = shape.tiny && taken == 0;
        let mut queue = Queue::new(batch.messages, move |len| {
            if tiny && len < TINY_LEN {
                return 0;
            }
            let (body, rest) = shape.split(len);
            shape.blocks(body, rest).total
        });
        queue.takes_shortest = tiny;
        let mut shortest = if tiny { Some(Shortest::<V::Word>::new(shape.mark)) } else { None };
        let mut group = [(0, &[][..]); MAX_LANES];
        let first_trailer = shape.first_trailer(batch.digest);
        let mut run = Self {
            batch,
            room,
            taken,
            first_trailer,
            lanes: [NONE; MAX_LANES],
            rows: [std::ptr::null(); MAX_LANES],
            tail_rows: from_fn(|lane| room.tails.cast_const().wrapping_add(2 * lane * shape.block)),
            next_rows: [std::ptr::null(); MAX_LANES],
            fetches_next: false,
            same_length: SameLength::none::<V, LANES>(shape.block),
        };
        if tiny && matches!(run.batch.messages, Messages::Rows { width, .. } if width < TINY_LEN) {
            queue.skip(run.take_tiny(room.initial, Tiny::Rows(shape.mark)));
        }
        let min_fill = shape.min_fill * LANES / 16 + 1;
        loop {
            if let Some(shortest) = &mut shortest {
                let count = queue.take_shortest(LANES, shortest);
                if count > 0 {
                    run.take_tiny(room.initial, Tiny::Shortest(shortest, count));
                    continue;
                }
            }
            let count = run.batch.next_group(&mut queue, min_fill, &mut group[..LANES]);
            if count == 0 {
                return;
            }
            run.fetches_next = queue.next_rows(&mut run.next_rows[..LANES]);
            run.absorb(&group, count);
        }
    }

    fn shape(&self) -> &'b Shape<V::Word> {
        self.room.shape
    }

    fn step(&self) -> &'b Step<V::Word> {
        &self.room.step
    }

    /// A message in each lane, those from `count` on for nothing.
    #[inline(always)]
    fn absorb(&mut self, group: &Group<'a>, count: usize) {
        let len = group[0].1.len();
        let same = group[..LANES].iter().all(|(_, message)| message.len() == len);
        if same && self.same_length.is_possible {
            self.absorb_same_length(group, count, len);
        } else {
            self.absorb_mixed(group, count, same);
        }
    }

    /// Absorbs the whole blocks that every lane has. Gives the chain behind them.
    #[inline(always)]
    fn absorb_bodies(&mut self, blocks: usize) -> *const () {
        // Where messages have more blocks, the nearest cache evicts the next group's rows before
        // they are read.
        if self.fetches_next && blocks > (48 << 10) / (LANES * self.shape().block) {
            self.fetch_same_rows();
        }
        if blocks == 0 {
            return self.room.initial;
        }
        let next = self.fetches_next.then_some(&self.next_rows[..]);
        let (rows, chain) = (Rows::of_lanes(&self.rows, next), self.room.chain.cast());
        // SAFETY: a kernel's own step, for its own lanes; the bodies have these blocks.
        unsafe { (self.step().blocks)(chain, self.room.initial, &rows, 0, blocks) };
        chain
    }

    /// Has a block of the next group fetched.
    #[inline(always)]
    fn fetch_next(&self, block: usize) {
        if self.fetches_next {
            let len = self.shape().block;
            fetch_rows(&self.next_rows[..LANES], block * len, len);
        }
    }

    /// Lets each lane fetch its own row 256 bytes ahead, instead of its row of the next group. For
    /// 8000 rows of 2000 bytes, RIPEMD-128 took a tenth less time on Zen 4, MD5 a twentieth.
    #[inline(never)]
    fn fetch_same_rows(&mut self) {
        for (next, row) in self.next_rows[..LANES].iter_mut().zip(&self.rows) {
            *next = row.wrapping_add(256);
        }
    }

    /// Digests messages of few bytes, and says how many.
    #[inline(always)]
    fn take_tiny(&mut self, chain: *const (), tiny: Tiny<'_, V::Word>) -> usize {
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe { (self.step().tiny)(self.batch, chain, tiny) }
    }

    /// Puts out the digests of the messages of these numbers, one for each lane, or their HMACs.
    /// The chains remain as they are if they are `kept`.
    #[inline(always)]
    fn put_out(&mut self, numbers: &[usize; MAX_LANES], kept: bool) {
        let (step, chain) = (self.step(), self.room.chain);
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe {
            match self.room.outer {
                Some(outer) => self.put_out_hmac(outer, numbers, kept),
                None => (step.put_out)(self.batch, chain.cast(), numbers),
            }
        }
    }

    /// Puts out those of a group, all of which end.
    #[inline(always)]
    fn put_out_all(&mut self, group: &[(usize, &[u8])]) {
        let mut numbers = [NOT_YET; MAX_LANES];
        for (number, (index, _)) in numbers.iter_mut().zip(group) {
            *number = *index;
        }
        self.put_out(&numbers, false);
    }

    #[inline(never)]
    fn put_out_hmac(
        &mut self,
        [start, padding]: [*const (); 2],
        numbers: &[usize; MAX_LANES],
        kept: bool,
    ) {
        let (step, chain) = (self.step(), self.room.chain);
        let kept = if kept { bytemuck::cast_slice::<_, u8>(self.chain()) } else { &[] };
        let kept = Zeroizing::new(kept.to_vec());
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe {
            (step.nest)(chain.cast(), start, padding, self.batch.digest.output_len);
            (step.put_out)(self.batch, chain.cast(), numbers);
        }
        if !kept.is_empty() {
            bytemuck::cast_slice_mut(self.chain()).copy_from_slice(&kept);
        }
    }

    /// The words of the chains.
    #[inline(always)]
    fn chain(&mut self) -> &mut [V::Word] {
        // SAFETY: there is a vector for each word, and nothing else is lent of it meanwhile.
        unsafe { slice::from_raw_parts_mut(self.room.chain, self.shape().chain * LANES) }
    }

    /// Finishes what is left of the messages in the first lanes after so many blocks by the kernel
    /// for one.
    #[inline(never)]
    fn finish_one_by_one(&mut self, group: &[(usize, &[u8])], blocks: usize) {
        let (one, shape) = (self.batch.one, self.shape());
        for (lane, (index, message)) in group.iter().enumerate() {
            let Blocks { body, total } = self.lanes[lane];
            let rest = message.len() - body * shape.block;
            if total <= blocks {
                continue;
            }
            let mut column = [V::Word::cut(0); MAX_CHAIN];
            let column = &mut column[..shape.chain];
            for (word, of_lanes) in column.iter_mut().zip(self.chain().chunks_exact(LANES)) {
                *word = of_lanes[lane];
            }
            let mut state = State::new();
            state.fill(bytemuck::cast_slice(column));
            if blocks < body {
                one.absorb(&mut state, &message[blocks * shape.block..body * shape.block]);
            }
            for block in blocks.max(body) - body..total - body {
                if let Some(adjust) = shape.adjust {
                    let message_len = self.taken + message.len() as u64;
                    column.copy_from_slice(bytemuck::cast_slice(state.as_bytes()));
                    adjust(column, Place { block, rest, message_len });
                    state.fill(bytemuck::cast_slice(column));
                }
                one.absorb(&mut state, &self.tail(lane)[block * shape.block..][..shape.block]);
            }
            (shape.output)(&state, self.batch.output(*index));
            self.batch.close(*index);
        }
    }
}

/// The chain behind `count` blocks of each message, from number `first` on, which stays in registers
/// meanwhile.
///
/// # Safety
/// The rows have these blocks in all lanes.
#[inline(always)]
pub(super) unsafe fn blocks<D, L, const CHAIN: usize, const WORDS: usize>(
    mut chain: [L; CHAIN],
    rows: &Rows<'_>,
    first: usize,
    count: usize,
) -> [L; CHAIN]
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let rows = *rows;
    align_stack::<L>();
    if D::ADJUSTS {
        match rows.adjusted {
            Adjusted::No => {}
            Adjusted::Alike(Place { block, rest, message_len }) => {
                D::adjust(|word, value| chain[word] = L::splat(value), block, rest, message_len);
            }
            Adjusted::Each(places) => {
                let words = L::words(&mut chain);
                for (lane, place) in places[..L::COUNT].iter().enumerate() {
                    let Some(Place { block, rest, message_len }) = *place else { continue };
                    let set = |word, value| words[word * L::COUNT + lane] = value;
                    D::adjust(set, block, rest, message_len);
                }
            }
        }
    }
    let next = rows.next(L::COUNT);
    for block in first..first + count {
        let at = block * D::BLOCK;
        // SAFETY: by contract.
        let words = L::read_pieces(&unsafe { BlocksAt::<L, WORDS>::new(rows, at) });
        if !next.is_empty() {
            fetch_rows(next, at, D::BLOCK);
        }
        D::compress(&mut chain, &to_memory_order(words, D::ENDIAN));
    }
    chain
}

/// Has the stack of the function that this is inlined into aligned like a vector. Else LLVM does not
/// know early enough that it will keep vectors there, and they lie across two cache lines each: 8 %
/// of Keccak's time in registers of 512 bits on Zen 4.
#[inline(always)]
fn align_stack<L>() {
    let mut vector = MaybeUninit::<L>::uninit();
    std::hint::black_box(vector.as_mut_ptr());
}

/// The length of a message shorter than this, in bits, fits into a word.
const ONE_WORD_LEN: usize = 1 << 29;
