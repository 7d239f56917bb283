//! Two records set against each other, if they may be.
//!
//! ```text
//! pair of cells                        ratio                                      few
//! samples in both                      medians, resampled                         by their marks
//! a summary, a peer of a board         estimates, as wide as both intervals       by their marks
//! fewer than eight samples in one      estimates, if they have one state          yes
//! two states of the core               of the figures alone, from 0 to infinity   yes
//! ```
//!
//! Two runs are never paired round by round: they had other moments of the machine. So their
//! intervals are wider than the intervals within a record (METHODOLOGY.md, "How to read a figure").
//!
//! Records of two kinds of machines get no verdict. `across` sets them beside each other.

use gauge::{Interval, Machine, Ratio, Series};
use runner::{Algorithm, Size};

use crate::record::files::{Hashed, Process};
use crate::record::{Entry, Record};
use crate::study::{Cache, Clock, Source};

/// A cell that both records have.
pub struct Compared {
    /// In the first record.
    pub before: Side,
    /// In the second.
    pub after: Side,
    /// Time in the second / time in the first; from 0 to infinity where nothing tells how sure it
    /// is.
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
/// five per cent. Where samples are too few, it takes three runs that say the same. A pair without
/// an interval says nothing.
pub fn change(pairs: &[&Compared], threshold: f64) -> Change {
    // Faster is the same threshold on a scale of factors: 1 / 1.02, not 0.98.
    let most = 1.0 + threshold;
    let is_few = |pair: &&Compared| pair.before.few || pair.after.few;
    let is_sure = pairs.iter().all(|pair| pair.has_interval());
    if !is_sure || (pairs.len() < AGREE && pairs.iter().any(is_few)) {
        Change::Uncertain
    } else if pairs.iter().all(|pair| pair.ratio.low > most) {
        Change::Slower
    } else if pairs.iter().all(|pair| pair.ratio.high < 1.0 / most) {
        Change::Faster
    // Three pairs of few samples can show a difference. They cannot show that two times are equal.
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
        self.before.is_same(&other.before) && self.after.is_same(&other.after)
    }

    /// Whether its ratio has an interval. Figures of two states of the core give none, nor does a
    /// tool with too few runs.
    pub fn has_interval(&self) -> bool {
        self.ratio.low > 0.0 || self.ratio.high.is_finite()
    }

    /// Two figures of one cell. Without a `measured` ratio the `rough` one stands for it, or the
    /// ratio of the figures alone, as of too few clean samples. A cell that is left out would be
    /// neither compared nor missing.
    fn of(
        mut before: Side,
        mut after: Side,
        measured: Option<Ratio>,
        rough: Option<Ratio>,
    ) -> Self {
        if measured.is_none() {
            (before.few, after.few) = (true, true);
        }
        let value = after.ns / before.ns;
        let unsure = || Ratio::from(Interval { value, low: 0.0, high: f64::INFINITY });
        let ratio = measured.or(rough).unwrap_or_else(unsure);
        Self { before, after, ratio }
    }
}

/// The cells that `one` has a figure for and `other` has not, those of files among them.
pub fn only_in(one: &Record, other: &Record) -> Vec<Side> {
    let alone = |side: Option<Side>, twin: Option<Side>| side.filter(|_| twin.is_none());
    let messages = one.entries.iter().filter_map(|cell| {
        let twin = other.entry(&cell.source, &cell.algorithm, cell.size);
        alone(Side::of(cell), twin.and_then(Side::of))
    });
    let trees = one.files.hashed.iter().filter_map(|cell| {
        let twin = same_tree(one, cell, other);
        alone(Side::of_tree(one, cell), twin.and_then(|twin| Side::of_tree(other, twin)))
    });
    let processes = one.files.processes.iter().filter_map(|cell| {
        let twin = same_process(one, cell, other);
        alone(Side::of_process(one, cell), twin.and_then(|twin| Side::of_process(other, twin)))
    });
    messages.chain(trees).chain(processes).collect()
}

/// The cells that are missing in any of several pairs of records, the first of a pair before the
/// other: it has a figure for them, and the other has not. Each cell once.
pub fn missing<'a>(pairs: impl IntoIterator<Item = [&'a Record; 2]>) -> Vec<Side> {
    let mut missing: Vec<Side> = Vec::new();
    for [before, after] in pairs {
        let mut gone = only_in(before, after);
        gone.retain(|side| !missing.iter().any(|known| known.is_same(side)));
        missing.extend(gone);
    }
    missing
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
/// [`Incomparable`] where machine, CPU mask, preset or payload file of the two records differ.
pub fn compare(before: &Record, after: &Record) -> Result<Vec<Compared>, Incomparable> {
    if before.is_imported() || after.is_imported() {
        return Ok(beside(before, after));
    }
    let (a, b) = (&before.head, &after.head);
    // A difference in any of these changes times by itself: a verdict would name a wrong cause.
    same("machine", identity(&a.machine), identity(&b.machine))?;
    same("CPU mask", a.cpu.clone(), b.cpu.clone())?;
    same("preset", a.preset.to_string(), b.preset.to_string())?;
    // Only a record with messages of the user's file has one.
    if let (Some(one), Some(other)) = (&a.payload_sha256, &b.payload_sha256) {
        same("payload file", one.clone(), other.clone())?;
    }
    // A summary has no samples of messages, and a board none of a peer that is out of the running:
    // the estimates are all there is.
    let is_summary = a.summary_of.is_some() || b.summary_of.is_some();
    let is_thinned = |record: &Record, cell: &Entry| {
        record.head.study.board.is_some() && cell.series.samples.is_empty()
    };
    let both = before.entries.iter().filter_map(|entry| {
        let other = after.entry(&entry.source, &entry.algorithm, entry.size)?;
        let (one, twin) = (Side::of(entry)?, Side::of(other)?);
        let (measured, rough) = ratios(&entry.series, &other.series, a.plan.confidence);
        let by_rough = is_summary || is_thinned(before, entry) || is_thinned(after, other);
        Some(Compared::of(one, twin, measured.or(rough.filter(|_| by_rough)), rough))
    });
    Ok(both.chain(trees(before, after)).chain(processes(before, after)).collect())
}

/// The ratio that the samples give, and that of the estimates.
fn ratios(one: &Series, other: &Series, confidence: f64) -> (Option<Ratio>, Option<Ratio>) {
    let estimates = other.estimate().zip(one.estimate());
    let rough = estimates.and_then(|(above, below)| gauge::of_estimates(above, below));
    (gauge::unpaired(other, one, confidence), rough)
}

/// Every algorithm over the same tree in both.
fn trees(before: &Record, after: &Record) -> Vec<Compared> {
    let confidence = before.head.plan.confidence;
    let pair = |cell: &Hashed| {
        let twin = same_tree(before, cell, after)?;
        let (one, other) = (Side::of_tree(before, cell)?, Side::of_tree(after, twin)?);
        let (measured, rough) = ratios(&cell.series, &twin.series, confidence);
        Some(Compared::of(one, other, measured, rough))
    };
    before.files.hashed.iter().filter_map(pair).collect()
}

/// The same algorithm of the same source in another record, over a tree of the same length.
fn same_tree<'a>(one: &Record, cell: &Hashed, other: &'a Record) -> Option<&'a Hashed> {
    // A quick run has fewer photographs. Their mean length is another, and so is the rate.
    let is_as_long = bytes_of_tree(one, &cell.table) == bytes_of_tree(other, &cell.table);
    twin_of_tree(cell, other).filter(|_| is_as_long)
}

