//! Two records set against each other, if they may be.

use gauge::{Machine, Ratio};
use runner::{Algorithm, Size};

use crate::record::files::{Hashed, Process};
use crate::record::{Entry, Record};
use crate::study::{Clock, Source};

/// A cell that both records have.
pub struct Compared {
    /// In the first record.
    pub before: Side,
    /// In the second.
    pub after: Side,
    /// Time in the second / time in the first.
    pub ratio: Ratio,
}

/// How a cell changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It takes longer.
    Slower,
    /// It takes less time.
    Faster,
    /// Neither, as far as anybody can tell.
    NotDistinguishable,
    /// Too few of its samples are clean in one of the records: such figures differ from run to run.
    Uncertain,
}

/// How a cell changed beyond noise, by one pair of runs or by several that were made in turn: in
/// each the whole interval of the ratio is on that side of 1, by more than `threshold`; 0.05 is
/// five per cent. Where samples are too few, it takes three runs that say the same.
pub fn change(pairs: &[&Compared], threshold: f64) -> Change {
    let most = 1.0 + threshold;
    let is_few = |pair: &&Compared| pair.before.few || pair.after.few;
    if pairs.len() < AGREE && pairs.iter().any(is_few) {
        Change::Uncertain
    } else if pairs.iter().all(|pair| pair.ratio.low > most) {
        Change::Slower
    } else if pairs.iter().all(|pair| pair.ratio.high < 1.0 / most) {
        Change::Faster
    } else if pairs.iter().all(is_few) {
        Change::Uncertain
    } else {
        Change::NotDistinguishable
    }
}

/// Pairs of runs that stand for samples which are not clean.
const AGREE: usize = 3;

impl Compared {
    /// Whether it is the same cell, of other runs.
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |a: &Side, b: &Side| {
            a.source == b.source && a.algorithm == b.algorithm && a.size == b.size
        };
        same(&self.before, &other.before) && same(&self.after, &other.after)
    }
}

/// The cells that `one` has a figure for and `other` has not.
pub fn only_in<'a>(one: &'a Record, other: &Record) -> Vec<&'a Entry> {
    let is_there = |entry: &Entry| {
        let twin = other.entry(&entry.source, &entry.algorithm, entry.size);
        twin.is_some_and(|twin| twin.estimate().is_some())
    };
    let mut entries: Vec<_> = one.entries.iter().collect();
    entries.retain(|entry| entry.estimate().is_some() && !is_there(entry));
    entries
}

/// What one of them says of it.
pub struct Side {
    /// Who computed it.
    pub source: Source,
    /// What; of a file tool with the state of the cache.
    pub algorithm: String,
    /// Bytes, or many messages.
    pub size: Size,
    /// Nanoseconds.
    pub ns: f64,
    /// Too few of its samples are clean.
    pub few: bool,
}

/// Why two records must not be set against each other as if they were one machine.
#[derive(Debug, thiserror::Error)]
#[error("these records cannot be compared: their {what} differs, {left} and {right}")]
pub struct Incomparable {
    /// What differs.
    what: &'static str,
    left: String,
    right: String,
}

/// Every cell that both records have, in the first one's order.
///
/// What another program printed ([`crate::record::import`]) is of a machine that it does not name:
/// each of its cells stands beside every source that the other record has for it, and the ratio is
/// of machines and programs together.
///
/// # Errors
/// [`Incomparable`] where machine, CPU mask or preset of the two records differ.
pub fn compare(before: &Record, after: &Record) -> Result<Vec<Compared>, Incomparable> {
    if before.is_imported() || after.is_imported() {
        return Ok(beside(before, after));
    }
    let (a, b) = (&before.head, &after.head);
    same("machine", identity(&a.machine), identity(&b.machine))?;
    same("CPU mask", a.cpu.clone(), b.cpu.clone())?;
    same("preset", a.preset.to_string(), b.preset.to_string())?;
    let both = before.entries.iter().filter_map(|entry| {
        let other = after.entry(&entry.source, &entry.algorithm, entry.size)?;
        let ratio = match a.summary_of.is_some() || b.summary_of.is_some() {
            true => gauge::of_estimates(other.estimate()?, entry.estimate()?)?,
            false => gauge::unpaired(&other.series, &entry.series, a.plan.confidence)?,
        };
        Some(Compared { before: Side::of(entry)?, after: Side::of(other)?, ratio })
    });
    Ok(both.chain(trees(before, after)).chain(processes(before, after)).collect())
}

