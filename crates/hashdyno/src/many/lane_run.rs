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
//! A strategy is chosen for a group, not for a lane, and all are inlined into [`LaneRun::run`]: as
//! calls they would move the chain through memory.

mod mixed;
mod same_length;
pub(super) mod tiny;

use super::blocks::Blocks;
use super::kernels::OfDesign;
use super::out::{MAX_LANES, NOT_YET};
use super::queue::{Queue, Shortest, TINY_LEN};
use super::step::{BlocksAt, Rows, Step, Tiny};
use super::{Batch, Design, iterated, splat, to_memory_order};
use crate::lanes::Lanes;
use crate::prefetch::fetch_rows;
use crate::{Messages, State};
use same_length::SameLength;

const NONE: Blocks = Blocks { body: 0, total: 0 };

/// A message in each lane, with its number.
type Group<'a> = [(usize, &'a [u8]); MAX_LANES];

/// The work on a batch: group after group of messages, one in each lane, which begin together.
pub(crate) struct LaneRun<'a, 'b, D, L, const CHAIN: usize, const WORDS: usize>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    batch: &'b mut Batch<'a>,
    initial: [L::Word; CHAIN],
    /// Bytes before every message, which the initial chain has.
    taken: u64,
    /// Of HMACs: the chain that outer digests begin with, and their block with nothing but padding.
    outer: Option<([L::Word; CHAIN], [L; WORDS])>,
    lanes: [Blocks; MAX_LANES],
    /// Where the next block of each lane is, less the bytes of the blocks before it.
    rows: [*const u8; MAX_LANES],
    /// The same of the next group, or a little ahead in the same rows, and whether a block of these
    /// is fetched with each block that is read.
    next_rows: [*const u8; MAX_LANES],
    fetches_next: bool,
    /// Room for two blocks for each lane.
    tails: *mut u8,
    /// What the tails have in common where all messages have one length.
    same_length: SameLength<L::Word, WORDS>,
    step: Step<OfDesign<D, L, CHAIN, WORDS>>,
}

