//! A record: one run, with every raw sample, as JSON lines. Reports and comparisons read nothing
//! else. `read` has the order of the lines, `journal` the form of a record whose run goes on,
//! `columns` the form of a series. Fields are added with defaults: records of years ago are read by
//! this code.

use std::io::Write;
use std::path::{Path, PathBuf};

use gauge::{Cost, Estimate, Machine, Outcome, Plan, Ratio, Series};
use runner::{ALL, Size};
use serde::{Deserialize, Serialize};

use crate::study::{Preset, SizeOrder, Source, Study};

mod check;
mod columns;
mod digits;
mod error;
pub mod files;
mod first_calls;
pub mod import;
pub(crate) mod journal;
mod kept;
mod printable;
mod read;
mod told;
mod unfinished;
pub mod zstd;

pub use error::RecordError;
pub use first_calls::Cold;
pub use kept::Kept;
pub use told::Told;
pub use unfinished::{Resumed, Unfinished};

pub(crate) use read::may_begin_a_record;
pub(crate) use unfinished::{Done, Step};

/// The version of this format; the first line says it.
pub const SCHEMA: u32 = 1;

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Line {
    Head(Box<Head>),
    /// Of a run that has not ended: how many groups it is to have.
    Begun {
        groups: usize,
    },
    /// It was stopped here, and went on.
    Resumed(Resumed),
    Provider(ProviderLine),
    Loop(Box<Loop>),
    Open(Box<Loop>),
    Cold(Cold),
    Told(Told),
    Series(Box<Entry>),
    Ratio(Box<kept::KeptRatio>),
    Cost(Box<kept::KeptCost>),
    Files(files::FilesLine),
    /// What stands since the last such line is all that a step gave.
    Done {
        step: Step,
    },
    End {
        series: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unfinished: Option<Unfinished>,
    },
}

/// The first line: what was run, when, where.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// [`SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// The program's version.
    pub hashdyno: String,
    /// SHA-256 of the program's file, in hexadecimal; records of before do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_sha256: Option<String>,
    /// When the run began.
    pub date: String,
    /// The arguments that it was given.
    pub command: String,
    /// How thoroughly it measured.
    pub preset: Preset,
    /// The CPU mask of every source that has none of its own.
    pub cpu: String,
    /// How each group was measured.
    pub plan: Plan,
    /// The core that everything ran on.
    pub core: usize,
    /// The machine.
    pub machine: Machine,
    /// The study's name.
    pub name: String,
    /// The study itself, so that the record explains itself.
    pub study: Study,
    /// Where messages hold a file of the user's: its SHA-256, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_sha256: Option<String>,
    /// Of a summary: the record that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_of: Option<Raw>,
    /// Where the run was stopped and went on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumed>,
}

/// The record that a summary was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The commit of the program that wrote it, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// A provider that was asked for, under one mask on one number of threads: its receipt, or why it
/// has none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProviderLine {
    /// Its name in `runners.toml`.
    #[serde(deserialize_with = "crate::study::read_provider_name")]
    pub name: String,
    /// The CPU mask that it ran under, if it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<String>,
    /// How many processes of it ran at once.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub threads: usize,
    /// The version that the runner reported; no version, no measurement.
    pub version: Option<String>,
    /// What else it said of itself: path, capability words.
    #[serde(default)]
    pub facts: std::collections::BTreeMap<String, String>,
    /// Why it is missing, and how to get it.
    pub missing: Option<String>,
}

impl ProviderLine {
    /// The provider with its mask and threads, as a study writes them.
    pub fn source(&self) -> Source {
        let Self { name, mask, threads, .. } = self;
        Source {
            provider: name.clone(),
            implementation: None,
            mask: mask.clone(),
            threads: *threads,
        }
    }
}

fn one() -> usize {
    1
}

fn is_one(threads: &usize) -> bool {
    *threads == 1
}

/// What a source's bare loop takes, from one call to the next, when the call does nothing.
/// Reported, never subtracted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loop {
    /// Provider and implementation as the study asks.
    pub source: Source,
    /// The loop, measured like anything else.
    #[serde(with = "columns")]
    pub series: Series,
}

