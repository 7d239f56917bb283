//! The answers of a table of messages, in sentences that fit every study. A study with `[[answer]]`
//! has its own in their place.
//!
//! ```text
//! a document's table     race at the longest and the shortest size, distance from the best
//! up to 6 algorithms     a sentence for each: who is fastest, and how far ahead
//! more                   how many algorithms each source leads in
//! one cell               its figure
//! ```
//!
//! Nothing is called fastest alone unless the whole interval of its lead is above 1. Without a
//! ratio, its lead must be twofold.

use hashdyno::Security;

use super::{bases, cells, grid};
use crate::record::{Entry, Record};
use crate::study::{Size, Source, Table, Unit};
use crate::text::list;
use runner::Algorithm;

/// Who is fastest in each algorithm, which algorithm is fastest, and how far the table's main
/// source is from the best.
pub fn of_table(record: &Record, table: &Table) -> Vec<String> {
    // The last of all sizes: the longest message, or many messages where the table has them.
    let Some(size) = table.columns().into_iter().max() else { return Vec::new() };
    let sources = bases::bases(table);
    let duels: Vec<_> =
        table.algorithms.iter().filter_map(|name| Duel::of(record, &sources, name, size)).collect();
    let mut said = match duels.len() {
        // A document asks about its algorithms. Who computes them fastest is another question.
        _ if table.is_of_a_document() => Vec::new(),
        0..=MOST_DUELS => duels.iter().map(Duel::sentence).collect(),
        _ => vec![leaders(&duels, size)],
    };
    let race_begins = said.len();
    said.extend(race(record, table, size));
    if table.is_of_a_document() {
        let shortest = table.columns().into_iter().min().filter(|&shortest| shortest < size);
        said.extend(shortest.and_then(|shortest| race(record, table, shortest)));
        said.extend(distance(&duels, &grid::main_source(table), size));
    }
    if said.is_empty() {
        said.extend(alone(record, table, &sources, size));
    }
    // A duel names its algorithm and its size. A race could be of any table, and names it.
    if record.head.study.tables.len() > 1 {
        said[race_begins..]
            .iter_mut()
            .take(1)
            .for_each(|first| *first = format!("{}: {first}", table.title));
    }
    said
}

impl Table {
    /// Whether a document printed figures that this table repeats.
    fn is_of_a_document(&self) -> bool {
        !self.published.is_empty()
    }
}

/// The sources of one algorithm on messages of one size, fastest first; two at least.
struct Duel<'a> {
    record: &'a Record,
    entries: Vec<&'a Entry>,
}

impl<'a> Duel<'a> {
    fn of(record: &'a Record, sources: &[Source], algorithm: &str, size: Size) -> Option<Self> {
        let entries = grid::fastest(record, sources, algorithm, size);
        (entries.len() > 1).then_some(Self { record, entries })
    }

    fn best(&self) -> &'a Entry {
        self.entries[0]
    }

    /// How many from the fastest on cannot be told apart from it.
    fn tied(&self) -> usize {
        tied(self.record, &self.entries)
    }

    fn sentence(&self) -> String {
        let best = self.best();
        let of = format!("{} on {}", best.algorithm, best.size.describe());
        match self.tied() {
            1 => {
                let next = self.entries[1];
                let lead = self.record.ratio(next, best).map(|lead| {
                    format!(", {} times as fast as {}", cells::figure(lead.value), next.source)
                });
                format!("{of}: {} is fastest{}.", best.source, lead.unwrap_or_default())
            }
            tied => {
                let names: Vec<_> =
                    self.entries[..tied].iter().map(|entry| entry.source.to_string()).collect();
                format!("{of}: {} are fastest and not distinguishable.", list(&names))
            }
        }
    }
}

/// Of many algorithms, how many each source leads in.
fn leaders(duels: &[Duel<'_>], size: Size) -> String {
    let mut wins: Vec<(String, usize)> = Vec::new();
    for duel in duels.iter().filter(|duel| duel.tied() == 1) {
        let name = duel.best().source.to_string();
        match wins.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => wins.push((name, 1)),
        }
    }
    wins.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let ties = duels.iter().filter(|duel| duel.tied() > 1).count();
    let words: Vec<_> = wins.iter().map(|(name, count)| format!("{name} in {count}")).collect();
    let won = if words.is_empty() { String::new() } else { format!("fastest: {}; ", list(&words)) };
    format!(
        "Of {} algorithms on {}, {won}not distinguishable: {ties}.",
        duels.len(),
        size.describe()
    )
}

