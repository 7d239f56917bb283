//! Messages of like length at a time.

use super::queue::Queue;
use crate::{Batch, Messages};

/// The messages of a batch, `LANES` of like length at a time, for kernels that are no [`crate::many::Design`]: byte planes, tables
/// in lanes, interleaved streams. See [`Batch::groups`].
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

    /// The next messages with their numbers, longest first, as [`Batch::next_group`] has them.
    #[inline(always)]
    pub(crate) fn next(&mut self, batch: &mut Batch<'_>) -> Option<[(usize, &'a [u8]); LANES]> {
        let mut group = [(0, &[][..]); LANES];
        (batch.next_group(&mut self.queue, self.worth.min(LANES), &mut group) > 0).then_some(group)
    }
}

impl Batch<'_> {
    /// Fills a group with the next messages and their numbers, longest first, and says how many they are: 0 at the end. There may
    /// be too few for a group: a lane that would be empty has the group's first message once more; but fewer than `worth` are done
    /// by the kernel for one, and are none.
    #[inline(always)]
    pub(crate) fn next_group<'a>(
        &mut self,
        queue: &mut Queue<'a, impl Fn(usize) -> usize>,
        worth: usize,
        group: &mut [(usize, &'a [u8])],
    ) -> usize {
        loop {
            let count = queue.take(group);
            if count == 0 || count == group.len() {
                return count;
            }
            if count >= worth {
                let first = group[0];
                group[count..].fill(first);
                return count;
            }
            group[..count].iter().for_each(|(index, _)| self.digest_one(*index));
        }
    }
}
