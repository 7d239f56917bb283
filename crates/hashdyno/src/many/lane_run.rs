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
//!         words = if each message is one block:       messages where they lie, padded on the way
//!                 if every lane is within its body:   the blocks where they lie
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
//! messages. That is what the four strategies are for:
//!
//! - **One block** (`one_block.rs`): loads by masks take the bytes of a message and no others.
//!   The mark comes in a register, and [`Design::finish_tiny`] adds the length. No memory of a
//!   lane is written. For 1000 messages of 5 to 40 bytes on Zen 4, MD5 took 0.77 of the time by
//!   mixed lengths, and SHA-256 0.87.
//! - **Mixed lengths** (`mixed.rs`): each tail is padded in memory of its lane, and rows point
//!   there. It serves any lengths; the stores must be read again at once.
//! - **One length** (`same_length.rs`): padding, zeros and trailer are made once for all messages
//!   of that length. Only the piece of a tail that holds the last bytes is a lane's own. It is
//!   loaded by masks, or padded in memory where there are none.
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
mod one_block;
mod same_length;
#[cfg(test)]
mod tests;
mod tiny;

use std::marker::PhantomData;

use super::blocks::Blocks;
use super::groups::least_full;
use super::out::{MAX_LANES, NOT_YET};
use super::queue::{Queue, Shortest, TINY_LEN};
use super::step::Step;
use super::{Batch, Design, iterated, splat, to_memory_order};
use crate::parts::lanes::{Lanes, Word};
use crate::parts::prefetch::fetch_rows;
use same_length::SameLength;
use tiny::TinyTail;

const NONE: Blocks = Blocks { body: 0, total: 0 };

/// A message in each lane, with its number.
type Group<'a> = [(usize, &'a [u8]); MAX_LANES];

/// The work on a batch: group after group of messages, one in each lane, which begin together.
pub(crate) struct LaneRun<'a, 'b, D, L: Lanes, const CHAIN: usize, const WORDS: usize> {
    batch: &'b mut Batch<'a>,
    initial: [L::Word; CHAIN],
    /// Bytes before every message, which the initial chain has.
    taken: u64,
    /// Of HMACs: the chain that outer digests begin with, and their block with nothing but padding.
    outer: Option<([L::Word; CHAIN], [L; WORDS])>,
    lanes: [Blocks; MAX_LANES],
    /// The number of the message in each lane whose digest is to be put out.
    numbers: [usize; MAX_LANES],
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
    step: Step<[L; CHAIN], [L; WORDS]>,
    design: PhantomData<D>,
}

