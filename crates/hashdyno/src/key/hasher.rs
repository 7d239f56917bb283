//! A message under a key, piece by piece.

use std::fmt;
use std::io::{self, Write};

use zeroize::Zeroizing;

use super::{Inner, Key};
use crate::{Cpu, FittedHasher, Hasher, MAX_OUTPUT_LEN, Output, ReadyKernel};

/// A message under a [`Key`] being hashed, piece by piece. Its memory is wiped when it is dropped.
///
/// Unlike a [`Hasher`] it is not saved: that would write the key's own state.
pub struct KeyedHasher {
    key: Key,
    hasher: Hasher,
}

impl Key {
    /// An empty message, by the best kernel of this machine.
    pub fn hasher(&self) -> KeyedHasher {
        self.hasher_by(self.bind(Cpu::native()))
    }

    /// An empty message, by a kernel that [`Key::bind`] gave.
    pub fn hasher_by(&self, kernel: ReadyKernel) -> KeyedHasher {
        let Inner { by, inner, .. } = &*self.0;
        KeyedHasher { key: self.clone(), hasher: inner.hasher(by, kernel) }
    }

    /// Bytes of a hasher in a caller's own memory, as [`FittedHasher::size`] gives them; none of an
    /// HMAC, whose end needs the key.
    pub fn fitted_size(&self) -> Option<usize> {
        let Inner { by, inner, outer, .. } = &*self.0;
        outer.is_none().then(|| inner.fitted_size(by))
    }

    /// Writes an empty message to `place`, by the best kernel of this machine. The hasher outlives
    /// the key, holds what tells of it, and is ended by [`FittedHasher::finish_wiped`]: a reset
    /// would begin a message without the key.
    ///
    /// # Safety
    /// `place` is aligned to 16, and [`Key::fitted_size`] bytes there may be written while `'a`
    /// lasts.
    ///
    /// # Panics
    /// If this is an HMAC.
    pub unsafe fn place<'a>(&self, place: *mut u8) -> &'a mut FittedHasher {
        let Inner { by, inner, outer, .. } = &*self.0;
        assert!(outer.is_none(), "an HMAC needs its key at its end");
        // SAFETY: this function's own condition.
        unsafe { inner.place(place, by, by.bind(Cpu::native())) }
    }
}

impl KeyedHasher {
    /// The key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// The code of all bytes taken.
    pub fn finish(mut self) -> Output {
        Output::written(self.key.output_len(), |out| self.end(out))
    }

    /// The code of all bytes taken, into `out`.
    ///
    /// # Panics
    /// As [`Key::digest_into`] does.
    pub fn finish_into(mut self, out: &mut [u8]) {
        self.end(out);
    }

    /// The code of all bytes taken, into `out`; the hasher then begins an empty message.
    ///
    /// # Panics
    /// As [`Key::digest_into`] does.
    pub fn finish_reset(&mut self, out: &mut [u8]) {
        self.end(out);
        self.reset();
    }

    /// Begins an empty message.
    pub fn reset(&mut self) {
        self.hasher.wipe();
        let Inner { by, inner, .. } = &*self.key.0;
        self.hasher = inner.hasher(by, self.hasher.kernel());
    }

    fn end(&mut self, out: &mut [u8]) {
        self.key.check(out);
        let Inner { by, outer, .. } = &*self.key.0;
        match outer {
            None => self.hasher.end(out),
            Some(outer) => {
                let mut first = Zeroizing::new([0; MAX_OUTPUT_LEN]);
                let first = &mut first[..by.output_len];
                self.hasher.end(first);
                outer.digest_into(by, &self.hasher.kernel(), first, out);
            }
        }
    }
}

impl Clone for KeyedHasher {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), hasher: self.hasher.clone() }
    }
}

impl Drop for KeyedHasher {
    fn drop(&mut self) {
        self.hasher.wipe();
    }
}

/// Takes all that is written; it never fails.
impl Write for KeyedHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for KeyedHasher {
    /// Without the state, which may tell of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedHasher").field("key", &self.key).finish_non_exhaustive()
    }
}
