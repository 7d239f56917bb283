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
#[allow(dead_code, reason = "see `Batch::groups`")]
pub(crate) struct Groups<'a, C, const LANES: usize> {
    queue: Queue<'a, C>,
    worth: usize,
}

#[allow(dead_code, reason = "see `Batch::groups`")]
impl<'a, C: Fn(usize) -> usize, const LANES: usize> Groups<'a, C, LANES> {
    #[inline(always)]
    pub(crate) fn new(messages: Messages<'a>, worth: usize, blocks: C) -> Self {
        Self { queue: Queue::new(messages, blocks), worth: worth.max(1) }
    }

    /// The next messages with their numbers, longest first. The last group may be short of messages: a lane that would be empty has
    /// the group's first message once more. When fewer are left than are worth a group, they are done by the kernel for one.
    #[allow(dead_code, reason = "see `Batch::groups`")]
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

#[cfg(test)]
mod tests {
    use crate::many::Batch;
    use crate::{Cpu, Messages, find};

    /// Every message once, longest first, by groups and by the kernel for one; lanes without a message repeat one.
    #[test]
    fn every_message_is_in_a_group_or_done_alone() {
        let digest = find("crc32b").unwrap();
        let data = [7; 4000];
        for count in [0, 1, 3, 4, 5, 8, 11, 1023, 1026, 1029, 3000] {
            let offsets: Vec<i32> = (0..=count).collect();
            let messages = Messages::Offsets { data: &data, offsets: &offsets };
            let mut out = vec![0; count as usize * digest.output_len];
            let one = digest.bind(Cpu::native());
            let mut batch = Batch::new(digest, &one, messages, &mut out);
            let mut seen = vec![0; count as usize];
            let mut groups = batch.groups::<4, _>(3, |len| len);
            while let Some(group) = groups.next(&mut batch) {
                group.into_iter().filter(|message| message.0 != group[0].0).for_each(|message| seen[message.0] += 1);
                seen[group[0].0] += 1;
            }
            let alone = out.chunks(digest.output_len).filter(|out| *out == &digest.digest(&[7])[..]).count();
            assert!(seen.iter().all(|times| *times <= 1), "{count} messages: one came twice");
            assert_eq!(seen.iter().sum::<usize>() + alone, count as usize);
            assert_eq!(alone, if count % 4 < 3 { count as usize % 4 } else { 0 });
        }
    }
}
