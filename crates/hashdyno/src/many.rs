//! Many messages on one core: the longest first, one in each lane of a kernel's vectors; a lane whose message ends takes the next.

mod absorber;
mod groups;
#[cfg(feature = "rayon")]
mod parallel;
mod queue;
#[cfg(target_arch = "x86_64")]
mod turns;

use crate::lanes::{Lanes, Word};
use crate::padding::Order;
use crate::{Bound, BoundMany, Cpu, Digest, Messages};
pub(crate) use absorber::Absorber;
use groups::Groups;
#[cfg(feature = "rayon")]
pub use parallel::par_digest_many;
#[cfg(target_arch = "x86_64")]
pub(crate) use turns::keep_in_step;

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
    let mut batch = Batch::new(digest, one, messages, out);
    match many {
        Some(many) => many.absorb(&mut batch),
        None => one.digest_each(&mut batch),
    }
}

/// Messages, and where their digests go. A kernel of words in lanes is a `Design`; any other takes its messages by
/// `Batch::groups`, `Batch::in_turn` or `Batch::each`.
pub struct Batch<'a> {
    digest: &'a Digest,
    one: &'a Bound,
    messages: Messages<'a>,
    out: &'a mut [u8],
}

impl<'a> Batch<'a> {
    /// Messages of a digest; `one` finishes what is too little for many.
    pub(crate) fn new(digest: &'a Digest, one: &'a Bound, messages: Messages<'a>, out: &'a mut [u8]) -> Self {
        Self { digest, one, messages, out }
    }

    /// Where the digest of a message goes: `output_len` bytes.
    #[inline(always)]
    pub(crate) fn output(&mut self, index: usize) -> &mut [u8] {
        let len = self.digest.output_len;
        &mut self.out[index * len..][..len]
    }

    /// A message by the kernel for one.
    pub(crate) fn digest_one(&mut self, index: usize) {
        let (digest, one, message) = (self.digest, self.one, self.messages.message(index));
        digest.digest_into(one, message, self.output(index));
    }

    /// All messages by the kernel for one.
    pub(crate) fn one_by_one(&mut self) {
        let (digest, one) = (self.digest, self.one);
        self.each(|message, out| digest.digest_into(one, message, out));
    }

    /// Every message, and where its digest goes.
    #[inline(always)]
    pub(crate) fn each(&mut self, digest: impl Fn(&[u8], &mut [u8])) {
        for (index, out) in self.out.chunks_exact_mut(self.digest.output_len).enumerate() {
            digest(self.messages.message(index), out);
        }
    }

    /// All messages, `LANES` of like length at a time. `blocks` says how many blocks a message of a length makes (any measure of
    /// the work will do: those alike in it come together, all above 62 count as alike); fewer than `worth` messages are no group.
    #[inline(always)]
    pub(crate) fn groups<const LANES: usize, C: Fn(usize) -> usize>(&self, worth: usize, blocks: C) -> Groups<'a, C, LANES> {
        Groups::new(self.messages, worth, blocks)
    }
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
    fn output(mut chain: [W; CHAIN], out: &mut [u8]) {
        for word in &mut chain {
            *word = if Self::ORDER == Order::Little { word.to_le() } else { word.to_be() };
        }
        write(&chain, out);
    }
}

/// As many bytes of `words` as there is room for. Word by word: a copy of unknown length would be a call.
#[inline(always)]
pub(crate) fn write<W: Word, const COUNT: usize>(words: &[W; COUNT], out: &mut [u8]) {
    if out.len() == size_of_val(words) {
        // At once it would go through memory, and wait for that.
        for at in 0..COUNT {
            out[at * size_of::<W>()..][..size_of::<W>()].copy_from_slice(bytemuck::bytes_of(&words[at]));
        }
        return;
    }
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