impl<'a, 'b, D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'a, 'b, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Blocks of a message that fill the nearest cache, if each lane has as many. Where messages
    /// have more, the cache evicts the next group's rows before they are read.
    const LONG_GROUP: usize = (48 << 10) / (L::COUNT * D::BLOCK);

    /// Does all of it.
    #[inline(always)]
    pub(crate) fn run(batch: &mut Batch<'a>, step: Step<OfDesign<D, L, CHAIN, WORDS>>) {
        let (initial, taken) = (batch.start(), batch.taken());
        let outer = if D::ITERATES { batch.outer.map(|outer| outer.chain()) } else { None };
        let outer = outer.map(|chain| (chain, iterated::padding::<D, L, CHAIN, WORDS>(batch)));
        let tiny = D::TINY && taken == 0;
        let mut queue = Queue::new(batch.messages, |len| {
            if tiny && len < TINY_LEN {
                return 0;
            }
            let rest = D::tail_len(len);
            (len - rest) / D::BLOCK + D::tail_blocks(rest)
        });
        queue.takes_shortest = tiny;
        let mut shortest =
            if tiny { Some(Shortest::<L::Word>::new(D::PADDING.mark)) } else { None };
        let mut tails: [[L; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let mut group = [(0, &[][..]); MAX_LANES];
        let mut run = LaneRun::<D, L, CHAIN, WORDS> {
            batch,
            initial,
            taken,
            outer,
            lanes: [NONE; MAX_LANES],
            rows: [std::ptr::null(); MAX_LANES],
            next_rows: [std::ptr::null(); MAX_LANES],
            fetches_next: false,
            tails: (&raw mut tails).cast(),
            same_length: SameLength::none(),
            step,
        };
        if tiny && matches!(run.batch.messages, Messages::Rows { width, .. } if width < TINY_LEN) {
            queue.skip(run.take_tiny(Tiny::Rows(&initial)));
        }
        loop {
            if let Some(shortest) = &mut shortest {
                let count = queue.take_shortest(L::COUNT, shortest);
                if count > 0 {
                    run.take_tiny(Tiny::Shortest(&initial, shortest, count));
                    continue;
                }
            }
            let min_fill = D::MIN_FILL * L::COUNT / 16 + 1;
            let count = run.batch.next_group(&mut queue, min_fill, &mut group[..L::COUNT]);
            if count == 0 {
                return;
            }
            run.fetches_next = queue.next_rows(&mut run.next_rows[..L::COUNT]);
            run.absorb(&group, count);
        }
    }

    /// A message in each lane, those from `count` on for nothing.
    #[inline(always)]
    fn absorb(&mut self, group: &Group<'a>, count: usize) {
        let len = group[0].1.len();
        let same = group[..L::COUNT].iter().all(|(_, message)| message.len() == len);
        let same_length = same && SameLength::<L::Word, WORDS>::fits::<L>();
        let empty_tail =
            same_length && D::TINY && self.taken == 0 && D::tail_len(len) == 0 && len < ONE_WORD_LEN;
        if same_length {
            self.start_same_length(group, len);
        } else if same {
            // What depends on the length alone is then done once.
            (0..L::COUNT).for_each(|lane| self.start(lane, &group[lane].1[..len]));
        } else {
            (0..L::COUNT).for_each(|lane| self.start(lane, group[lane].1));
        }
        let least = |of: fn(&Blocks) -> usize| {
            self.lanes[..L::COUNT].iter().map(of).fold(usize::MAX, usize::min)
        };
        let (body, first_end) = (least(|lane| lane.body), least(|lane| lane.total));
        if self.fetches_next && body > Self::LONG_GROUP {
            self.fetch_same_rows();
        }
        let mut chain = splat::<L, CHAIN>(self.initial);
        if body > 0 {
            let next = self.fetches_next.then_some(&self.next_rows[..]);
            let rows = Rows::of_lanes(&self.rows, next);
            // SAFETY: a kernel's own step, for its own lanes; the bodies have these blocks.
            unsafe { (self.step.blocks)(&mut chain, &rows, 0, body) };
            if empty_tail {
                self.take_tiny(Tiny::Emptied(&chain, &group[..count]));
                return;
            }
        }
        for block in body.. {
            if self.fetches_next {
                fetch_rows(&self.next_rows[..L::COUNT], block * D::BLOCK, D::BLOCK);
            }
            if same_length {
                self.absorb_same_length(&mut chain, block);
            } else {
                self.turn_to_tails(group, &mut chain, block);
                let rows = Rows::of_lanes(&self.rows, None);
                // SAFETY: a kernel's own step, for its own lanes. A lane that is behind its body
                // has been turned to a block of its tail. No tail is written meanwhile.
                unsafe { (self.step.blocks)(&mut chain, &rows, block, 1) };
            }
            let blocks = block + 1;
            if blocks < first_end {
                continue;
            }
            let mut numbers = [NOT_YET; MAX_LANES];
            for lane in 0..count {
                let ends = self.lanes[lane].total == blocks;
                numbers[lane] = if ends { group[lane].0 } else { NOT_YET };
            }
            self.put_out(&chain, &numbers);
            let left = self.lanes[..count].iter().filter(|lane| lane.total > blocks).count();
            if left == 0 {
                return;
            }
            if left * 16 <= D::MIN_FILL * L::COUNT {
                return self.finish_one_by_one(&group[..count], &mut chain, blocks);
            }
        }
    }

    /// Lets each lane fetch its own row 256 bytes ahead, instead of its row of the next group. For
    /// 8000 rows of 2000 bytes, RIPEMD-128 took a tenth less time on Zen 4, MD5 a twentieth.
    #[inline(never)]
    fn fetch_same_rows(&mut self) {
        for (next, row) in self.next_rows[..L::COUNT].iter_mut().zip(&self.rows) {
            *next = row.wrapping_add(256);
        }
    }

    /// Digests messages of few bytes, and says how many.
    #[inline(always)]
    fn take_tiny(&mut self, tiny: Tiny<'_, OfDesign<D, L, CHAIN, WORDS>>) -> usize {
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe { (self.step.tiny)(self.batch, tiny) }
    }

    /// Puts out the digests of the messages of these numbers, one for each lane, or their HMACs.
    #[inline(always)]
    fn put_out(&mut self, chain: &[L; CHAIN], numbers: &[usize; MAX_LANES]) {
        let mut outer_chain;
        let chain = match &self.outer {
            Some((outer, block)) if D::ITERATES => {
                let (len, mut block) = (self.batch.digest.output_len, *block);
                let words = len / size_of::<L::Word>();
                block[..words].copy_from_slice(&D::output(*chain, len)[..words]);
                outer_chain = splat(*outer);
                let block = to_memory_order(block, D::ENDIAN);
                // SAFETY: a kernel's own step, for its own lanes.
                unsafe { (self.step.compress)(&mut outer_chain, &block) };
                &outer_chain
            }
            _ => chain,
        };
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe { (self.step.put_out)(self.batch, chain, numbers) };
    }

    /// Finishes what is left of the messages in the first lanes after so many blocks by the kernel
    /// for one.
    #[inline(never)]
    fn finish_one_by_one(
        &mut self,
        group: &[(usize, &[u8])],
        chain: &mut [L; CHAIN],
        blocks: usize,
    ) {
        let one = self.batch.one;
        for (lane, (index, message)) in group.iter().enumerate() {
            let Blocks { body, total } = self.lanes[lane];
            let rest = message.len() - body * D::BLOCK;
            if total <= blocks {
                continue;
            }
            let mut column: [L::Word; CHAIN] =
                std::array::from_fn(|word| L::words(chain)[word * L::COUNT + lane]);
            let mut state = State::new();
            state.init(column);
            if blocks < body {
                one.absorb(&mut state, &message[blocks * D::BLOCK..body * D::BLOCK]);
            }
            for block in blocks.max(body)..total {
                let at = block - body;
                column = state.read();
                let len = self.taken + message.len() as u64;
                D::adjust(|word, value| column[word] = value, at, rest, len);
                state.init(column);
                one.absorb(&mut state, &self.tail(lane)[at * D::BLOCK..][..D::BLOCK]);
            }
            let words = D::output::<L::Word>(state.read(), self.batch.digest.output_len);
            let out = self.batch.output(*index);
            out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
            self.batch.close(*index);
        }
    }
}

/// Compresses `count` blocks of each message, from number `first` on, whose chains stay in
/// registers meanwhile.
///
/// # Safety
/// The rows have these blocks in all lanes.
#[inline(always)]
pub(super) unsafe fn blocks<D, L, const CHAIN: usize, const WORDS: usize>(
    chain: &mut [L; CHAIN],
    rows: &Rows<'_>,
    first: usize,
    count: usize,
) where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    let (rows, mut held) = (*rows, *chain);
    let next = rows.next(L::COUNT);
    for block in first..first + count {
        let at = block * D::BLOCK;
        // SAFETY: by contract.
        let words = L::read_pieces(&unsafe { BlocksAt::<L, WORDS>::new(rows, at) });
        if !next.is_empty() {
            fetch_rows(next, at, D::BLOCK);
        }
        D::compress(&mut held, &to_memory_order(words, D::ENDIAN));
    }
    *chain = held;
}

/// The length of a message shorter than this, in bits, fits into a word.
const ONE_WORD_LEN: usize = 1 << 29;
