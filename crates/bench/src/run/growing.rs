//! The record of a run while it grows: in memory, and on the disk where it is kept.
//!
//! ```text
//! Keep          Place    then
//! Nowhere       Memory   a record in memory
//! Usual, At     New      a new part, refused where one lies there already
//! GoOn          Begun    the part of a stopped run, if it was the same run
//! ```
//!
//! Memory holds the truth. A disk that refuses a step delays the part and ends nothing: the step is
//! tried again with the next. A run that is told to stop gives up the step in work, and takes
//! nothing more.

use std::path::PathBuf;
use std::time::Instant;

use gauge::{Machine, Plan};

use super::{ExecuteError, Progress, Ran, Stop};
use crate::judge;
use crate::record::journal::{Begun, Journal};
use crate::record::{
    Done, Head, Line, ProviderLine, Record, RecordError, Resumed, Step, Unfinished,
};

/// Where the record of a run is kept while it grows.
#[derive(Clone, Debug, Default)]
pub enum Keep {
    /// Nowhere: it is in memory alone.
    #[default]
    Nowhere,
    /// Where records go if nothing else is said.
    Usual,
    /// In this file.
    At(PathBuf),
    /// In this part of a record, which a run left that was stopped: what it lacks is measured.
    GoOn(PathBuf),
}

/// Where a record is to grow.
pub(super) enum Place {
    Memory,
    New(PathBuf),
    Begun(Box<Begun>),
}

impl Keep {
    /// Where the record that has this head grows. Whether it can is found before anything is
    /// measured.
    pub(super) fn place(&self, head: &Head) -> Result<Place, ExecuteError> {
        let path = match self {
            Self::Nowhere => return Ok(Place::Memory),
            Self::Usual => Record::default_path(head),
            Self::At(path) => path.clone(),
            // The lock is taken before runners start: two runs would disturb each other's figures.
            Self::GoOn(part) => {
                let resumed = Resumed { date: head.date.clone(), core: head.core };
                let begun = Journal::go_on(part, resumed, |begun| is_the_same(begun, head))?;
                return Ok(Place::Begun(Box::new(begun)));
            }
        };
        let part = Record::part(&path);
        // Found before an hour of measuring, and again when the part is made.
        if part.exists() {
            return Err(RecordError::Taken { path: part.display().to_string() }.into());
        }
        Ok(Place::New(path))
    }
}

/// A record that grows.
pub(super) struct Growing {
    pub(super) record: Record,
    done: Done,
    journal: Option<Journal>,
    /// Whether the journal took the last step: a person is told once that it does not.
    grows: bool,
    stop: Stop,
}

impl Growing {
    /// A record that goes on with `begun`, or a new one that has this head; of `groups` groups, if
    /// all goes well.
    pub(super) fn begin(
        place: Place,
        head: Head,
        groups: usize,
        stop: Stop,
    ) -> Result<Self, ExecuteError> {
        let path = match place {
            Place::Memory => return Ok(Self::in_memory(Record::of(head), groups, stop)),
            Place::Begun(begun) => {
                let Begun { record, done, journal } = *begun;
                let journal = Some(journal);
                return Ok(Self { record, done, journal, grows: true, stop });
            }
            Place::New(path) => path,
        };
        let journal = Some(Journal::begin(&path, &head, groups)?);
        Ok(Self { journal, ..Self::in_memory(Record::of(head), groups, stop) })
    }

    /// A record of `groups` groups, of which none is done, that nobody keeps.
    pub(super) fn in_memory(record: Record, groups: usize, stop: Stop) -> Self {
        let unfinished = Some(Unfinished { groups: 0, of: Some(groups) });
        let record = Record { unfinished, ..record };
        Self { record, done: Done::default(), journal: None, grows: true, stop }
    }

    /// Whether a step is to be done: it is not, and the run is not to stop.
    pub(super) fn lacks(&self, step: &Step) -> bool {
        !self.stop.is_asked() && self.times(step) == 0
    }

