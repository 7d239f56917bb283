//! Many messages on one core: the longest first, one in each lane of a kernel's vectors; a lane whose message ends takes the next.

use std::marker::PhantomData;

use crate::lanes::{Lanes, Word};
use crate::padding::Order;
use crate::queue::Queue;
use crate::{Bound, BoundMany, Cpu, Digest, Messages, State};

/// The digests of many messages, on one core: that of message i at `out[i * output_len..]`.
///
/// # Panics
/// If `out` is not `messages.len() * digest.output_len` bytes long, or as [`Messages::message`] does.
pub fn digest_many(digest: &Digest, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
    digest_many_by(digest, digest.bind_many(cpu, messages.len()).as_ref(), &digest.bind(cpu), messages, out);
}

/// The same by given kernels of that digest: one for many messages, if there is one, and one for those that are too few for it.
///
/// # Panics
/// As [`digest_many`] does.
pub fn digest_many_by(digest: &Digest, many: Option<&BoundMany>, one: &Bound, messages: Messages<'_>, out: &mut [u8]) {
    assert_eq!(out.len(), messages.len() * digest.output_len, "the output must have {} bytes for each message", digest.output_len);
    if let Some(many) = many {
        return many.absorb(&mut Batch { digest, one, messages, out });
    }
    for (index, out) in out.chunks_exact_mut(digest.output_len).enumerate() {
        digest.digest_into(one, messages.message(index), out);
    }
}

/// Messages, and where their digests go.
pub struct Batch<'a> {
    digest: &'a Digest,
    one: &'a Bound,
    messages: Messages<'a>,
    out: &'a mut [u8],
}

/// A digest as a many-message kernel sees it: a chain of `CHAIN` words, laid out as its [`State`], and blocks of `WORDS` words.
pub(crate) trait Design<W: Word, const CHAIN: usize, const WORDS: usize> {
    /// How many sixteenths of the lanes must be in use for the rest of a batch to be faster than by single messages.
    const WORTH: usize;
    /// The order of the bytes in words and in the length.
    const ORDER: Order;
    /// The first byte after the message.
    const MARK: u8 = 0x80;
    /// Bytes of the length at the end of the last block.
    const FIELD: usize = 2 * size_of::<W>();
    /// Whether messages shorter than eight bytes may be put into words without [`Design::pad`]: a mark, zeros and the length.
    const TINY: bool = false;
    /// Whether [`Design::adjust`] does anything.
    const ADJUSTS: bool = false;
    /// As [`Digest::holds_last_block`].
    const HOLDS_LAST_BLOCK: bool = false;
    /// Bytes of a block.
    const BLOCK: usize = WORDS * size_of::<W>();

    /// One block of each message.
    fn compress<L: Lanes<Word = W>>(chain: &mut [L; CHAIN], block: &[L; WORDS]);

    /// How many bytes of a message are left for its tail.
    #[inline(always)]
    fn tail_len(len: usize) -> usize {
        match len % Self::BLOCK {
            0 if Self::HOLDS_LAST_BLOCK && len > 0 => Self::BLOCK,
            rest => rest,
        }
    }

    /// How many blocks the last `rest` bytes of a message make with their padding: one or two.
    #[inline(always)]
    fn tail_blocks(rest: usize) -> usize {
        if rest + 1 + Self::FIELD <= Self::BLOCK { 1 } else { 2 }
    }

    /// Pads `blocks`, which begin with the last `rest` bytes of a message and are zeros from there.
    #[inline(always)]
    fn pad(_: &Digest, blocks: &mut [u8], rest: usize, message_len: u64) {
        blocks[rest] = Self::MARK;
        let end = blocks.len();
        match Self::ORDER {
            Order::Little => blocks[end - Self::FIELD..][..8].copy_from_slice(&(message_len << 3).to_le_bytes()),
            Order::Big => blocks[end - 8..].copy_from_slice(&(message_len << 3).to_be_bytes()),
        }
    }

    /// Changes words of the chain, as `set(word, value)`, before the last blocks of a message, of which this is number `block`.
    #[inline(always)]
    fn adjust(_set: impl FnMut(usize, W), _block: usize, _rest: usize, _message_len: u64) {}

    /// The digest that a chain ends in.
    #[inline(always)]
    fn output(chain: [W; CHAIN], out: &mut [u8]) {
        let chain = chain.map(|word| if Self::ORDER == Order::Little { word.to_le() } else { word.to_be() });
        write(&chain, out);
    }
}

/// The most lanes that a kernel may have.
const MAX_LANES: usize = 32;

/// A message in a lane.
#[derive(Clone, Copy)]
struct Lane<'a> {
    message: &'a [u8],
    /// The message's number.
    index: usize,
    /// Blocks absorbed.
    at: usize,
    /// Blocks that the message fills.
    body: usize,
    /// Blocks with the padding.
    total: usize,
}

