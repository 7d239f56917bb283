//! One word of each of several messages: what the round texts of many-message kernels are written
//! in.

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "x86_64")]
pub(crate) mod planes;
pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
mod tiny;
pub(crate) mod transpose;
mod vector;
#[cfg(target_feature = "simd128")]
pub(crate) mod wasm32;
pub(crate) mod wide;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::Pod;

use crate::Features;

/// A word: `u32` or `u64`.
pub(crate) trait Word: Lanes<Word = Self> {
    /// What is left of the number when it is cut to the word's size.
    fn cut(number: u64) -> Self;
}

/// One word of each of [`Lanes::COUNT`] messages.
///
/// The types of one instruction set are to be used below a function that is compiled for it, and
/// nowhere else.
pub(crate) trait Lanes:
    Pod + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// What a lane holds.
    type Word: Word;
    /// The CPU features that its operations need.
    const NEEDS: Features;
    /// How many lanes there are.
    const COUNT: usize;
    /// How many bytes of a block are read at a time: the block is a multiple of it, or the last of
    /// them overlap, or it is smaller.
    const PIECE: usize;
    /// Whether it is one register of AVX2: for what is written once more in assembly. A constant,
    /// so that the other way is not compiled.
    const AVX2: bool = false;

    /// The same word in every lane.
    fn splat(word: Self::Word) -> Self;
    /// The sum modulo the word's size.
    fn plus(self, other: Self) -> Self;
    /// Rotated left. All distances, here and below, are constants once inlined, and less than a
    /// word.
    fn left(self, distance: u32) -> Self;
    /// Shifted left.
    fn up(self, distance: u32) -> Self;
    /// Shifted right.
    fn down(self, distance: u32) -> Self;
    /// The bytes of each word the other way round.
    fn swap_bytes(self) -> Self;

    /// The same, for all the compiler knows other words: sums before this are not regrouped with
    /// those after it. Where a kernel waits for its newest word, that is to be added last. Costs no
    /// instruction.
    #[inline(always)]
    fn barrier(self) -> Self {
        self
    }

    /// The same, and computed where the text has it: two chains whose steps take turns in the text
    /// do so in the code. No more than [`Lanes::barrier`] where no kernel needs it.
    #[inline(always)]
    fn in_place(self) -> Self {
        self.barrier()
    }

    /// `yes` where the bits of `self` are 1, `no` where they are 0.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        no ^ (self & (yes ^ no))
    }

    /// What at least two of the three say. Where the next step asks for that of another word and
    /// the first two, their exclusive or serves both.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        b ^ ((self ^ b) & (b ^ c))
    }

    /// Neighbouring runs of so many bits, a power of two, in each other's place.
    #[inline(always)]
    fn swap_runs(self, bits: u32) -> Self {
        swap_by_masks(self, bits)
    }

    /// Rotated right.
    #[inline(always)]
    fn right(self, distance: u32) -> Self {
        self.left(8 * size_of::<Self::Word>() as u32 - distance)
    }

    /// The entry of a table that the lowest byte of each word names.
    #[inline(always)]
    fn look_up(mut self, table: &[Self::Word; 256]) -> Self {
        for word in Self::words(std::slice::from_mut(&mut self)) {
            *word = table[usize::from(bytemuck::bytes_of(word)[0])];
        }
        self
    }

    /// The words of a block of each message, as they are in memory; `row` gives the block of a
    /// lane.
    #[inline(always)]
    fn read<'a, const WORDS: usize>(row: impl Fn(usize) -> &'a [u8]) -> [Self; WORDS] {
        Self::read_pieces(&Rows(row))
    }

    /// The same of blocks that do not lie together.
    fn read_pieces<'a, const WORDS: usize>(pieces: &impl Pieces<'a>) -> [Self; WORDS];

    /// Whether [`Lanes::read_ends`] is there.
    const READS_ENDS: bool = false;

    /// The words of the last bytes of each message, no more than a block: the bytes, `mark` if
    /// there is room for it, and zeros. A block has [`Lanes::PIECE`] bytes at least.
    #[inline(always)]
    fn read_ends<'a, const WORDS: usize>(_ends: &impl Ends<'a>, _mark: u8) -> [Self; WORDS] {
        unreachable!("these lanes load no parts of a register")
    }

    /// Of the words of each lane, one after another, the 16 bytes that are number `run`, lane by
    /// lane. Behind the last words come any.
    fn run<const N: usize>(vectors: &[Self; N], run: usize, lanes: &mut [[u8; 16]]);

    /// Fills `blocks`, of 32 bytes at least, with the last `rest` bytes of `message`, of which
    /// there is room for, a mark (where there is room or it is not 0) and zeros; joins the last 32
    /// bytes with the trailer, little-endian words.
    #[inline(always)]
    fn pad(blocks: &mut [u8], message: &[u8], rest: usize, mark: u8, trailer: [u64; 4]) {
        pad(blocks, &message[message.len() - rest..], mark);
        join(blocks, trailer);
    }

    /// Loads one row of `width` bytes, fewer than eight, into each lane and puts `mark` behind it.
    /// The first vector has the first four or eight bytes, the first byte lowest. The second has
    /// the next four, where words have four. `None` where all lanes cannot be loaded at once, for
    /// example where too few bytes follow the rows in `data`.
    #[inline(always)]
    fn tiny_rows(_data: &[u8], _width: usize, _mark: u8) -> Option<[Self; 2]> {
        None
    }

    /// The words, lane by lane.
    #[inline(always)]
    fn words(vectors: &mut [Self]) -> &mut [Self::Word] {
        bytemuck::cast_slice_mut(vectors)
    }
}

