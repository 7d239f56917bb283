//! Results of whole files: trees of photographs, and file tools.
//!
//! ```text
//! {"line":"files","of":"tree","table":"photos","photos":154,"bytes":1547527552,"reading_ns":[...]}
//! {"line":"files","of":"hashed","table":"photos","source":"php+hashdyno","algorithm":"md5",...}
//! {"line":"files","of":"process","table":"tools","source":"hashdyno-sum","algorithm":"md5",
//!  "command":"hashdyno sum -a md5","size":0,"bytes":0,"cache":"warm","runs":[...],"void":null}
//! ```
//!
//! A run of a process is kept whether or not it counts. Whether it counts is decided here, from the
//! bytes that a device gave (METHODOLOGY.md, "Whole files"). So a later rule can judge old runs.

use std::collections::BTreeMap;

use gauge::{Interval, Ratio, Series, stats};
use serde::{Deserialize, Serialize};

use crate::study::{Cache, Clock, READING, Source};

/// What was measured of whole files.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Each tree of photographs.
    pub trees: Vec<Pass>,
    /// Who hashed them, and how fast.
    pub hashed: Vec<Hashed>,
    /// File tools.
    pub processes: Vec<Process>,
}

/// A line of the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum FilesLine {
    /// A tree of photographs.
    Tree(Pass),
    /// An algorithm in a provider over the tree.
    Hashed(Box<Hashed>),
    /// A tool on a file.
    Process(Box<Process>),
}

impl Measured {
    /// As the record's lines.
    pub fn lines(&self) -> impl Iterator<Item = FilesLine> + '_ {
        let trees = self.trees.iter().cloned().map(FilesLine::Tree);
        let hashed = self.hashed.iter().map(|cell| FilesLine::Hashed(Box::new(cell.clone())));
        trees
            .chain(hashed)
            .chain(self.processes.iter().map(|cell| FilesLine::Process(Box::new(cell.clone()))))
    }

    /// Takes a line of the record.
    pub fn take(&mut self, line: FilesLine) {
        match line {
            FilesLine::Tree(tree) => self.trees.push(tree),
            FilesLine::Hashed(cell) => self.hashed.push(*cell),
            FilesLine::Process(cell) => self.processes.push(*cell),
        }
    }

    /// How many lines it has.
    pub fn count(&self) -> usize {
        self.trees.len() + self.hashed.len() + self.processes.len()
    }
}

/// What was read: the tree and its copy, once a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// The study's table.
    pub table: String,
    /// Photographs on each side.
    pub photos: usize,
    /// Bytes of both sides together: what each algorithm hashes in a round.
    pub bytes: u64,
    /// What reading both sides took in each round, in nanoseconds.
    pub reading_ns: Vec<u64>,
}

/// One algorithm in one provider over the whole tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hashed {
    /// The study's table.
    pub table: String,
    /// Provider and implementation as the study asks.
    pub source: Source,
    /// The algorithm as the study writes it.
    pub algorithm: String,
    /// The implementation that ran.
    pub implementation: String,
    /// A sample for each file of each round; an iteration is a byte.
    #[serde(with = "super::columns")]
    pub series: Series,
}

/// One tool with one digest on one file, with the page cache in one state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// The study's table.
    pub table: String,
    /// The tool.
    pub source: Source,
    /// The digest as the study writes it; `reading` of a tool that only reads.
    pub algorithm: String,
    /// What ran, without the file's name.
    pub command: String,
    /// The size that the study asks for, in bytes.
    pub size: u64,
    /// The length of the file: shorter where a shorter one stands for it.
    pub bytes: u64,
    /// Where the file was to be before each run.
    pub cache: Cache,
    /// Every run.
    pub runs: Vec<Run>,
    /// Why nothing counts.
    pub void: Option<String>,
}

/// A process from its start to its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Runs of one round were made next to each other.
    pub round: u32,
    /// Nanoseconds from start to end.
    pub real: u64,
    /// Nanoseconds of the CPUs in the process.
    pub user: u64,
    /// Nanoseconds of the CPUs in the system for it.
    pub sys: u64,
    /// Bytes that the process had a block device read.
    pub device: u64,
}

/// What a process takes by one clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Nanoseconds: the median and its interval.
    pub ns: Interval,
    /// Runs that count.
    pub counted: usize,
    /// All runs.
    pub total: usize,
}

