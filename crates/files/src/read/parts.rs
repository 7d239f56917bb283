//! A composite digest of one large file. Each thread reads parts that follow each other and hashes
//! them in the lanes of its core.
//!
//! ```text
//! file      | part | part | part | part | part | part | ...
//! batches   |--------- 0 --------|--------- 1 --------|     each a thread's, taken in order
//! push      digests of parts go to one hasher from left to right; early batches wait
//! ```
//!
//! Parts up to 256 KiB are read whole, several in a piece. Of long parts (Dropbox, S3) a step of
//! each is read and hashed at a time, where the digest has such lanes. Else they are read whole, as
//! many as memory is allowed.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex};
use std::thread;

use hashdyno::Cpu;
use hashdyno::composite::{Composite, CompositeHasher, Parts};

use crate::read::ordered::start;
use crate::read::room::{Room, apart};
use crate::read::source::{ABREAST, PIECE, Source};

/// The most bytes of all files in memory at a time.
const MEMORY: usize = 256 << 20;

/// What is left of it.
static LEFT: Memory = Memory { left: Mutex::new(MEMORY), given_back: Condvar::new() };

/// The most parts that a thread has: more lanes gain little.
const LANES: usize = 32;

/// The most pieces that a thread has where a piece has many parts: what a core's own cache holds.
const PIECES: usize = 4;

/// How the work on a file is cut.
pub struct Plan {
    composite: Composite,
    /// Bytes of a piece, which is whole parts and is read at once.
    piece: usize,
    /// How many pieces a thread has at a time.
    at_once: usize,
    /// Bytes of each piece that are hashed at a time, beside those of the others: all of them
    /// where parts are short, or trees.
    step: usize,
    threads: usize,
    len: u64,
}

impl Plan {
    /// The plan for a file of that length. `threads` is the greatest number of threads, 1 or more.
    /// None if the parts are too long to be held in memory, or the file has no parts.
    pub fn new(composite: &Composite, len: u64, threads: usize) -> Option<Self> {
        let composite = Some(composite.for_len(len)).filter(Composite::has_parts)?;
        let part = composite.part_len;
        let piece = part.saturating_mul((PIECE / part).max(1));
        let pieces = usize::try_from(len).unwrap_or(usize::MAX).div_ceil(piece);
        let digest = composite.part_digest();
        let many = digest.bind_many(Cpu::native(), LANES);
        let lanes = many.map_or(1, |many| many.lanes());
        // No thread takes more than its share: a small file is for all of them.
        let share = pieces.div_ceil(threads).max(1);
        let at_once = (MEMORY / threads / piece).min(share);
        let at_once = at_once.min(if piece > part { PIECES } else { lanes });
        let abreast = lanes.min(share);
        let step = (ABREAST / abreast).next_multiple_of(4096);
        if composite.has_running_parts()
            && piece == part
            && step < piece
            && digest.bind_update(Cpu::native(), abreast).is_some()
        {
            return Some(Self { composite, piece, at_once: abreast, step, threads, len });
        }
        (at_once > 0).then_some(Self { composite, piece, at_once, step: piece, threads, len })
    }

    /// Bytes that a thread works on until their digests are there.
    fn batch(&self) -> u64 {
        (self.piece * self.at_once) as u64
    }

    /// Bytes that it has in memory at a time.
    fn in_memory(&self) -> usize {
        self.step * self.at_once
    }
}

/// The hasher that has taken all of `source`, a file of that name, and how many bytes there were.
///
/// # Errors
/// The source cannot be read.
pub fn of_parts(
    source: &Source<'_>,
    plan: &Plan,
    name: &[u8],
) -> io::Result<(CompositeHasher, u64)> {
    let state = State {
        next: 0,
        end: plan.len.div_ceil(plan.batch()),
        size: plan.len,
        early: BTreeMap::new(),
        pushed: 0,
        hasher: plan.composite.hasher_of(name, Some(plan.len)),
        error: None,
    };
    let parted = Parted { source, plan, state: Mutex::new(state) };
    let worth = usize::try_from(plan.len.div_ceil(plan.batch())).unwrap_or(usize::MAX);
    thread::scope(|scope| {
        start(scope, plan.threads.min(worth).saturating_sub(1), || parted.work());
        parted.work();
    });
    let State { hasher, size, error, .. } = parted.state.into_inner().expect(NO_PANIC);
    error.map_or(Ok((hasher, size)), Err)
}

const NO_PANIC: &str = "no kernel panics";

/// Memory that threads wait for.
struct Memory {
    left: Mutex<usize>,
    given_back: Condvar,
}

/// Memory that a thread has until this is dropped.
struct Taken(usize);

impl Memory {
    /// Waits until there is so much. No thread waits that has some.
    fn take(&'static self, bytes: usize) -> Taken {
        let left = self.left.lock().expect(NO_PANIC);
        let mut left = self.given_back.wait_while(left, |left| *left < bytes).expect(NO_PANIC);
        *left -= bytes;
        Taken(bytes)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        *LEFT.left.lock().expect(NO_PANIC) += self.0;
        LEFT.given_back.notify_all();
    }
}

struct Parted<'a, 'f> {
    source: &'a Source<'f>,
    plan: &'a Plan,
    state: Mutex<State>,
}

/// What is known of the file; a batch is what a thread has at a time.
struct State {
    /// The number of the next batch, and of the first that is not there.
    next: u64,
    end: u64,
    size: u64,
    /// Batches that came before those to their left, and how many were pushed.
    early: BTreeMap<u64, Parts>,
    pushed: u64,
    hasher: CompositeHasher,
    error: Option<io::Error>,
}

