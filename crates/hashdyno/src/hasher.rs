//! Messages that come in pieces: buffering, once for all digests.
//!
//! ```text
//! Hasher:   digest, kernel, message_len, room, buffered | State: length, room | buffer of a block
//! update:   fills the buffer, absorbs it, absorbs whole blocks where they lie, keeps the rest
//! end:      the state, the buffered bytes and the length go to `Digest::finish`
//! ```
//!
//! `Hasher` has room for any digest, `FittedHasher` for its own. Both have one layout, so all
//! methods are `FittedHasher`'s. `hasher/many.rs` takes pieces of many messages at a time, and
//! `hasher/saved.rs` makes bytes of a hasher.

use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::{fmt, ptr, slice};

use crate::state::{AnyState, CAPACITY, Quad, wipe};
use crate::{Begun, Cpu, Digest, MAX_BLOCK_LEN, Output, ReadyKernel, State, Tail};

mod many;
mod saved;

pub use many::{update_many, update_many_by};
pub use saved::SavedError;

/// A message being hashed, piece by piece. A plain value of fixed size: copy it, move it, keep it.
///
/// `Hasher` has room for any digest. [`FittedHasher`] has room for its own only, and is what most
/// methods are written for.
///
/// ```
/// # #[cfg(feature = "sha2")] {
/// use hashdyno::{Hasher, SHA256};
///
/// let mut hasher = Hasher::new(SHA256);
/// hasher.update(b"a ");
/// let saved = hasher.save(); // to be stored, and gone on with in another process
/// let mut hasher = Hasher::restore(&saved)?;
/// hasher.update(b"message");
/// assert_eq!(hasher.finish(), SHA256.digest(b"a message"));
/// # }
/// # Ok::<(), hashdyno::SavedError>(())
/// ```
#[repr(C, align(16))]
pub struct Hasher<Memory: ?Sized = [Quad; MAX_QUADS]> {
    digest: &'static Digest,
    kernel: ReadyKernel,
    message_len: u64,
    /// Quads that the state has room for.
    room: u32,
    /// Bytes that are not absorbed yet.
    buffered: u32,
    /// The state, its room, and a buffer for a block.
    memory: Memory,
}

/// A hasher in memory that is just long enough for its digest: 176 bytes for MD5, where a
/// [`Hasher`] has 3 KiB.
pub type FittedHasher = Hasher<[Quad]>;

const MAX_QUADS: usize = State::HEAD + (CAPACITY + MAX_BLOCK_LEN) / Quad::SIZE;

impl Hasher {
    /// An empty message, by the best kernel of this machine.
    pub fn new(digest: &'static Digest) -> Self {
        Self::with_kernel(digest, digest.bind(Cpu::native()))
    }

    /// An empty message, by a given kernel of that digest. With a kernel of another digest the
    /// hasher may panic or give something else.
    pub fn with_kernel(digest: &'static Digest, kernel: ReadyKernel) -> Self {
        // SAFETY: there is room for any digest, and `place` leaves a hasher.
        unsafe { Self::written(|place| _ = FittedHasher::place(place, digest, kernel)) }
    }

    /// A message that goes on from there.
    pub(crate) fn begun(begun: &Begun, digest: &'static Digest, kernel: ReadyKernel) -> Self {
        let mut hasher = Self::with_kernel(digest, kernel);
        hasher.message_len = begun.taken;
        hasher.parts().0.fill(begun.state());
        hasher
    }

    /// The digest of all bytes taken.
    pub fn finish(self) -> Output {
        Output::written(self.digest.output_len, |out| self.finish_into(out))
    }

    /// The digest of all bytes taken, into `out`.
    ///
    /// # Panics
    /// If the length of `out` is not the digest's `output_len` and the digest is not extendable.
    pub fn finish_into(mut self, out: &mut [u8]) {
        self.end(out);
    }

    /// What `write` puts where it is told to: to move a hasher costs more than to hash a few bytes.
    ///
    /// # Safety
    /// `write` leaves a hasher there.
    unsafe fn written(write: impl FnOnce(*mut u8)) -> Self {
        let mut place = MaybeUninit::<Self>::uninit();
        write(place.as_mut_ptr().cast());
        // SAFETY: this function's own condition; the memory behind the hasher's own may be
        // uninitialised.
        unsafe { place.assume_init() }
    }
}