impl Hashed {
    /// Seconds that the files of a round took together, disturbed or not, from 0; `None` where
    /// some were not hashed.
    pub fn seconds_of_round(&self, tree: &Pass, round: usize) -> Option<f64> {
        // A reading has a number of its own: round, photograph and side, counted through.
        let files = 2 * tree.photos;
        let samples = self.series.samples.iter();
        let of_round = samples.filter(|sample| sample.round as usize / files == round);
        let ns: Vec<_> = of_round.map(|sample| sample.ns as f64).collect();
        // A sum that lacks a file cannot stand beside a printed one.
        let whole = ns.len() == files && self.series.estimate().is_some();
        whole.then(|| ns.iter().sum::<f64>() * 1e-9)
    }
}

impl Process {
    /// The tool's time by `clock`, over the runs that count; `None` where none does.
    pub fn timing(&self, clock: Clock, confidence: f64) -> Option<Timing> {
        let mut values: Vec<_> = self.counted().map(|run| run.ns(clock) as f64).collect();
        let (counted, total) = (values.len(), self.runs.len());
        (counted > 0).then(|| Timing {
            ns: stats::median_interval(&mut values, confidence),
            counted,
            total,
        })
    }

    /// Time of this one over that of `other`, by a clock of each: on one file the median of the
    /// ratios within each round, on two as [`Process::ratio_apart`]. `None` where fewer than eight
    /// runs count.
    pub fn ratio(&self, other: &Self, clocks: [Clock; 2], confidence: f64) -> Option<Ratio> {
        // The sides of a claim may name different clocks: user time beside the time that passed.
        let [clock, clock_of_other] = clocks;
        // A claim may be about two lengths of file. Their runs were not made in turn.
        if self.bytes != other.bytes {
            return self.ratio_apart(other, clocks, confidence);
        }
        let others: BTreeMap<_, _> =
            other.counted().map(|run| (run.round, run.ns(clock_of_other) as f64)).collect();
        let pairs =
            self.counted().filter_map(|run| Some((run.ns(clock) as f64, *others.get(&run.round)?)));
        // User time is counted in steps of the kernel's clock, and may be 0 for a small file.
        let mut ratios: Vec<_> =
            pairs.filter(|&(_, below)| below > 0.0).map(|(above, below)| above / below).collect();
        (ratios.len() >= ENOUGH).then(|| stats::median_interval(&mut ratios, confidence).into())
    }

    /// Time of this one over that of `other`, by a clock of each. The two were not run in turn: it
    /// is the ratio of the medians, with as much room as both intervals leave.
    pub fn ratio_apart(&self, other: &Self, clocks: [Clock; 2], confidence: f64) -> Option<Ratio> {
        let apart = |process: &Self, clock| {
            (!process.few()).then(|| process.timing(clock, confidence)).flatten()
        };
        let (above, below) = (apart(self, clocks[0])?.ns, apart(other, clocks[1])?.ns);
        let interval = Interval {
            value: above.value / below.value,
            low: above.low / below.high,
            high: above.high / below.low,
        };
        Some(interval.into())
    }

    /// Too few runs for an interval.
    pub fn few(&self) -> bool {
        self.counted().count() < ENOUGH
    }

    /// Why it has no time though nothing failed: the file was not where it was to be.
    pub fn unproved(&self) -> Option<String> {
        let most = self.runs.iter().map(|run| run.device).max()?;
        (self.void.is_none() && self.counted().next().is_none()).then(|| match self.cache {
            Cache::Cold => {
                format!("not cold: at most {most} of {} bytes came from a device", self.bytes)
            }
            Cache::Throttled => "not throttled".to_owned(),
            Cache::Warm => {
                format!("not warm: up to {most} of {} bytes came from a device", self.bytes)
            }
        })
    }

    fn counted(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| self.void.is_none() && self.found(run))
    }

    /// Whether the file was where it was to be: a cold one came from a device nearly whole, a warm
    /// one hardly at all.
    fn found(&self, run: &Run) -> bool {
        match self.cache {
            Cache::Cold => run.device >= self.bytes - self.bytes / 20,
            Cache::Warm => run.device <= self.bytes / 20 + ELSEWHERE,
            Cache::Throttled => true,
        }
    }

    /// Whether it only reads.
    pub fn reads(&self) -> bool {
        self.algorithm == READING
    }
}

impl Run {
    fn ns(&self, clock: Clock) -> u64 {
        match clock {
            Clock::Real => self.real,
            Clock::User => self.user,
            Clock::Sys => self.sys,
        }
    }
}

/// Runs below which there is no interval: its ends would be the smallest and the largest.
const ENOUGH: usize = 8;
/// Bytes that a program may read of something else than the file: a library, a configuration.
const ELSEWHERE: u64 = 256 << 10;
