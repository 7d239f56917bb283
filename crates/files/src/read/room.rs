//! Room for what is read.

/// Bytes that begin with a cache line. Beginning elsewhere, they take three times as long to be
/// copied out of the page cache (Zen 3, Linux 6: `rep movsb`).
#[derive(Default)]
pub struct Room {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

/// Bytes of a cache line; a multiple of it from the beginning of a [`Room`] is as good a place as
/// that.
pub const LINE: usize = 64;

impl Room {
    /// Makes it `len` bytes long; what it held may be lost.
    pub fn resize(&mut self, len: usize) {
        if self.bytes.len() < len + LINE {
            self.bytes = vec![0; len + LINE];
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