/// A lane without a message absorbs whatever is in its tail, for ever.
const IDLE: Lane<'_> = Lane { message: &[], index: 0, at: 0, body: 0, total: usize::MAX };

/// The work on a batch.
pub(crate) struct Absorber<'a, 'b, D, L: Lanes, const CHAIN: usize, const WORDS: usize> {
    batch: &'b mut Batch<'a>,
    initial: [L::Word; CHAIN],
    chain: [L; CHAIN],
    lanes: [Lane<'a>; MAX_LANES],
    busy: usize,
    tails: [[[L::Word; WORDS]; 2]; MAX_LANES],
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
        let mut absorber = Self {
            batch,
            initial,
            chain: splat::<L, CHAIN>(initial),
            lanes: [IDLE; MAX_LANES],
            busy: 0,
            tails: bytemuck::Zeroable::zeroed(),
            design: PhantomData,
        };
        loop {
            absorber.fill(&mut queue);
            if absorber.busy * 16 <= D::WORTH * L::COUNT {
                return absorber.finish_one_by_one();
            }
            absorber.advance();
            absorber.evict();
        }
    }

    /// Gives the next messages to the lanes that have none.
    #[inline(always)]
    fn fill(&mut self, queue: &mut Queue<'a, impl Fn(usize) -> usize>) {
        if self.busy == 0 {
            self.chain = splat::<L, CHAIN>(self.initial);
        }
        let fresh = self.busy == 0;
        for lane in 0..L::COUNT {
            if self.lanes[lane].total != IDLE.total {
                continue;
            }
            while D::TINY
                && let Some(places) = queue.take_shortest(L::COUNT)
            {
                self.absorb_tiny(|lane| queue.number(places.start + lane));
            }
            let Some(index) = queue.next() else { return };
            self.start(lane, index, fresh);
        }
    }

    #[inline(always)]
    fn start(&mut self, lane: usize, index: usize, fresh: bool) {
        let message = self.batch.messages.message(index);
        let rest = D::tail_len(message.len());
        let (body, tail) = ((message.len() - rest) / D::BLOCK, D::tail_blocks(rest));
        self.lanes[lane] = Lane { message, index, at: 0, body, total: body + tail };
        self.busy += 1;
        let blocks = &mut bytemuck::cast_slice_mut(&mut self.tails[lane])[..tail * D::BLOCK];
        L::extend(&message[message.len() - rest..], blocks);
        D::pad(self.batch.digest, blocks, rest, message.len() as u64);
        if !fresh {
            let words = L::words(&mut self.chain);
            for (word, initial) in self.initial.into_iter().enumerate() {
                words[word * L::COUNT + lane] = initial;
            }
        }
    }

    /// Absorbs blocks until a message ends.
    #[inline(always)]
    fn advance(&mut self) {
        let lanes = &mut self.lanes[..L::COUNT];
        let blocks = lanes.iter().map(|lane| lane.total - lane.at).min().unwrap_or(0);
        let mut chain = self.chain;
        for _ in 0..blocks {
            if D::ADJUSTS {
                let words = L::words(&mut chain);
                for (number, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.at >= lane.body) {
                    let rest = lane.message.len() - lane.body * D::BLOCK;
                    let set = |word: usize, value| words[word * L::COUNT + number] = value;
                    D::adjust(set, lane.at - lane.body, rest, lane.message.len() as u64);
                }
            }
            let block = L::read::<WORDS>(|number| {
                let lane = &lanes[number];
                let (bytes, at) = match lane.at.checked_sub(lane.body) {
                    None => (lane.message, lane.at),
                    Some(at) => (bytemuck::cast_slice(&self.tails[number]), at.min(1)),
                };
                &bytes[at * D::BLOCK..][..D::BLOCK]
            });
            D::compress(&mut chain, &in_order::<D, L, CHAIN, WORDS>(block));
            lanes.iter_mut().for_each(|lane| lane.at += 1);
        }
        self.chain = chain;
    }

    /// Puts out the digests of the messages that have ended, and frees their lanes.
    #[inline(always)]
    fn evict(&mut self) {
        for lane in 0..L::COUNT {
            if self.lanes[lane].at == self.lanes[lane].total {
                self.output(self.lanes[lane].index, lane);
                self.lanes[lane] = IDLE;
                self.busy -= 1;
            }
        }
    }

    #[inline(always)]
    fn column(&mut self, lane: usize) -> [L::Word; CHAIN] {
        let words = L::words(&mut self.chain);
        std::array::from_fn(|word| words[word * L::COUNT + lane])
    }

