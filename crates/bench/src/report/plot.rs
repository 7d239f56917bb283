//! The figures that charts draw of a table: measured ones with their intervals, published ones, and
//! pairs with and without CPU features.
//!
//! The charts of `chart` and the page read the same value. A chart's axis is the length of a
//! message: so messages of mixed lengths have no place in it.

use gauge::{Interval, Ratio};
use serde::Serialize;

use super::colours::{self, Mark};
use super::grid;
use crate::record::{Entry, Record};
use crate::study::{Published, Size, Source, Table};

/// The figures of a table.
#[derive(Serialize)]
pub struct Plot {
    /// The table's.
    pub id: String,
    /// The table's.
    pub title: String,
    /// What `value` counts, in words.
    pub unit: String,
    /// Whether more is faster: a rate, not a time.
    pub rate: bool,
    /// Lengths of messages, in the study's order.
    pub sizes: Vec<usize>,
    /// Whether each figure is of one message of many that are hashed together.
    pub many: bool,
    /// In the study's order.
    pub algorithms: Vec<String>,
    /// In the study's order.
    pub sources: Vec<Source>,
    /// How each of them looks.
    pub marks: Vec<Mark>,
    /// The source that the table is about.
    pub main: Source,
    /// Every cell of the table that has an estimate, and one length of message, since that is a
    /// chart's axis.
    pub measured: Vec<Measured>,
    /// Every published block that has a figure of these lengths.
    pub published: Vec<Block>,
    /// What the same source takes with CPU features hidden from it, and without.
    pub pairs: Vec<Pair>,
}

/// A measured figure.
#[derive(Serialize)]
pub struct Measured {
    /// Where it comes from.
    pub source: Source,
    /// The implementation that ran.
    pub implementation: String,
    /// As the study writes it.
    pub algorithm: String,
    /// Message length in bytes.
    pub size: usize,
    /// The cell that it is of, by its place among all of the record.
    pub cell: usize,
    /// In the table's unit.
    pub value: Interval,
    /// Nanoseconds of a message.
    pub ns: Interval,
    /// Core cycles of a message.
    pub cycles: Interval,
    /// It has too few clean samples.
    pub few: bool,
}

/// What a document printed.
#[derive(Serialize)]
pub struct Block {
    /// Its name.
    pub id: String,
    /// Machine and software.
    pub machine: String,
    /// The source that stands in its place here.
    pub here: Source,
    /// Its figures.
    pub figures: Vec<Printed>,
}

/// A published figure.
#[derive(Serialize)]
pub struct Printed {
    /// As the study writes it.
    pub algorithm: String,
    /// Message length in bytes.
    pub size: usize,
    /// As printed.
    pub printed: String,
    /// In the table's unit, where it can be said in it.
    pub value: Option<f64>,
    /// Nanoseconds of a message, where it says that much.
    pub ns: Option<f64>,
    /// Core cycles of a message, where it says that much.
    pub cycles: Option<f64>,
}

/// A cell with the CPU's features and the same without some of them.
#[derive(Serialize)]
pub struct Pair {
    /// With.
    pub hardware: Source,
    /// Without.
    pub software: Source,
    /// As the study writes it.
    pub algorithm: String,
    /// Message length in bytes.
    pub size: usize,
    /// Time without / time with.
    pub ratio: Ratio,
}

impl Plot {
    /// The figures of a table in a record, of one message.
    pub fn new(record: &Record, table: &Table) -> Self {
        Self::of(record, table, table.sizes.iter().copied().map(Size::One).collect())
    }

    /// Those of many messages, or rows of a column, of one length.
    pub fn of_many(record: &Record, table: &Table) -> Self {
        let alike = |size: &Size| size.one().is_none() && size.each().is_some();
        let sizes = table.columns().into_iter().filter(alike).collect();
        Self { many: true, ..Self::of(record, table, sizes) }
    }

    /// Its sources with how each looks.
    pub fn marked(&self) -> impl Iterator<Item = (&Source, Mark)> {
        self.sources.iter().zip(self.marks.iter().copied())
    }

    /// Whether it is of ciphers, which encrypt and decrypt.
    pub fn has_directions(&self) -> bool {
        self.algorithms.iter().any(|name| name.ends_with("crypt"))
    }

    fn of(record: &Record, table: &Table, sizes: Vec<Size>) -> Self {
        let sources = table.sources();
        let wanted = |entry: &&Entry| {
            sources.contains(&entry.source)
                && table.algorithms.contains(&entry.algorithm)
                && sizes.contains(&entry.size)
        };
        let places = record.entries.iter().enumerate();
        let (places, entries): (Vec<_>, Vec<_>) = places.filter(|(_, entry)| wanted(entry)).unzip();
        Self {
            measured: entries
                .iter()
                .zip(places)
                .filter_map(|(entry, cell)| measured(table, entry, cell))
                .collect(),
            published: table
                .published
                .iter()
                .filter_map(|block| published(table, block, &sizes))
                .collect(),
            pairs: entries.iter().filter_map(|entry| pair(record, entry)).collect(),
            id: table.id.clone(),
            title: table.title.clone(),
            unit: table.unit.describe(table.iterations),
            rate: table.unit.is_rate(),
            sizes: sizes.into_iter().filter_map(Size::each).collect(),
            many: false,
            algorithms: table.algorithms.clone(),
            main: grid::main_source(table),
            marks: colours::marks(&record.head.study, &sources),
            sources,
        }
    }
}

