//! Digests of files: many small ones together, large ones side by side or on several threads.
//!
//! ```text
//! length                      way
//! up to 256 KiB, or unknown   into one room with others, until it has 1 MiB; then each digest
//!                             takes all of them, a message in each lane (`Together`)
//! up to 128 MiB               side by side, if enough come and the digests gain (`abreast`)
//! other                       alone (`large`), which reads a pipe in order
//! ```
//!
//! Every request has an answer in its own place. An error is its file's alone.

use std::cell::Cell;
use std::cmp::Reverse;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use hashdyno::Output;

use crate::read::abreast::Abreast;
use crate::read::large::of_large;
use crate::read::method::Method;
use crate::read::open::Root;
use crate::read::opened::Opened;
use crate::read::room::{LINE, Room};
use crate::read::source::{PIECE, Source, read_full};

pub use crate::read::opened::Digested;

/// The digests that are wanted of a file.
#[derive(Clone, Debug)]
pub struct Request<T> {
    /// The file's name.
    pub name: Vec<u8>,
    /// Which digests.
    pub digests: Arc<[Method]>,
    /// What the asker wants to have back with them.
    pub tag: T,
    /// Whether an earlier request reads this file, standard input, to its end: none of it is left.
    pub at_end: bool,
}

impl<T> Request<T> {
    /// A request for a file that no other request reads.
    pub fn new(name: Vec<u8>, digests: Arc<[Method]>, tag: T) -> Self {
        Self { name, digests, tag, at_end: false }
    }
}

/// Files up to this many bytes are read whole and hashed together with others.
const SMALL: usize = PIECE;

/// How much of small files is hashed together: about what a core's own cache holds.
const TOGETHER: usize = 1 << 20;

/// Digests of each file, in that order, on up to `threads` threads.
pub fn of_files<T>(
    root: &Root,
    requests: &[Request<T>],
    threads: usize,
) -> Vec<io::Result<Digested>> {
    let Some(first) = requests.first() else { return Vec::new() };
    let mut results: Vec<Option<io::Result<Digested>>> = requests.iter().map(|_| None).collect();
    let mut together = Together { room: ROOM.take(), ..Together::default() };
    let mut abreast = Abreast::new(&first.digests, threads);
    for (index, request) in requests.iter().enumerate() {
        match together.take(root, request, index, threads) {
            Ok(Taken::Small) => {}
            Ok(Taken::Digested(digested)) => results[index] = Some(Ok(digested)),
            Ok(Taken::Large(file, start)) if abreast.wants(&file, &request.digests) => {
                let done = abreast.take(index, file, start, root.meter());
                done.into_iter().for_each(|(index, done)| results[index] = Some(done));
            }
            Ok(Taken::Large(file, _)) => {
                results[index] = Some(alone(root, request, &file, threads));
            }
            Err(error) => results[index] = Some(Err(error)),
        }
        if together.used >= TOGETHER {
            together.finish(requests, &mut results);
        }
    }
    together.finish(requests, &mut results);
    ROOM.set(together.room);
    // Files that waited in vain for others: too few came for the lanes.
    for (index, file) in abreast.take_back() {
        results[index] = Some(alone(root, &requests[index], &file, threads));
    }
    let done = abreast.finish(root.meter());
    done.into_iter().for_each(|(index, done)| results[index] = Some(done));
    results.into_iter().map(|result| result.expect("every request was answered")).collect()
}

/// The digests of one large file, on up to `threads` threads.
fn alone<T>(
    root: &Root,
    request: &Request<T>,
    file: &Opened,
    threads: usize,
) -> io::Result<Digested> {
    let (start, len) =
        ((&file.file).stream_position()?, file.known_len().expect("a large file has a length"));
    let source = Source::of_file(&file.file, start, len.saturating_sub(start), root.meter());
    let (values, size) = of_large(source, &request.digests, &request.name, threads)?;
    file.digested_from(start, values, size)
}

thread_local! {
    /// Room for small files, kept from one call to the next: fresh memory costs as much as reading.
    static ROOM: Cell<Room> = Cell::default();
}

/// Small files that are hashed together.
#[derive(Default)]
struct Together {
    /// The bytes of all files, each from a cache line on.
    room: Room,
    /// Bytes of the room that are taken.
    used: usize,
    files: Vec<Small>,
}

/// A small file: where its bytes end, and all else that is known of it.
struct Small {
    /// The number of its request.
    index: usize,
    start: usize,
    end: usize,
    /// All but the values.
    seen: Digested,
}

