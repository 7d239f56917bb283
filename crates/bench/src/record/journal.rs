//! The record of a run that goes on: a file that grows by whole lines.
//!
//! ```text
//! begin   NAME.part with its head, under another name first, then renamed without replacing
//! add     the lines of a step, then {"line":"done","step":...}, in one write
//! end     the whole record into NAME, then NAME.part goes; of a stopped run NAME.part stays
//! go_on   NAME.part is locked, read, cut after its last whole step, and grows again
//! ```
//!
//! Invariants:
//! - Lines behind the last `done` are no part of the record: a killed program leaves them.
//! - A step that the disk refused is kept in memory, and is written before the next one.
//! - One process writes a part: a lock of the file says so.

use std::fs::{File, Permissions, create_dir_all, remove_file};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::Builder;

use super::unfinished::{Done, Resumed, Step};
use super::{Head, Line, Record, RecordError, read};

/// The file beside a record's place that grows while its run goes on.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    synced: Instant,
    /// Bytes up to the end of the last step that the file took.
    whole: u64,
    /// What it has to take next: more than a step where it took none.
    owed: Vec<u8>,
    /// That the run went on. It is written with the first step after that: a run that is stopped
    /// before it has measured anything leaves no trace.
    resumed: Option<Resumed>,
}

/// What a run had measured when it was stopped.
pub(crate) struct Begun {
    pub(crate) record: Record,
    pub(crate) done: Done,
    pub(crate) journal: Journal,
}

impl Record {
    /// Where the record of `path` grows until it is whole: the same name with `.part` behind it.
    pub fn part(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        name.into()
    }

    /// Where the record is to lie that grows at `part`: the name without `.part`.
    pub fn place(part: &Path) -> PathBuf {
        match part.extension() {
            Some(ending) if ending == "part" => part.with_extension(""),
            _ => part.to_owned(),
        }
    }
}

impl Journal {
    /// Begins the record of `path` in its part.
    ///
    /// # Errors
    /// [`RecordError`]: the part is there already, or cannot be written.
    pub(crate) fn begin(path: &Path, head: &Head, groups: usize) -> Result<Self, RecordError> {
        let path = Record::part(path);
        let error = |source: io::Error| match source.kind() {
            ErrorKind::AlreadyExists => RecordError::Taken { path: path.display().to_string() },
            _ => written(&path, source),
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        create_dir_all(folder).map_err(error)?;
        // It appears with its head: without that nobody could go on with it.
        let mut file = Builder::new()
            .permissions(Permissions::from_mode(READABLE))
            .tempfile_in(folder)
            .map_err(error)?;
        let begin = [Line::Head(Box::new(head.clone())), Line::Begun { groups }];
        let begin = bytes(&begin).map_err(error)?;
        file.write_all(&begin).map_err(error)?;
        let file = file.persist_noclobber(&path).map_err(|failed| error(failed.error))?;
        // Where there are no locks, two runs can be told to go on with one part.
        let _ = file.try_lock();
        let (path, synced, whole) = (path.clone(), Instant::now(), begin.len() as u64);
        let mut journal = Self { file, path, synced, whole, owed: Vec::new(), resumed: None };
        journal.sync().map_err(error)?;
        Ok(journal)
    }

    /// Reads the part of a record, and makes ready to append to it, if its head passes: what is not
    /// whole at its end goes.
    ///
    /// # Errors
    /// [`RecordError`]: as [`Record::read`], or a run is still writing it. Or that of `check`.
    pub(crate) fn go_on<E: From<RecordError>>(
        path: &Path,
        resumed: Resumed,
        check: impl FnOnce(&Head) -> Result<(), E>,
    ) -> Result<Begun, E> {
        let error = |source| written(path, source);
        let file = File::options().write(true).open(path).map_err(error)?;
        if file.try_lock().is_err() {
            return Err(RecordError::Busy { path: path.display().to_string() }.into());
        }
        let read = read::as_far_as_it_goes(path)?;
        // A whole record has nothing to go on with, and must not be cut.
        let Some(whole) = read.bytes else {
            return Err(RecordError::NoPart { path: path.display().to_string() }.into());
        };
        // The check comes before the cut: a run with other arguments leaves the file as it was.
        check(&read.record.head)?;
        file.set_len(whole).map_err(error)?;
        let mut record = read.record;
        record.head.resumed.push(resumed.clone());
        let (path, synced, resumed) = (path.to_owned(), Instant::now(), Some(resumed));
        let journal = Self { file, path, synced, whole, owed: Vec::new(), resumed };
        Ok(Begun { record, done: read.done, journal })
    }

    /// Appends what a step gave, in one write with what the file did not take before. A program
    /// that is killed needs no more; against a crash of the machine the file is synced now and
    /// then: each sync takes time from the disk.
    ///
    /// # Errors
    /// [`RecordError::Io`]: the file system refuses. The next call tries again.
    pub(crate) fn add(&mut self, lines: &[Line], step: &Step) -> Result<(), RecordError> {
        let done = Line::Done { step: step.clone() };
        let synced = self.synced.elapsed() >= SYNC;
        let resumed = self.resumed.take().map(Line::Resumed);
        bytes(resumed.iter().chain(lines).chain([&done]))
            .and_then(|step| {
                self.owed.extend(step);
                self.pay()
            })
            .and_then(|()| if synced { self.sync() } else { Ok(()) })
            .map_err(|source| written(&self.path, source))
    }

    /// Writes the record whole into its place, and this part of it goes; one that is unfinished
    /// stays here. Where it is then.
    ///
    /// # Errors
    /// [`RecordError::Io`]: the file system refuses. An unfinished record may then lack steps.
    pub(crate) fn end(mut self, record: &Record) -> Result<PathBuf, RecordError> {
        if record.unfinished.is_some() {
            self.pay().and_then(|()| self.sync()).map_err(|source| written(&self.path, source))?;
            return Ok(self.path);
        }
        let place = Record::place(&self.path);
        record.write(&place)?;
        // One that was renamed was replaced just now.
        if place != self.path {
            remove_file(&self.path).map_err(|source| written(&self.path, source))?;
        }
        Ok(place)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }

    /// Writes what is owed, over what the file took of it before the disk was full.
    fn pay(&mut self) -> io::Result<()> {
        // A refused write may have left half a line.
        self.file.set_len(self.whole)?;
        self.file.write_all_at(&self.owed, self.whole)?;
        self.whole += self.owed.len() as u64;
        self.owed.clear();
        Ok(())
    }
}

fn bytes<'a>(lines: impl IntoIterator<Item = &'a Line>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut bytes, line)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

