//! Many messages on one core, the longest first: one in each lane of a kernel's vectors.

#[cfg(target_arch = "x86_64")]
pub(crate) mod alone;
mod blocks;
mod design;
mod groups;
mod interleave;
mod iterated;
pub(crate) mod kernels;
mod lane_run;
mod out;
#[cfg(feature = "rayon")]
mod parallel;
mod queue;
mod running;
mod sponges;
mod step;
#[cfg(test)]
mod tests;

use bytemuck::Pod;

use crate::padding::Endian;
use crate::parts::lanes::Lanes;
use crate::{Begun, Cpu, Digest, MAX_OUTPUT_LEN, Messages, ReadyKernel, ReadyLanes, State};
pub(crate) use design::Design;
use groups::Groups;
pub(crate) use kernels::{alone, lanes, sponge};
pub(crate) use out::{MAX_LANES, NOT_YET, load, splat};
#[cfg(feature = "rayon")]
pub(crate) use parallel::in_runs;
#[cfg(feature = "rayon")]
pub use parallel::{par_digest_many, par_digest_many_on};
pub(crate) use queue::{Queue, TINY_LEN};
pub(crate) use sponges::{Input, Sponge, absorb};

/// The digests of many messages, one after another, `output_len` bytes each: by one core of this
/// machine, many messages at a time in the lanes of its vectors.
///
/// ```
/// # #[cfg(feature = "sha2")] {
/// use hashdyno::{SHA256, digest_many, sha256};
///
/// let digests = digest_many(SHA256, &[b"one".as_slice(), b"two"]);
/// assert_eq!(digests[32..], sha256(b"two"));
/// # }
/// ```
///
/// # Panics
/// As [`Messages::len`] and [`Messages::message`] do.
pub fn digest_many<'a>(digest: &Digest, messages: impl Into<Messages<'a>>) -> Vec<u8> {
    let messages = messages.into();
    let mut out = vec![0; messages.len() * digest.output_len];
    digest_many_on(digest, Cpu::native(), messages, &mut out);
    out
}

/// The digests of many messages by one core of a CPU such as [`Cpu::native`] or a part of it: that
/// of message i at `out[i * output_len..]`.
///
/// # Panics
/// If `out` is not `messages.len() * digest.output_len` bytes long, or as [`Messages::len`] and
/// [`Messages::message`] do.
pub fn digest_many_on(digest: &Digest, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
    digest_many_by(
        digest,
        digest.bind_many(cpu, messages.len()).as_ref(),
        &digest.bind(cpu),
        messages,
        out,
    );
}

/// The same by given kernels of that digest: one for many messages, if there is one, and one for
/// those that are too few for it.
///
/// # Panics
/// As [`digest_many_on`] does; with kernels of another digest it may panic or give something else.
pub fn digest_many_by(
    digest: &Digest,
    many: Option<&ReadyLanes>,
    one: &ReadyKernel,
    messages: Messages<'_>,
    out: &mut [u8],
) {
    assert_eq!(
        out.len(),
        messages.len() * digest.output_len,
        "the output must have {} bytes for each message",
        digest.output_len
    );
    Batch::new(digest, one, messages, out).run(many);
}

/// Messages, and where their digests go. A kernel of words in lanes is a `Design`; any other takes
/// its messages by `Batch::groups`, `Batch::interleave` or `Batch::each`.
pub struct Batch<'a> {
    digest: &'a Digest,
    one: &'a ReadyKernel,
    messages: Messages<'a>,
    out: &'a mut [u8],
    begun: Option<&'a Begun>,
    outer: Option<&'a Begun>,
    iterated: Option<Iterated<'a>>,
    /// Whether messages are whole blocks of longer ones, and `out` has their chains.
    running: bool,
}

