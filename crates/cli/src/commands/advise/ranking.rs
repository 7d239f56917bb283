//! What fits a purpose, the fastest first, by the figures of a record.
//!
//! The first size decides the order, by the fastest source of each algorithm. Others only stand
//! beside it. A size that the record lacks is replaced by the nearest, in the ratio of lengths, and
//! the table says so. An algorithm is tied with the first if the interval of its ratio reaches down
//! to 1.

use std::collections::{BTreeMap, BTreeSet};

use bench::report::{Grid, list, rate, short, time};
use bench::study::Source;
use bench::{Algorithm, Entry, Record, Size};
use gauge::Ratio;
use serde_json::{Value, json};

use super::purpose::strength;

/// The algorithms of a purpose that have figures.
pub struct Ranking<'a> {
    record: &'a Record,
    sizes: &'a [usize],
    /// Whether the record has no size that is nearer to one of `sizes` than the one that stands for
    /// it.
    is_nearest: bool,
    ranked: Vec<Ranked<'a>>,
}

/// An algorithm with the fastest source for each size.
struct Ranked<'a> {
    algorithm: &'a str,
    /// One for each size that was asked for. The first is always there.
    figures: Vec<Option<&'a Entry>>,
    /// Its time over that of the first.
    ratio: Option<Ratio>,
}

impl<'a> Ranking<'a> {
    /// By the first of `sizes`. Only sources that `may` are asked.
    pub fn new(
        record: &'a Record,
        algorithms: &[&'a str],
        sizes: &'a [usize],
        may: impl Fn(&Source) -> bool,
    ) -> Self {
        let field = Field { record, algorithms, may: &may };
        let measured: Vec<_> = sizes.iter().map(|&size| field.nearest(size)).collect();
        let is_nearest = measured.iter().flatten().all(|chosen| chosen.is_nearest);
        let ranked = algorithms.iter().map(|&algorithm| {
            let figure = |chosen: &Option<Chosen>| field.fastest(algorithm, chosen.as_ref()?.size);
            Ranked { algorithm, figures: measured.iter().map(figure).collect(), ratio: None }
        });
        let mut ranked: Vec<_> = ranked.filter(|one| one.figures[0].is_some()).collect();
        ranked.sort_by(|a, b| a.ns().total_cmp(&b.ns()));
        let best = ranked.first().and_then(|best| best.figures[0]);
        for one in &mut ranked {
            one.ratio = one.figures[0].zip(best).and_then(|(one, best)| ratio(record, one, best));
        }
        Self { record, sizes, is_nearest, ranked }
    }

    /// Whether nothing has a figure.
    pub fn is_empty(&self) -> bool {
        self.ranked.is_empty()
    }

    /// The first `most`, as a table.
    pub fn grid(&self, title: &str, most: usize) -> Grid {
        let mut header =
            ["", "algorithm", "security", "bits", "provider"].map(str::to_owned).to_vec();
        header.extend(self.sizes.iter().map(|size| format!("{size} bytes")));
        header.push("time / best".to_owned());
        let rows = self.ranked.iter().take(most).enumerate().map(|(place, one)| one.row(place + 1));
        let mut note = "=: not distinguishable from the first".to_owned();
        if let Some(measured) = self.other_sizes() {
            let which = if self.is_nearest { NEAREST } else { NEAREST_OF_MOST };
            note = format!("{note}; figures of {measured}, {which}");
        }
        if self.sizes.len() > 1 {
            note = format!("{note}; provider, order and time / best: of the first size");
        }
        if self.ranked.len() > most {
            note = format!("{note}; {} more with --full", self.ranked.len() - most);
        }
        Grid { title: title.to_owned(), note, header, rows: rows.collect() }
    }

    /// Sizes of the record that stand for others.
    fn other_sizes(&self) -> Option<String> {
        let measured = |place: usize| self.ranked.first()?.figures[place]?.size.one();
        let others = self.sizes.iter().enumerate().filter_map(|(place, &size)| {
            let measured = measured(place).filter(|&measured| measured != size)?;
            Some(format!("{measured} bytes for {size}"))
        });
        let others: Vec<_> = others.collect();
        (!others.is_empty()).then(|| list(&others))
    }

    /// What to take, in a sentence or two.
    pub fn advice(&self) -> String {
        let (best, rest) = self.ranked.split_first().expect("something has a figure");
        let entry = best.figures[0].expect("what is ranked has a figure");
        let size = entry.size.describe();
        let tied: Vec<_> = rest.iter().take_while(|one| one.is_tied()).collect();
        let shown = speed(entry);
        let mut advice = match tied.as_slice() {
            [] => format!("Take {} by {} ({shown} on {size})", best.algorithm, entry.source),
            tied => {
                let names = tied.iter().map(|one| one.algorithm.to_owned());
                let names: Vec<_> =
                    std::iter::once(best.algorithm.to_owned()).chain(names).collect();
                format!("Take {} ({shown} on {size}): not distinguishable", list(&names))
            }
        };
        match rest.get(tied.len()).and_then(|next| Some((next, next.ratio?))) {
            Some((next, ratio)) => {
                let times = short(ratio.value);
                advice += &format!("; {} is next and takes {times} times as long.", next.algorithm);
            }
            None => advice += ".",
        }
        advice
    }

    /// Every row for machines.
    pub fn json(&self) -> Vec<Value> {
        let row = |(place, one): (usize, &Ranked<'_>)| {
            let (security, bits) = strength(one.algorithm);
            let figures =
                one.figures.iter().zip(self.sizes).map(|(entry, &size)| figure(*entry, size));
            json!({
                "rank": place + 1,
                "algorithm": one.algorithm,
                "security": security,
                "bits": bits,
                "provider": one.figures[0].map(|entry| &entry.source.provider),
                "time_over_first": one.ratio,
                "tied_with_first": place > 0 && one.is_tied(),
                "figures": figures.collect::<Vec<_>>(),
            })
        };
        self.ranked.iter().enumerate().map(row).collect()
    }

    /// The record's machine and date in words.
    pub fn measured(&self) -> String {
        let head = &self.record.head;
        format!("{}, {}", head.machine.cpu, head.date.split('T').next().unwrap_or_default())
    }
}

impl Ranked<'_> {
    fn ns(&self) -> f64 {
        self.figures[0].map_or(f64::INFINITY, ns)
    }

