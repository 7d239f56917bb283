//! Messages of like length at a time.

use super::queue::Queue;
use crate::{Batch, Messages};

/// The messages of a batch, `LANES` of like length at a time, for kernels that are no
/// [`crate::many::Design`]: byte planes, tables in lanes, interleaved streams. See
/// [`Batch::groups`].
///
/// ```ignore
/// fn absorb(batch: &mut Batch<'_>) {
///     let mut groups = batch.groups::<32, _>(8, |len| len / 16 + 2);
///     while let Some(group) = groups.next(batch) {
///         // ... of group[lane].1, until the longest of them ends ...
///         for (lane, (index, _)) in group.iter().enumerate() {
///             batch.output(*index).copy_from_slice(&digests[lane]);
///         }
///     }
/// }
/// ```
pub(crate) struct Groups<'a, C, const LANES: usize> {
    queue: Queue<'a, C>,
    min_fill: usize,
    group: [(usize, &'a [u8]); LANES],
}

/// The least number of `lanes` that is more than `sixteenths` / 16 of them.
pub(crate) const fn least_full(lanes: usize, sixteenths: usize) -> usize {
    lanes * sixteenths / 16 + 1
}

impl<'a, C: Fn(usize) -> usize, const LANES: usize> Groups<'a, C, LANES> {
    #[inline(always)]
    pub(crate) fn new(messages: Messages<'a>, min_fill: usize, blocks: C) -> Self {
        let group = [(0, &[][..]); LANES];
        Self { queue: Queue::new(messages, blocks), min_fill: min_fill.max(1), group }
    }

    /// The next messages with their numbers, longest first, as [`Batch::next_group`] has them.
    #[inline(always)]
    pub(crate) fn next(&mut self, batch: &mut Batch<'_>) -> Option<&[(usize, &'a [u8]); LANES]> {
        let min_fill = self.min_fill.min(LANES);
        if batch.next_group(&mut self.queue, min_fill, &mut self.group) == 0 {
            return None;
        }
        self.queue.fetch_next(LANES);
        Some(&self.group)
    }
}

impl Batch<'_> {
    /// Fills `group` with the next messages and their numbers, the longest first, and returns their
    /// number: 0 at the end. Where there are fewer messages than lanes, the other lanes have the
    /// group's first message once more. The kernel for one message takes those that it finishes
    /// sooner: fewer than `min_fill`, or messages much longer than the others of the group.
    #[inline(always)]
    pub(crate) fn next_group<'a>(
        &mut self,
        queue: &mut Queue<'a, impl Fn(usize) -> usize>,
        min_fill: usize,
        group: &mut [(usize, &'a [u8])],
    ) -> usize {
        loop {
            let mut count = queue.take(group);
            if count == 0 {
                return 0;
            }
            if count < group.len() || work(group[0].1) > 2 * work(group[count - 1].1) {
                count = self.digest_outliers(min_fill, &mut group[..count]);
                if count == 0 {
                    continue;
                }
                let first = group[0];
                group[count..].fill(first);
            }
            return count;
        }
    }

    /// Digests the longest of a group alone, as long as all that are left are less work than
    /// `min_fill` messages as long as the longest of them; moves the others to the front, and says
    /// how many they are.
    #[inline(never)]
    fn digest_outliers(&mut self, min_fill: usize, group: &mut [(usize, &[u8])]) -> usize {
        let mut left: usize = group.iter().map(|(_, message)| work(message)).sum();
        let mut outliers = 0;
        for (number, message) in &*group {
            if left >= min_fill * work(message) {
                break;
            }
            self.digest_one(*number);
            left -= work(message);
            outliers += 1;
        }
        group.rotate_left(outliers);
        group.len() - outliers
    }
}

/// The work that a message makes: its bytes, and about a block for its end.
#[inline(always)]
fn work(message: &[u8]) -> usize {
    message.len() + 64
}
