//! Digests of one large file. Its pieces wait in a short queue, and every thread does what is next:
//! it hashes a piece for one digest or reads another. So reading runs ahead, digests run beside
//! each other, and nobody is told who does what.
//!
//! ```text
//! Read -> take(): in the queue -> Absorb: in order, one thread for a digest -> let_go() -> room
//!                              -> Subtree: BLAKE3, any piece on any thread  ->             is free
//! ```
//!
//! The lock is held to choose a job and to settle it, never while a thread reads or hashes. A piece
//! leaves the queue when every digest has taken it, so at most eight are in memory.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use hashdyno::Output;

use crate::read::method::{Method, Running};
use crate::read::ordered::start;
use crate::read::parts::{Plan, of_parts};
use crate::read::room::Room;
use crate::read::source::{PIECE, Source};
use crate::read::subtrees::{Subtree, Subtrees, Tree};

/// Pieces in memory at a time.
const QUEUE: usize = 8;

/// More threads than this beside those that hash in order gain nothing: memory is the limit.
const READERS: usize = 3;

/// Digests of all of `source`, a file of that name, and its length in bytes. `threads` is the
/// greatest number of threads. One composite digest alone is made by parts; several digests are
/// made from one reading of the file.
pub fn of_large(
    source: Source<'_>,
    digests: &[Method],
    name: &[u8],
    threads: usize,
) -> io::Result<(Vec<Output>, u64)> {
    if let Some((method, plan)) = plan(&source, digests, threads) {
        let (hasher, len) = of_parts(&source, &plan, name)?;
        return Ok((vec![method.value(hasher.finish())], len));
    }
    let (readers, worth) = match source.len() {
        None => (1, usize::MAX),
        Some(len) => (threads, usize::try_from(len / (4 * PIECE as u64)).unwrap_or(usize::MAX)),
    };
    let columns: Vec<_> =
        digests.iter().map(|digest| Column::new(digest, name, source.len())).collect();
    let in_order = columns.iter().filter(|column| matches!(column.work, Work::InOrder(_))).count();
    let useful = if in_order < columns.len() { usize::MAX } else { in_order + READERS };
    let large =
        Large { source, readers, state: Mutex::new(State::new(columns)), changed: Condvar::new() };
    thread::scope(|scope| {
        // Who may use one thread has another that reads ahead: a disk should not wait for a digest.
        start(scope, (threads.min(useful).max(2) - 1).min(worth), || large.work());
        large.work();
    });
    large.state.into_inner().expect(NO_PANIC).finish()
}

/// The only digest and a plan for it, if it can be made by parts: several would each read the file.
fn plan(source: &Source<'_>, digests: &[Method], threads: usize) -> Option<(Method, Plan)> {
    let [method] = digests else { return None };
    Some((method.clone(), Plan::new(method.composite()?, source.len()?, threads)?))
}

const NO_PANIC: &str = "no kernel panics";

struct Large<'a> {
    source: Source<'a>,
    readers: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Large<'_> {
    /// Does what is next until there is nothing more to begin.
    fn work(&self) {
        let mut state = self.state.lock().expect(NO_PANIC);
        while !state.is_over() {
            let Some(job) = state.next_job(self.readers) else {
                state.waiting += 1;
                state = self.changed.wait(state).expect(NO_PANIC);
                state.waiting -= 1;
                continue;
            };
            drop(state);
            let done = job.run(&self.source);
            state = self.state.lock().expect(NO_PANIC);
            state.settle(done);
            if state.waiting > 0 {
                self.changed.notify_all();
            }
        }
    }
}

/// What is known of the file.
struct State {
    columns: Vec<Column>,
    /// From the oldest that somebody needs to the newest that is being read.
    pieces: VecDeque<Piece>,
    /// The number of the oldest.
    first: u64,
    /// Threads that read, and those that find nothing to do.
    reading: usize,
    waiting: usize,
    /// Room of pieces that nobody needs any more.
    free: Vec<Room>,
    /// The length of the file, once its end was seen.
    size: Option<u64>,
    error: Option<io::Error>,
}

