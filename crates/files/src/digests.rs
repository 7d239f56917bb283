//! Digests of files: many small ones together, large ones read ahead.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use hashdyno::{Cpu, Digest, Hasher, Messages, Output, digest_many};
use jiff::Timestamp;
use rustix::fs::{Stat, fstat};

use crate::meter::Meter;
use crate::open::Root;

/// The digests that are wanted of a file.
#[derive(Clone, Debug)]
pub struct Request<T> {
    /// The file's name.
    pub name: Vec<u8>,
    /// Which digests.
    pub digests: Arc<[&'static Digest]>,
    /// What the asker wants to have back with them.
    pub tag: T,
}

/// The digests of a file, and what was seen of it.
#[derive(Clone, Debug)]
pub struct Digested {
    /// In the order of the request.
    pub values: Vec<Output>,
    /// Bytes read.
    pub size: u64,
    /// When its content last changed.
    pub modified: Option<Timestamp>,
    /// Whether its size or its times changed while it was read: then the digests are of no state it ever was in.
    pub changed: bool,
}

/// Files up to this many bytes are read whole and hashed together with others.
const SMALL: usize = 256 << 10;

/// How much of small files is hashed together: about what a core's own cache holds.
const TOGETHER: usize = 1 << 20;

/// How much of a large file is read at a time.
const CHUNK: usize = 256 << 10;

/// Chunks that wait between the thread that reads and one that hashes.
const AHEAD: usize = 2;

/// Digests of each file, in that order, on up to `threads` threads.
pub fn of_files<T>(root: &Root, requests: &[Request<T>], threads: usize) -> Vec<io::Result<Digested>> {
    let mut results: Vec<Option<io::Result<Digested>>> = requests.iter().map(|_| None).collect();
    let mut together = Together { room: ROOM.take(), ..Together::default() };
    for (index, request) in requests.iter().enumerate() {
        match together.take(root, request, index, threads) {
            Ok(Some(digested)) => results[index] = Some(Ok(digested)),
            Ok(None) => {}
            Err(error) => results[index] = Some(Err(error)),
        }
        if together.used >= TOGETHER {
            together.finish(requests, &mut results);
        }
    }
    together.finish(requests, &mut results);
    ROOM.set(together.room);
    results.into_iter().map(|result| result.expect("every request was answered")).collect()
}

thread_local! {
    /// Room for small files, kept from one call to the next: fresh memory costs as much as reading.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Small files that are hashed together.
#[derive(Default)]
struct Together {
    room: Vec<u8>,
    used: usize,
    files: Vec<Small>,
}

/// A small file: where its bytes end, and all else that is known of it.
struct Small {
    index: usize,
    start: usize,
    end: usize,
    seen: Digested,
}

impl Together {
    /// Reads a file. A small one is kept for [`Together::finish`], of a large one come the digests.
    fn take<T>(&mut self, root: &Root, request: &Request<T>, index: usize, threads: usize) -> io::Result<Option<Digested>> {
        let file = root.open(&request.name)?;
        let before = fstat(&file)?;
        self.room.resize((self.used + SMALL + 1).max(self.room.len()), 0);
        let room = &mut self.room[self.used..][..SMALL + 1];
        let read = read_full(&file, room);
        let seen = |file: &File, size| {
            let after = fstat(file)?;
            io::Result::Ok(Digested { values: Vec::new(), size, modified: modified(&after), changed: changed(&before, &after) })
        };
        let len = read?;
        root.meter().add(len as u64);
        match len {
            len if len > SMALL => {
                let (values, size) = of_large(room, &file, &request.digests, threads, root.meter())?;
                Ok(Some(Digested { values, ..seen(&file, size)? }))
            }
            len => {
                let start = self.used;
                self.used += len;
                self.files.push(Small { index, start, end: self.used, seen: seen(&file, len as u64)? });
                Ok(None)
            }
        }
    }

    fn finish<T>(&mut self, requests: &[Request<T>], results: &mut [Option<io::Result<Digested>>]) {
        let mut kinds: Vec<&'static Digest> = Vec::new();
        for digest in self.files.iter().flat_map(|file| requests[file.index].digests.iter()) {
            if !kinds.contains(digest) {
                kinds.push(digest);
            }
        }
        let mut values: Vec<Vec<Option<Output>>> =
            self.files.iter().map(|file| vec![None; requests[file.index].digests.len()]).collect();
        for digest in kinds {
            let place = |file: &Small| requests[file.index].digests.iter().position(|wanted| *wanted == digest);
            let wanting: Vec<_> = self.files.iter().enumerate().filter_map(|(at, file)| Some((at, place(file)?))).collect();
            let messages: Vec<_> = wanting.iter().map(|&(at, _)| &self.room[self.files[at].start..self.files[at].end]).collect();
            let mut out = vec![0; messages.len() * digest.output_len];
            digest_many(digest, Cpu::native(), Messages::Slices(&messages), &mut out);
            for (&(at, place), value) in wanting.iter().zip(out.chunks_exact(digest.output_len)) {
                values[at][place] = Some(value.try_into().expect("no fixed output is longer than an Output"));
            }
        }
        for (file, values) in self.files.drain(..).zip(values) {
            let values = values.into_iter().map(|value| value.expect("every digest of every file was computed")).collect();
            results[file.index] = Some(Ok(Digested { values, ..file.seen }));
        }
        self.used = 0;
    }
}

/// Fills `room` from the file and gives how much there was.
fn read_full(file: &File, room: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < room.len() {
        match read_some(file, &mut room[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

fn read_some(mut file: impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => return read,
        }
    }
}

/// Digests of `head` and all that `file` still holds: one thread reads, up to `threads` hash.
fn of_large(
    head: &[u8],
    file: &File,
    digests: &[&'static Digest],
    threads: usize,
    meter: &Meter,
) -> io::Result<(Vec<Output>, u64)> {
    let (hashers, costs) = started(head, digests);
    let shares = shares(hashers, &costs, threads.clamp(1, digests.len()));
    let (mut values, size) = thread::scope(|scope| {
        let (senders, working): (Vec<_>, Vec<_>) = shares
            .into_iter()
            .map(|share| {
                let (send, receive) = sync_channel(AHEAD);
                (send, (share, receive))
            })
            .unzip();
        let reading = scope.spawn(move || read_all(file, &senders, meter));
        let mut working = working.into_iter();
        let (own, receive) = working.next().expect("there is at least one digest");
        let others: Vec<_> = working.map(|(share, receive)| scope.spawn(move || absorb(share, &receive))).collect();
        let mut values = absorb(own, &receive);
        others.into_iter().for_each(|other| values.extend(other.join().expect("no kernel panics")));
        let size = reading.join().expect("reading does not panic")?;
        io::Result::Ok((values, size))
    })?;
    values.sort_by_key(|(index, _)| *index);
    Ok((values.into_iter().map(|(_, value)| value).collect(), head.len() as u64 + size))
}

/// Hashers that have taken `head`, and how long each took for it.
fn started(head: &[u8], digests: &[&'static Digest]) -> (Vec<Hasher>, Vec<Duration>) {
    let start = |digest: &&'static Digest| {
        let (mut hasher, begun) = (Hasher::new(digest), Instant::now());
        hasher.update(head);
        (hasher, begun.elapsed())
    };
    digests.iter().map(start).unzip()
}

/// What one thread computes: hashers and their place in the request.
type Share = Vec<(usize, Hasher)>;

/// Divides hashers among threads, the costliest first to whoever has least to do.
fn shares(hashers: Vec<Hasher>, costs: &[Duration], threads: usize) -> Vec<Share> {
    let mut order: Vec<_> = hashers.into_iter().enumerate().collect();
    order.sort_by_key(|(index, _)| std::cmp::Reverse(costs[*index]));
    let mut shares: Vec<(Duration, Share)> = (0..threads).map(|_| (Duration::ZERO, Vec::new())).collect();
    for (index, hasher) in order {
        let least = shares.iter_mut().min_by_key(|(load, _)| *load).expect("there is at least one thread");
        least.0 += costs[index].max(Duration::from_nanos(1));
        least.1.push((index, hasher));
    }
    shares.into_iter().map(|(_, share)| share).collect()
}

fn absorb(mut share: Share, chunks: &Receiver<Arc<Vec<u8>>>) -> Vec<(usize, Output)> {
    while let Ok(chunk) = chunks.recv() {
        share.iter_mut().for_each(|(_, hasher)| hasher.update(&chunk));
    }
    share.into_iter().map(|(index, hasher)| (index, hasher.finish())).collect()
}

/// Sends the rest of a file to everybody. Before chunk i is sent, everybody has let go of chunk i - AHEAD - 2: the buffers go round.
fn read_all(file: &File, senders: &[SyncSender<Arc<Vec<u8>>>], meter: &Meter) -> io::Result<u64> {
    let mut ring: [Arc<Vec<u8>>; AHEAD + 2] = std::array::from_fn(|_| Arc::default());
    let mut size = 0;
    for turn in 0.. {
        let chunk = &mut ring[turn % (AHEAD + 2)];
        if Arc::get_mut(chunk).is_none() {
            *chunk = Arc::default();
        }
        let buffer = Arc::get_mut(chunk).expect("nobody else has it");
        buffer.resize(CHUNK, 0);
        let read = read_some(file, buffer)?;
        if read == 0 {
            break;
        }
        buffer.truncate(read);
        size += read as u64;
        meter.add(read as u64);
        for send in senders {
            send.send(chunk.clone()).map_err(|_| io::Error::other("a thread that hashes is gone"))?;
        }
    }
    Ok(size)
}

fn modified(stat: &Stat) -> Option<Timestamp> {
    Timestamp::new(stat.st_mtime, i32::try_from(stat.st_mtime_nsec).ok()?).ok()
}

fn changed(before: &Stat, after: &Stat) -> bool {
    let times = |stat: &Stat| (stat.st_size, stat.st_mtime, stat.st_mtime_nsec);
    times(before) != times(after)
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
        let digests: Arc<[_]> = ["md5", "sha256", "blake3", "crc32b"].map(|name| hashdyno::find(name).unwrap()).into();
        let sizes = [0, 1, 4096, SMALL - 1, SMALL, SMALL + 1, SMALL + CHUNK, 3 * TOGETHER + 17, 100];
        let requests: Vec<_> = sizes
            .iter()
            .map(|&size| {
                let path = folder.path().join(size.to_string());
                std::fs::write(&path, message(size)).unwrap();
                Request { name: crate::names::name(&path).to_vec(), digests: digests.clone(), tag: () }
            })
            .collect();
        for threads in [1, 2, 9] {
            let results = of_files(&Root::anywhere(), &requests, threads);
            for (&size, result) in sizes.iter().zip(results) {
                let digested = result.unwrap();
                assert_eq!((digested.size, digested.changed), (size as u64, false));
                for (digest, value) in digests.iter().zip(digested.values) {
                    assert_eq!(value, digest.digest(&message(size)), "{} of {size} bytes", digest.name);
                }
            }
        }
    }

    #[test]
    fn failures_stay_with_their_file() {
        let digests: Arc<[_]> = [hashdyno::find("md5").unwrap()].into();
        let names = [&b"/"[..], b"/no such file", b"/proc/self/status", b"/dev/null"];
        let requests: Vec<_> = names.map(|name| Request { name: name.to_vec(), digests: digests.clone(), tag: () }).into();
        let results = of_files(&Root::anywhere(), &requests, 2);
        assert_eq!(results[0].as_ref().unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(results[1].as_ref().unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(results[2].as_ref().unwrap().size > 0);
        assert_eq!(hashdyno::hex(&results[3].as_ref().unwrap().values[0]), "d41d8cd98f00b204e9800998ecf8427e");
    }
}
