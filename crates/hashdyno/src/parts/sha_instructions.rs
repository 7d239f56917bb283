//! SHA-1 and SHA-256 by the instructions that x86-64 and AArch64 have for them: what is around
//! their compressions.

use bytemuck::{Zeroable, cast};

use crate::padding::{Block, Register, end};
use crate::parts::arrays::Mapped;
use crate::{Batch, Features, Messages};

/// The features that [`Design`]'s methods are compiled for.
pub(crate) const NEEDS: Features = Features::FOR_SHA.union(if cfg!(target_arch = "x86_64") {
    Features::SSE41
} else {
    Features::NEON
});

/// How many messages come in turn: AArch64's registers hold no more of them.
pub(crate) const STREAMS: usize = if cfg!(target_arch = "x86_64") { 4 } else { 2 };

/// A chain as the instructions have it: two vectors.
pub(crate) type Chain = [Register; 2];

/// A digest of a chain of so many words and blocks of 64 bytes.
pub(crate) trait Design<const WORDS: usize> {
    /// The chain of these words.
    ///
    /// # Safety
    /// The caller is compiled for [`NEEDS`], as of all these.
    unsafe fn chain(words: &[u32; WORDS]) -> Chain;

    /// The words of a chain.
    ///
    /// # Safety
    /// As [`Design::chain`].
    unsafe fn words_of(chain: Chain) -> [u32; WORDS];

    /// A block of each message, as it is in memory.
    ///
    /// # Safety
    /// As [`Design::chain`].
    unsafe fn compress<const COUNT: usize>(
        chains: [Chain; COUNT],
        blocks: [Block; COUNT],
    ) -> [Chain; COUNT];
}

/// A run of blocks into the words of a chain.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sha,sse4.1,ssse3"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon,sha2"))]
#[inline]
pub(crate) fn absorb<D: Design<WORDS>, const WORDS: usize>(
    words: &mut [u32; WORDS],
    blocks: &[[u8; 64]],
) {
    // SAFETY: this is compiled for what they need.
    unsafe {
        let chains = absorb_blocks::<D, WORDS, 1>([D::chain(words)], &[blocks]);
        *words = D::words_of(chains[0]);
    }
}

/// The chain after a whole message and its padding.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sha,sse4.1,ssse3"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon,sha2"))]
#[inline]
pub(crate) fn digest<D: Design<WORDS>, const WORDS: usize>(
    initial: &[u32; WORDS],
    message: &[u8],
) -> Chain {
    // SAFETY: this is compiled for what they need.
    unsafe {
        let mut chains =
            absorb_blocks::<D, WORDS, 1>([D::chain(initial)], &[message.as_chunks().0]);
        let ([mut next, last], mut two) = end(message, 0);
        loop {
            chains = D::compress(chains, [next]);
            if !two {
                return chains[0];
            }
            (next, two) = (last, false);
        }
    }
}

/// [`STREAMS`] messages in turn: an instruction for several steps takes longer than until it can
/// begin anew. The CPU does so by itself where short messages come one after another: few, or short
/// ones, are done so ([`is_worth_turns`]).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sha,sse4.1,ssse3"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon,sha2"))]
pub(crate) fn absorb_many<D: Design<WORDS>, const WORDS: usize>(batch: &mut Batch<'_>) {
    if !is_worth_turns(batch.messages()) {
        return batch.each_alone();
    }
    let taken = batch.taken();
    batch.interleave::<[u32; WORDS], STREAMS, 64>(
        3,
        |message, blocks| {
            // SAFETY: this is compiled for what it needs.
            let (end, two) = unsafe { end(message, taken) };
            *blocks = cast(end);
            1 + usize::from(two)
        },
        |words, blocks| {
            let mut chains = [Chain::zeroed(); STREAMS];
            // SAFETY: this is compiled for what they need.
            unsafe {
                for number in 0..STREAMS {
                    chains[number] = D::chain(&words[number]);
                }
                chains = absorb_blocks::<D, WORDS, STREAMS>(chains, blocks);
                for number in 0..STREAMS {
                    words[number] = D::words_of(chains[number]);
                }
            }
        },
        |words| words.mapped(u32::to_be),
    );
}

/// Whether there is so much to do in turn that to sort it by length is worth it. The bounds are
/// measured ones: of equal messages, of messages of lengths that differ by little, and of any
/// others.
fn is_worth_turns(messages: Messages<'_>) -> bool {
    let count = messages.len();
    if count == 0 {
        return false;
    }
    let (least, most) = messages.lens(0..count);
    let blocks = |len: usize| len.saturating_add(8) / 64 + 1;
    if blocks(least) == blocks(most) {
        return blocks(most) > 1 && (count >= 8 || most >= 256);
    }
    messages.total_len() / count >= 150 && (count >= 16 || least >= most / 4)
}

/// As many blocks of each message.
#[expect(clippy::needless_range_loop, reason = "a number of a block of every message")]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sha,sse4.1,ssse3"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon,sha2"))]
#[inline]
fn absorb_blocks<D: Design<WORDS>, const WORDS: usize, const COUNT: usize>(
    mut chains: [Chain; COUNT],
    blocks: &[&[[u8; 64]]; COUNT],
) -> [Chain; COUNT] {
    for at in 0..blocks[0].len() {
        let mut words = [Block::zeroed(); COUNT];
        for number in 0..COUNT {
            words[number] = cast(blocks[number][at]);
        }
        // SAFETY: this is compiled for what it needs.
        chains = unsafe { D::compress(chains, words) };
    }
    chains
}
