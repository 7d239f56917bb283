//! Room for what is read. It is taken once and filled again and again: the system must clear fresh
//! pages, which takes as long as to read into them.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Bytes that begin with a cache line. Beginning elsewhere, they take three times as long to be
/// copied out of the page cache (Zen 3, Linux 6: `rep movsb`).
#[derive(Default)]
pub struct Room {
    bytes: Bytes,
    /// Where the first cache line begins.
    start: usize,
    /// Bytes in use, from `start` on.
    len: usize,
}

/// Bytes of a cache line; a multiple of it from the beginning of a [`Room`] is as good a place as
/// that.
pub const LINE: usize = 64;

/// The distance in bytes between rows of `len` bytes. It is a line more than a multiple of a page:
/// at a multiple, all lanes would read from the same few places of a cache.
pub fn apart(len: usize) -> usize {
    len.next_multiple_of(4096) + LINE
}

/// From this length on, in bytes, large pages are asked for.
const LARGE: usize = 8 << 20;

impl Room {
    /// Makes it `len` bytes long; what it held may be lost.
    pub fn resize(&mut self, len: usize) {
        if self.bytes.len() < len + LINE {
            self.bytes = Bytes::new(len + LINE);
            self.start = self.bytes.as_ptr().align_offset(LINE);
        }
        self.len = len;
    }

    /// Makes it not longer than `len` bytes; it keeps those.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..][..self.len]
    }

    /// Its bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.len]
    }
}

/// Zeros that are there when they are first touched.
enum Bytes {
    Heap(Vec<u8>),
    /// In large pages, where the system has some.
    Mapped(MmapMut),
}

impl Bytes {
    fn new(len: usize) -> Self {
        match (len >= LARGE).then(|| MmapMut::map_anon(len)) {
            Some(Ok(mapped)) => {
                // Without large pages it takes longer, and is as good.
                #[cfg(target_os = "linux")]
                let _ = mapped.advise(memmap2::Advice::HugePage);
                Self::Mapped(mapped)
            }
            _ => Self::Heap(vec![0; len]),
        }
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self::Heap(Vec::new())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}