    #[inline(always)]
    fn output(&mut self, index: usize, lane: usize) {
        let column = self.column(lane);
        let len = self.batch.digest.output_len;
        D::output(column, &mut self.batch.out[index * len..][..len]);
    }

    /// A full set of messages shorter than [`TINY_LEN`]: their words are built on the spot, and those known to be zero are so to the
    /// compiler, too.
    #[inline(always)]
    fn absorb_tiny(&mut self, indices: impl Fn(usize) -> usize) {
        let mut words = [L::splat(L::Word::cut(0)); 3];
        let [low, high, bits] = &mut words;
        for lane in 0..L::COUNT {
            let message = self.batch.messages.message(indices(lane));
            let word = few(message) | u64::from(D::MARK) << (8 * message.len());
            L::words(std::slice::from_mut(low))[lane] = L::Word::cut(word);
            L::words(std::slice::from_mut(high))[lane] = L::Word::cut(word >> 32);
            L::words(std::slice::from_mut(bits))[lane] = L::Word::cut(8 * message.len() as u64);
        }
        let mut block = [L::splat(L::Word::cut(0)); WORDS];
        block[0] = *low;
        if size_of::<L::Word>() == 4 {
            block[1] = *high;
        }
        if D::ORDER == Order::Big {
            block[0] = block[0].swap_bytes();
            block[1] = block[1].swap_bytes();
        }
        block[if D::ORDER == Order::Little { WORDS - D::FIELD / size_of::<L::Word>() } else { WORDS - 1 }] = *bits;
        let mut chain = splat::<L, CHAIN>(self.initial);
        D::compress(&mut chain, &block);
        let words = L::words(&mut chain);
        for lane in 0..L::COUNT {
            let column = std::array::from_fn(|word| words[word * L::COUNT + lane]);
            let len = self.batch.digest.output_len;
            D::output(column, &mut self.batch.out[indices(lane) * len..][..len]);
        }
    }

    /// Finishes the messages that are left by the kernel for one.
    #[inline(never)]
    fn finish_one_by_one(&mut self) {
        for lane in 0..L::COUNT {
            let Lane { message, index, at, body, total } = self.lanes[lane];
            if total == IDLE.total {
                continue;
            }
            let mut state = State::new();
            let mut column = self.column(lane);
            state.init(column);
            if at < body {
                self.batch.one.absorb(&mut state, &message[at * D::BLOCK..body * D::BLOCK]);
            }
            for block in at.max(body)..total {
                column = state.read();
                let rest = message.len() - body * D::BLOCK;
                D::adjust(|word, value| column[word] = value, block - body, rest, message.len() as u64);
                state.init(column);
                let tail: &[u8] = bytemuck::cast_slice(&self.tails[lane]);
                self.batch.one.absorb(&mut state, &tail[(block - body) * D::BLOCK..][..D::BLOCK]);
            }
            let len = self.batch.digest.output_len;
            D::output(state.read(), &mut self.batch.out[index * len..][..len]);
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

/// As many bytes of `words` as there is room for. Word by word: a copy of unknown length would be a call.
#[inline(always)]
pub(crate) fn write<W: Word>(words: &[W], out: &mut [u8]) {
    let mut words = words.iter().map(bytemuck::bytes_of);
    let mut chunks = out.chunks_exact_mut(size_of::<W>());
    for (chunk, word) in chunks.by_ref().zip(words.by_ref()) {
        chunk.copy_from_slice(word);
    }
    // Of SHA-512/224, four bytes are left.
    for (byte, from) in chunks.into_remainder().iter_mut().zip(words.flatten()) {
        *byte = *from;
    }
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

/// Fewer than 8 bytes, the first lowest.
#[inline(always)]
fn few(bytes: &[u8]) -> u64 {
    crate::words::few(bytes) as u64
}

/// Messages shorter than this are tiny: with the mark they fit into 64 bits.
const TINY_LEN: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    #[test]
    fn every_layout_gives_the_same() {
        let digest = find("md5").unwrap();
        let rows = Messages::Rows { data: b"abcdefghi", width: 3 };
        let layouts = [
            Messages::Slices(&[b"abc", b"def", b"ghi"]),
            Messages::Offsets { data: b"abcdefghi", offsets: &[0, 3, 6, 9] },
            Messages::LargeOffsets { data: b"abcdefghi", offsets: &[0, 3, 6, 9] },
        ];
        let run = |messages| {
            let mut out = [0; 48];
            digest_many(digest, Cpu::native(), messages, &mut out);
            out
        };
        assert_eq!(&run(rows)[16..32], &digest.digest(b"def")[..]);
        layouts.into_iter().for_each(|layout| assert_eq!(run(layout), run(rows)));
    }
}
