//! The record of a run while it grows: in memory, and on the disk where it is kept.

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
            Self::GoOn(part) => {
                let resumed = Resumed { date: head.date.clone(), core: head.core };
                let begun = Journal::go_on(part, resumed, |begun| is_the_same(begun, head))?;
                return Ok(Place::Begun(Box::new(begun)));
            }
        };
        let part = Record::part(&path);
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
                return Ok(Self { record, done, journal: Some(journal), stop });
            }
            Place::New(path) => path,
        };
        let journal = Some(Journal::begin(&path, &head, groups)?);
        Ok(Self { journal, ..Self::in_memory(Record::of(head), groups, stop) })
    }

    /// A record of `groups` groups, of which none is done, that nobody keeps.
    pub(super) fn in_memory(record: Record, groups: usize, stop: Stop) -> Self {
        let unfinished = Some(Unfinished { groups: 0, of: Some(groups) });
        Self { record: Record { unfinished, ..record }, done: Done::default(), journal: None, stop }
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
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.add(&lines, &step)
        {
            progress.warn(&format!("{error}: the record does not grow any more"));
            self.journal = None;
        }
        self.record.commit(&mut self.done, step, lines);
        if let Some(unfinished) = &mut self.record.unfinished {
            unfinished.groups = self.done.groups();
        }
    }

    /// Whether who answers now is who answered before the run was stopped.
    pub(super) fn check_providers(&self, now: &[ProviderLine]) -> Result<(), ExecuteError> {
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
    /// run leaves that was told to stop.
    pub(super) fn end(self, settled: impl FnOnce(&mut Record)) -> Result<Ran, ExecuteError> {
        let Self { mut record, journal, stop, .. } = self;
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
    let machine = |machine: &Machine| judge::identity(machine);
    same("machine", machine(&before.machine), machine(&now.machine))?;
    same("CPU mask", before.cpu.clone(), now.cpu.clone())?;
    same("study", before.name.clone(), now.name.clone())?;
    same("preset", before.preset.to_string(), now.preset.to_string())?;
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
