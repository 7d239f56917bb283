//! Messages of mixed lengths: each lane has a row, which is its body and then its own tail.

use std::slice;

use super::super::shape::Place;
use super::{Blocks, Group, LaneRun};
use crate::lanes::Lanes;

impl<'a, V: Lanes, const LANES: usize> LaneRun<'a, '_, V, LANES> {
    /// Prepares the lanes: the row of each body, and the tail behind it, padded.
    #[inline(always)]
    pub(super) fn start_mixed(&mut self, group: &Group<'a>) {
        let shape = self.shape();
        for (lane, (_, message)) in group[..LANES].iter().enumerate() {
            let (body, rest) = shape.split(message.len());
            let blocks = shape.blocks(body, rest);
            let len = (blocks.total - body) * shape.block;
            let trailer =
                (shape.trailer)(self.batch.digest, rest, self.taken + message.len() as u64);
            V::pad(&mut self.tail(lane)[..len], message, rest, shape.mark, trailer);
            (self.rows[lane], self.lanes[lane]) = (message.as_ptr(), blocks);
        }
    }

    /// Prepares the lanes that are behind their bodies for a block; one whose message has ended has
    /// its last again.
    #[inline(always)]
    pub(super) fn turn_to_tails(&mut self, group: &Group<'a>, block: usize) {
        let shape = self.shape();
        for lane in 0..LANES {
            let Blocks { body, total } = self.lanes[lane];
            if block < body {
                continue;
            }
            let at = block.min(total - 1) - body;
            self.rows[lane] =
                self.tail(lane)[at * shape.block..].as_ptr().wrapping_sub(block * shape.block);
            if let Some(adjust) = shape.adjust {
                let len = group[lane].1.len();
                let rest = len - body * shape.block;
                let place = Place { block: at, rest, message_len: self.taken + len as u64 };
                adjust(self.chain(), LANES, lane..lane + 1, place);
            }
        }
    }

    /// The tail of a lane.
    #[inline(always)]
    pub(super) fn tail(&mut self, lane: usize) -> &mut [u8] {
        assert!(lane < LANES);
        let len = 2 * self.shape().block;
        // SAFETY: two vectors for each word of a block have room for two blocks of each lane;
        // nothing else is borrowed of them meanwhile.
        unsafe { slice::from_raw_parts_mut(self.room.tails.add(lane * len), len) }
    }
}
