//! What of a job is finished, one JSON object a line: a line is there only if its file is durable
//! under its final name.
//!
//! ```text
//! {"digests":["md5"],"hashdyno-copy":1,"layout":"{name}"}                  which job it is
//! {"digests":{"md5":"0cc1..."},"modified":"2024-05-01T21:46:40.000000005Z","name":"a",
//!  "present":false,"size":3,"source":"card/a"}         on one line: a file that is in place
//! {"of":56,"proved":true}               the file of the line at byte 56 was proved
//! {"of":56,"void":true}                 that line holds no longer
//! {"aside":"a.replaced","inode":7,"name":"a"}     a content loses its name (asides.rs)
//! ```
//!
//! ```text
//! (no line) --finished()--> stands --proved()--> stands, and is not read back again
//!                             +---------- void() ----------> void, as if it were not there
//! ```
//!
//! `finished` and `void_durably` sync the journal, and with it every line before. `proved` and
//! `void` do not. A lost `proved` costs a second reading back. With a lost `void` the next run
//! takes the line for true until it reads the file back, and moves a file away that differs. So a
//! line is void durably before another content has its name again.
//!
//! The journal may come from strangers: lines that are no entries are passed over, and so are names
//! that lead out of the destination. Of a file that an earlier run has finished, less than 100
//! bytes are in memory.

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher as _};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

use hashdyno::Digest;
use serde_json::{Map, Value, json};

use super::layout::{Layout, tidy};
use super::write::Seen;
use crate::list::{Claim, Entry, algorithm, json};
use crate::read::system::Nanoseconds;

/// A file that is in place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its name in the source.
    pub source: Vec<u8>,
    /// Its name below the destination, its digests, its size, when the source was last changed.
    pub entry: Entry,
    /// Whether it was there before.
    pub present: bool,
}

/// The finished files of a job at one destination.
pub struct Journal {
    file: File,
    /// Bytes of whole lines.
    len: u64,
    digests: Vec<&'static Digest>,
}

/// What an earlier run has finished.
#[derive(Default)]
pub struct Earlier {
    file: Option<File>,
    /// Hash of the source's name and offset of the line, sorted.
    sources: Vec<(u64, u64)>,
    /// The same of the name below the destination, whatever its case.
    names: Vec<(u64, u64)>,
    /// Offsets of lines that need not be proved again, sorted.
    proved: Vec<u64>,
    /// Offsets of lines that hold no longer, sorted.
    void: Vec<u64>,
    /// Offsets of the lines of contents that were moved aside.
    asides: Vec<u64>,
}

