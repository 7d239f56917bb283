//! What other programs measured, as records of a machine that they do not name: `openssl speed`, its `-mr` lines, hyperfine's JSON.

mod hyperfine;
mod openssl;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gauge::{Estimate, Interval, Outcome, Plan, Series};

use crate::Preset;
use crate::record::{Entry, Record, RecordError};
use crate::study::{Source, Study, Table, Unit};

/// One figure of another program.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    /// The algorithm by our name where we know it, else as printed; hyperfine's command.
    algorithm: String,
    /// Message length in bytes; 0 where the program does not say.
    size: usize,
    /// Nanoseconds per call, and how far they spread if the program says that.
    ns: Interval,
    /// Runs that it rests on; 1 where it is one rate.
    runs: usize,
}

/// What a program printed.
#[derive(Debug)]
struct Printed {
    /// The program, which stands in the provider's place.
    program: &'static str,
    figures: Vec<Figure>,
}

/// The record in a file, whoever wrote it: a record of ours, or what `openssl speed`, `openssl speed -mr` or
/// `hyperfine --export-json` printed.
pub fn read(path: &Path) -> Result<Record, RecordError> {
    let unread = |source| RecordError::Io { action: "read", path: path.display().to_string(), source };
    if begins_with(path, OURS).map_err(unread)? {
        return Record::read(path);
    }
    let bytes = std::fs::read(path).map_err(unread)?;
    let text = String::from_utf8_lossy(&bytes);
    let printed = hyperfine::read(&text).or_else(|| openssl::read(&text));
    match printed {
        Some(Ok(printed)) => Ok(record(path, printed)),
        Some(Err((number, message))) => Err(RecordError::Malformed { path: path.display().to_string(), number, message }),
        None => Record::read(path),
    }
}

/// How every record of ours begins; they may have millions of samples, so nobody else's format is tried on them.
const OURS: &[u8] = b"{\"line\":";

fn begins_with(path: &Path, expected: &[u8]) -> std::io::Result<bool> {
    let mut begin = Vec::new();
    File::open(path)?.take(expected.len() as u64).read_to_end(&mut begin)?;
    Ok(begin == expected)
}

fn record(path: &Path, printed: Printed) -> Record {
    let Printed { program, figures } = printed;
    let source = Source::from(program.to_owned());
    let mut table = Table::new("imported", "As printed", Unit::KilobytesPerSecond);
    table.algorithms = unique(figures.iter().map(|figure| figure.algorithm.clone()));
    table.sizes = unique(figures.iter().map(|figure| figure.size));
    table.providers = vec![source.clone()];
    let study = Study::new(program, &format!("Printed by {program}"), &path.display().to_string(), vec![table]);
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
        ns,
        cycles: Interval::exact(f64::NAN),
        ghz: f64::NAN,
        clean: runs,
        total: runs,
        narrow: false,
        few: runs < Plan::standard().min_samples,
        drift: 1.0,
    };
    let outcome = Outcome::Estimate(estimate);
    let series = Series { iterations: 1, clock_step_ns: 0, samples: Vec::new(), first_call_ns: f64::NAN, outcome };
    Entry { source: source.clone(), algorithm, size: size.into(), implementation: String::new(), began_ms: None, series }
}

fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut seen, next| {
        if !seen.contains(&next) {
            seen.push(next);
        }
        seen
    })
}