    /// How many times a step was done.
    pub(super) fn times(&self, step: &Step) -> usize {
        self.done.times(step)
    }

    /// The same, until another stops it.
    #[cfg(test)]
    pub(super) fn until(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Whether the run is to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// What tells it to.
    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Milliseconds from the run's beginning to each call: this one's, which was at `begin`, or
    /// that of the run which goes on.
    pub(super) fn since(&self, begin: Instant) -> impl Fn() -> u64 + use<> {
        // The clock of the wall, because the process that began is gone. It may have been set back.
        let before = self.record.head.resumed.last().and_then(|resumed| {
            let [from, to] = [&self.record.head.date, &resumed.date]
                .map(|date| date.parse::<jiff::Timestamp>().ok());
            u64::try_from(to?.as_millisecond() - from?.as_millisecond()).ok()
        });
        move || before.unwrap_or(0) + begin.elapsed().as_millis() as u64
    }

    /// Takes what a step gave; of a run that is to stop it is not whole, and not taken.
    pub(super) fn add(&mut self, step: Step, lines: Vec<Line>, progress: &mut dyn Progress) {
        if self.stop.is_asked() {
            return;
        }
        if let Some(journal) = &mut self.journal {
            let added = journal.add(&lines, &step);
            // One warning: a full disk would repeat it after each group.
            if let Err(error) = &added
                && self.grows
            {
                progress.warn(&format!("{error}: after each group it is tried again"));
            }
            self.grows = added.is_ok();
        }
        self.record.commit(&mut self.done, step, lines);
        if let Some(unfinished) = &mut self.record.unfinished {
            unfinished.groups = self.done.groups();
        }
    }

    /// Whether who answers now is who answered before the run was stopped.
    pub(super) fn check_providers(&self, now: &[ProviderLine]) -> Result<(), ExecuteError> {
        // A provider that was not asked yet, such as a later tool, has no version to keep.
        for (before, now) in self.record.providers.iter().filter_map(|before| {
            Some((before, now.iter().find(|now| now.source() == before.source())?))
        }) {
            let version = |line: &ProviderLine| match &line.version {
                Some(version) => format!("version {version}"),
                None => "missing".to_owned(),
            };
            same(&format!("provider {}", before.source()), version(before), version(now))?;
        }
        Ok(())
    }

    /// The record, `settled`, and the file that holds it: whole in its place, or the part that a
    /// run leaves that was told to stop. The whole one is written from memory, whether or not its
    /// part took every step. A part that lacks a step is an error.
    pub(super) fn end(self, settled: impl FnOnce(&mut Record)) -> Result<Ran, ExecuteError> {
        let Self { mut record, journal, stop, .. } = self;
        // A record that ended by itself is whole, also where it went on several times.
        if !stop.is_asked() {
            record.unfinished = None;
        }
        settled(&mut record);
        let path = journal.map(|journal| journal.end(&record)).transpose()?;
        Ok(Ran { record, path })
    }
}

/// Whether a run that went as `before` says can go on as `now` says.
fn is_the_same(before: &Head, now: &Head) -> Result<(), ExecuteError> {
    same("version of hashdyno", before.hashdyno.clone(), now.hashdyno.clone())?;
    // Records of before do not say it; then the version must do.
    let program = |head: &Head| head.program_sha256.clone();
    if let (Some(before), Some(now)) = (program(before), program(now)) {
        same("program's SHA-256", before, now)?;
    }
    let machine = |machine: &Machine| judge::identity(machine);
    same("machine", machine(&before.machine), machine(&now.machine))?;
    same("CPU mask", before.cpu.clone(), now.cpu.clone())?;
    same("study", before.name.clone(), now.name.clone())?;
    let file = |head: &Head| match &head.payload_sha256 {
        Some(digest) => format!("SHA-256 {digest}"),
        None => "none".to_owned(),
    };
    same("payload file", file(before), file(now))?;
    same("preset", before.preset.to_string(), now.preset.to_string())?;
    // As JSON: a study has no equality of its own.
    let json = |head: &Head| serde_json::to_value(&head.study).unwrap_or_default();
    if json(before) != json(now) {
        let words = |command: &str| format!("that of `hashdyno {command}`");
        return differs("study", words(&before.command), words(&now.command));
    }
    let plan = |plan: &Plan| format!("{plan:?}");
    same("plan", plan(&before.plan), plan(&now.plan))
}

fn same(what: &str, before: String, now: String) -> Result<(), ExecuteError> {
    if before == now { Ok(()) } else { differs(what, before, now) }
}

fn differs(what: &str, before: String, now: String) -> Result<(), ExecuteError> {
    Err(ExecuteError::Differs { what: what.to_owned(), before, now })
}

// A file that takes no byte more stands for a disk that is full.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use gauge::Verdict;
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