/// What is done with messages that are digests: the HMAC of each, the HMAC of that, and so on; put
/// out is the xor of all of them (PBKDF2, RFC 8018).
#[derive(Clone, Copy)]
pub(crate) struct Iterated<'a> {
    /// The states of the inner and of the outer digest after the key, one for each message.
    pub(crate) states: [&'a [u8]; 2],
    /// How many HMACs.
    pub(crate) rounds: u32,
}

impl<'a> Batch<'a> {
    /// Messages of a digest; `one` finishes what is too little for many.
    pub(crate) fn new(
        digest: &'a Digest,
        one: &'a ReadyKernel,
        messages: Messages<'a>,
        out: &'a mut [u8],
    ) -> Self {
        Self {
            digest,
            one,
            messages,
            out,
            begun: None,
            outer: None,
            iterated: None,
            running: false,
        }
    }

    /// The same, every message of which goes on from there. A kernel for many messages must be one
    /// that resumes.
    pub(crate) fn from(self, begun: &'a Begun) -> Self {
        Self { begun: Some(begun), ..self }
    }

    /// The same, whose digests are the ends of messages that begin so: HMACs. A kernel for many
    /// must be one that iterates.
    pub(crate) fn within(self, outer: &'a Begun) -> Self {
        Self { outer: Some(outer), ..self }
    }

    /// The same, whose messages are iterated. A kernel for many that iterates must do it.
    pub(crate) fn iterating(self, iterated: Iterated<'a>) -> Self {
        Self { iterated: Some(iterated), ..self }
    }

    /// Pieces of messages that go on: whole blocks, and the chains that take them, one after
    /// another. The kernel for many must be one that updates.
    pub(crate) fn of_chains(
        digest: &'a Digest,
        one: &'a ReadyKernel,
        pieces: &'a [&'a [u8]],
        chains: &'a mut [u8],
    ) -> Self {
        Self { running: true, ..Self::new(digest, one, Messages::Slices(pieces), chains) }
    }

    /// Digests every message, by a kernel for many if there is one.
    pub(crate) fn run(mut self, many: Option<&ReadyLanes>) {
        match many {
            Some(many) => many.absorb(&mut self),
            None => self.one.digest_each(&mut self),
        }
    }

    /// Whether the messages go on from a state of their own.
    pub(crate) fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// How many bytes come before every message, whole blocks, which [`Batch::start`] has.
    pub(crate) fn taken(&self) -> u64 {
        self.begun.map_or(0, |begun| begun.taken)
    }

    /// What is kept before a message's first byte.
    pub(crate) fn start<Chain: Pod>(&self) -> Chain {
        match self.begun {
            Some(begun) => begun.chain(),
            None => {
                let mut state = State::new();
                (self.digest.start)(&mut state);
                state.read()
            }
        }
    }

    /// Where the digest of a message goes: `output_len` bytes.
    #[inline(always)]
    pub(crate) fn output(&mut self, index: usize) -> &mut [u8] {
        let len = self.digest.output_len;
        &mut self.out[index * len..][..len]
    }

    /// Length of each digest in bytes.
    pub(crate) fn output_len(&self) -> usize {
        self.digest.output_len
    }

    /// A message by the kernel for one.
    pub(crate) fn digest_one(&mut self, index: usize) {
        let (digest, one, message) = (self.digest, self.one, self.messages.message(index));
        match self.begun {
            None => digest.digest_into(one, message, self.output(index)),
            Some(begun) => begun.digest_into(digest, one, message, self.output(index)),
        }
        self.close(index);
    }

    /// Makes an HMAC of an inner digest that was put out, if that is what the batch wants.
    fn close(&mut self, index: usize) {
        let Some(outer) = self.outer else { return };
        let (digest, one) = (self.digest, self.one);
        let mut inner = [0; MAX_OUTPUT_LEN];
        let inner = &mut inner[..digest.output_len];
        inner.copy_from_slice(self.output(index));
        outer.digest_into(digest, one, inner, self.output(index));
    }

    /// All messages by the kernel for one.
    pub(crate) fn one_by_one(&mut self) {
        let (digest, one) = (self.digest, self.one);
        match self.begun {
            None => self.each(|message, out| digest.digest_into(one, message, out)),
            Some(begun) => self.each(|message, out| begun.digest_into(digest, one, message, out)),
        }
    }

    /// The messages.
    pub(crate) fn messages(&self) -> Messages<'a> {
        self.messages
    }

    /// All messages by the kernel for one, in its own loop.
    pub(crate) fn each_alone(&mut self) {
        ReadyKernel::digest_each(self.one, self);
    }

    /// Length of the longest message, 0 if there is none.
    pub(crate) fn longest(&self) -> usize {
        self.messages.len().checked_sub(1).map_or(0, |last| self.messages.lens(0..last + 1).1)
    }

    /// Every message, and where its digest goes: a loop for each layout. One loop that asks for the
    /// layout of each message takes up to twice as long for digests of a few bytes.
    #[inline(always)]
    pub(crate) fn each(&mut self, digest: impl Fn(&[u8], &mut [u8])) {
        let outs = self.out.chunks_exact_mut(self.digest.output_len);
        match self.messages {
            Messages::Slices(slices) => {
                slices.iter().zip(outs).for_each(|(one, out)| digest(one, out));
            }
            Messages::Rows { data, width } => {
                data.chunks_exact(width).zip(outs).for_each(|(one, out)| digest(one, out));
            }
            Messages::Offsets { data, offsets } => {
                let ends = offsets.windows(2).map(|ends| &data[ends[0] as usize..ends[1] as usize]);
                ends.zip(outs).for_each(|(one, out)| digest(one, out));
            }
            Messages::LargeOffsets { data, offsets } => {
                let ends = offsets.windows(2).map(|ends| &data[ends[0] as usize..ends[1] as usize]);
                ends.zip(outs).for_each(|(one, out)| digest(one, out));
            }
        }
    }

    /// All messages, `LANES` of like work at a time: `blocks` gives it for a message of a length.
    /// Fewer than `min_fill` messages are no group.
    #[inline(always)]
    pub(crate) fn groups<const LANES: usize, C: Fn(usize) -> usize>(
        &self,
        min_fill: usize,
        blocks: C,
    ) -> Groups<'a, C, LANES> {
        Groups::new(self.messages, min_fill, blocks)
    }
}