impl Journal {
    /// Begins in an empty file, or goes on in one that an interrupted run of the same job has left.
    pub fn open(
        file: File,
        resume: bool,
        layout: &Layout,
        digests: &[&'static Digest],
    ) -> io::Result<(Self, Earlier)> {
        let has_begun = Self::has_begun(&file, resume, layout, digests)?;
        let mut journal = Self { file, len: 0, digests: digests.to_vec() };
        if !has_begun {
            journal.file.set_len(0)?;
            // Without a sync: a job without a finished file is begun anew.
            journal.append(&head(layout, digests).to_string())?;
            return Ok((journal, Earlier::default()));
        }
        let mut lines = Lines::new(journal.file.try_clone()?);
        let earlier = Earlier::read(&mut lines)?;
        journal.len = lines.offset;
        // Half a line would join the next one. Its file is in place, and is found there as present.
        journal.file.set_len(journal.len)?;
        // the interrupted run may have written lines that it could not sync
        journal.file.sync_data()?;
        let file = Some(journal.file.try_clone()?);
        Ok((journal, Earlier { file, ..earlier }))
    }

    /// Whether an interrupted run of the same job has finished anything. Another job, or one to go
    /// on with unasked, is an error.
    pub fn has_begun(
        file: &File,
        resume: bool,
        layout: &Layout,
        digests: &[&'static Digest],
    ) -> io::Result<bool> {
        let mut lines = Lines::new(file.try_clone()?);
        // A first line alone has finished nothing: any job may take the journal over.
        let (Some((_, first)), Some(_)) = (lines.next()?, lines.next()?) else {
            return Ok(false);
        };
        if !resume {
            return Err(io::Error::other("an earlier copy into it was not finished"));
        }
        if serde_json::from_slice(&first).ok() != Some(head(layout, digests)) {
            let message = "the copy to go on with had another layout or other digests";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(true)
    }

    /// Adds files that are durable, and makes the lines so; gives the offset of each. All or none
    /// are added.
    pub fn finished(&mut self, files: &[Finished]) -> io::Result<()> {
        let lines: Vec<_> = files.iter().map(Finished::line).collect();
        let before = self.len;
        self.append(&lines.join("\n"))?;
        self.file.sync_data().inspect_err(|_| {
            // A line that may not be durable must not be read back as one that is.
            self.len = before;
            let _ = self.file.set_len(before);
        })
    }

    /// Says that lines were proved.
    pub fn proved(&mut self, offsets: &[u64]) -> io::Result<()> {
        self.say(offsets, "proved")
    }

    /// Says that a line holds no longer.
    pub fn void(&mut self, offset: u64) -> io::Result<()> {
        self.say(&[offset], "void")
    }

    /// The same, and brings it to the device.
    pub fn void_durably(&mut self, offset: u64) -> io::Result<()> {
        self.void(offset)?;
        self.file.sync_data()
    }

    /// Bytes of it so far: where the files end that are finished now.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The finished files in the first `end` bytes, with their offsets, as they were added; their
    /// digests in the job's order.
    pub fn files(
        &self,
        end: u64,
    ) -> io::Result<impl Iterator<Item = io::Result<(u64, Finished)>> + use<>> {
        let mut lines = Lines::new(self.file.try_clone()?);
        let digests = self.digests.clone();
        let next = move || loop {
            match lines.next() {
                // `end` keeps lines out that are added meanwhile: those that say `proved` of these.
                Ok(Some((offset, line))) if offset < end => match Finished::parse(&line) {
                    Some(mut finished) => {
                        let place = |claim: &Claim| {
                            digests
                                .iter()
                                .position(|digest| claim.digests.contains(&(*digest).into()))
                        };
                        // JSON has the digests in the order of their names. Values are compared in
                        // the job's order.
                        finished.entry.claims.sort_by_key(place);
                        return Some(Ok((offset, finished)));
                    }
                    None => continue,
                },
                Ok(_) => return None,
                Err(error) => return Some(Err(error)),
            }
        };
        Ok(std::iter::from_fn(next))
    }

    /// One that takes lines and that no device holds: it cannot be synced.
    #[cfg(test)]
    pub fn unsyncable() -> Self {
        let file = File::options().read(true).write(true).open("/dev/null").unwrap();
        Self { file, len: 0, digests: Vec::new() }
    }

    fn say(&mut self, offsets: &[u64], what: &str) -> io::Result<()> {
        let lines: Vec<_> =
            offsets.iter().map(|offset| json!({ "of": offset, what: true }).to_string()).collect();
        if lines.is_empty() { Ok(()) } else { self.append(&lines.join("\n")) }
    }

    fn append(&mut self, lines: &str) -> io::Result<()> {
        let bytes = format!("{lines}\n").into_bytes();
        let mut file = &self.file;
        let written = file.seek(SeekFrom::Start(self.len)).and_then(|_| file.write_all(&bytes));
        match written {
            Ok(()) => self.len += bytes.len() as u64,
            // Half a line would join the next one.
            Err(_) => self.file.set_len(self.len)?,
        }
        written
    }
}

impl Earlier {
    /// The file that an earlier run made of this source, and the offset of its line, if the source
    /// is as it was then. One source may have gone to several places: `fits` says whether a name is
    /// one that the file may have now.
    /// Of several such lines the last is the newest.
    pub fn find(
        &self,
        source: &[u8],
        seen: Seen,
        fits: impl Fn(&[u8]) -> bool,
    ) -> Option<(u64, Finished)> {
        let same = |finished: &Finished| {
            finished.source == source
                && finished.entry.size == Some(seen.size)
                && finished.modified() == seen.modified
                && fits(&finished.entry.name)
        };
        self.standing(&self.sources, hash(source)).filter(|(_, finished)| same(finished)).last()
    }

    /// The files that an earlier run has given this name, in any case, with the offsets of their
    /// lines.
    pub fn named<'a>(&'a self, name: &'a [u8]) -> impl Iterator<Item = (u64, Finished)> + 'a {
        let (key, name) = (folded_hash(name), folded(name));
        self.standing(&self.names, key)
            .filter(move |(_, finished)| folded(&finished.entry.name) == name)
    }

    /// The lines of an index that hold and whose keys have that hash.
    /// Other keys can have the same hash: callers compare the keys themselves.
    fn standing<'a>(
        &'a self,
        index: &'a [(u64, u64)],
        hash: u64,
    ) -> impl Iterator<Item = (u64, Finished)> + 'a {
        let from = index.partition_point(|(known, _)| *known < hash);
        let fitting = index[from..].iter().take_while(move |(known, _)| *known == hash);
        fitting
            .filter(|(_, offset)| !self.is_void(*offset))
            .filter_map(|&(_, offset)| Some((offset, Finished::parse(&self.line(offset)?)?)))
    }

    /// The line at that offset.
    fn line(&self, offset: u64) -> Option<Vec<u8>> {
        let (file, mut line) = (self.file.as_ref()?, Vec::new());
        BufReader::new(At { file, offset }).read_until(b'\n', &mut line).ok()?;
        Some(line)
    }

    /// Whether the line at that offset was proved by an earlier run.
    pub fn is_proved(&self, offset: u64) -> bool {
        self.proved.binary_search(&offset).is_ok()
    }

    /// Whether the line at that offset holds no longer.
    pub fn is_void(&self, offset: u64) -> bool {
        self.void.binary_search(&offset).is_ok()
    }

    fn read(lines: &mut Lines) -> io::Result<Self> {
        let mut earlier = Self::default();
        while let Some((offset, line)) = lines.next()? {
            let Ok(Value::Object(line)) = serde_json::from_slice(&line) else { continue };
            match line.get("of").and_then(Value::as_u64) {
                None if line.contains_key("aside") => earlier.asides.push(offset),
                Some(of) if line.contains_key("void") => earlier.void.push(of),
                Some(of) => earlier.proved.push(of),
                // The first line has neither `of` nor names, and is in no index.
                None => {
                    let (source, name) = (json::name(&line, "source"), json::name(&line, "name"));
                    earlier.sources.extend(source.map(|source| (hash(&source), offset)));
                    earlier.names.extend(name.map(|name| (folded_hash(&name), offset)));
                }
            }
        }
        earlier.sources.sort_unstable();
        earlier.names.sort_unstable();
        earlier.proved.sort_unstable();
        earlier.void.sort_unstable();
        Ok(earlier)
    }
}

impl Finished {
    /// When the source was last changed, as [`Seen`] has it.
    fn modified(&self) -> (i64, Nanoseconds) {
        let time = self.entry.modified.unwrap_or_default();
        // Before 1970, the system counts nanoseconds up from the second below.
        let (second, nano) = (time.as_second(), i64::from(time.subsec_nanosecond()));
        if nano < 0 { (second - 1, (nano + 1_000_000_000) as _) } else { (second, nano as _) }
    }