/// The same over a tree of any length.
fn twin_of_tree<'a>(cell: &Hashed, other: &'a Record) -> Option<&'a Hashed> {
    let same = |twin: &&Hashed| {
        (&twin.table, &twin.source, &twin.algorithm) == (&cell.table, &cell.source, &cell.algorithm)
    };
    other.files.hashed.iter().find(same)
}

fn bytes_of_tree(record: &Record, table: &str) -> Option<u64> {
    Some(record.files.trees.iter().find(|tree| tree.table == table)?.bytes)
}

/// Every tool on the same file in both, by the time that passed.
fn processes(before: &Record, after: &Record) -> Vec<Compared> {
    let pair = |cell: &Process| {
        let twin = same_process(before, cell, after)?;
        let (one, other) = (Side::of_process(before, cell)?, Side::of_process(after, twin)?);
        let ratio = twin.ratio_apart(cell, [Clock::Real; 2], before.head.plan.confidence);
        Some(Compared::of(one, other, ratio, None))
    };
    before.files.processes.iter().filter_map(pair).collect()
}

/// The same tool on the same file in another record, through a pipe of the same rate.
fn same_process<'a>(one: &Record, cell: &Process, other: &'a Record) -> Option<&'a Process> {
    // A pipe of another rate is another disk.
    let rate = |record: &Record, cell: &Process| {
        let mut tables = record.head.study.files.iter().filter(|_| cell.cache == Cache::Throttled);
        Some(tables.find(|table| table.id == cell.table)?.throttle?.rate)
    };
    let same = |twin: &&Process| {
        (&twin.command, twin.bytes, twin.cache) == (&cell.command, cell.bytes, cell.cache)
            && rate(other, twin) == rate(one, cell)
    };
    other.files.processes.iter().find(same)
}