fn written(path: &Path, source: io::Error) -> RecordError {
    RecordError::Io { action: "write", path: path.display().to_string(), source }
}

/// How often a growing record is synced at most.
const SYNC: Duration = Duration::from_secs(10);

/// Everybody may read it, as a record.
const READABLE: u32 = 0o644;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::mem::replace;

    use super::*;
    use crate::record::Unfinished;
    use crate::study::Study;

    /// The steps that the part of a record holds, each with the table that it is of.
    fn told(part: &Path) -> Vec<String> {
        let text = fs::read_to_string(part).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Line>(line).unwrap());
        let steps = lines.filter_map(|line| match line {
            Line::Done { step: Step::Told(table) } => Some(table),
            _ => None,
        });
        steps.collect()
    }

    #[test]
    fn a_part_holds_every_step_once_its_disk_has_room_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("r.jsonl");
        let part = Record::part(&place);
        let record = Record::empty(Study::new("test", "", "", Vec::new()));
        let begun = Journal::begin(&place, &record.head, 4);
        let mut journal = begun.unwrap_or_else(|error| panic!("{error}"));
        let add = |journal: &mut Journal, table: &str| {
            journal.add(&[], &Step::Told(table.to_owned())).map_err(|error| error.to_string())
        };
        // A file that is open to be read alone takes nothing.
        let file = replace(&mut journal.file, File::open(&part).unwrap());
        add(&mut journal, "a").unwrap_err();
        // A disk that becomes full takes the beginning of a line.
        let mut torn = File::options().append(true).open(&part).unwrap();
        torn.write_all(b"{\"line\":\"done\",\"st").unwrap();
        add(&mut journal, "b").unwrap_err();
        journal.file = file;
        add(&mut journal, "c").unwrap();
        assert_eq!(told(&part), ["a", "b", "c"]);
        let file = replace(&mut journal.file, File::open(&part).unwrap());
        add(&mut journal, "d").unwrap_err();
        journal.file = file;
        let unfinished = Some(Unfinished { groups: 4, of: Some(5) });
        let end = journal.end(&Record { unfinished, ..record });
        assert_eq!(end.unwrap_or_else(|error| panic!("{error}")), part);
        assert_eq!(told(&part), ["a", "b", "c", "d"]);
    }
}