/// Every algorithm over the same tree in both.
fn trees(before: &Record, after: &Record) -> Vec<Compared> {
    let bytes = |record: &Record, table: &str| {
        Some(record.files.trees.iter().find(|tree| tree.table == table)?.bytes)
    };
    let pair = |one: &Hashed| {
        let same = |other: &&Hashed| {
            (&other.table, &other.source, &other.algorithm)
                == (&one.table, &one.source, &one.algorithm)
        };
        let other = after.files.hashed.iter().find(same)?;
        let size =
            bytes(before, &one.table).filter(|&size| bytes(after, &one.table) == Some(size))?;
        let side = |cell: &Hashed| {
            let estimate = cell.series.estimate()?;
            Some(Side {
                source: cell.source.clone(),
                algorithm: cell.algorithm.clone(),
                size: Size::One(size as usize),
                ns: estimate.ns.value * size as f64,
                few: estimate.few,
            })
        };
        let ratio = gauge::unpaired(&other.series, &one.series, before.head.plan.confidence)?;
        Some(Compared { before: side(one)?, after: side(other)?, ratio })
    };
    before.files.hashed.iter().filter_map(pair).collect()
}

/// Every tool on the same file in both, by the time that passed.
fn processes(before: &Record, after: &Record) -> Vec<Compared> {
    let confidence = before.head.plan.confidence;
    let pair = |one: &Process| {
        let same = |other: &&Process| {
            (&other.command, other.bytes, other.cache) == (&one.command, one.bytes, one.cache)
        };
        let other = after.files.processes.iter().find(same)?;
        let side = |cell: &Process| {
            let ns = cell.timing(Clock::Real, confidence)?.ns.value;
            let algorithm = format!("{}, {}", cell.algorithm, cell.cache.name());
            Some(Side {
                source: cell.source.clone(),
                algorithm,
                size: Size::One(cell.bytes as usize),
                ns,
                few: cell.few(),
            })
        };
        let ratio = other.ratio_apart(one, Clock::Real, confidence)?;
        Some(Compared { before: side(one)?, after: side(other)?, ratio })
    };
    before.files.processes.iter().filter_map(pair).collect()
}

impl Side {
    fn of(entry: &Entry) -> Option<Self> {
        let estimate = entry.estimate()?;
        Some(Self {
            source: entry.source.clone(),
            algorithm: entry.algorithm.clone(),
            size: entry.size,
            ns: estimate.ns.value,
            few: estimate.few,
        })
    }
}

fn beside(before: &Record, after: &Record) -> Vec<Compared> {
    let pair = |before: &Entry, after: &Entry| {
        let ratio = gauge::of_estimates(after.estimate()?, before.estimate()?)?;
        Some(Compared { before: Side::of(before)?, after: Side::of(after)?, ratio })
    };
    let same =
        |a: &Entry, b: &Entry| a.size == b.size && Algorithm::same(&a.algorithm, &b.algorithm);
    let of = |entry| {
        after
            .entries
            .iter()
            .filter(move |other| same(entry, other))
            .filter_map(move |other| pair(entry, other))
    };
    before.entries.iter().flat_map(of).collect()
}

/// What makes two machines one kind: the processor and what it can do.
pub(crate) fn identity(machine: &Machine) -> String {
    let Machine { cpu, family, model, stepping, flags, .. } = machine;
    format!("{cpu} (family {family}, model {model}, stepping {stepping}, {} features)", flags.len())
}

fn same(what: &'static str, left: String, right: String) -> Result<(), Incomparable> {
    if left == right { Ok(()) } else { Err(Incomparable { what, left, right }) }
}
