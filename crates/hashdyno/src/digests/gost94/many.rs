//! The hash of many messages, whose steps are taken together.

use bytemuck::{bytes_of, cast};

use super::add;
use crate::Batch;
use crate::parts::arrays::Mapped;
use crate::parts::{barrier, words};

/// Digests all messages, `LANES` at a time; `step` takes a block of each. Fewer than `min_fill` are
/// no group.
#[inline(always)]
pub(super) fn absorb_by<const LANES: usize>(
    batch: &mut Batch<'_>,
    min_fill: usize,
    step: impl Fn(&mut [[u64; 4]; LANES], &[[u64; 4]; LANES]),
) {
    let mut groups = batch.groups::<LANES, _>(min_fill, |len| len.div_ceil(32));
    while let Some(group) = groups.next(batch) {
        let (mut h, mut sums, mut at) = ([[0; 4]; LANES], [[0; 4]; LANES], 0);
        let blocks = group.mapped(|(_, message)| message.len().div_ceil(32));
        while blocks.iter().any(|blocks| at < blocks + 2) {
            let mut now = [[0; 4]; LANES];
            // Unrolled, the sums would have a place of the stack for every word.
            let lanes = barrier::word(LANES as u64) as usize;
            for ((now, sum), (_, message)) in now.iter_mut().zip(&mut sums).zip(group).take(lanes) {
                load(message, at, sum, now);
            }
            step(&mut h, &now);
            at += 1;
            for lane in (0..LANES).filter(|lane| blocks[*lane] + 2 == at) {
                batch.output(group[lane].0).copy_from_slice(bytes_of(&h[lane]));
            }
        }
    }
}

/// A block of a message, which is added to the sum; after those, its length and the sum, then
/// whatever. It goes to `now` by one copy: a vector's load would wait for a store of each word.
#[inline(always)]
fn load(message: &[u8], at: usize, sum: &mut [u64; 4], now: &mut [u64; 4]) {
    let (full, rest) = message.as_chunks::<32>();
    let mut padded = [0; 32];
    let block = match full.get(at) {
        Some(full) => full,
        None if at == full.len() && !rest.is_empty() => {
            words::copy(rest, &mut padded);
            &padded
        }
        None if at == message.len().div_ceil(32) => {
            *now = [(message.len() as u64) << 3, message.len() as u64 >> 61, 0, 0];
            return;
        }
        None => {
            *now = *sum;
            return;
        }
    };
    *now = cast(*block);
    add(sum, &bytemuck::pod_read_unaligned(block));
}