/// Lanes that multiply and compare.
pub(crate) trait Arithmetic: Lanes {
    /// The product modulo the word's size.
    fn times(self, factor: Self) -> Self;
    /// All bits 1 where a word is greater than the other, both as signed numbers, else 0.
    fn above(self, other: Self) -> Self;
}

/// A block of each message. Not a closure that calls others: that is not inlined everywhere, and
/// then compiled for no instruction set.
pub(crate) trait Pieces<'a> {
    /// So many bytes of the block of a lane from a place on.
    fn piece(&self, lane: usize, from: usize, len: usize) -> &'a [u8];
}

impl<'a, F: Fn(usize, usize, usize) -> &'a [u8]> Pieces<'a> for F {
    #[inline(always)]
    fn piece(&self, lane: usize, from: usize, len: usize) -> &'a [u8] {
        self(lane, from, len)
    }
}

/// The last bytes of each message, for the reason that [`Pieces`] has.
pub(crate) trait Ends<'a> {
    /// Those of the message in a lane.
    fn end(&self, lane: usize) -> &'a [u8];
}

impl<'a, F: Fn(usize) -> &'a [u8]> Ends<'a> for F {
    #[inline(always)]
    fn end(&self, lane: usize) -> &'a [u8] {
        self(lane)
    }
}

/// Blocks that lie together, as a function of the lane.
struct Rows<F>(F);

impl<'a, F: Fn(usize) -> &'a [u8]> Pieces<'a> for Rows<F> {
    #[inline(always)]
    fn piece(&self, lane: usize, from: usize, len: usize) -> &'a [u8] {
        &self.0(lane)[from..][..len]
    }
}

/// [`Lanes::swap_runs`] where there is no shuffle for it.
#[inline(always)]
fn swap_by_masks<L: Lanes>(words: L, bits: u32) -> L {
    let low = L::splat(L::Word::cut(u64::MAX / ((1 << bits) + 1)));
    (words & low).up(bits) | (words.down(bits) & low)
}

/// [`Lanes::pad`] by whole words, without the trailer.
#[inline(always)]
fn pad(blocks: &mut [u8], rest: &[u8], mark: u8) {
    let (chunks, partial) = rest.as_chunks::<8>();
    let words = blocks.as_chunks_mut::<8>().0;
    words[..chunks.len()].copy_from_slice(chunks);
    if let [partly, zeros @ ..] = &mut words[chunks.len()..] {
        *partly = (crate::parts::words::few(partial) as u64
            | u64::from(mark) << (8 * partial.len()))
        .to_le_bytes();
        zeros.fill([0; 8]);
    }
}

/// Joins the last 32 bytes with a trailer.
#[inline(always)]
pub(crate) fn join(blocks: &mut [u8], trailer: [u64; 4]) {
    let words = blocks.as_chunks_mut::<8>().0;
    for (word, trailer) in
        words.last_chunk_mut::<4>().expect("a block has 32 bytes").iter_mut().zip(trailer)
    {
        *word = (u64::from_le_bytes(*word) | trailer).to_le_bytes();
    }
}
