//! A large file in pieces, read by several threads.
//!
//! A regular file is read at any place by `pread`, so threads need no lock. A pipe is read in
//! order, by one thread at a time, after the bytes that were read to see that it is long. A length
//! is a hint: the file ends where a read comes back short.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Mutex;

use crate::read::meter::Meter;
use crate::read::system;

/// How much is read, and hashed by one thread, at a time: about half of a core's own cache.
pub const PIECE: usize = 256 << 10;

/// How much of several files or parts of files is hashed side by side by one thread at a time.
pub const ABREAST: usize = 512 << 10;

/// A file as it is read: at any place, or, a pipe, from where it is. A meter counts what is read.
pub struct Source<'a> {
    file: &'a File,
    /// What was read of a pipe already.
    head: Mutex<&'a [u8]>,
    /// Where the file begins and how long it is, if it can be read at any place.
    range: Option<(u64, u64)>,
    meter: &'a Meter,
}

impl<'a> Source<'a> {
    /// `len` bytes, or what there is by then, from `offset` on.
    pub fn of_file(file: &'a File, offset: u64, len: u64, meter: &'a Meter) -> Self {
        Self { file, head: Mutex::default(), range: Some((offset, len)), meter }
    }

    /// What was read already, then all that comes.
    pub fn of_stream(head: &'a [u8], file: &'a File, meter: &'a Meter) -> Self {
        Self { file, head: Mutex::new(head), range: None, meter }
    }

    /// Its length in bytes, if it can be read at any place.
    pub fn len(&self) -> Option<u64> {
        self.range.map(|(_, len)| len)
    }

    /// Tells the system that `len` bytes from byte `begin` on will be read, in any order.
    pub fn will_need(&self, begin: u64, len: u64) {
        let offset = self.range.map_or(0, |(offset, _)| offset);
        system::will_need(self.file, offset + begin, len);
    }

    /// Reads from that byte on, which a pipe cannot; a short read is the last.
    pub fn read_at(&self, begin: u64, room: &mut [u8]) -> io::Result<usize> {
        let offset = self.range.map_or(0, |(offset, _)| offset);
        let read =
            read_full(room, |filled, rest| self.file.read_at(rest, offset + begin + filled as u64));
        read.inspect(|len| self.meter.add(*len as u64))
    }

    /// Reads piece `number`; a short one is the last. The pieces of a stream must be read one after
    /// another.
    pub fn read(&self, number: u64, piece: &mut [u8]) -> io::Result<usize> {
        if self.range.is_some() {
            return self.read_at(number * PIECE as u64, piece);
        }
        let mut head = self.head.lock().expect("no read panics");
        let read = read_full(piece, |_, rest| {
            if head.is_empty() { (&mut &*self.file).read(rest) } else { head.read(rest) }
        });
        read.inspect(|len| self.meter.add(*len as u64))
    }
}

/// Fills `room` by `read`, which is told how much is filled and given the rest, until nothing
/// comes; gives how much came.
pub fn read_full(
    room: &mut [u8],
    mut read: impl FnMut(usize, &mut [u8]) -> io::Result<usize>,
) -> io::Result<usize> {
    let mut filled = 0;
    while filled < room.len() {
        match read(filled, &mut room[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
