//! Figures of other programs, as records of a machine that they do not name.
//!
//! ```text
//! a record of ours             begins {"line":      as far as it goes
//! hyperfine --export-json      an object with "results"
//! openssl speed                a heading "type  16 bytes  64 bytes ...", rows of rates
//! openssl speed -mr            lines +H and +F
//! ```
//!
//! The content decides which of them a file is. An imported record has estimates without samples,
//! no cycles and no machine. So `compare` sets it beside records of every machine.

mod hyperfine;
mod openssl;
mod printed;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gauge::{Estimate, Interval, Outcome, Plan, Series};
use printed::{Figure, Printed};

use super::{Entry, Record, RecordError, may_begin_a_record, zstd};
use crate::study::{Preset, Source, Study, Table, Unit};

/// The record in a file, whoever wrote it: a record of ours, as far as it goes, or what `openssl
/// speed`, `openssl speed -mr` or `hyperfine --export-json` printed.
///
/// # Errors
/// [`RecordError`]: the file cannot be read, or its format is unknown.
pub fn read(path: &Path) -> Result<Record, RecordError> {
    let io = |source| RecordError::Io { action: "read", path: path.display().to_string(), source };
    let malformed = |number, message| RecordError::Malformed {
        path: path.display().to_string(),
        number,
        message,
    };
    // A broken record gets the error of a record, and not one of an unknown format.
    if zstd::is_named(path) || may_begin_a_record(&begin(path, LONGEST_BEGIN).map_err(io)?) {
        return Record::read_as_far_as_it_goes(path);
    }
    let bytes = begin(path, LONGEST + 1).map_err(io)?;
    if bytes.len() as u64 > LONGEST {
        return Err(malformed(1, format!("{EXPECTED}, of at most {LONGEST} bytes")));
    }
    let text = String::from_utf8_lossy(&bytes);
    match hyperfine::read(&text).or_else(|| openssl::read(&text)) {
        Some(Ok(printed)) => Ok(record(path, printed)),
        Some(Err((number, message))) => Err(malformed(number, message)),
        None => Err(malformed(1, EXPECTED.to_owned())),
    }
}

/// The names, message lengths and rates in bytes a second that `openssl speed` printed.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn rates_of_openssl(text: &str) -> Result<Vec<(String, usize, f64)>, String> {
    let printed = openssl::read(text).ok_or("it printed no rates")?;
    let printed = printed.map_err(|(number, message)| format!("line {number}: {message}"))?;
    let rate = |figure: Figure| {
        (figure.algorithm, figure.size, figure.size as f64 / figure.ns.value * 1e9)
    };
    Ok(printed.figures.into_iter().map(rate).collect())
}

const EXPECTED: &str = "expected a record, or what `openssl speed`, `openssl speed -mr` or \
    `hyperfine --export-json` prints";

/// Enough to tell a record; it may have millions of samples, so nobody else's format is tried on
/// it.
const LONGEST_BEGIN: u64 = 64;

/// The most that is read of another program's output, in bytes: room for half a million runs.
const LONGEST: u64 = 16 << 20;

/// The first bytes of a file.
fn begin(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut begin)?;
    Ok(begin)
}

fn record(path: &Path, printed: Printed) -> Record {
    let Printed { program, figures } = printed;
    let source = Source::from(program.to_owned());
    // Where no message has a length there is a time and no rate.
    let is_rate = figures.iter().any(|figure| figure.size > 0);
    let unit = if is_rate { Unit::KilobytesPerSecond } else { Unit::Seconds };
    let mut table = Table::new("imported", "As printed", unit);
    table.algorithms = unique(figures.iter().map(|figure| figure.algorithm.clone()));
    table.sizes = unique(figures.iter().map(|figure| figure.size));
    table.providers = vec![source.clone()];
    let study = Study::new(
        program,
        &format!("Printed by {program}"),
        &path.display().to_string(),
        vec![table],
    );
    let mut record = Record::empty(study);
    record.head.command = format!("printed by {program}: {}", path.display());
    record.head.preset = Preset::Printed;
    record.head.machine.cpu = "a machine that is not named".to_owned();
    record.entries = figures.into_iter().map(|figure| entry(&source, figure)).collect();
    record
}

fn entry(source: &Source, figure: Figure) -> Entry {
    let Figure { algorithm, size, ns, runs } = figure;
    let estimate = Estimate {
        // Nobody watched the core. The state that needs no mark at the figure stands for it.
        state: gauge::CoreState::Quiet,
        ns,
        // Not known: tables leave the column out.
        cycles: Interval::exact(f64::NAN),
        ghz: f64::NAN,
        ipc: 0.0,
        clean: runs,
        total: runs,
        narrow: false,
        few: runs < Plan::standard().min_samples,
        drift: 1.0,
    };
    let outcome = Outcome::Estimate(estimate);
    let series = Series {
        iterations: 1,
        clock_step_ns: 0,
        samples: Vec::new(),
        first_call_ns: f64::NAN,
        outcome,
    };
    Entry {
        source: source.clone(),
        algorithm,
        size: size.into(),
        implementation: String::new(),
        began_ms: None,
        series,
    }
}

fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut seen, next| {
        if !seen.contains(&next) {
            seen.push(next);
        }
        seen
    })
}
