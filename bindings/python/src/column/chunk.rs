//! From an array of values to an array of digests.
//!
//! ```text
//! Job::chunks   struct of one field -> its field
//!               dictionary          -> the digests of its values, then a look-up for each row
//!               values              -> hashed: fill, by threads -> fill_alone, in batches
//! Chunk         len slots of slot_len bytes, and a bit for each row if one is null
//! ```
//!
//! Nulls are hashed like empty values and then cleared, because a branch for each row costs more. A
//! chunk has at most 2 GiB, for offsets of 32 bits reach no further.

use std::mem;
use std::ops::Range;
use std::thread;

use hashdyno::{Digest, Key, Messages};

use super::functions;
use super::pages;
use super::values::{Nulls, Problem, Values, indices, rows};
use super::views::{SHORT, View};
use crate::arrow::{ArrowArray, ArrowSchema};
use crate::many::ManyDigests;

/// What is to be done with each value.
pub struct Job {
    pub digest: &'static Digest,
    pub key: Option<Key>,
    pub form: Form,
    /// At least 1.
    pub threads: usize,
    /// Whether digests get views. Numbers have none.
    pub by_views: bool,
}

/// What a digest becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The bytes as they are.
    Binary,
    /// Lower-case hexadecimal, two characters a byte.
    Hex,
    /// A number of 32 or 64 bits in the machine's order.
    Integer,
}

/// Digests, one after another, each in a slot of the same length. The slot of a null holds nothing
/// of the value under it.
pub struct Chunk {
    pub len: usize,
    pub null_count: usize,
    /// A bit for each row; none if no row is null.
    pub validity: Option<Vec<u8>>,
    /// Words, for Arrow wants its buffers aligned.
    words: Vec<u64>,
    slot_len: usize,
    /// The views of all slots, two words each, or none.
    views: Vec<u64>,
}

/// Rows of a chunk that are filled together.
struct Room<'a> {
    /// The number of the first of them.
    first: usize,
    slots: &'a mut [u8],
    /// As many, or none.
    views: &'a mut [View],
}

impl Chunk {
    /// Slots and views that hold anything until they are written.
    fn new(len: usize, slot_len: usize, by_views: bool) -> Self {
        let words = pages::take((len * slot_len).div_ceil(size_of::<u64>()));
        let views = pages::take(if by_views { 2 * len } else { 0 });
        Self { len, null_count: 0, validity: None, words, slot_len, views }
    }

    /// All slots.
    pub fn slots(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.len * self.slot_len]
    }

    /// The views of all slots, if the job asked for them.
    pub fn views(&self) -> &[View] {
        bytemuck::cast_slice(&self.views)
    }

    /// All rows.
    fn room(&mut self) -> Room<'_> {
        Room {
            first: 0,
            slots: &mut bytemuck::cast_slice_mut(&mut self.words)[..self.len * self.slot_len],
            views: bytemuck::cast_slice_mut(&mut self.views),
        }
    }

    fn slots_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.len * self.slot_len]
    }

    /// Makes nulls of the rows that `is_null` names.
    fn without(&mut self, form: Form, is_null: impl Fn(usize) -> bool) {
        let mut bits = vec![0_u8; self.len.div_ceil(8)];
        let slot_len = self.slot_len;
        let cleared = if form == Form::Hex { b'0' } else { 0 };
        for row in 0..self.len {
            if is_null(row) {
                self.null_count += 1;
                // The value under a null may be anything. Its digest must not be told.
                self.slots_mut()[row * slot_len..][..slot_len].fill(cleared);
            } else {
                bits[row / 8] |= 1 << (row % 8);
            }
        }
        self.validity = (self.null_count > 0).then_some(bits);
        if self.null_count > 0 {
            self.room().see(slot_len); // a view of a null must not tell four bytes of its digest
        }
    }

    /// All chunks as one, without views.
    pub fn joined<'a>(chunks: impl Iterator<Item = &'a Self> + Clone, slot_len: usize) -> Self {
        let mut all = Self::new(chunks.clone().map(|chunk| chunk.len).sum(), slot_len, false);
        let mut bits = vec![0_u8; all.len.div_ceil(8)];
        let mut begin = 0;
        for chunk in chunks {
            all.slots_mut()[begin * slot_len..][..chunk.slots().len()]
                .copy_from_slice(chunk.slots());
            all.null_count += chunk.null_count;
            for row in (0..chunk.len).filter(|row| chunk.is_valid(*row)) {
                bits[(begin + row) / 8] |= 1 << ((begin + row) % 8);
            }
            begin += chunk.len;
        }
        all.validity = (all.null_count > 0).then_some(bits);
        all
    }

    fn is_valid(&self, row: usize) -> bool {
        self.validity.as_ref().is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1)
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        pages::give_back(mem::take(&mut self.views));
        pages::give_back(mem::take(&mut self.words));
    }
}

