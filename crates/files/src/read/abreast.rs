//! Large files that are hashed side by side, one in each lane of a vector. A step of each file is
//! read and hashed while it is in the core's own cache. A file that ends makes room for the next.
//!
//! ```text
//! take()   a file joins; while all places are taken, step() makes room
//! step()   512 KiB are divided among the files: each is read, then each digest takes all rows
//! end()    a short read: the file's hashers are finished, and the last file takes its place
//! ```
//!
//! `files` and each of `columns` are in one order, so both give up a place in the same way. Only
//! digests with lanes for messages that go on gain by this (docs/DECISIONS.md).

use std::cell::Cell;
use std::io;
use std::mem::take;
use std::sync::Arc;

use hashdyno::{Cpu, FittedHasher, Hasher, update_many};
use rustix::fs::Dev;

use crate::read::device::rotates;
use crate::read::meter::Meter;
use crate::read::method::Method;
use crate::read::opened::{Digested, Opened};
use crate::read::room::{Room, apart};
use crate::read::source::{ABREAST, PIECE, Source};

/// The most files that are hashed side by side: more lanes gain little.
const LANES: usize = 32;

/// Open files of all threads: half of the fewest that systems allow a process.
const OPEN: usize = 128;

/// Longer files are hashed alone, by several threads: the last one of many would keep all lanes.
const LONGEST: u64 = 128 << 20;

/// How many files each of `threads` threads hashes side by side; 1 if no digest gains by it.
pub fn width(digests: &[Method], threads: usize) -> usize {
    widest(digests, LANES.min(OPEN / threads.max(1)))
}

/// Whether one thread hashes that number of files faster side by side than one after another.
pub fn gains(digests: &[Method], files: usize) -> bool {
    widest(digests, files) > 1
}

/// The number of lanes of the widest kernel that takes `files` files. Without such a kernel it is
/// 1.
fn widest(digests: &[Method], files: usize) -> usize {
    // Under a key or in parts, a digest has no such lanes, and all digests of a file go one way.
    if digests.iter().any(|method| method.digest().is_none()) {
        return 1;
    }
    let digests = digests.iter().filter_map(Method::digest);
    let lanes = digests.filter_map(|digest| digest.bind_update(Cpu::native(), files));
    lanes.map(|lanes| lanes.lanes()).max().unwrap_or(1)
}

/// Whether files of that length may be hashed beside others.
pub fn is_fitting(len: u64) -> bool {
    (PIECE as u64 + 1..=LONGEST).contains(&len)
}

/// Large files, the number of each request, and what they have come to.
pub struct Abreast {
    digests: Arc<[Method]>,
    width: usize,
    /// The device that was asked about last, and whether it rotates.
    device: Cell<Option<(Dev, bool)>>,
    files: Vec<Open>,
    /// A hasher for each file, of each digest.
    columns: Vec<Vec<Hasher>>,
    room: Room,
}

/// A file that is being hashed.
struct Open {
    /// The number of its request in the batch.
    number: usize,
    file: Opened,
    /// The byte from which on it is hashed: standard input may be read in part.
    start: u64,
    /// Bytes that were read, and those of the last step.
    read: u64,
    step: io::Result<usize>,
}

/// What came of the request of a number.
pub type Done = (usize, io::Result<Digested>);

impl Abreast {
    /// An empty group of files for these digests, on one of `threads` threads.
    pub fn new(digests: &Arc<[Method]>, threads: usize) -> Self {
        Self {
            digests: digests.clone(),
            width: width(digests, threads),
            device: Cell::default(),
            files: Vec::new(),
            columns: digests.iter().map(|_| Vec::new()).collect(),
            room: Room::default(),
        }
    }

    /// Whether a file of these digests gains from being hashed beside others.
    pub fn wants(&self, file: &Opened, digests: &Arc<[Method]>) -> bool {
        self.width > 1
            && *self.digests == **digests
            && file.known_len().is_some_and(is_fitting)
            && !self.rotates(file.device())
    }

    fn rotates(&self, device: Dev) -> bool {
        let told = self.device.get().filter(|(last, _)| *last == device);
        let (_, rotates) = told.unwrap_or_else(|| (device, rotates(device)));
        self.device.set(Some((device, rotates)));
        rotates
    }

    /// Takes a file that is hashed from byte `start` on; gives what has ended to make room for it.
    pub fn take(&mut self, number: usize, file: Opened, start: u64, meter: &Meter) -> Vec<Done> {
        let mut done = Vec::new();
        while self.files.len() >= self.width {
            done.append(&mut self.step(meter));
        }
        self.files.push(Open { number, file, start, read: 0, step: Ok(0) });
        for (column, method) in self.columns.iter_mut().zip(&*self.digests) {
            column.push(Hasher::new(method.digest().expect("only digests have a width")));
        }
        done
    }

    /// Ends all files.
    pub fn finish(&mut self, meter: &Meter) -> Vec<Done> {
        let mut done = Vec::new();
        while !self.files.is_empty() {
            done.append(&mut self.step(meter));
        }
        done
    }

    /// The files, with the numbers of their requests, where they are too few to gain anything and
    /// nothing of them was read yet.
    pub fn take_back(&mut self) -> Vec<(usize, Opened)> {
        let is_fresh = self.files.iter().all(|file| file.read == 0);
        if !is_fresh || gains(&self.digests, self.files.len()) {
            return Vec::new();
        }
        self.columns.iter_mut().for_each(Vec::clear);
        take(&mut self.files).into_iter().map(|open| (open.number, open.file)).collect()
    }

    /// Reads and hashes a step of each file; gives what has ended.
    fn step(&mut self, meter: &Meter) -> Vec<Done> {
        let len = (ABREAST / self.files.len()).next_multiple_of(4096);
        let apart = apart(len);
        self.room.resize(apart * self.files.len());
        for (open, row) in self.files.iter_mut().zip(self.room.bytes_mut().chunks_mut(apart)) {
            let known = open.file.known_len().unwrap_or_default();
            let source = Source::of_file(&open.file.file, open.start, known, meter);
            open.step = source.read_at(open.read, &mut row[..len]);
            open.read += open.step.as_ref().map_or(0, |read| *read as u64);
        }
        let rows = self.room.bytes().chunks(apart).zip(&self.files);
        let pieces: Vec<_> =
            rows.map(|(row, open)| &row[..*open.step.as_ref().unwrap_or(&0)]).collect();
        for column in &mut self.columns {
            let mut each: Vec<&mut FittedHasher> =
                column.iter_mut().map(|hasher| &mut **hasher).collect();
            update_many(&mut each, &pieces);
        }
        // A short read is the last.
        let has_ended = |open: &Open| open.step.as_ref().map_or(true, |read| *read < len);
        // From the right: `swap_remove` moves the last file, which was looked at already.
        let ended: Vec<_> =
            (0..self.files.len()).rev().filter(|&at| has_ended(&self.files[at])).collect();
        ended.into_iter().map(|at| self.end(at)).collect()
    }

    /// Ends the file at that place.
    fn end(&mut self, at: usize) -> Done {
        let open = self.files.swap_remove(at);
        let hashers = self.columns.iter_mut().map(|column| column.swap_remove(at));
        let values = hashers.map(Hasher::finish).collect();
        // After an error the values are of a part of the file, and are dropped.
        let done = open.step.and_then(|_| open.file.digested_from(open.start, values, open.read));
        (open.number, done)
    }
}