impl FittedHasher {
    /// Bytes of a hasher of that digest; a multiple of its alignment, 16.
    pub fn size(digest: &Digest) -> usize {
        Self::size_from(digest, started(digest).as_bytes())
    }

    /// The same of one that begins in that state.
    pub(crate) fn size_from(digest: &Digest, start: &[u8]) -> usize {
        Self::HEAD + Self::quads(digest, room(start)) * Quad::SIZE
    }

    /// Writes an empty message to `place`, by a given kernel of that digest.
    ///
    /// # Safety
    /// `place` is aligned to 16, and [`FittedHasher::size`] bytes there may be written while `'a`
    /// lasts.
    pub unsafe fn place<'a>(
        place: *mut u8,
        digest: &'static Digest,
        kernel: ReadyKernel,
    ) -> &'a mut Self {
        // SAFETY: this function's own condition.
        unsafe { Self::place_from(place, digest, kernel, started(digest).as_bytes(), 0) }
    }

    /// The same of a message of which so many bytes have made the state.
    ///
    /// # Safety
    /// As [`FittedHasher::place`], with [`FittedHasher::size_from`] bytes.
    pub(crate) unsafe fn place_from<'a>(
        place: *mut u8,
        digest: &'static Digest,
        kernel: ReadyKernel,
        start: &[u8],
        message_len: u64,
    ) -> &'a mut Self {
        let head = Hasher {
            digest,
            kernel,
            message_len,
            room: room(start) as u32,
            buffered: 0,
            memory: [],
        };
        // SAFETY: this function's own condition: the place is aligned and long enough; the state's
        // length is written before it is looked at.
        unsafe {
            place.cast::<Hasher<[Quad; 0]>>().write(head);
            place.add(Self::HEAD).cast::<usize>().write(0);
            let hasher = Self::at(place);
            hasher.parts().0.fill(start);
            hasher
        }
    }

    /// The hasher at `place`.
    ///
    /// # Safety
    /// [`FittedHasher::place`] or [`FittedHasher::copy_to`] has written one there, or to where its
    /// bytes were copied from, and nothing else reads or writes it while `'a` lasts.
    pub unsafe fn at<'a>(place: *mut u8) -> &'a mut Self {
        // SAFETY: this function's own condition; the head is as in any hasher.
        let head = unsafe { &*place.cast::<Hasher<[Quad; 0]>>() };
        let quads = Self::quads(head.digest, head.room as usize);
        // SAFETY: as above, and there are so many quads.
        unsafe { &mut *(ptr::slice_from_raw_parts_mut(place.cast::<Quad>(), quads) as *mut Self) }
    }

    /// Writes a copy to `place`.
    ///
    /// # Safety
    /// As [`FittedHasher::place`], of the same digest.
    pub unsafe fn copy_to(&self, place: *mut u8) {
        let used = State::HEAD + self.room as usize + (self.buffered as usize).div_ceil(Quad::SIZE);
        // SAFETY: this function's own condition; so many bytes are the hasher's own.
        unsafe {
            ptr::copy_nonoverlapping(
                (&raw const *self).cast(),
                place,
                Self::HEAD + used * Quad::SIZE,
            )
        };
    }

    /// The algorithm.
    pub fn digest(&self) -> &'static Digest {
        self.digest
    }

    /// The kernel in use.
    pub fn kernel(&self) -> ReadyKernel {
        self.kernel
    }

    /// Bytes taken so far.
    pub fn message_len(&self) -> u64 {
        self.message_len
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        let kernel = self.kernel;
        let (blocks, rest) = self.begin_update(bytes);
        if !blocks.is_empty() {
            kernel.absorb(self.parts().0, blocks);
        }
        self.push(rest);
    }

    /// The digest of all bytes taken, into `out`; the hasher then begins an empty message.
    ///
    /// # Panics
    /// As [`Hasher::finish_into`] does.
    pub fn finish_reset(&mut self, out: &mut [u8]) {
        self.end(out);
        self.reset();
    }

    /// The digest of all bytes taken, into `out`. Then the hasher is overwritten, and of no use any
    /// more.
    ///
    /// # Panics
    /// As [`Hasher::finish_into`] does.
    pub fn finish_wiped(&mut self, out: &mut [u8]) {
        self.end(out);
        self.wipe();
    }

    /// Begins an empty message.
    pub fn reset(&mut self) {
        self.message_len = 0;
        self.buffered = 0;
        let start = self.digest.start;
        let (state, _) = self.parts();
        state.clear();
        start(state);
    }

    /// Overwrites the state and the bytes that are not absorbed.
    pub(crate) fn wipe(&mut self) {
        wipe(&mut self.memory[State::HEAD..]);
        self.buffered = 0;
        self.parts().0.clear();
    }

    pub(crate) fn end(&mut self, out: &mut [u8]) {
        if out.len() != self.digest.output_len && !self.digest.extendable {
            self.digest.refuse(out.len());
        }
        let (finish, message_len, kernel) = (self.digest.finish, self.message_len, self.kernel);
        let (state, bytes) = self.parts();
        finish(state, Tail { bytes, message_len, kernel: &kernel }, out);
    }

    /// The state, and the bytes that are not absorbed yet.
    fn parts(&mut self) -> (&mut State, &[u8]) {
        let (state, buffer) = self.memory.split_at_mut(State::HEAD + self.room as usize);
        // SAFETY: `place` wrote a state there, as long as that, and `push` so many bytes behind it.
        unsafe {
            (
                &mut *State::within(state),
                slice::from_raw_parts(buffer.as_ptr().cast(), self.buffered as usize),
            )
        }
    }

    /// As [`FittedHasher::parts`], only to be read.
    fn parts_read(&self) -> (&State, &[u8]) {
        let (state, buffer) = self.memory.split_at(State::HEAD + self.room as usize);
        // SAFETY: as there.
        unsafe {
            (
                &*State::within(ptr::from_ref(state).cast_mut()),
                slice::from_raw_parts(buffer.as_ptr().cast(), self.buffered as usize),
            )
        }
    }

    /// Keeps bytes that do not fill a block.
    fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let (buffer, at) =
            (&mut self.memory[State::HEAD + self.room as usize..], self.buffered as usize);
        assert!(bytes.len() <= size_of_val(buffer) - at, "no rest is longer than a block");
        // SAFETY: the buffer has room for them behind those that it holds, and is borrowed
        // uniquely.
        unsafe {
            ptr::copy_nonoverlapping(
                bytes.as_ptr(),
                buffer.as_mut_ptr().cast::<u8>().add(at),
                bytes.len(),
            )
        };
        self.buffered += bytes.len() as u32;
    }

    /// The bytes before the memory.
    const HEAD: usize = size_of::<Hasher<[Quad; 0]>>();

    fn quads(digest: &Digest, room: usize) -> usize {
        State::HEAD + room + digest.block_len.div_ceil(Quad::SIZE)
    }
}

/// The state of an empty message.
fn started(digest: &Digest) -> AnyState {
    let mut state = State::new();
    (digest.start)(&mut state);
    state
}

/// Quads that a state needs which starts so: one that starts with nothing (BLAKE3) will grow.
fn room(start: &[u8]) -> usize {
    if start.is_empty() { CAPACITY / Quad::SIZE } else { start.len().div_ceil(Quad::SIZE) }
}

impl Clone for Hasher {
    fn clone(&self) -> Self {
        // SAFETY: there is room for any digest, and `copy_to` leaves a hasher.
        unsafe { Self::written(|place| self.copy_to(place)) }
    }
}

impl Deref for Hasher {
    type Target = FittedHasher;

    fn deref(&self) -> &FittedHasher {
        self
    }
}

impl DerefMut for Hasher {
    fn deref_mut(&mut self) -> &mut FittedHasher {
        self
    }
}

/// Takes all that is written; it never fails.
impl Write for FittedHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Takes all that is written; it never fails.
impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (**self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for FittedHasher {
    /// Without the state, which may tell of the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("digest", &self.digest.name)
            .field("kernel", &self.kernel.name())
            .field("message_len", &self.message_len)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