impl<'a> Room<'a> {
    /// So many rows at a time.
    fn in_turn(self, count: usize, slot_len: usize) -> impl Iterator<Item = Self> {
        let views = if self.views.is_empty() { 0 } else { count };
        let mut rest = self.views;
        (self.first..).step_by(count).zip(self.slots.chunks_mut(count * slot_len)).map(
            move |(first, slots)| {
                let views = rest.split_off_mut(..views.min(rest.len())).unwrap_or_default();
                Room { first, slots, views }
            },
        )
    }

    /// Writes the views of the slots.
    fn see(self, slot_len: usize) {
        let views = self.views.iter_mut().zip(self.slots.chunks_exact(slot_len));
        if slot_len > SHORT {
            // Offsets fit: a chunk has at most 2 GiB.
            let offsets = (self.first * slot_len..).step_by(slot_len);
            views.zip(offsets).for_each(|((view, slot), offset)| {
                *view = View::of_long(slot, offset as u32);
            });
        } else {
            views.for_each(|(view, slot)| *view = View::of_short(slot));
        }
    }
}

impl Job {
    /// Bytes of a row of the result.
    pub fn slot_len(&self) -> usize {
        self.digest.output_len * if self.form == Form::Hex { 2 } else { 1 }
    }

    /// The digests of an array: one chunk, unless offsets of 32 bits are too few for it.
    ///
    /// # Errors
    /// If the values are no bytes, or the array contradicts itself.
    pub fn chunks(&self, schema: &ArrowSchema, array: &ArrowArray) -> Result<Vec<Chunk>, Problem> {
        if let (Some(field), Some(child)) = (schema.only_child(), array.only_child()) {
            return match Nulls::of("+s", array)? {
                Nulls::None => self.chunks(field, &child),
                _ => Err(Problem::Kind("+s, with nulls".to_owned())),
            };
        }
        let count = rows(array)?.len();
        let most = i32::MAX as usize / self.slot_len();
        let pieces = (0..count).step_by(most).map(|begin| begin..count.min(begin + most));
        let nulls = Nulls::of(schema.format(), array)?;
        match (schema.dictionary(), array.dictionary()) {
            (Some(kind), Some(values)) => {
                let indices = indices(schema.format(), array, rows(values)?.len())?;
                let known = Values::read(kind.format(), values)?;
                let known =
                    self.hashed(&known, 0..known.len(), Nulls::of(kind.format(), values)?)?;
                Ok(pieces.map(|numbers| self.looked_up(&known, &indices, numbers, nulls)).collect())
            }
            _ => {
                let values = Values::read(schema.format(), array)?;
                pieces.map(|numbers| self.hashed(&values, numbers, nulls)).collect()
            }
        }
    }

    fn chunk(&self, len: usize) -> Chunk {
        Chunk::new(len, self.slot_len(), self.by_views && self.form != Form::Integer)
    }

    fn hashed(
        &self,
        values: &Values<'_>,
        numbers: Range<usize>,
        nulls: Nulls<'_>,
    ) -> Result<Chunk, Problem> {
        let (begin, mut chunk) = (numbers.start, self.chunk(numbers.len()));
        self.fill(values, numbers, chunk.room())?;
        if !matches!(nulls, Nulls::None) {
            chunk.without(self.form, |row| nulls.is_null(begin + row));
        }
        Ok(chunk)
    }

