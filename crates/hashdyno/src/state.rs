//! The state of an algorithm between blocks: plain bytes without a heap.
//!
//! ```text
//! State:  len | room: quads of 16 bytes, aligned; the first `len` bytes are initialised
//! ```
//!
//! Only `State::init` and `State::fill` initialise bytes, and no others are read or copied. So a
//! state of 16 bytes costs 16 bytes, though there is room for the largest. A `State` is seen
//! through a reference: the memory may be a local (`AnyState`) or part of a hasher
//! (`State::within`).

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr;

use bytemuck::{Pod, bytes_of, from_bytes, from_bytes_mut};
use zeroize::Zeroize;

use crate::ReadyKernel;

/// The most that an algorithm may keep between blocks, in bytes (BLAKE3's stack of chaining
/// values).
pub(crate) const CAPACITY: usize = 1920;

/// Sixteen bytes that need hold nothing, aligned: what memory for states is made of.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Quad(MaybeUninit<[u8; Quad::SIZE]>);

impl Quad {
    pub(crate) const SIZE: usize = 16;
}

/// What an algorithm keeps between blocks: plain bytes with no heap behind them, so that a running
/// hash can be copied, moved and stored as it is.
///
/// `State` is one with room for a given algorithm, seen through a reference; [`State::new`] makes
/// one with room for any. Only what [`State::init`] wrote is ever read or copied: starting a
/// 16-byte MD5 state costs 16 bytes.
#[repr(C, align(16))]
pub struct State<Room: ?Sized = [Quad]> {
    len: usize,
    room: Room,
}

/// Overwrites memory for states.
pub(crate) fn wipe(quads: &mut [Quad]) {
    // SAFETY: a quad is as long as a number of 128 bits and aligned like one, and may hold
    // anything.
    let words: &mut [MaybeUninit<u128>] =
        unsafe { std::slice::from_raw_parts_mut(quads.as_mut_ptr().cast(), quads.len()) };
    words.zeroize();
}

/// A state with room for any algorithm.
pub(crate) type AnyState = State<[Quad; CAPACITY / Quad::SIZE]>;

impl AnyState {
    /// An empty state, for [`crate::Digest::start`] to fill.
    #[inline]
    pub fn new() -> Self {
        // Written field by field: the value as a whole would be a constant, and all of it zeros to
        // LLVM, which takes longer to store than a checksum to compute.
        let mut state = MaybeUninit::<Self>::uninit();
        // SAFETY: the length is written, in place, and the room may be uninitialised.
        unsafe {
            (&raw mut (*state.as_mut_ptr()).len).write(0);
            state.assume_init()
        }
    }
}

impl State {
    /// What lies before the room, in quads.
    pub(crate) const HEAD: usize = size_of::<State<[Quad; 0]>>() / Quad::SIZE;

    /// Where the state is that fills `memory`: a head, and room for as much as follows it.
    #[inline]
    pub(crate) fn within(memory: *mut [Quad]) -> *mut Self {
        ptr::slice_from_raw_parts_mut(memory.cast::<Quad>(), memory.len() - Self::HEAD) as *mut Self
    }

    /// Overwrites what is in use, so that nobody finds a key there.
    pub(crate) fn wipe(&mut self) {
        let used = self.len.div_ceil(Quad::SIZE);
        self.len = 0;
        wipe(&mut self.room[..used]);
    }

    /// Makes it empty, for [`crate::Digest::start`] to fill.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Stores the initial value.
    pub fn init<T: Pod>(&mut self, value: T) {
        self.fill(bytes_of(&value));
    }

    /// The state as what [`State::init`] stored, or as another type no larger than that.
    #[inline]
    pub fn view<T: Pod>(&mut self) -> &mut T {
        assert!(size_of::<T>() <= self.len, "the state is smaller than the kernel thinks");
        // SAFETY: `len` bytes were initialised by `fill`, and they live as long as `self`.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(self.room.as_mut_ptr().cast(), size_of::<T>())
        };
        from_bytes_mut(bytes)
    }

    /// A copy of the state as what [`State::init`] stored.
    pub fn read<T: Pod>(&self) -> T {
        *from_bytes(&self.as_bytes()[..size_of::<T>()])
    }

    /// The bytes that are in use.
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes were initialised by `fill`, and they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.room.as_ptr().cast(), self.len) }
    }

    /// Holds these bytes from now on.
    #[inline]
    pub(crate) fn fill(&mut self, bytes: &[u8]) {
        assert!(
            bytes.len() <= size_of_val(&self.room),
            "the state has no room for what the algorithm keeps"
        );
        // SAFETY: the source is `bytes.len()` long, the destination at least that, and they do not
        // overlap: `self` is borrowed uniquely.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.room.as_mut_ptr().cast(), bytes.len())
        };
        self.len = bytes.len();
    }
}

impl Deref for AnyState {
    type Target = State;

    #[inline]
    fn deref(&self) -> &State {
        self
    }
}

impl DerefMut for AnyState {
    #[inline]
    fn deref_mut(&mut self) -> &mut State {
        self
    }
}

impl Default for AnyState {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        let mut state = Self::new();
        state.fill(self.as_bytes());
        state
    }
}

/// What is left of a message when it ends.
#[derive(Clone, Copy)]
pub struct Tail<'a> {
    /// The bytes after the last absorbed block: fewer than a block, or up to a whole one if the
    /// digest holds its last block.
    pub bytes: &'a [u8],
    /// Length of the whole message in bytes.
    pub message_len: u64,
    /// The kernel in use, to absorb the padding with.
    pub kernel: &'a ReadyKernel,
}