impl Measured {
    /// As a rate, 10^9 bytes per second.
    pub fn gigabytes_per_second(&self) -> Interval {
        let rate = |ns: f64| self.size as f64 / ns;
        ordered([rate(self.ns.value), rate(self.ns.low), rate(self.ns.high)])
    }
}

fn measured(table: &Table, entry: &Entry, cell: usize) -> Option<Measured> {
    let estimate = entry.estimate()?;
    let (ns, cycles) = (estimate.ns, estimate.cycles);
    let value = |ns: f64, cycles: f64| {
        table.unit.from_message(ns, cycles, entry.size.mean(), table.iterations)
    };
    Some(Measured {
        source: entry.source.clone(),
        implementation: entry.implementation.clone(),
        algorithm: entry.algorithm.clone(),
        size: entry.size.each()?,
        cell,
        value: ordered([
            value(ns.value, cycles.value),
            value(ns.low, cycles.low),
            value(ns.high, cycles.high),
        ]),
        ns,
        cycles,
        few: estimate.few,
    })
}

/// A value and the ends of its interval, which a rate turns around.
fn ordered([value, one, other]: [f64; 3]) -> Interval {
    Interval { value, low: one.min(other), high: one.max(other) }
}

/// The block's figures of these sizes, if it has one.
fn published(table: &Table, block: &Published, sizes: &[Size]) -> Option<Block> {
    let figures: Vec<_> = block
        .rows
        .iter()
        .flat_map(|row| {
            let cells = block.sizes.iter().zip(&row[1..]).filter(|(size, _)| sizes.contains(size));
            cells.filter_map(|(&size, printed)| {
                Some(Printed {
                    algorithm: row[0].clone(),
                    size: size.each()?,
                    printed: printed.clone(),
                    value: in_unit(table, block, printed, size.mean()),
                    ns: in_ns(table, block, printed, size.mean()),
                    cycles: in_cycles(table, block, printed, size.mean()),
                })
            })
        })
        .collect();
    let (id, machine, here) = (block.id.clone(), block.machine.clone(), block.here.clone());
    (!figures.is_empty()).then_some(Block { id, machine, here, figures })
}

/// A printed figure in the table's unit; cycles are no time, and no time is cycles.
fn in_unit(table: &Table, block: &Published, printed: &str, bytes: f64) -> Option<f64> {
    let value = Published::number(printed)?;
    let unit = block.unit.unwrap_or(table.unit);
    if unit == table.unit {
        return Some(value);
    }
    let ns = unit.to_ns(value, bytes, table.iterations)?;
    Some(table.unit.from_message(ns, f64::NAN, bytes, table.iterations))
        .filter(|value| value.is_finite())
}

fn in_ns(table: &Table, block: &Published, printed: &str, bytes: f64) -> Option<f64> {
    let unit = block.unit.unwrap_or(table.unit);
    unit.to_ns(Published::number(printed)?, bytes, table.iterations).filter(|ns| ns.is_finite())
}

fn in_cycles(table: &Table, block: &Published, printed: &str, bytes: f64) -> Option<f64> {
    block.unit.unwrap_or(table.unit).to_cycles(Published::number(printed)?, bytes)
}

/// A cell beside the one that has the CPU's features, if it lacks some.
fn pair(record: &Record, entry: &Entry) -> Option<Pair> {
    let hardware = with_features(&entry.source)?;
    let ratio = record.ratio(entry, record.entry(&hardware, &entry.algorithm, entry.size)?)?;
    let (software, algorithm) = (entry.source.clone(), entry.algorithm.clone());
    Some(Pair { hardware, software, algorithm, size: entry.size.each()?, ratio })
}

/// The source that has what this one lacks: the same without its mask, or the provider of which
/// this is the software.
fn with_features(source: &Source) -> Option<Source> {
    if source.mask.is_some() {
        return Some(Source { mask: None, ..source.clone() });
    }
    let provider = source.provider.strip_suffix("-software")?.to_owned();
    Some(Source { provider, ..source.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_with_features() {
        let with = |text: &str| {
            with_features(&Source::from(text.to_owned())).map(|source| source.to_string())
        };
        assert_eq!(with("php@-sha*2").as_deref(), Some("php*2"));
        assert_eq!(with("openssl-software").as_deref(), Some("openssl"));
        assert_eq!(with("hashdyno/portable"), None);
    }
}
