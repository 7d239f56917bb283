//! File tools as whole processes, in turn, with the page cache warm and cold.
//!
//! ```text
//! for each length:   a file of random bytes, and its digests by our portable kernel
//!     rehearse       each tool once, uncounted
//!     rounds         every (tool, digest, cache) once, in a new random order
//! ```
//!
//! Every printed digest is compared. A wrong one, a status other than 0, or no end in time voids
//! the cell. A void cell has no more turns: its failure would be repeated in each round.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use hashdyno::{Cpu, Features, Hasher, hex};
use tempfile::{Builder, TempPath};

use super::process::{self, Completed};
use super::throttle;
use super::{FilesError, Place};
use crate::record::ProviderLine;
use crate::record::files::{Process, Run};
use crate::run::{Progress, Stop, work};
use crate::study::{Answer, Cache, FileTable, Throttle, Tool};

/// Measures every tool of the table that is here; the processes, and who is here or why not. Where
/// it is to stop, these are not all.
///
/// # Errors
/// [`FilesError`]: a file of the study cannot be made.
pub fn measure(
    table: &FileTable,
    tools: &[Tool],
    quick: bool,
    seed: u64,
    place: &Place,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<(Vec<Process>, Vec<ProviderLine>), FilesError> {
    let receipts: Vec<_> = tools.iter().map(Tool::receipt).collect();
    let present: Vec<_> = tools
        .iter()
        .zip(&receipts)
        .filter(|(_, receipt)| receipt.missing.is_none())
        .map(|(tool, _)| tool)
        .collect();
    let (rounds, _) = table.amount(quick);
    let mut order = fastrand::Rng::with_seed(seed);
    let mut processes = Vec::new();
    for (size, bytes) in table.lengths(quick) {
        place.need(bytes)?;
        let file = Original::write(place.path(), bytes, &table.algorithms)
            .map_err(place.error("write a file"))?;
        let mut turns: Vec<_> =
            present.iter().flat_map(|tool| turns(table, tool, size, &file)).collect();
        for turn in turns.iter_mut().take_while(|_| !stop.is_asked()) {
            turn.rehearse(&file);
        }
        for round in 0..rounds {
            progress.group(&format!("{bytes} bytes, round {} of {rounds}", round + 1));
            order.shuffle(&mut turns);
            for turn in turns.iter_mut().take_while(|_| !stop.is_asked()) {
                turn.take(round, &file, progress, stop);
            }
            progress.done(work::of_step(table, quick, round));
        }
        turns.sort_by_key(|turn| turn.place);
        processes.extend(turns.into_iter().map(|turn| turn.process));
    }
    Ok((processes, receipts))
}

impl Tool {
    /// Its version, or why it has none; as it stands in a record.
    pub fn receipt(&self) -> ProviderLine {
        let version = self.ask_version();
        ProviderLine {
            name: self.name.clone(),
            version: version.as_ref().ok().cloned(),
            mask: None,
            threads: 1,
            facts: BTreeMap::new(),
            missing: version.err().map(|reason| format!("{reason}\nhint: {}", self.hint)),
        }
    }
}

/// A file of pseudo-random bytes, which goes with this value, and its digests by our portable
/// kernels.
struct Original {
    path: TempPath,
    bytes: u64,
    right: BTreeMap<String, String>,
}

impl Original {
    fn write(folder: &Path, bytes: u64, algorithms: &[String]) -> io::Result<Self> {
        let portable = Cpu::native().without(Features::all());
        let digests = algorithms.iter().filter_map(|name| Some((name, hashdyno::find(name)?)));
        let mut hashers: Vec<_> = digests
            .map(|(name, digest)| {
                (name.clone(), Hasher::with_kernel(digest, digest.bind(&portable)))
            })
            .collect();
        // In a folder that the user names, every name that is there is the user's.
        let mut file = Builder::new().prefix("hashdyno-").tempfile_in(folder)?;
        // Random bytes: no file system compresses them or shares their blocks.
        let mut random = fastrand::Rng::with_seed(bytes);
        let mut left = bytes;
        let mut piece = vec![0; PIECE];
        while left > 0 {
            let length = left.min(PIECE as u64) as usize;
            random.fill(&mut piece[..length]);
            file.write_all(&piece[..length])?;
            hashers.iter_mut().for_each(|(_, hasher)| hasher.update(&piece[..length]));
            left -= length as u64;
        }
        file.as_file().sync_all()?;
        let right =
            hashers.into_iter().map(|(name, hasher)| (name, hex(&hasher.finish()))).collect();
        Ok(Self { path: file.into_temp_path(), bytes, right })
    }

    /// How long a tool may take: a minute, and twice the time of reading the file at `rate` bytes a
    /// second, or at a megabyte a second if that is slower.
    fn limit(&self, rate: u64) -> Duration {
        Duration::from_secs(60 + 2 * self.bytes / rate.min(MEGABYTE))
    }
}

/// A tool in turn with others.
struct Turn<'a> {
    /// In the order of the report.
    place: (usize, usize, Cache),
    tool: &'a Tool,
    /// What the tool calls the digest.
    digest: String,
    /// The table's.
    throttle: Option<Throttle>,
    process: Process,
}