/// One measured cell: a source, an algorithm, a size. Its figures are of one message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Provider and implementation as the study asks.
    pub source: Source,
    /// The algorithm as the study writes it.
    pub algorithm: String,
    /// The message, or many.
    pub size: Size,
    /// The implementation that ran, as the runner names it.
    pub implementation: String,
    /// Milliseconds from the run's beginning to the turn of this cell; records of before do not say
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_ms: Option<u64>,
    /// What was measured, or why nothing counts.
    #[serde(with = "columns")]
    pub series: Series,
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct Record {
    /// Machine, study, preset.
    pub head: Head,
    /// Every provider asked for.
    pub providers: Vec<ProviderLine>,
    /// The bare loop of every source.
    pub loops: Vec<Loop>,
    /// What opening a small file, reading it and closing it takes in every source of a table of
    /// chunks.
    pub opens: Vec<Loop>,
    /// The first calls of fresh processes.
    pub cold: Vec<Cold>,
    /// What programs say that time themselves.
    pub told: Vec<Told>,
    /// Every cell.
    pub entries: Vec<Entry>,
    /// Of a summary: the ratios and costs that reports show.
    pub kept: Kept,
    /// What was measured of whole files.
    pub files: files::Measured,
    /// How much there is, where that is not all.
    pub unfinished: Option<Unfinished>,
}

impl Record {
    /// Whether no runner of that provider, under its mask, could be started. One that has a figure
    /// was, whatever its line says.
    pub fn never_started(&self, source: &Source) -> bool {
        let is_it =
            |name: &str, mask: &Option<String>| name == source.provider && *mask == source.mask;
        let lines = self.providers.iter().filter(|line| is_it(&line.name, &line.mask));
        let missing = lines.map(|line| line.missing.is_some()).reduce(|all, line| all && line);
        let its = |entry: &&Entry| is_it(&entry.source.provider, &entry.source.mask);
        missing == Some(true) && self.entries.iter().filter(its).all(|it| it.estimate().is_none())
    }

    /// A record of this study on no machine, in which nothing is measured yet.
    pub fn empty(study: Study) -> Self {
        let head = Head {
            schema: SCHEMA,
            hashdyno: env!("CARGO_PKG_VERSION").to_owned(),
            program_sha256: None,
            date: String::new(),
            command: String::new(),
            preset: Preset::Told(String::new()),
            cpu: ALL.to_owned(),
            plan: Plan::standard(),
            core: 0,
            machine: Machine::default(),
            name: study.name.clone(),
            study,
            payload_sha256: None,
            summary_of: None,
            resumed: Vec::new(),
        };
        Self::of(head)
    }

    /// A record in which nothing is measured yet.
    pub(crate) fn of(head: Head) -> Self {
        let (providers, loops, opens, cold, told, entries, kept) = Default::default();
        Self {
            head,
            providers,
            loops,
            opens,
            cold,
            told,
            entries,
            kept,
            files: files::Measured::default(),
            unfinished: None,
        }
    }

