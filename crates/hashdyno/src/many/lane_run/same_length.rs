//! Messages of one length: what their tails have in common is made once.
//!
//! A tail is read in units, a multiple of what lanes read at a time. Units that a message fills are
//! read where it lies. The unit that holds its last bytes is the lane's own, if there is such a
//! unit. All units behind are the same for every message, and are read from one place.

use std::mem::MaybeUninit;
use std::slice;

use super::super::blocks::Blocks;
use super::super::out::MAX_LANES;
use super::super::shape::Place;
use super::super::step::{Rows, Tiny, unit_of};
use super::{Group, LaneRun, ONE_WORD_LEN};
use crate::lanes::{Lanes, join};

/// The tails of messages of one length: the bytes that are none of a message's are the same in all
/// of them.
pub(super) struct SameLength {
    /// Whether blocks consist of whole units, so that no piece that lanes read reaches from one
    /// into the next, and there is room for them.
    pub(super) is_possible: bool,
    /// Bytes of a unit, and how many units the lanes have of a block.
    unit: usize,
    of_block: usize,
    /// The length of the messages; `usize::MAX` if there are none yet.
    len: usize,
    blocks: Blocks,
    /// So many bytes of a tail are read from where the message lies.
    direct_len: usize,
    /// Behind those, each message has its own up to this place, where there are any.
    own_end: usize,
    /// The trailer, if what each message has of its own reaches it.
    own_trailer: [u64; 4],
    /// Where each unit of each lane's tail is read, less its place in the tail.
    units: [MaybeUninit<*const u8>; MAX_UNITS],
}

/// The most units in the tails of all lanes: two of 64 lanes, eight of 16.
const MAX_UNITS: usize = 2 * MAX_LANES;

impl SameLength {
    /// Of no messages yet, in blocks of so many bytes.
    #[inline(always)]
    pub(super) fn none<V: Lanes, const LANES: usize>(block: usize) -> Self {
        let unit = unit_of(V::PIECE, block);
        let of_block = block / unit * LANES;
        Self {
            is_possible: block.is_multiple_of(unit) && 2 * of_block <= MAX_UNITS,
            unit,
            of_block,
            len: usize::MAX,
            blocks: Blocks { body: 0, total: 0 },
            direct_len: 0,
            own_end: 0,
            own_trailer: [0; 4],
            units: [MaybeUninit::uninit(); MAX_UNITS],
        }
    }
}

impl<'a, V: Lanes, const LANES: usize> LaneRun<'a, '_, V, LANES> {
    /// Messages of one length.
    #[inline(always)]
    pub(super) fn absorb_same_length(&mut self, group: &Group<'a>, count: usize, len: usize) {
        if self.same_length.len != len {
            self.begin_length(len);
        }
        let SameLength { blocks: Blocks { body, total }, .. } = self.same_length;
        let (shape, in_body) = (self.shape(), body * self.shape().block);
        if body > 0 {
            for (row, (_, message)) in self.rows[..LANES].iter_mut().zip(group) {
                *row = message.as_ptr();
            }
        }
        let mut before = self.absorb_bodies(body);
        if shape.tiny && self.taken == 0 && len == in_body && (1..ONE_WORD_LEN).contains(&len) {
            self.take_tiny(before, Tiny::Emptied(shape.mark, &group[..count]));
            return;
        }
        self.start_tails(group, len, in_body);
        for block in 0..total - body {
            self.fetch_next(body + block);
            let of_block = self.same_length.of_block;
            let units = &self.same_length.units[block * of_block..][..of_block];
            let (rest, message_len) = (len - in_body, self.taken + len as u64);
            let rows = Rows::of_units(units, LANES, Place { block, rest, message_len });
            let chain = self.room.chain.cast();
            // SAFETY: a kernel's own step, for its own lanes. `direct_len` and `own_end` are
            // multiples of a unit, and so many bytes of each message, of its tail and of two blocks
            // in common are there.
            unsafe { (self.step().blocks)(chain, before, &rows, block, 1) };
            before = chain;
        }
        self.put_out_all(&group[..count]);
    }

    /// Prepares the tails: the units that a message fills, and its last bytes, padded.
    #[inline(always)]
    fn start_tails(&mut self, group: &Group<'a>, len: usize, in_body: usize) {
        let SameLength { direct_len, own_end, own_trailer, unit, .. } = self.same_length;
        for direct in self.same_length.units.chunks_exact_mut(LANES).take(direct_len / unit) {
            for (row, (_, message)) in direct.iter_mut().zip(group) {
                row.write(message.as_ptr().wrapping_add(in_body));
            }
        }
        if direct_len == own_end {
            return;
        }
        let (mark, rest) = (self.shape().mark, len - in_body - direct_len);
        for (lane, (_, message)) in group[..LANES].iter().enumerate() {
            let own = &mut self.tail(lane)[direct_len..own_end];
            V::pad(own, &message[..len], rest, mark, own_trailer);
        }
    }

    /// Makes what messages of another length have in common.
    #[inline(never)]
    fn begin_length(&mut self, len: usize) {
        let shape = self.shape();
        let (body, rest) = shape.split(len);
        let blocks = shape.blocks(body, rest);
        let padded = (blocks.total - body) * shape.block;
        let trailer = (shape.trailer)(self.batch.digest, rest, self.taken + len as u64);
        let unit = self.same_length.unit;
        let (direct_len, own_end) = (rest / unit * unit, rest.next_multiple_of(unit));
        // SAFETY: there is room for two blocks, and nothing else is borrowed of it.
        let shared = unsafe { slice::from_raw_parts_mut(self.room.shared, 2 * shape.block) };
        shared.fill(0);
        if direct_len == own_end && rest < padded {
            shared[rest] = shape.mark;
        }
        join(&mut shared[..padded], trailer);
        let units = self.same_length.units.chunks_exact_mut(LANES).enumerate();
        for (number, lanes) in units.take(padded / unit).skip(direct_len / unit) {
            for (lane, row) in lanes.iter_mut().enumerate() {
                row.write(if number * unit < own_end {
                    self.room.tails.wrapping_add(lane * 2 * shape.block)
                } else {
                    self.room.shared
                });
            }
        }
        self.same_length = SameLength {
            len,
            blocks,
            direct_len,
            own_end,
            own_trailer: if own_end == padded { trailer } else { [0; 4] },
            ..self.same_length
        };
    }
}
