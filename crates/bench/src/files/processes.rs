//! File tools as whole processes, in turn, with the page cache warm and cold.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use gauge::{Interval, Ratio, stats};
use hashdyno::{Cpu, Features, Hasher, hex};
use serde::{Deserialize, Serialize};

use super::whole::{self, Whole};
use super::{Answer, Cache, Clock, FilesError, Place, READING, Table, Tool};
use crate::execute::Progress;
use crate::record::ProviderLine;
use crate::study::Source;

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

/// Measures every tool of the table that is here; the processes, and who is here or why not.
pub fn measure(
    table: &Table,
    tools: &[Tool],
    quick: bool,
    seed: u64,
    place: &Place,
    progress: &mut dyn Progress,
) -> Result<(Vec<Process>, Vec<ProviderLine>), FilesError> {
    let receipts: Vec<_> = tools.iter().map(Tool::receipt).collect();
    let present: Vec<_> =
        tools.iter().zip(&receipts).filter(|(_, receipt)| receipt.missing.is_none()).map(|(tool, _)| tool).collect();
    let (rounds, _) = table.amount(quick);
    let mut order = fastrand::Rng::with_seed(seed);
    let mut processes = Vec::new();
    for (size, bytes) in table.lengths(quick) {
        place.need(bytes)?;
        let file = Original::write(place.path().join("file"), bytes, &table.algorithms).map_err(place.error("write a file"))?;
        let mut turns: Vec<_> = present.iter().flat_map(|tool| turns(table, tool, size, &file)).collect();
        turns.iter_mut().for_each(|turn| turn.rehearse(&file));
        for round in 0..rounds {
            progress.group(&format!("{bytes} bytes, round {} of {rounds}", round + 1));
            order.shuffle(&mut turns);
            turns.iter_mut().for_each(|turn| turn.take(round, &file, progress));
        }
        turns.sort_by_key(|turn| turn.place);
        processes.extend(turns.into_iter().map(|turn| turn.process));
    }
    Ok((processes, receipts))
}

/// A file of pseudo-random bytes, and its digests by our portable kernels.
struct Original {
    path: PathBuf,
    bytes: u64,
    right: BTreeMap<String, String>,
}

impl Original {
    fn write(path: PathBuf, bytes: u64, algorithms: &[String]) -> io::Result<Self> {
        let portable = Cpu::native().without(Features::all());
        let digests = algorithms.iter().filter_map(|name| Some((name, hashdyno::find(name)?)));
        let mut hashers: Vec<_> =
            digests.map(|(name, digest)| (name.clone(), Hasher::with_kernel(digest, digest.bind(&portable)))).collect();
        let (mut file, mut random) = (File::create(&path)?, fastrand::Rng::with_seed(bytes));
        let mut left = bytes;
        let mut piece = vec![0; PIECE];
        while left > 0 {
            let length = left.min(PIECE as u64) as usize;
            random.fill(&mut piece[..length]);
            file.write_all(&piece[..length])?;
            hashers.iter_mut().for_each(|(_, hasher)| hasher.update(&piece[..length]));
            left -= length as u64;
        }
        file.sync_all()?;
        let right = hashers.into_iter().map(|(name, hasher)| (name, hex(&hasher.finish()))).collect();
        Ok(Self { path, bytes, right })
    }

    /// How long a tool may take: a minute, and what reading a megabyte a second takes.
    fn limit(&self) -> Duration {
        Duration::from_secs(60 + self.bytes / 1_000_000)
    }
}

impl Drop for Original {
    fn drop(&mut self) {
        // In a folder that is kept it is in nobody's way.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A tool in turn with others.
struct Turn<'a> {
    /// In the order of the report.
    place: (usize, usize, Cache),
    tool: &'a Tool,
    /// What the tool calls the digest.
    digest: String,
    process: Process,
}

/// What a tool does in a round: each digest with the cache warm, and cold where there is something to read.
fn turns<'a>(table: &Table, tool: &'a Tool, size: u64, file: &Original) -> Vec<Turn<'a>> {
    let row = table.providers.iter().position(|source| source.provider == tool.name).unwrap_or(usize::MAX);
    let mut turns = Vec::new();
    for (algorithm, digest) in tool.offers(&table.algorithms) {
        let column = table.algorithms.iter().position(|name| name == algorithm).unwrap_or(usize::MAX);
        for cache in [Cache::Warm, Cache::Cold].into_iter().filter(|&cache| file.bytes > 0 || cache == Cache::Warm) {
            let process = Process {
                table: table.id.clone(),
                source: tool.name.clone().into(),
                algorithm: algorithm.to_owned(),
                command: tool.shown(&digest),
                size,
                bytes: file.bytes,
                cache,
                runs: Vec::new(),
                void: None,
            };
            turns.push(Turn { place: (column, row, cache), tool, digest: digest.clone(), process });
        }
    }
    turns
}

