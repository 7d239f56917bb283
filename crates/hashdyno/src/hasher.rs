use std::mem::MaybeUninit;

use arrayvec::ArrayVec;

use crate::{Bound, Cpu, Digest, Last, MAX_BLOCK_LEN, MAX_OUTPUT_LEN, Output, State};

mod saved;

pub use saved::SavedError;

/// A message being hashed, piece by piece. A plain value of fixed size: copy it, move it, keep it.
#[derive(Clone)]
pub struct Hasher {
    digest: &'static Digest,
    kernel: Bound,
    message_len: u64,
    buffer: ArrayVec<u8, MAX_BLOCK_LEN>,
    state: State,
}

impl Hasher {
    /// An empty message, by the best kernel of this machine.
    pub fn new(digest: &'static Digest) -> Self {
        Self::with_kernel(digest, digest.bind(Cpu::native()))
    }

    /// An empty message, by a given kernel of that digest.
    pub fn with_kernel(digest: &'static Digest, kernel: Bound) -> Self {
        let mut place = MaybeUninit::uninit();
        Self::place(&mut place, digest, kernel);
        // SAFETY: `place` has just filled it.
        unsafe { place.assume_init() }
    }

    /// As [`Hasher::with_kernel`], written where it shall stay: to move a hasher costs more than to hash a few bytes.
    pub fn place<'a>(place: &'a mut MaybeUninit<Self>, digest: &'static Digest, kernel: Bound) -> &'a mut Self {
        let hasher = place.as_mut_ptr();
        // SAFETY: each field is written once, through a pointer to memory that is borrowed uniquely; then all are initialised.
        let hasher = unsafe {
            (&raw mut (*hasher).digest).write(digest);
            (&raw mut (*hasher).kernel).write(kernel);
            (&raw mut (*hasher).message_len).write(0);
            (&raw mut (*hasher).buffer).write(ArrayVec::new());
            State::place(&raw mut (*hasher).state);
            &mut *hasher
        };
        (digest.start)(&mut hasher.state);
        hasher
    }

    /// The algorithm.
    pub fn digest(&self) -> &'static Digest {
        self.digest
    }

    /// The kernel in use.
    pub fn kernel(&self) -> Bound {
        self.kernel
    }

    /// Bytes taken so far.
    pub fn message_len(&self) -> u64 {
        self.message_len
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, mut bytes: &[u8]) {
        self.message_len += bytes.len() as u64;
        if !self.buffer.is_empty() {
            let room = self.digest.block_len - self.buffer.len();
            let (head, rest) = bytes.split_at(room.min(bytes.len()));
            self.push(head);
            bytes = rest;
            let held = self.digest.holds_last_block && bytes.is_empty();
            if self.buffer.len() < self.digest.block_len || held {
                return;
            }
            self.kernel.absorb(&mut self.state, &self.buffer);
            self.buffer.clear();
        }
        let (blocks, rest) = bytes.split_at(bytes.len() - self.digest.tail_len(bytes.len()));
        if !blocks.is_empty() {
            self.kernel.absorb(&mut self.state, blocks);
        }
        self.push(rest);
    }

    /// The digest of all bytes taken.
    pub fn finish(self) -> Output {
        let mut out = [0; MAX_OUTPUT_LEN];
        let out = &mut out[..self.digest.output_len];
        self.finish_into(out);
        (&*out).try_into().expect("no fixed output is longer than MAX_OUTPUT_LEN")
    }

    /// The digest of all bytes taken, into `out`.
    ///
    /// # Panics
    /// If the length of `out` is not the digest's `output_len` and the digest is not extendable.
    pub fn finish_into(mut self, out: &mut [u8]) {
        self.end(out);
    }

    /// The digest of all bytes taken, into `out`; the hasher then begins an empty message.
    ///
    /// # Panics
    /// As [`Hasher::finish_into`] does.
    pub fn finish_reset(&mut self, out: &mut [u8]) {
        self.end(out);
        self.reset();
    }

    /// Begins an empty message.
    pub fn reset(&mut self) {
        self.message_len = 0;
        self.buffer.clear();
        self.state.clear();
        (self.digest.start)(&mut self.state);
    }

    fn end(&mut self, out: &mut [u8]) {
        if out.len() != self.digest.output_len && !self.digest.extendable {
            self.digest.refuse(out.len());
        }
        let last = Last { bytes: &self.buffer, message_len: self.message_len, kernel: &self.kernel };
        (self.digest.finish)(&mut self.state, last, out);
    }

    fn push(&mut self, bytes: &[u8]) {
        self.buffer.try_extend_from_slice(bytes).expect("no block is longer than MAX_BLOCK_LEN");
    }
}
