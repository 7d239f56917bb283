//! Many messages for kernels that are no [`crate::many::Design`]: byte planes, tables in lanes, interleaved streams.

use super::queue::Queue;
use crate::{Batch, Messages};

/// The messages of a batch, `LANES` of like length at a time. See [`Batch::groups`].
///
/// ```ignore
/// fn absorb(batch: &mut Batch<'_>) {
///     let mut groups = batch.groups::<32, _>(8, |len| len / 16 + 2);
///     while let Some(group) = groups.next(batch) {
///         // ... of group[lane].1, until the longest of them ends ...
///         for (lane, (index, _)) in group.into_iter().enumerate() {
///             batch.output(index).copy_from_slice(&digests[lane]);
///         }
///     }
/// }
/// ```
pub(crate) struct Groups<'a, C, const LANES: usize> {
    queue: Queue<'a, C>,
    worth: usize,
}

impl<'a, C: Fn(usize) -> usize, const LANES: usize> Groups<'a, C, LANES> {
    #[inline(always)]
    pub(crate) fn new(messages: Messages<'a>, worth: usize, blocks: C) -> Self {
        Self { queue: Queue::new(messages, blocks), worth: worth.max(1) }
    }

    /// The next messages with their numbers, longest first. The last group may be short of messages: a lane that would be empty has
    /// the group's first message once more. When fewer are left than are worth a group, they are done by the kernel for one.
    #[inline(always)]
    pub(crate) fn next(&mut self, batch: &mut Batch<'_>) -> Option<[(usize, &'a [u8]); LANES]> {
        if self.queue.left() < self.worth.min(LANES) {
            while let Some((index, _)) = self.queue.next() {
                batch.digest_one(index);
            }
            return None;
        }
        let first = self.queue.next()?;
        let mut group = [first; LANES];
        for place in &mut group[1..] {
            *place = self.queue.next().unwrap_or(first);
        }
        Some(group)
    }
}