    /// Writes the record, compressed where the name ends in `.zst`: under a temporary name, then
    /// fsync and rename, so that no reader ever sees half of it.
    ///
    /// # Errors
    /// [`RecordError::Io`]: the file system refuses. What stood under that name stays.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let io =
            |source| RecordError::Io { action: "write", path: path.display().to_string(), source };
        atomic_file::write(path, |file| match zstd::is_named(path) {
            true => zstd::written(file, |out| self.write_lines(out)),
            false => self.write_lines(file),
        })
        .map_err(io)
    }

    /// The bytes that [`Record::write`] writes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_lines(&mut bytes).expect("writing to memory does not fail");
        bytes
    }

    fn write_lines(&self, mut out: impl Write) -> std::io::Result<()> {
        let mut line = |line: &Line| {
            serde_json::to_writer(&mut out, line)?;
            out.write_all(b"\n")
        };
        line(&Line::Head(Box::new(self.head.clone())))?;
        self.providers.iter().try_for_each(|provider| line(&Line::Provider(provider.clone())))?;
        self.loops.iter().try_for_each(|bare| line(&Line::Loop(Box::new(bare.clone()))))?;
        self.opens.iter().try_for_each(|open| line(&Line::Open(Box::new(open.clone()))))?;
        self.cold.iter().try_for_each(|cold| line(&Line::Cold(cold.clone())))?;
        self.told.iter().try_for_each(|told| line(&Line::Told(told.clone())))?;
        self.entries.iter().try_for_each(|entry| line(&Line::Series(Box::new(entry.clone()))))?;
        let (ratios, costs) = self.kept.lines();
        ratios.into_iter().try_for_each(|kept| line(&Line::Ratio(Box::new(kept))))?;
        costs.into_iter().try_for_each(|kept| line(&Line::Cost(Box::new(kept))))?;
        self.files.lines().try_for_each(|one| line(&Line::Files(one)))?;
        line(&Line::End { series: self.series(), unfinished: self.unfinished })?;
        out.flush()
    }

    /// Where a study's record goes if nothing else is said: `records/MACHINE/DATE-STUDY.jsonl`.
    pub fn default_path(head: &Head) -> PathBuf {
        let slug = |text: &str| -> String {
            let words =
                text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join("-").to_lowercase()
        };
        let stamp: String = head
            .date
            .chars()
            .take_while(|&c| c != '.' && c != 'Z')
            .filter(|&c| c != ':' && c != '-')
            .collect();
        Path::new("records")
            .join(slug(&head.machine.cpu))
            .join(format!("{stamp}-{}.jsonl", head.study.name))
    }

    /// Whether another program printed it: then its machine is not known, and it has no samples.
    pub fn is_imported(&self) -> bool {
        self.head.preset == Preset::Printed
    }

    /// Time of `a` over time of `b`: paired if they were measured in turn. `None` where samples are
    /// too few.
    pub fn ratio(&self, a: &Entry, b: &Entry) -> Option<Ratio> {
        let together = a.algorithm == b.algorithm && a.size == b.size;
        let ratio = if together { gauge::paired } else { gauge::unpaired };
        self.kept.ratio([a, b], || ratio(&a.series, &b.series, self.head.plan.confidence))
    }

    /// What a call costs and what a byte costs, by these cells of one source and algorithm. `None`
    /// where fewer than two sizes have an estimate, and where their times do not tell a cost from
    /// nothing or less: then they do not grow in proportion to the bytes.
    pub fn cost(&self, entries: &[&Entry]) -> Option<Cost> {
        let points =
            || entries.iter().map(|entry| (entry.size.bytes(), &entry.series)).collect::<Vec<_>>();
        let fit = || gauge::fit(&points(), self.head.plan.confidence);
        self.kept.cost(entries, fit).filter(is_cost)
    }

    /// The first calls of a cell.
    pub fn cold(
        &self,
        source: &Source,
        algorithm: &str,
        size: usize,
        order: SizeOrder,
    ) -> Option<&Cold> {
        let is = |cold: &&Cold| {
            cold.source == *source
                && cold.algorithm == algorithm
                && cold.size == size
                && cold.order == order
        };
        self.cold.iter().find(is)
    }

    /// The entry of a cell.
    pub fn entry(&self, source: &Source, algorithm: &str, size: impl Into<Size>) -> Option<&Entry> {
        let size = size.into();
        self.entries.iter().find(|entry| {
            entry.source == *source && entry.algorithm == algorithm && entry.size == size
        })
    }
}

/// Whether both costs are more than nothing, over their whole intervals.
fn is_cost(cost: &Cost) -> bool {
    [&cost.call, &cost.byte].iter().all(|cost| cost.low > 0.0 && cost.high.is_finite())
}

impl Entry {
    /// The estimate, if the cell has one.
    pub fn estimate(&self) -> Option<&Estimate> {
        self.series.estimate()
    }

    /// Takes the figure back; the samples stay.
    pub fn void(&mut self, reason: String) {
        self.series.outcome = Outcome::Void { reason };
    }
}
