//! The hash of many messages, whose steps are taken together.

use bytemuck::{bytes_of, cast};

use super::add;
use crate::Batch;
use crate::parts::arrays::Mapped;

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
            for lane in 0..LANES {
                now[lane] = block(group[lane].1, at, &mut sums[lane]);
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
/// whatever.
fn block(message: &[u8], at: usize, sum: &mut [u64; 4]) -> [u64; 4] {
    let (full, rest) = message.as_chunks::<32>();
    let mut block = [0; 32];
    match full.get(at) {
        Some(full) => block = *full,
        None if at == full.len() && !rest.is_empty() => block[..rest.len()].copy_from_slice(rest),
        None if at == message.len().div_ceil(32) => {
            return [(message.len() as u64) << 3, message.len() as u64 >> 61, 0, 0];
        }
        None => return *sum,
    }
    add(sum, &cast(block));
    cast(block)
}