impl<'a, 'b, D, L, const CHAIN: usize, const WORDS: usize> LaneRun<'a, 'b, D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    /// Blocks of a message that fill the nearest cache, if each lane has as many. Where messages
    /// have more, the cache evicts the next group's rows before they are read.
    const LONG_GROUP: usize = (48 << 10) / (L::COUNT * D::BLOCK);

    /// How many lanes must be in use: with fewer the kernel for one message is faster.
    const LEAST: usize = least_full(L::COUNT, D::MIN_FILL);

    /// Whether the text of a compression may be inlined twice.
    const SHORT_TEXT: bool = CHAIN <= 4 || size_of::<L>() <= 64;

    /// Whether the text of a compression is inlined into the loop.
    const INLINED: bool = size_of::<L>() >= 64 && !CALLS;

    /// Whether the outer digests of HMACs take a turn of the loop. The texts of SHA-1, SHA-256 and
    /// SHA-512 in two vectors do not fit twice into the cache of decoded instructions. On Zen 5
    /// SHA-256 took half as long again.
    const OUTER_TURNS: bool = D::ITERATES && !Self::SHORT_TEXT;

    /// Does all of it.
    #[inline(always)]
    pub(crate) fn run(batch: &mut Batch<'a>, step: Step<[L; CHAIN], [L; WORDS]>) {
        let (initial, taken) = (batch.start(), batch.taken());
        let outer = if D::ITERATES { batch.outer.map(|outer| outer.chain()) } else { None };
        let outer = outer.map(|chain| (chain, iterated::padding::<D, L, CHAIN, WORDS>(batch)));
        let tiny = D::TINY && taken == 0;
        // Tiny messages count as no blocks, so the queue has them last.
        let mut queue = Queue::new(batch.messages, blocks::<D, L::Word, CHAIN, WORDS>(tiny));
        queue.takes_shortest = tiny;
        let mut shortest =
            if tiny { Some(Shortest::<L::Word>::new(D::mark(batch.digest))) } else { None };
        let mut tails: [[L; WORDS]; 2] = bytemuck::Zeroable::zeroed();
        let mut group = [(0, &[][..]); MAX_LANES];
        let mut run = LaneRun::<D, L, CHAIN, WORDS> {
            batch,
            initial,
            taken,
            outer,
            lanes: [NONE; MAX_LANES],
            numbers: [NOT_YET; MAX_LANES],
            rows: [std::ptr::null(); MAX_LANES],
            next_rows: [std::ptr::null(); MAX_LANES],
            fetches_next: false,
            tails: (&raw mut tails).cast(),
            same_length: SameLength::none(),
            step,
            design: PhantomData,
        };
        let mut places = 0..0;
        let mut rows = 0;
        // One loop for all of it, so that `absorb_tiny`, which is inlined, is there once.
        loop {
            // Tiny rows are all alike and need no order: they pass the queue by.
            let tail = match run.tiny_of_rows(rows) {
                Some(tail) => {
                    rows += L::COUNT;
                    queue.skip(L::COUNT);
                    Some(tail)
                }
                None => {
                    // Tiny messages of a window are put into words together: several sets of lanes
                    // at once.
                    if places.is_empty()
                        && let Some(shortest) = &mut shortest
                    {
                        places = 0..queue.take_shortest(L::COUNT, shortest);
                    }
                    match &shortest {
                        Some(shortest) if !places.is_empty() => {
                            places.start += L::COUNT;
                            Some(run.tiny_of(shortest, places.start - L::COUNT))
                        }
                        _ => match run.batch.next_group(
                            &mut queue,
                            Self::LEAST,
                            &mut group[..L::COUNT],
                        ) {
                            0 => return,
                            count => {
                                run.fetches_next = queue.next_rows(&mut run.next_rows[..L::COUNT]);
                                run.absorb(&group, count)
                            }
                        },
                    }
                }
            };
            if D::TINY
                && let Some(tail) = tail
            {
                run.absorb_tiny(tail);
            }
        }
    }

    /// A message in each lane, those from `count` on for nothing. Gives what is left to do if no
    /// byte is left of any, but a block.
    #[inline(always)]
    fn absorb(&mut self, group: &Group<'a>, count: usize) -> Option<TinyTail<L, CHAIN>> {
        if self.is_of_one_block(group) {
            self.absorb_one_block(group, count);
            return None;
        }
        let len = group[0].1.len();
        let same = group[..L::COUNT].iter().all(|(_, message)| message.len() == len);
        let same_length = same && SameLength::<L::Word, WORDS>::fits::<L>();
        let empty_tail = same_length
            && D::TINY
            && self.taken == 0
            && Self::SHORT_TEXT
            && D::tail_len(len) == 0
            && len < ONE_WORD_LEN;
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
        let mut block = 0;
        self.numbers[..L::COUNT].fill(NOT_YET);
        // The inner digests of HMACs, while the outer ones take a turn of the loop.
        let mut inner: Option<[L; CHAIN]> = None;
        loop {
            let words = if Self::OUTER_TURNS && inner.is_some() {
                self.read_inner(&mut chain)
            } else if same_length && block >= body {
                if empty_tail {
                    for (number, (index, _)) in self.numbers.iter_mut().zip(&group[..count]) {
                        *number = *index;
                    }
                    let mark = D::mark(self.batch.digest);
                    return Some(TinyTail::of_empty_tails(chain, mark, len));
                }
                self.read_same_length(&mut chain, block)
            } else {
                if block >= body {
                    self.turn_to_tails(group, &mut chain, block);
                }
                let at = block * D::BLOCK;
                // SAFETY: the body of a message has the blocks before its tail, and a lane that is
                // behind its body has been turned to a block of its tail. No tail is written here.
                L::read::<WORDS>(|lane| unsafe {
                    std::slice::from_raw_parts(self.rows[lane].wrapping_add(at), D::BLOCK)
                })
            };
            if self.fetches_next {
                fetch_rows(&self.next_rows[..L::COUNT], block * D::BLOCK, D::BLOCK);
            }
            self.compress(&mut chain, &to_memory_order(words, D::ENDIAN));
            if Self::OUTER_TURNS
                && let Some(inner) = inner.take()
            {
                let outer = chain; // a copy: what is lent does not stay in registers
                self.put_out_apart(&outer);
                chain = inner;
            } else {
                block += 1;
                if block < first_end {
                    continue;
                }
                for (lane, (index, _)) in group[..count].iter().enumerate() {
                    let ends = self.lanes[lane].total == block;
                    self.numbers[lane] = if ends { *index } else { NOT_YET };
                }
                let is_inner = D::ITERATES && self.outer.is_some();
                if Self::OUTER_TURNS && is_inner {
                    inner = Some(chain);
                    continue;
                }
                let mut ended = chain; // a copy, as above
                if is_inner {
                    let words = to_memory_order(self.read_inner(&mut ended), D::ENDIAN);
                    if const { size_of::<L>() > 64 && !CALLS } {
                        D::compress(&mut ended, &words);
                    } else {
                        // SAFETY: a kernel's own step, for its own lanes.
                        unsafe { (self.step.compress)(&mut ended, &words) };
                    }
                }
                if Self::INLINED {
                    self.put_out_inlined(ended);
                } else {
                    self.put_out_apart(&ended);
                }
            }
            let left = self.lanes[..count].iter().filter(|lane| lane.total > block).count();
            if left == 0 {
                return None;
            }
            if left >= Self::LEAST {
                continue;
            }
            let mut chain = chain; // a copy, as above
            self.finish_one_by_one(&group[..count], &mut chain, block);
            return None;
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

    /// The block of the outer digests, as it is in memory. `chain` has the inner digests before,
    /// and the chains with which outer digests begin afterwards.
    #[inline(always)]
    fn read_inner(&self, chain: &mut [L; CHAIN]) -> [L; WORDS] {
        let (outer, mut block) = self.outer.expect("only HMACs have inner digests");
        let len = self.batch.digest.output_len;
        let inner = D::output(*chain, len);
        let words = len / size_of::<L::Word>();
        block[..words].copy_from_slice(&inner[..words]);
        *chain = splat(outer);
        block
    }

    /// One block of each message. A call moves chain and words through memory: in several vectors
    /// it took up to a fifth longer (MD4, SHA-256 in four and two of AVX-512), in one of AVX-512 up
    /// to 8 % on Zen 4 (BLAKE2b, Keccak, Skein-512), which stores half of one in a cycle.
    #[inline(always)]
    fn compress(&self, chain: &mut [L; CHAIN], block: &[L; WORDS]) {
        if Self::INLINED {
            D::compress(chain, block);
        } else {
            // SAFETY: a kernel's own step, for its own lanes.
            unsafe { (self.step.compress)(chain, block) };
        }
    }

    /// Puts out the digests of the messages of [`Self::numbers`], one for each lane.
    #[inline(always)]
    fn put_out_apart(&mut self, chain: &[L; CHAIN]) {
        // SAFETY: a kernel's own step, for its own lanes.
        unsafe { (self.step.put_out)(self.batch, chain, &self.numbers) };
    }

    /// The same, where a call would take some per cent.
    #[inline(always)]
    fn put_out_inlined(&mut self, chain: [L; CHAIN]) {
        // By way of memory, where a longer chain is anyway: what is done with the words would else
        // be mixed with the compression, which needs the registers. AVX-512 has enough of them.
        let in_place = const { CHAIN > 16 || size_of::<L>() == 64 };
        let chain = if in_place { chain } else { std::hint::black_box(chain) };
        self.batch.put_out(D::output(chain, self.batch.digest.output_len), &self.numbers);
    }
}

/// How many blocks a message of a length makes; where it is `tiny`, fewer than [`TINY_LEN`] bytes
/// are none. The closure has one type for all lanes of a design, and the queue that it orders is
/// compiled once for them.
fn blocks<D, W, const CHAIN: usize, const WORDS: usize>(tiny: bool) -> impl Fn(usize) -> usize
where
    D: Design<W, CHAIN, WORDS>,
    W: Word,
{
    move |len| {
        if tiny && len < TINY_LEN {
            return 0;
        }
        let tail_len = D::tail_len(len);
        (len - tail_len) / D::BLOCK + D::tail_blocks(tail_len)
    }
}

/// Whether every compression is a call, so that a kernel has its text once. Builds with debug
/// assertions are for development and tests: there the compiler's time counts. It took 236 s of a
/// core for the library with the texts inlined, and 151 s with calls.
const CALLS: bool = cfg!(debug_assertions);

/// The length of a message shorter than this, in bits, fits into a word.
const ONE_WORD_LEN: usize = 1 << 29;