/// A piece of the file.
struct Piece {
    /// `None` while it is being read.
    bytes: Option<Arc<Room>>,
    /// How many digests still need it.
    wanted: usize,
}

/// One digest.
struct Column {
    /// The number of the piece that it takes next.
    next: u64,
    work: Work,
}

enum Work {
    /// Piece by piece; `None` while a thread is at it.
    InOrder(Option<Running>),
    /// Any pieces at a time.
    Tree(Subtrees),
}

/// What a thread does without holding the others up.
enum Job {
    Read { number: u64, room: Room },
    Absorb { column: usize, number: u64, bytes: Arc<Room>, hasher: Running },
    Subtree { column: usize, number: u64, bytes: Arc<Room>, tree: Tree },
}

/// What came of it.
enum Done {
    Read { number: u64, result: io::Result<Room> },
    Absorbed { column: usize, number: u64, hasher: Running },
    Subtree { column: usize, number: u64, subtree: Subtree },
}

impl Job {
    fn run(self, source: &Source<'_>) -> Done {
        match self {
            Self::Read { number, mut room } => {
                room.resize(PIECE);
                let result = source.read(number, room.bytes_mut()).map(|len| {
                    room.truncate(len);
                    room
                });
                Done::Read { number, result }
            }
            Self::Absorb { column, number, bytes, mut hasher } => {
                hasher.update(bytes.bytes());
                Done::Absorbed { column, number, hasher }
            }
            Self::Subtree { column, number, bytes, tree } => Done::Subtree {
                column,
                number,
                subtree: tree.hash(number * PIECE as u64, bytes.bytes()),
            },
        }
    }
}

impl Column {
    fn new(digest: &Method, name: &[u8], len: Option<u64>) -> Self {
        let work = match Tree::of(digest) {
            Some(tree) => Work::Tree(Subtrees::new(tree)),
            None => Work::InOrder(Some(digest.begin(name, len))),
        };
        Self { next: 0, work }
    }
}