/// Turns words as they lie in memory into numbers, or numbers into such words.
#[inline(always)]
pub(crate) fn to_memory_order<L: Lanes, const COUNT: usize>(
    words: [L; COUNT],
    endian: Endian,
) -> [L; COUNT] {
    swapped_if(endian != Endian::NATIVE, words)
}

/// Turns numbers whose lowest byte is the message's first byte into the numbers that a digest of
/// this order reads.
#[inline(always)]
fn from_little_endian<L: Lanes, const COUNT: usize>(
    words: [L; COUNT],
    endian: Endian,
) -> [L; COUNT] {
    swapped_if(endian == Endian::Big, words)
}

/// Swaps the bytes of each word where `swap` says so.
#[inline(always)]
fn swapped_if<L: Lanes, const COUNT: usize>(swap: bool, mut words: [L; COUNT]) -> [L; COUNT] {
    if swap {
        for word in &mut words {
            *word = word.swap_bytes();
        }
    }
    words
}

/// The last bytes of a chain, so many, in its first words.
#[inline(always)]
pub(crate) fn last_bytes<L: Lanes<Word = u64>, const CHAIN: usize>(
    mut chain: [L; CHAIN],
    len: usize,
) -> [L; CHAIN] {
    let spare = 8 * CHAIN - len;
    if spare % 8 == 4 {
        // They begin within a word.
        for word in spare / 8..CHAIN - 1 {
            chain[word] = chain[word].down(32) | chain[word + 1].up(32);
        }
        chain[CHAIN - 1] = chain[CHAIN - 1].down(32);
    }
    chain.copy_within(spare / 8.., 0);
    chain
}