impl Side {
    /// Whether it is the same cell, of another run.
    pub fn is_same(&self, other: &Self) -> bool {
        self.source == other.source && self.algorithm == other.algorithm && self.size == other.size
    }

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

    fn of_tree(record: &Record, cell: &Hashed) -> Option<Self> {
        let size = bytes_of_tree(record, &cell.table)?;
        let estimate = cell.series.estimate()?;
        Some(Self {
            source: cell.source.clone(),
            algorithm: cell.algorithm.clone(),
            size: Size::One(size as usize),
            // An estimate of a tree is of a byte; a person compares the whole tree.
            ns: estimate.ns.value * size as f64,
            few: estimate.few,
        })
    }

    fn of_process(record: &Record, cell: &Process) -> Option<Self> {
        let ns = cell.timing(Clock::Real, record.head.plan.confidence)?.ns.value;
        Some(Self {
            source: cell.source.clone(),
            // The state of the cache makes cells of their own: `md5, cold`.
            algorithm: format!("{}, {}", cell.algorithm, cell.cache.name()),
            size: Size::One(cell.bytes as usize),
            ns,
            few: cell.few(),
        })
    }
}

/// Every cell that the records of two machines have, in the first one's order. Of trees the time of
/// a byte is compared: the machines' trees may differ in length.
pub(crate) fn across(one: &Record, other: &Record) -> Vec<Compared> {
    let messages = one.entries.iter().filter_map(|cell| {
        by_estimates(cell, other.entry(&cell.source, &cell.algorithm, cell.size)?)
    });
    let trees = one.files.hashed.iter().filter_map(|cell| {
        let twin = twin_of_tree(cell, other)?;
        let ratio = gauge::of_estimates(twin.series.estimate()?, cell.series.estimate()?);
        Some(Compared::of(Side::of_tree(one, cell)?, Side::of_tree(one, twin)?, ratio, None))
    });
    messages.chain(trees).chain(processes(one, other)).collect()
}

/// Two cells by their figures alone.
fn by_estimates(before: &Entry, after: &Entry) -> Option<Compared> {
    let ratio = gauge::of_estimates(after.estimate()?, before.estimate()?);
    Some(Compared::of(Side::of(before)?, Side::of(after)?, ratio, None))
}

fn beside(before: &Record, after: &Record) -> Vec<Compared> {
    let same =
        |a: &Entry, b: &Entry| a.size == b.size && Algorithm::same(&a.algorithm, &b.algorithm);
    let of = |entry| {
        after
            .entries
            .iter()
            .filter(move |other| same(entry, other))
            .filter_map(move |other| by_estimates(entry, other))
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