impl State {
    fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            pieces: VecDeque::new(),
            first: 0,
            reading: 0,
            waiting: 0,
            free: Vec::new(),
            size: None,
            error: None,
        }
    }

    /// How many pieces the file has, as far as is known.
    fn end(&self) -> u64 {
        self.size.map_or(u64::MAX, |size| size.div_ceil(PIECE as u64))
    }

    /// Whether nothing is left to begin. While pieces are being read, the end may turn out to lie
    /// before what was taken for it.
    fn is_over(&self) -> bool {
        self.error.is_some()
            || self.reading == 0 && self.columns.iter().all(|column| column.next >= self.end())
    }

    /// What to do next: to hash for the digest that is farthest behind, or else to read.
    fn next_job(&mut self, readers: usize) -> Option<Job> {
        let ready = |column: &Column| match &column.work {
            Work::InOrder(None) => None,
            _ => self.pieces.get((column.next - self.first) as usize)?.bytes.clone(),
        };
        let candidates = self
            .columns
            .iter()
            .enumerate()
            .filter_map(|(at, column)| Some((column.next, at, ready(column)?)));
        // The farthest behind first: the oldest piece is what keeps the queue full.
        if let Some((number, at, bytes)) = candidates.min_by_key(|(number, ..)| *number) {
            let column = &mut self.columns[at];
            column.next += 1;
            return Some(match &mut column.work {
                Work::InOrder(hasher) => {
                    Job::Absorb { column: at, number, bytes, hasher: hasher.take()? }
                }
                Work::Tree(subtrees) => {
                    Job::Subtree { column: at, number, bytes, tree: subtrees.tree() }
                }
            });
        }
        // A stream has one reader at a time: two would not know which piece each has.
        if self.size.is_some() || self.reading == readers || self.pieces.len() == QUEUE {
            return None;
        }
        let number = self.first + self.pieces.len() as u64;
        self.pieces.push_back(Piece { bytes: None, wanted: self.columns.len() });
        self.reading += 1;
        Some(Job::Read { number, room: self.free.pop().unwrap_or_default() })
    }

    fn settle(&mut self, done: Done) {
        match done {
            Done::Read { number, result } => {
                self.reading -= 1;
                match result {
                    Ok(room) => self.take(number, room),
                    Err(error) => self.error = Some(error),
                }
            }
            Done::Absorbed { column, number, hasher } => {
                self.columns[column].work = Work::InOrder(Some(hasher));
                self.let_go(number);
            }
            Done::Subtree { column, number, subtree } => {
                if let Work::Tree(subtrees) = &mut self.columns[column].work {
                    subtrees.push(number, subtree);
                }
                self.let_go(number);
            }
        }
    }

    /// Takes a piece that was read. What lies after a short one is no part of the file.
    fn take(&mut self, number: u64, room: Room) {
        let len = room.bytes().len();
        if len < PIECE {
            let size = number * PIECE as u64 + len as u64;
            self.size = Some(self.size.map_or(size, |known| known.min(size)));
        }
        let end = self.end();
        // Threads read ahead of the end: such pieces are empty, and nobody takes them.
        self.pieces.truncate(end.saturating_sub(self.first).try_into().unwrap_or(usize::MAX));
        if number < end {
            self.pieces[(number - self.first) as usize].bytes = Some(Arc::new(room));
        }
    }

    /// A digest does not need the piece any more; the room of the oldest that nobody needs is free
    /// again.
    fn let_go(&mut self, number: u64) {
        self.pieces[(number - self.first) as usize].wanted -= 1;
        while self.pieces.front().is_some_and(|piece| piece.wanted == 0) {
            let piece = self.pieces.pop_front().expect("there is a first one");
            self.free.extend(piece.bytes.and_then(Arc::into_inner));
            self.first += 1;
        }
    }

    fn finish(self) -> io::Result<(Vec<Output>, u64)> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let values = self.columns.into_iter().map(|column| match column.work {
            Work::InOrder(hasher) => hasher.expect("every thread has put its hasher back").finish(),
            Work::Tree(subtrees) => subtrees.root(),
        });
        Ok((values.collect(), self.size.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::os::fd::OwnedFd;

    use super::*;
    use crate::read::meter::Meter;

    #[test]
    fn files_and_streams_have_the_digests_of_their_bytes() {
        let meter = Meter::default();
        let digests = ["md5", "blake3", "xxh3"].map(|name| hashdyno::find(name).unwrap());
        let methods = digests.map(Method::from);
        let message: Vec<u8> = (0..11 * PIECE + 5).map(|i| (i * 131 + (i >> 8)) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&message).unwrap();
        // What the file's length was said to be may be wrong by the time that it is read.
        let ranges = [
            (7, message.len()),
            (5, 11 * PIECE),
            (6 * PIECE as u64 + 4, 5 * PIECE),
            (message.len() as u64, PIECE),
        ];
        for (threads, (offset, len)) in
            [1, 2, 5].into_iter().flat_map(|threads| ranges.map(|range| (threads, range)))
        {
            let message = &message[offset as usize..];
            let expected =
                (digests.map(|digest| digest.digest(message)).to_vec(), message.len() as u64);
            assert_eq!(
                of_large(
                    Source::of_file(&file, offset, len as u64, &meter),
                    &methods,
                    b"",
                    threads
                )
                .unwrap(),
                expected
            );

            let (reader, mut writer) = io::pipe().unwrap();
            let (head, tail) = message.split_at(message.len().min(PIECE + 1));
            let found = thread::scope(|scope| {
                scope.spawn(move || writer.write_all(tail).unwrap());
                of_large(
                    Source::of_stream(head, &File::from(OwnedFd::from(reader)), &meter),
                    &methods,
                    b"",
                    threads,
                )
                .unwrap()
            });
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_error_of_reading_ends_it() {
        let meter = Meter::default();
        let folder = File::open("/").unwrap();
        let md5 = [Method::from(hashdyno::find("md5").unwrap())];
        let error = of_large(Source::of_file(&folder, 0, 100 * PIECE as u64, &meter), &md5, b"", 3)
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }
}