    fn is_tied(&self) -> bool {
        self.ratio.is_some_and(|ratio| ratio.low <= 1.0)
    }

    fn row(&self, place: usize) -> Vec<String> {
        let (security, bits) = strength(self.algorithm);
        let tie = if place > 1 && self.is_tied() { "=" } else { "" };
        let source = self.figures[0].map(|entry| entry.source.to_string()).unwrap_or_default();
        let mut row = vec![
            format!("{place}{tie}"),
            self.algorithm.to_owned(),
            security,
            bits.to_string(),
            source,
        ];
        row.extend(self.figures.iter().map(|entry| entry.map(speed).unwrap_or_default()));
        row.push(self.ratio.map(|ratio| format!("{}x", short(ratio.value))).unwrap_or_default());
        row
    }
}

/// Time of a short message, and the rate of a long one.
fn speed(entry: &Entry) -> String {
    let Some(estimate) = entry.estimate() else { return String::new() };
    match entry.size.mean() {
        bytes if bytes < LONG => time(estimate.ns.value),
        bytes => rate(bytes / estimate.ns.value),
    }
}

/// Bytes from which on a message is shown by its rate.
const LONG: f64 = 1000.0;

fn figure(entry: Option<&Entry>, size: usize) -> Value {
    let Some((entry, estimate)) = entry.and_then(|entry| Some((entry, entry.estimate()?))) else {
        return json!({ "size": size });
    };
    json!({
        "size": size,
        "measured_size": entry.size,
        "source": entry.source,
        "implementation": entry.implementation,
        "ns": estimate.ns,
        "gigabytes_per_second": entry.size.mean() / estimate.ns.value,
    })
}

/// What is said of sizes that stand for others.
const NEAREST: &str = "the nearest that the record has";
const NEAREST_OF_MOST: &str = "the nearest of those with most algorithms";

/// A size of the record that stands for one that is asked for.
struct Chosen {
    size: Size,
    /// Whether no other of the record is nearer.
    is_nearest: bool,
}

/// What may be ranked.
struct Field<'a, 'f> {
    record: &'a Record,
    algorithms: &'f [&'a str],
    may: &'f dyn Fn(&Source) -> bool,
}

impl<'a> Field<'a, '_> {
    /// The entries of one message of an algorithm by any of its names.
    fn entries(&self, algorithm: &str) -> impl Iterator<Item = &'a Entry> {
        let fits = move |entry: &&Entry| {
            entry.estimate().is_some()
                && entry.size.one().is_some()
                && is_plain(&entry.source)
                && (self.may)(&entry.source)
                && Algorithm::same(&entry.algorithm, algorithm)
        };
        self.record.entries.iter().filter(fits)
    }

    fn fastest(&self, algorithm: &str, size: Size) -> Option<&'a Entry> {
        let of_size = self.entries(algorithm).filter(|entry| entry.size == size);
        of_size.min_by(|a, b| ns(a).total_cmp(&ns(b)))
    }

    /// The measured size nearest to `size`. Only sizes count for which nine tenths of the
    /// algorithms have a figure: one void cell does not move all others to another size.
    fn nearest(&self, size: usize) -> Option<Chosen> {
        let mut counts: BTreeMap<Size, usize> = BTreeMap::new();
        for algorithm in self.algorithms {
            let sizes: BTreeSet<_> = self.entries(algorithm).map(|entry| entry.size).collect();
            sizes.into_iter().for_each(|size| *counts.entry(size).or_default() += 1);
        }
        let log = |bytes: f64| bytes.max(1.0).ln();
        let distance = |of: &Size| (log(of.mean()) - log(size as f64)).abs();
        let most = *counts.values().max()?;
        let nearest = |least: usize| {
            let sizes = counts.iter().filter(|(_, count)| **count >= least).map(|(size, _)| *size);
            sizes.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        let size = nearest((9 * most).div_ceil(10))?;
        let is_nearest = distance(&size) <= distance(&nearest(0)?);
        Some(Chosen { size, is_nearest })
    }
}

fn ns(entry: &Entry) -> f64 {
    entry.estimate().map_or(f64::INFINITY, |estimate| estimate.ns.value)
}

/// One process, and nothing hidden from it.
fn is_plain(source: &Source) -> bool {
    source.mask.is_none() && source.threads == 1
}

fn ratio(record: &Record, one: &Entry, best: &Entry) -> Option<Ratio> {
    if std::ptr::eq(one, best) {
        return Some(Ratio { value: 1.0, low: 1.0, high: 1.0, state: one.estimate()?.state });
    }
    record.ratio(one, best).or_else(|| gauge::of_estimates(one.estimate()?, best.estimate()?))
}