/// What became of a file at first.
enum Taken {
    /// It is kept for [`Together::finish`].
    Small,
    /// It can be read at any place, from that byte on.
    Large(Opened, u64),
    /// It was read as it came.
    Digested(Digested),
}

impl Together {
    /// Reads a small file, or a large one that can be read in one way only.
    fn take<T>(
        &mut self,
        root: &Root,
        request: &Request<T>,
        index: usize,
        threads: usize,
    ) -> io::Result<Taken> {
        // Before the file is opened: a key that a digest refuses is an error of each file.
        let usable = request.digests.iter().try_for_each(Method::usable);
        usable.map_err(io::Error::other)?;
        let file = Opened::new(root.open(&request.name)?)?;
        let len = if request.at_end { Some(0) } else { file.known_len() };
        if len.is_some_and(|len| len > SMALL as u64)
            && let Ok(start) = (&file.file).stream_position()
        {
            return Ok(Taken::Large(file, start));
        }
        self.room.resize(TOGETHER + SMALL + 1);
        let room = &mut self.room.bytes_mut()[self.used..][..SMALL + 1];
        // A known length needs no read that finds the end: one call of the system less.
        let is_whole = |filled: usize| len == Some(filled as u64);
        let read = read_full(
            room,
            |filled, rest| {
                if is_whole(filled) { Ok(0) } else { (&file.file).read(rest) }
            },
        )?;
        // The file has no known length, as a pipe, and is a large one after all.
        if read > SMALL {
            let stream = Source::of_stream(room, &file.file, root.meter());
            let (values, size) = of_large(stream, &request.digests, &request.name, threads)?;
            return file.digested(values, size).map(Taken::Digested);
        }
        root.meter().add(read as u64);
        let (start, seen) = (self.used, file.digested(Vec::new(), read as u64)?);
        self.files.push(Small { index, start, end: start + read, seen });
        self.used = (start + read).next_multiple_of(LINE);
        Ok(Taken::Small)
    }

    fn finish<T>(&mut self, requests: &[Request<T>], results: &mut [Option<io::Result<Digested>>]) {
        let mut kinds: Vec<Method> = Vec::new();
        for digest in self.files.iter().flat_map(|file| requests[file.index].digests.iter()) {
            if !kinds.contains(digest) {
                kinds.push(digest.clone());
            }
        }
        let mut values: Vec<Vec<Option<Output>>> =
            self.files.iter().map(|file| vec![None; requests[file.index].digests.len()]).collect();
        for kind in kinds {
            let wants = |file: &Small| requests[file.index].digests.contains(&kind);
            let mut wanting: Vec<_> =
                (0..self.files.len()).filter(|&at| wants(&self.files[at])).collect();
            // The longest first: at the end of a batch, lanes that have nothing to do stand still.
            wanting.sort_by_key(|&at| Reverse(self.files[at].end - self.files[at].start));
            let messages: Vec<_> = wanting.iter().map(|&at| self.bytes(at)).collect();
            let found = match kind.many(&messages) {
                Some(values) => values.chunks_exact(kind.output_len).map(value).collect(),
                None => self.one_by_one(&kind, &wanting, requests),
            };
            for (&at, value) in wanting.iter().zip(found) {
                // A digest may be asked for twice.
                for (wanted, slot) in
                    requests[self.files[at].index].digests.iter().zip(&mut values[at])
                {
                    if *wanted == kind {
                        *slot = Some(value.clone());
                    }
                }
            }
        }
        for (file, values) in self.files.drain(..).zip(values) {
            let values = values
                .into_iter()
                .map(|value| value.expect("every digest of every file was computed"))
                .collect();
            results[file.index] = Some(Ok(Digested { values, ..file.seen }));
        }
        self.used = 0;
    }

    fn one_by_one<T>(
        &self,
        method: &Method,
        files: &[usize],
        requests: &[Request<T>],
    ) -> Vec<Output> {
        let value = |&at: &usize| {
            let bytes = self.bytes(at);
            let name = &requests[self.files[at].index].name;
            let mut running = method.begin(name, Some(bytes.len() as u64));
            running.update(bytes);
            running.finish()
        };
        files.iter().map(value).collect()
    }

    fn bytes(&self, at: usize) -> &[u8] {
        &self.room.bytes()[self.files[at].start..self.files[at].end]
    }
}

