//! Messages of mixed lengths: each lane has a row, which is its body and then its own tail.

use std::array::from_fn;
use std::slice;

use super::super::Trailer;
use super::super::shape::Place;
use super::super::step::Rows;
use super::{Blocks, Group, LaneRun, MAX_LANES, NOT_YET};
use crate::lanes::Lanes;
use crate::padding::Endian;

impl<'a, V: Lanes, const LANES: usize> LaneRun<'a, '_, V, LANES> {
    /// Messages of any lengths, or all of the `same` length.
    #[inline(always)]
    pub(super) fn absorb_mixed(&mut self, group: &Group<'a>, count: usize, same: bool) {
        if self.start_mixed(group, same) {
            return self.absorb_alike(group, count);
        }
        let least = |of: fn(&Blocks) -> usize| {
            self.lanes[..LANES].iter().map(of).fold(usize::MAX, usize::min)
        };
        let (body, first_end) = (least(|lane| lane.body), least(|lane| lane.total));
        let (shape, step, chain) = (self.shape(), self.step(), self.room.chain);
        let adjusts = shape.adjust.is_some();
        let mut before = self.absorb_bodies(body);
        for block in body.. {
            self.fetch_next(block);
            self.turn_to_tails(block);
            let places;
            let mut rows = Rows::of_lanes(&self.rows, None);
            if adjusts {
                places = self.places(group, block);
                rows = rows.adjusted(&places);
            }
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

    /// Messages whose bodies have as many blocks, and so have their tails.
    #[inline(always)]
    fn absorb_alike(&mut self, group: &Group<'a>, count: usize) {
        let Blocks { body, total } = self.lanes[0];
        let (step, chain) = (self.step(), self.room.chain.cast());
        let mut before = self.absorb_bodies(body);
        // Before each block that is adjusted there is a call.
        let adjusts = self.shape().adjust.is_some();
        let count_of_call = if adjusts { 1 } else { total - body };
        for block in (0..total - body).step_by(count_of_call) {
            (0..count_of_call).for_each(|more| self.fetch_next(body + block + more));
            let places;
            let mut rows = Rows::of_lanes(&self.tail_rows, None);
            if adjusts {
                places = self.places(group, body + block);
                rows = rows.adjusted(&places);
            }
            // SAFETY: a kernel's own step, for its own lanes; all tails have these blocks.
            unsafe { (step.blocks)(chain, before, &rows, block, count_of_call) };
            before = chain;
        }
        self.put_out_all(&group[..count]);
    }

    /// Which block of its tail each lane has next, if it is behind its body.
    #[inline(never)]
    fn places(&self, group: &Group<'a>, block: usize) -> [Option<Place>; LANES] {
        from_fn(|lane| {
            let (Blocks { body, total }, len) = (self.lanes[lane], group[lane].1.len());
            (block >= body).then(|| Place {
                block: block.min(total - 1) - body,
                rest: len - body * self.shape().block,
                message_len: self.taken + len as u64,
            })
        })
    }

    /// Prepares the lanes: the row of each body, and the tail behind it, padded. Says whether all
    /// have as many blocks in both.
    ///
    /// A loop for each kind of trailer: its vector is then made in a register. One that is loaded
    /// where words have just been stored waits for them, which took 20 cycles for each message.
    #[inline(always)]
    fn start_mixed(&mut self, group: &Group<'a>, same: bool) -> bool {
        let (shape, digest, [a, b, c, d]) = (self.shape(), self.batch.digest, self.first_trailer);
        match (shape.depends_on, shape.endian) {
            (Trailer::Digest, _) => self.start_by(group, same, |_, _| [a, b, c, d]),
            (Trailer::Bits, Endian::Little) => {
                self.start_by(group, same, |_, len| [a, b, c, d | len << 3])
            }
            (Trailer::Bits, Endian::Big) => {
                self.start_by(group, same, |_, len| [a, b, c, d | (len << 3).swap_bytes()])
            }
            (Trailer::Length, _) => {
                self.start_by(group, same, |rest, len| (shape.trailer)(digest, rest, len))
            }
        }
    }

    /// The same with trailers of so many bytes in the tail and in the message.
    #[inline(always)]
    fn start_by(
        &mut self,
        group: &Group<'a>,
        same: bool,
        trailer: impl Fn(usize, u64) -> [u64; 4],
    ) -> bool {
        // A copy, which is known to stay as it is while tails are written.
        let (shape, taken, tails) = (*self.shape(), self.taken, self.room.tails);
        let (mut body, mut rest) = shape.split(group[0].1.len());
        let (first, mut difference) = (shape.blocks(body, rest), 0);
        for (lane, (_, message)) in group[..LANES].iter().enumerate() {
            if !same {
                (body, rest) = shape.split(message.len());
            }
            let blocks = shape.blocks(body, rest);
            let len = (blocks.total - body) * shape.block;
            let trailer = trailer(rest, taken + message.len() as u64);
            // SAFETY: as in `tail`; a tail has two blocks at most.
            let tail = unsafe { slice::from_raw_parts_mut(tails.add(2 * lane * shape.block), len) };
            V::pad(tail, message, rest, shape.mark, trailer);
            difference |= blocks.body ^ first.body | blocks.total ^ first.total;
            (self.rows[lane], self.lanes[lane]) = (message.as_ptr(), blocks);
        }
        difference == 0
    }

    /// Prepares the lanes that are behind their bodies for a block; one whose message has ended has
    /// its last again.
    #[inline(always)]
    fn turn_to_tails(&mut self, block: usize) {
        let (shape, tails) = (*self.shape(), self.room.tails.cast_const());
        for (lane, (row, lanes)) in self.rows[..LANES].iter_mut().zip(&self.lanes).enumerate() {
            let Blocks { body, total } = *lanes;
            let at = block.min(total - 1).wrapping_sub(body);
            let before = (2 * lane).wrapping_add(at).wrapping_sub(block);
            let tail = tails.wrapping_add(before.wrapping_mul(shape.block));
            // Without a branch: which lanes are behind their bodies is by chance.
            *row = std::hint::select_unpredictable(block < body, *row, tail);
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