impl Turn<'_> {
    /// A first run that does not count: the program itself comes from the disk.
    fn rehearse(&mut self, file: &Original) {
        if self.process.cache == Cache::Warm {
            self.process.void = self.run(file).err();
        }
    }

    fn take(&mut self, round: u32, file: &Original, progress: &mut dyn Progress) {
        if self.process.void.is_some() {
            return;
        }
        match self.run(file) {
            Ok(whole) => self.process.runs.push(Run {
                round,
                real: whole.real.as_nanos() as u64,
                user: whole.user.as_nanos() as u64,
                sys: whole.sys.as_nanos() as u64,
                device: whole.device_bytes,
            }),
            Err(reason) => {
                progress.warn(&format!("{}: {reason}", self.process.command));
                self.process.void = Some(reason);
            }
        }
    }

    /// Runs the tool once, and verifies what it prints.
    fn run(&self, file: &Original) -> Result<Whole, String> {
        whole::prepare(&file.path, self.process.cache).map_err(|error| format!("the file cannot be prepared: {error}"))?;
        let whole =
            whole::run(&mut self.tool.command(&self.digest, &file.path), file.limit()).map_err(|error| error.to_string())?;
        if !whole.status.success() {
            return Err(format!("it ended with {}", whole.status));
        }
        let printed = String::from_utf8_lossy(&whole.output).split_whitespace().next().unwrap_or_default().to_lowercase();
        match file.right.get(&self.process.algorithm) {
            Some(right) if self.tool.answer == Answer::FirstWord && *right != printed => {
                Err(format!("wrong digest: it prints '{printed}', expected {right}"))
            }
            _ => Ok(whole),
        }
    }
}

impl Process {
    /// The tool's time by `clock`, over the runs that count; `None` where none does.
    pub fn timing(&self, clock: Clock, confidence: f64) -> Option<Timing> {
        let mut values: Vec<_> = self.counted().map(|run| run.ns(clock) as f64).collect();
        let (counted, total) = (values.len(), self.runs.len());
        (counted > 0).then(|| Timing { ns: stats::median_interval(&mut values, confidence), counted, total })
    }

    /// Time of this one over that of `other`: on one file the median of the ratios within each round, on two as
    /// [`Process::ratio_apart`]. `None` where fewer than eight runs count.
    pub fn ratio(&self, other: &Self, clock: Clock, confidence: f64) -> Option<Ratio> {
        if self.bytes != other.bytes {
            return self.ratio_apart(other, clock, confidence);
        }
        let others: BTreeMap<_, _> = other.counted().map(|run| (run.round, run.ns(clock) as f64)).collect();
        let pairs = self.counted().filter_map(|run| Some((run.ns(clock) as f64, *others.get(&run.round)?)));
        let mut ratios: Vec<_> = pairs.filter(|&(_, below)| below > 0.0).map(|(above, below)| above / below).collect();
        (ratios.len() >= ENOUGH).then(|| stats::median_interval(&mut ratios, confidence).into())
    }

    /// Time of this one over that of `other`, which was not run in turn with it: the ratio of the medians, with as much room as both
    /// intervals leave.
    pub fn ratio_apart(&self, other: &Self, clock: Clock, confidence: f64) -> Option<Ratio> {
        let apart = |process: &Self| (!process.few()).then(|| process.timing(clock, confidence)).flatten();
        let (above, below) = (apart(self)?.ns, apart(other)?.ns);
        Some(Ratio { value: above.value / below.value, low: above.low / below.high, high: above.high / below.low })
    }

    /// Too few runs for an interval.
    pub fn few(&self) -> bool {
        self.counted().count() < ENOUGH
    }

    /// Why it has no time though nothing failed: the file was not where it was to be.
    pub fn unproved(&self) -> Option<String> {
        let most = self.runs.iter().map(|run| run.device).max()?;
        (self.void.is_none() && self.counted().next().is_none()).then(|| match self.cache {
            Cache::Cold => format!("not cold: at most {most} of {} bytes came from a device", self.bytes),
            Cache::Warm => format!("not warm: up to {most} of {} bytes came from a device", self.bytes),
        })
    }

    fn counted(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| self.void.is_none() && self.found(run))
    }

    /// Whether the file was where it was to be: a cold one came from a device nearly whole, a warm one hardly at all.
    fn found(&self, run: &Run) -> bool {
        match self.cache {
            Cache::Cold => run.device >= self.bytes - self.bytes / 20,
            Cache::Warm => run.device <= self.bytes / 20 + ELSEWHERE,
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
const PIECE: usize = 1 << 20;
