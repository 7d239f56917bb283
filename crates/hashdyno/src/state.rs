use std::mem::MaybeUninit;

use bytemuck::{Pod, bytes_of, from_bytes, from_bytes_mut};

use crate::Bound;

/// The most that an algorithm may keep between blocks, in bytes (BLAKE3's stack of chaining values).
const CAPACITY: usize = 1920;

/// What an algorithm keeps between blocks: plain bytes with no heap behind them, so that a running
/// hash can be copied, moved and stored as it is.
///
/// Only what [`State::init`] wrote is ever read or copied: starting a 16-byte MD5 state costs 16 bytes.
#[repr(C, align(16))]
pub struct State {
    bytes: MaybeUninit<[u8; CAPACITY]>,
    len: usize,
}

impl State {
    /// An empty state, for [`crate::Digest::start`] to fill.
    #[inline]
    pub fn new() -> Self {
        // Written field by field: the value as a whole would be a constant, and all of it zeros to LLVM, which takes longer to
        // store than a checksum to compute.
        let mut state = MaybeUninit::<Self>::uninit();
        // SAFETY: the length is written, in place, and the bytes may be uninitialised.
        unsafe {
            (&raw mut (*state.as_mut_ptr()).len).write(0);
            state.assume_init()
        }
    }

    /// A state that holds these bytes, which some state held.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut state = Self::new();
        state.fill(bytes);
        state
    }

    /// Writes an empty state to `place`. [`State::new`] would have the compiler fill all of it with zeros on the way.
    ///
    /// # Safety
    /// There is room for a state at `place`, aligned.
    pub(crate) unsafe fn place(place: *mut Self) {
        // SAFETY: this function's own condition; `bytes` may hold anything.
        unsafe { (&raw mut (*place).len).write(0) };
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
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.bytes.as_mut_ptr().cast(), size_of::<T>()) };
        from_bytes_mut(bytes)
    }

    /// A copy of the state as what [`State::init`] stored.
    pub fn read<T: Pod>(&self) -> T {
        *from_bytes(&self.as_bytes()[..size_of::<T>()])
    }

    /// The bytes that are in use.
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes were initialised by `fill`, and they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.len) }
    }

    fn fill(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= CAPACITY);
        // SAFETY: the source is `bytes.len()` long, the destination at least that, and they do not overlap:
        // `self` is borrowed uniquely.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.bytes.as_mut_ptr().cast(), bytes.len()) };
        self.len = bytes.len();
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self::of(self.as_bytes())
    }
}

/// What is left of a message when it ends.
#[derive(Clone, Copy)]
pub struct Last<'a> {
    /// The bytes after the last absorbed block: fewer than a block, or up to a whole one if the digest holds its last block.
    pub bytes: &'a [u8],
    /// Length of the whole message in bytes.
    pub message_len: u64,
    /// The kernel in use, to absorb the padding with.
    pub kernel: &'a Bound,
}