impl Parted<'_, '_> {
    /// Does batch after batch until there is none more to begin.
    fn work(&self) {
        // Several files may be in work at once, and all share the limit.
        let _taken = LEFT.take(self.plan.in_memory());
        let mut room = Room::default();
        while let Some(number) = self.begin() {
            let hashed = if self.plan.step < self.plan.piece {
                self.hash_abreast(number, &mut room)
            } else {
                self.hash(number, &mut room)
            };
            self.state.lock().expect(NO_PANIC).settle(number, hashed, self.plan.batch());
        }
    }

    fn begin(&self) -> Option<u64> {
        let mut state = self.state.lock().expect(NO_PANIC);
        let number = state.next;
        state.next += 1;
        (number < state.end && state.error.is_none()).then_some(number)
    }

    /// Reads a batch and hashes it; gives how many bytes it has.
    fn hash(&self, number: u64, room: &mut Room) -> io::Result<(Parts, u64)> {
        let Plan { composite, piece, at_once, len, .. } = self.plan;
        let apart = apart(*piece);
        room.resize(apart * at_once);
        let (begin, mut filled) = (number * self.plan.batch(), 0);
        let mut lens = Vec::with_capacity(*at_once);
        for row in room.bytes_mut().chunks_mut(apart) {
            let offset = begin + filled;
            let wanted = (*piece).min(usize::try_from(len - offset).unwrap_or(usize::MAX));
            let read = self.source.read_at(offset, &mut row[..wanted])?;
            lens.push(read);
            filled += read as u64;
            if read < *piece {
                break;
            }
        }
        let rows = room.bytes().chunks(apart).zip(lens);
        let pieces: Vec<_> = rows.map(|(row, len)| &row[..len]).collect();
        Ok((composite.digest_parts(Cpu::native(), &pieces), filled))
    }

    /// The same of long parts: a step of each part is read and hashed while it is in the core's own
    /// cache, then the next step.
    fn hash_abreast(&self, number: u64, room: &mut Room) -> io::Result<(Parts, u64)> {
        let Plan { composite, piece, at_once, step, len, .. } = self.plan;
        let begin = number * self.plan.batch();
        let mut left = usize::try_from(len - begin).unwrap_or(usize::MAX);
        let mut count = left.div_ceil(*piece).min(*at_once);
        self.source.will_need(begin, self.plan.batch());
        let mut running = composite.begin_parts(Cpu::native(), *at_once);
        let apart = apart(*step);
        room.resize(apart * at_once);
        let mut filled = vec![0; count];
        for at in (0..*piece).step_by(*step) {
            let mut lens = vec![0; *at_once];
            let mut part = 0;
            while part < count {
                let (offset, row) = (part * piece + at, &mut room.bytes_mut()[part * apart..]);
                let wanted = left.saturating_sub(offset).min((piece - at).min(*step));
                let read = self.source.read_at(begin + offset as u64, &mut row[..wanted])?;
                filled[part] += read;
                lens[part] = read;
                if read < wanted {
                    // The file ends here by now.
                    (left, count) = (offset + read, part + 1);
                }
                part += 1;
            }
            let rows = room.bytes().chunks(apart).zip(lens);
            running.update(&rows.map(|(row, len)| &row[..len]).collect::<Vec<_>>());
        }
        let filled = filled[..count].iter().sum::<usize>();
        Ok((running.finish(filled.div_ceil(*piece)), filled as u64))
    }
}

impl State {
    /// Takes what came of a batch. What lies after a short one is no part of the file.
    fn settle(&mut self, number: u64, hashed: io::Result<(Parts, u64)>, batch: u64) {
        let (parts, filled) = match hashed {
            Ok(hashed) => hashed,
            Err(error) => return self.error = Some(error),
        };
        let there = number * batch + filled;
        // The file is shorter than it was said to be: batches behind its end are dropped.
        if filled < batch && there < self.size {
            self.size = there;
            self.end = number + 1;
        }
        self.early.insert(number, parts);
        while self.pushed < self.end
            && let Some(parts) = self.early.remove(&self.pushed)
        {
            self.hasher.push(&parts);
            self.pushed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::read::meter::Meter;

    #[test]
    fn parts_on_threads_make_the_digest_of_the_whole() {
        let meter = Meter::default();
        let message: Vec<u8> =
            (0..40_000_000u32).map(|at| (at.wrapping_mul(131) >> 7) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&message).unwrap();
        for composite in hashdyno::composite::ALL {
            // What the file's length was said to be may be wrong by the time that it is read.
            for (len, told) in [(40_000_000, 40_000_000), (19_456_000, 19_456_000), (7, 7)]
                .into_iter()
                .chain([(39_999_000, 41_000_000)])
            {
                let begin = message.len() - len;
                let source = Source::of_file(&file, begin as u64, told as u64, &meter);
                for threads in [1, 3] {
                    let Some(plan) = Plan::new(composite, told as u64, threads) else {
                        assert!(!composite.has_parts());
                        continue;
                    };
                    let (hasher, size) = of_parts(&source, &plan, b"").unwrap();
                    assert_eq!(size, len as u64);
                    let expected = composite.for_len(told as u64).digest(&message[begin..]);
                    assert_eq!(hasher.finish().digest, expected, "{} of {len}", composite.name);
                }
            }
        }
    }
}