/// What a tool does in a round: each digest with the cache warm, and cold where there is something
/// to read.
fn turns<'a>(table: &FileTable, tool: &'a Tool, size: u64, file: &Original) -> Vec<Turn<'a>> {
    let row = table
        .providers
        .iter()
        .position(|source| source.provider == tool.name)
        .unwrap_or(usize::MAX);
    let mut turns = Vec::new();
    for (algorithm, digest) in tool.offers(&table.algorithms) {
        let column =
            table.algorithms.iter().position(|name| name == algorithm).unwrap_or(usize::MAX);
        // Each state of the cache is a cell, and takes part in the random order by itself.
        for cache in table.caches(file.bytes) {
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
            let (place, digest, throttle) = ((column, row, cache), digest.clone(), table.throttle);
            turns.push(Turn { place, tool, digest, throttle, process });
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

    fn take(&mut self, round: u32, file: &Original, progress: &mut dyn Progress, stop: &Stop) {
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
            // Ctrl-C ends the tool, too.
            Err(_) if stop.is_asked() => {}
            Err(reason) => {
                progress.warn(&format!("{}: {reason}", self.process.command));
                self.process.void = Some(reason);
            }
        }
    }

    /// Runs the tool once, and verifies what it prints.
    fn run(&self, file: &Original) -> Result<Completed, String> {
        process::prepare(&file.path, self.process.cache)
            .map_err(|error| format!("the file cannot be prepared: {error}"))?;
        let throttle = self.throttle.filter(|_| self.process.cache == Cache::Throttled);
        let command = |path: &Path| self.tool.command(&self.digest, path);
        let whole = match throttle {
            Some(Throttle { rate, .. }) => {
                let command = command(Path::new(throttle::PLACE));
                throttle::run(command, &file.path, rate, file.limit(rate))
            }
            None => process::run(&mut command(&file.path), file.limit(MEGABYTE)),
        };
        let whole = whole.map_err(|error| error.to_string())?;
        if !whole.status.success() {
            return Err(format!("it ended with {}", whole.status));
        }
        // Capitals are as right as small letters.
        let printed = String::from_utf8_lossy(&whole.output)
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        match file.right.get(&self.process.algorithm) {
            Some(right) if self.tool.answer == Answer::FirstWord && *right != printed => {
                Err(format!("wrong digest: it prints '{printed}', expected {right}"))
            }
            _ => Ok(whole),
        }
    }
}

const PIECE: usize = 1 << 20;
/// Bytes.
const MEGABYTE: u64 = 1_000_000;