    fn looked_up(
        &self,
        known: &Chunk,
        indices: &[usize],
        numbers: Range<usize>,
        nulls: Nulls<'_>,
    ) -> Chunk {
        let (begin, indices, slot_len) = (numbers.start, &indices[numbers], self.slot_len());
        let mut chunk = self.chunk(indices.len());
        if known.len > 0 {
            for (slot, index) in chunk.slots_mut().chunks_exact_mut(slot_len).zip(indices) {
                slot.copy_from_slice(&known.slots()[index * slot_len..][..slot_len]);
            }
        }
        chunk.room().see(slot_len);
        if known.null_count > 0 || !matches!(nulls, Nulls::None) {
            chunk.without(self.form, |row| {
                nulls.is_null(begin + row) || !known.is_valid(indices[row])
            });
        }
        chunk
    }

    /// The digests of the values of these numbers, by as many threads as there may be.
    fn fill(
        &self,
        values: &Values<'_>,
        numbers: Range<usize>,
        room: Room<'_>,
    ) -> Result<(), Problem> {
        // Whole batches for each thread, so that small columns stay on one.
        let share = numbers.len().div_ceil(self.threads).next_multiple_of(BATCH);
        let begin = numbers.start;
        if numbers.len() <= share {
            return self.fill_alone(values, begin, room);
        }
        thread::scope(|scope| {
            let shares = room.in_turn(share, self.slot_len());
            let threads: Vec<_> = shares
                .map(|room| scope.spawn(move || self.fill_alone(values, begin, room)))
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
        })
    }

    /// The same by this thread. `begin` is the number of the value of the chunk's first row.
    fn fill_alone(&self, values: &Values<'_>, begin: usize, room: Room<'_>) -> Result<(), Problem> {
        if room.slots.is_empty() {
            return Ok(()); // without values there are not even the first's offsets
        }
        let slot_len = self.slot_len();
        let numbers = |room: &Room<'_>| {
            let first = begin + room.first;
            first..first + room.slots.len() / slot_len
        };
        let is_integer = self.form == Form::Integer;
        if self.key.is_none()
            && self.form != Form::Hex
            && functions::fill(self.digest, is_integer, values, numbers(&room), room.slots)?
        {
            room.see(slot_len);
            return Ok(());
        }
        let is_hex = self.form == Form::Hex;
        let mut words =
            pages::take(if is_hex { BATCH * self.digest.output_len / size_of::<u64>() } else { 0 });
        let digests: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        for room in room.in_turn(BATCH, slot_len) {
            let numbers = numbers(&room);
            if is_hex {
                let digests = &mut digests[..numbers.len() * self.digest.output_len];
                values.with(numbers, |messages| self.digest_many(messages, digests))?;
                const_hex::encode_to_slice(digests, room.slots).expect("the room is twice as long");
            } else {
                values.with(numbers, |messages| self.digest_many(messages, room.slots))?;
                if is_integer && cfg!(target_endian = "little") {
                    reverse(room.slots, slot_len);
                }
            }
            room.see(slot_len);
        }
        pages::give_back(words);
        Ok(())
    }

    fn digest_many(&self, messages: Messages<'_>, out: &mut [u8]) {
        match &self.key {
            Some(key) => key.digest_batch(messages, out),
            None => self.digest.digest_batch(messages, out),
        }
    }
}

/// Turns each slot of 8 or 4 bytes around: lengths that the compiler knows, so that it takes
/// vectors.
fn reverse(slots: &mut [u8], slot_len: usize) {
    match slot_len {
        4 => slots.as_chunks_mut::<4>().0.iter_mut().for_each(|slot| slot.reverse()),
        _ => slots.as_chunks_mut::<8>().0.iter_mut().for_each(|slot| slot.reverse()),
    }
}

/// Values whose digests are made at a time: their digests are still in a core's own cache when they
/// become hexadecimal and get their views. The library fetches values ahead in a batch of more than
/// 512 KiB.
const BATCH: usize = 4096;