    use super::super::OnlyWarnings;
    use super::super::group::tests::{entry, group};
    use super::*;
    use crate::study::Study;

    /// A run whose record is to lie at `place`, of which two groups are measured while its part
    /// takes neither; and what its part is.
    fn on_a_full_disk(place: &Path) -> (Growing, File) {
        let head = Record::empty(Study::new("test", "", "", Vec::new())).head;
        let new = Growing::begin(Place::New(place.to_owned()), head.clone(), 2, Stop::default());
        drop(new.unwrap_or_else(|error| panic!("{error}")));
        let part = Record::part(place);
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let mut disk = File::from(memfd_create("part", flags).unwrap());
        disk.write_all(&fs::read(&part).unwrap()).unwrap();
        fcntl_add_seals(&disk, SealFlags::GROW).unwrap();
        fs::remove_file(&part).unwrap();
        symlink(format!("/proc/self/fd/{}", disk.as_raw_fd()), &part).unwrap();
        let begun = Keep::GoOn(part).place(&head).unwrap_or_else(|error| panic!("{error}"));
        let begun = Growing::begin(begun, head, 2, Stop::default());
        let mut growing = begun.unwrap_or_else(|error| panic!("{error}"));
        for (place, algorithm) in ["md5", "sha1"].into_iter().enumerate() {
            let measured = group(place, algorithm);
            let lines = vec![Line::Series(Box::new(entry(&measured, Verdict::Clean)))];
            growing.add(measured.step(), lines, &mut OnlyWarnings);
        }
        assert!(!growing.grows, "its part took what it cannot hold");
        (growing, disk)
    }

    #[test]
    fn a_record_whose_part_stopped_growing_is_written_whole_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("r.jsonl");
        let (growing, _disk) = on_a_full_disk(&place);
        let ran = growing.end(|_| {}).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ran.path.as_deref(), Some(&*place));
        let record = Record::read(&place).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(record.entries.len(), 2);
        assert!(Record::part(&place).symlink_metadata().is_err(), "its part is still there");
    }

    #[test]
    fn a_stopped_run_whose_part_lacks_what_it_measured_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (growing, _disk) = on_a_full_disk(&folder.path().join("r.jsonl"));
        growing.stop().ask();
        let Err(error) = growing.end(|_| {}) else { panic!("its part is said to hold all") };
        assert!(matches!(error, ExecuteError::Record(RecordError::Io { .. })), "{error}");
    }

    #[test]
    fn a_record_that_cannot_be_written_at_the_end_either_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("r.jsonl");
        let (growing, _disk) = on_a_full_disk(&place);
        fs::create_dir(&place).unwrap();
        let Err(error) = growing.end(|_| {}) else { panic!("a folder became a record") };
        assert!(matches!(error, ExecuteError::Record(RecordError::Io { .. })), "{error}");
        assert!(Record::part(&place).symlink_metadata().is_ok(), "what was kept is gone");
    }
}