    fn line(&self) -> String {
        let mut object = json::object(&self.entry);
        json::put_name(&mut object, "source", &self.source);
        object.insert("present".to_owned(), self.present.into());
        Value::Object(object).to_string()
    }

    /// The file of a line; `None` of any other line.
    fn parse(line: &[u8]) -> Option<Self> {
        // A destination from somebody else may hold any journal: its names must not lead out.
        let entry = json::entry(line, algorithm::method)
            .filter(|entry| tidy(&entry.name).as_deref() == Some(&entry.name[..]))?;
        let object: Map<_, _> = serde_json::from_slice(line).ok()?;
        Some(Self {
            source: json::name(&object, "source")?,
            entry,
            present: object.get("present")?.as_bool()?,
        })
    }
}

/// Which job it is: the first line.
fn head(layout: &Layout, digests: &[&'static Digest]) -> Value {
    let names: Vec<_> = digests.iter().map(|digest| digest.name).collect();
    json!({ "hashdyno-copy": 1, "layout": layout.text(), "digests": names })
}

/// A name's hash: memory must not grow with the lengths of names. It is never written down, so it
/// may differ from one version of Rust to the next.
fn hash(name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// A name as a file system takes it that ignores case. Nobody tells which one does: where case
/// counts, a file gets a name of its own though it might have replaced another.
pub(super) fn folded(name: &[u8]) -> String {
    // Both ways: the Kelvin sign has only a small letter, and two small sigmas have one capital.
    String::from_utf8_lossy(name).to_lowercase().to_uppercase()
}

/// The hash of a name, whatever its case.
pub(super) fn folded_hash(name: &[u8]) -> u64 {
    hash(folded(name).as_bytes())
}

/// The whole lines of a file; the last, if it was cut off, is none.
struct Lines {
    reader: BufReader<At<File>>,
    offset: u64,
}

impl Lines {
    fn new(file: File) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, At { file, offset: 0 }), offset: 0 }
    }

    fn next(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        let (mut line, at) = (Vec::new(), self.offset);
        self.reader.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
        self.offset += line.len() as u64 + 1;
        Ok(Some((at, line)))
    }
}

/// Reads from a place of a file, whatever others do with it: clones of a handle share one position,
/// and appending moves it.
struct At<F> {
    file: F,
    offset: u64,
}

impl<F: std::borrow::Borrow<File>> Read for At<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.borrow().read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

pub mod asides;
#[cfg(test)]
mod tests;
