//! Messages of mixed lengths: each lane has a row, which is its body and then its own tail.

use std::slice;

use super::super::shape::Place;
use super::super::step::Rows;
use super::{Blocks, Group, LaneRun, MAX_LANES, NOT_YET};
use crate::lanes::Lanes;

impl<'a, V: Lanes, const LANES: usize> LaneRun<'a, '_, V, LANES> {
    /// Messages of any lengths, or all of the `same` length.
    #[inline(always)]
    pub(super) fn absorb_mixed(&mut self, group: &Group<'a>, count: usize, same: bool) {
        self.start_mixed(group, same);
        let least = |of: fn(&Blocks) -> usize| {
            self.lanes[..LANES].iter().map(of).fold(usize::MAX, usize::min)
        };
        let (body, first_end) = (least(|lane| lane.body), least(|lane| lane.total));
        let (shape, step, chain) = (self.shape(), self.step(), self.room.chain);
        let mut before = self.absorb_bodies(body);
        if shape.adjust.is_some() && body == 0 {
            // SAFETY: both have a vector for each word.
            unsafe { chain.copy_from_nonoverlapping(before.cast(), shape.chain * LANES) };
        }
        for block in body.. {
            self.fetch_next(block);
            self.turn_to_tails(group, block);
            if shape.adjust.is_some() {
                before = chain.cast();
            }
            let rows = Rows::of_lanes(&self.rows, None);
            // SAFETY: a kernel's own step, for its own lanes. A lane that is behind its body has
            // been turned to a block of its tail. No tail is written meanwhile.
            unsafe { (step.blocks)(chain.cast(), before, &rows, block, 1) };
            before = chain.cast();
            let blocks = block + 1;
            if blocks < first_end {
                continue;
            }
            let mut numbers = [NOT_YET; MAX_LANES];
            for lane in 0..count {
                let ends = self.lanes[lane].total == blocks;
                numbers[lane] = if ends { group[lane].0 } else { NOT_YET };
            }
            let left = self.lanes[..count].iter().filter(|lane| lane.total > blocks).count();
            self.put_out(&numbers, left > 0);
            if left == 0 {
                return;
            }
            if left * 16 <= shape.min_fill * LANES {
                return self.finish_one_by_one(&group[..count], blocks);
            }
        }
    }

    /// Prepares the lanes: the row of each body, and the tail behind it, padded.
    #[inline(always)]
    fn start_mixed(&mut self, group: &Group<'a>, same: bool) {
        let (shape, digest, taken) = (self.shape(), self.batch.digest, self.taken);
        let end_of = |len: usize| {
            let (body, rest) = shape.split(len);
            (shape.blocks(body, rest), rest, (shape.trailer)(digest, rest, taken + len as u64))
        };
        let mut end = end_of(group[0].1.len());
        for (lane, (_, message)) in group[..LANES].iter().enumerate() {
            if !same {
                end = end_of(message.len());
            }
            let (blocks, rest, trailer) = end;
            let len = (blocks.total - blocks.body) * shape.block;
            V::pad(&mut self.tail(lane)[..len], message, rest, shape.mark, trailer);
            (self.rows[lane], self.lanes[lane]) = (message.as_ptr(), blocks);
        }
    }

    /// Prepares the lanes that are behind their bodies for a block; one whose message has ended has
    /// its last again.
    #[inline(always)]
    fn turn_to_tails(&mut self, group: &Group<'a>, block: usize) {
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
                adjust(&mut self.chain()[lane..], LANES, place);
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
