//! A file that is open, and what was seen of it before it is read.
//!
//! ```text
//! fstat -> read and hash -> fstat: another size or time, and the digests are of no state it had
//! ```
//!
//! Both looks are at the open file. Under its name there may be another one by now.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use hashdyno::Output;
use jiff::Timestamp;
use rustix::fs::{Dev, FileType, Stat, fstat};

/// The digests of a file, and what was seen of it.
#[derive(Clone, Debug)]
pub struct Digested {
    /// In the order of the request.
    pub values: Vec<Output>,
    /// Bytes read.
    pub size: u64,
    /// When its content last changed.
    pub modified: Option<Timestamp>,
    /// Whether its size or its times changed while it was read: then the digests are of no state it
    /// ever was in.
    pub changed: bool,
}

/// A file that is to be hashed.
pub struct Opened {
    /// The file.
    pub file: File,
    before: Stat,
}

impl Opened {
    /// Looks at a file before it is read.
    pub fn new(file: File) -> io::Result<Self> {
        let before = fstat(&file)?;
        Ok(Self { file, before })
    }

    /// The length of a file that says so itself: those of `/proc` are 0 bytes long until they are
    /// read.
    pub fn known_len(&self) -> Option<u64> {
        self.before.st_size.try_into().ok().filter(|len| self.is_regular() && *len > 0)
    }

    fn is_regular(&self) -> bool {
        FileType::from_raw_mode(self.before.st_mode) == FileType::RegularFile
    }

    /// The device that it is on.
    pub fn device(&self) -> Dev {
        self.before.st_dev
    }

    /// The digests of the file, of which `size` bytes were read, and whether it changed meanwhile.
    pub fn digested(&self, values: Vec<Output>, size: u64) -> io::Result<Digested> {
        let after = fstat(&self.file)?;
        // A pipe's times change with each writing.
        let changed = self.is_regular() && changed(&self.before, &after);
        let modified = modified(&after);
        Ok(Digested { values, size, modified, changed })
    }

    /// The same of one that was read from `start` on at any place: whoever shares the file with us,
    /// as standard input, finds it read.
    pub fn digested_from(
        &self,
        start: u64,
        values: Vec<Output>,
        size: u64,
    ) -> io::Result<Digested> {
        (&self.file).seek(SeekFrom::Start(start + size))?;
        self.digested(values, size)
    }
}

fn modified(stat: &Stat) -> Option<Timestamp> {
    Timestamp::new(stat.st_mtime, i32::try_from(stat.st_mtime_nsec).ok()?).ok()
}

fn changed(before: &Stat, after: &Stat) -> bool {
    let times = |stat: &Stat| (stat.st_size, stat.st_mtime, stat.st_mtime_nsec);
    times(before) != times(after)
}
