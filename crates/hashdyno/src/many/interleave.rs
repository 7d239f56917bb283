//! Many messages for kernels that take the blocks of several in turn: where a round waits for the
//! last one, the CPU does those of other messages meanwhile.

use bytemuck::{Pod, bytes_of};

use super::Batch;
use crate::State;
use crate::parts::arrays::Mapped;

impl Batch<'_> {
    /// All messages, the blocks of `COUNT` of like length in turn, as long as there are blocks of
    /// all of them, for a design that keeps a `Chain` between blocks as its [`State`]; fewer
    /// messages than `min_fill` are done one after another.
    ///
    /// `pad` writes what follows the whole blocks of a message, padded, and says how many blocks
    /// that makes; `absorb` is given as many blocks of each of `COUNT` messages; the digest is what
    /// `output` makes of the chain, or the begin of that.
    #[inline(always)]
    pub(crate) fn interleave<Chain: Pod, const COUNT: usize, const BLOCK: usize>(
        &mut self,
        min_fill: usize,
        pad: impl Fn(&[u8], &mut [[u8; BLOCK]; 2]) -> usize,
        absorb: impl Fn(&mut [Chain; COUNT], &[&[[u8; BLOCK]]; COUNT]),
        output: impl Fn(Chain) -> Chain,
    ) {
        let mut state = State::new();
        let initial: Chain = self.start();
        let mut ends = [[[0; BLOCK]; 2]; COUNT];
        let mut groups = self.groups::<COUNT, _>(min_fill, |len| len / BLOCK);
        while let Some(group) = groups.next(self) {
            // Bodies are read where they lie; only the ends of messages are copied, for their
            // padding.
            let mut chains = [initial; COUNT];
            let bodies = group.mapped(|(_, message)| message.as_chunks::<BLOCK>().0);
            let mut totals = [0; COUNT];
            for number in 0..COUNT {
                totals[number] = bodies[number].len() + pad(group[number].1, &mut ends[number]);
            }
            let shortest = totals.iter().fold(usize::MAX, |least, total| least.min(*total));
            let mut at = 0;
            while at < shortest {
                let mut blocks = bodies;
                // A run is the blocks that lie together in all messages: one call absorbs them.
                let mut run = usize::MAX;
                for number in 0..COUNT {
                    blocks[number] = next(at, bodies[number], &ends[number], totals[number]);
                    run = run.min(blocks[number].len());
                }
                for blocks in &mut blocks {
                    *blocks = &blocks[..run];
                }
                absorb(&mut chains, &blocks);
                at += run;
            }
            for number in 0..COUNT {
                // The longer messages go on alone: too few are left to fill the waits of one
                // another.
                let mut at = at;
                if at < totals[number] {
                    state.init(chains[number]);
                    while at < totals[number] {
                        let blocks = next(at, bodies[number], &ends[number], totals[number]);
                        self.one.absorb(&mut state, blocks.as_flattened());
                        at += blocks.len();
                    }
                    chains[number] = state.read();
                }
                let (digest, out) = (output(chains[number]), self.output(group[number].0));
                match out.len() {
                    // Known when this is compiled, so that the copy is no call.
                    whole if whole == size_of::<Chain>() => {
                        out[..size_of::<Chain>()].copy_from_slice(bytes_of(&digest))
                    }
                    part => out.copy_from_slice(&bytes_of(&digest)[..part]),
                }
            }
        }
    }
}

/// The blocks from number `at` on that lie together: those of the message, or then its end's, up to
/// number `total`.
#[inline(always)]
fn next<'a, const BLOCK: usize>(
    at: usize,
    body: &'a [[u8; BLOCK]],
    end: &'a [[u8; BLOCK]; 2],
    total: usize,
) -> &'a [[u8; BLOCK]] {
    if at < body.len() { &body[at..] } else { &end[at - body.len()..total - body.len()] }
}