/// The fastest algorithm of the main source, and the fastest that is sound.
fn race(record: &Record, table: &Table, size: Size) -> Option<String> {
    let main = grid::main_source(table);
    let mut entries: Vec<_> = table
        .algorithms
        .iter()
        .filter_map(|algorithm| record.entry(&main, algorithm, size))
        .collect();
    entries.retain(|entry| entry.estimate().is_some());
    entries.sort_by(|a, b| ns(a).total_cmp(&ns(b)));
    let (best, last) = (*entries.first()?, *entries.last()?);
    if entries.len() < 2 {
        return None;
    }
    let shown = |entry: &Entry| shown(table, entry);
    let names: Vec<_> =
        entries[..tied(record, &entries)].iter().map(|entry| entry.algorithm.clone()).collect();
    let of = format!("{main} on {}", size.describe());
    let fastest = match names.len() {
        count if count == entries.len() => {
            return Some(format!("{of}: {} are not distinguishable.", list(&names)));
        }
        1 => format!("{} is fastest ({})", names[0], shown(best)),
        _ => format!("{} are fastest and not distinguishable ({})", list(&names), shown(best)),
    };
    let times = cells::figure(ns(last) / ns(best));
    let slowest = format!("{} is slowest ({}, {times} times as long)", last.algorithm, shown(last));
    let sound = entries
        .iter()
        .find(|entry| is_sound(&entry.algorithm))
        .filter(|entry| !names.contains(&entry.algorithm));
    let sound = sound.map_or(String::new(), |entry| {
        format!(" Fastest sound digest: {} ({}).", entry.algorithm, shown(entry))
    });
    Some(format!("{of}: {fastest}, {slowest}.{sound}"))
}

/// The figure of a table that has one algorithm in one source: there is nothing to compare.
fn alone(record: &Record, table: &Table, sources: &[Source], size: Size) -> Option<String> {
    let [algorithm] = &table.algorithms[..] else { return None };
    let entry = *grid::fastest(record, sources, algorithm, size).first()?;
    let (of, figure) = (size.describe(), shown(table, entry));
    Some(format!("{algorithm} on {of}: {figure} in {}.", entry.source))
}

/// How much longer the main source takes than the fastest implementation, algorithm by algorithm.
fn distance(duels: &[Duel<'_>], main: &Source, size: Size) -> Option<String> {
    let times = duels.iter().filter_map(|duel| {
        let own = duel.entries.iter().find(|entry| entry.source == *main)?;
        Some((ns(own) / ns(duel.best()), own.algorithm.as_str()))
    });
    let mut times: Vec<_> = times.collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((least, near), (most, far)) = (*times.first()?, *times.last()?);
    // Two algorithms are no range, and a distance below 5 % is no news.
    (times.len() > 2 && most > 1.05).then(|| {
        let (least, most) = (cells::figure(least), cells::figure(most));
        let of = format!("On {} {main} takes {least} ({near}) to {most} ({far})", size.describe());
        format!("{of} times as long as the fastest implementation on this machine.")
    })
}

/// How many of these, fastest first, cannot be told apart from the first.
fn tied(record: &Record, entries: &[&Entry]) -> usize {
    let tie = |entry: &&&Entry| match record.ratio(entry, entries[0]) {
        Some(ratio) => ratio.low <= 1.0,
        None => ns(entry) < NEIGHBOUR * ns(entries[0]),
    };
    1 + entries[1..].iter().take_while(tie).count()
}

fn is_sound(algorithm: &str) -> bool {
    matches!(
        Algorithm::find(algorithm),
        Some(Algorithm::Digest(digest)) if digest.security == Security::Sound
    )
}

/// Nanoseconds of an entry that has an estimate.
fn ns(entry: &Entry) -> f64 {
    entry.estimate().map_or(f64::INFINITY, |estimate| estimate.ns.value)
}

/// A rate where the table has rates, else the time of a message.
fn shown(table: &Table, entry: &Entry) -> String {
    let unit = match table.unit {
        Unit::KilobytesPerSecond => Unit::GigabytesPerSecond,
        unit if unit.is_rate() => unit,
        _ => return format!("{} ns", cells::figure(ns(entry))),
    };
    format!(
        "{} {}",
        cells::figure(unit.from_message(ns(entry), 0.0, entry.size.mean(), 1)),
        unit.describe(1)
    )
}

/// More algorithms are counted and not named.
const MOST_DUELS: usize = 6;

/// How many times as long a neighbour on the core can make a message take. Figures of a quiet and
/// of a shared core have no ratio; if they are further apart than that, they are told apart all the
/// same.
const NEIGHBOUR: f64 = 2.0;