fn value(bytes: &[u8]) -> Output {
    bytes.try_into().expect("no fixed output is longer than an Output")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 131 + (i >> 8)) as u8).collect()
    }

    #[test]
    fn files_of_every_size_have_the_digests_of_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let digests =
            ["md5", "sha256", "blake3", "crc32b"].map(|name| hashdyno::find(name).unwrap());
        let methods: Arc<[Method]> = digests.map(Method::from).into();
        let sizes = [
            0,
            1,
            4096,
            SMALL - 1,
            SMALL,
            SMALL + 1,
            2 * SMALL,
            2 * SMALL + 1,
            3 * TOGETHER + 17,
            100,
        ];
        let requests: Vec<_> = sizes
            .iter()
            .map(|&size| {
                let path = folder.path().join(size.to_string());
                std::fs::write(&path, message(size)).unwrap();
                Request::new(crate::read::names::name(&path).to_vec(), methods.clone(), ())
            })
            .collect();
        for threads in [1, 2, 9] {
            let results = of_files(&Root::anywhere(), &requests, threads);
            for (&size, result) in sizes.iter().zip(results) {
                let digested = result.unwrap();
                assert_eq!((digested.size, digested.changed), (size as u64, false));
                for (digest, value) in digests.iter().zip(digested.values) {
                    assert_eq!(
                        value,
                        digest.digest(&message(size)),
                        "{} of {size} bytes",
                        digest.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_digest_that_is_asked_for_twice_is_given_twice() {
        let folder = tempfile::tempdir().unwrap();
        let digests = ["md5", "sha1", "md5"].map(|name| hashdyno::find(name).unwrap());
        for size in [1, 2 * SMALL] {
            let path = folder.path().join("file");
            std::fs::write(&path, message(size)).unwrap();
            let name = crate::read::names::name(&path).to_vec();
            let request = Request::new(name, digests.map(Method::from).into(), ());
            let values = of_files(&Root::anywhere(), &[request], 2).remove(0).unwrap().values;
            assert!(
                digests
                    .iter()
                    .zip(&values)
                    .all(|(digest, value)| *value == digest.digest(&message(size)))
            );
        }
    }

    #[test]
    fn files_side_by_side_have_the_digests_of_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let message: Vec<u8> = (0..3_000_000u32).map(|at| ((at * 131) >> 7) as u8).collect();
        for names in [&["md5"][..], &["sha256", "md5", "xxh3"], &["sha1", "sha512"]] {
            let digests: Arc<[Method]> =
                names.iter().map(|name| hashdyno::find(name).unwrap().into()).collect();
            for count in [1, 5, 16, 45] {
                // Some end with a step, some are alike, one is small, one is not there.
                let len = |number: usize| match number % 9 {
                    0 => 1 << 20,
                    1 => PIECE + 1,
                    2 => 100,
                    rest => PIECE + 300_000 * rest + number,
                };
                let path = |number: usize| folder.path().join(number.to_string());
                for number in (0..count).filter(|number| *number != 7) {
                    std::fs::write(path(number), &message[number..][..len(number)]).unwrap();
                }
                let _ = std::fs::remove_file(path(7));
                let request = |number| {
                    let name = crate::read::names::name(&path(number)).to_vec();
                    Request::new(name, digests.clone(), ())
                };
                let requests: Vec<_> = (0..count).map(request).collect();
                for (number, result) in
                    of_files(&Root::anywhere(), &requests, 1).into_iter().enumerate()
                {
                    if number == 7 {
                        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::NotFound);
                        continue;
                    }
                    let digested = result.unwrap();
                    assert_eq!((digested.size, digested.changed), (len(number) as u64, false));
                    for (method, value) in digests.iter().zip(digested.values) {
                        let expected = method.digest().unwrap();
                        let expected = expected.digest(&message[number..][..len(number)]);
                        assert_eq!(value, expected, "{} of file {number}", method.name);
                    }
                }
            }
        }
    }

    #[test]
    fn failures_stay_with_their_file() {
        let digests: Arc<[Method]> = [hashdyno::find("md5").unwrap().into()].into();
        let names = [&b"/"[..], b"/no such file", b"/proc/self/status", b"/dev/null"];
        let requests: Vec<_> =
            names.map(|name| Request::new(name.to_vec(), digests.clone(), ())).into();
        let results = of_files(&Root::anywhere(), &requests, 2);
        assert_eq!(results[0].as_ref().unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(results[1].as_ref().unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(results[2].as_ref().unwrap().size > 0);
        assert_eq!(
            hashdyno::hex(&results[3].as_ref().unwrap().values[0]),
            "d41d8cd98f00b204e9800998ecf8427e"
        );
    }
}
