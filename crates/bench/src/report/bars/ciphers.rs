//! Ciphers by mode and key: software beside the CPU's instructions, a chart for each direction.
//!
//! A row is a mode. Its bars are the sources of `Plot::pairs`: the same provider with the CPU's
//! features, and under a mask or in its own software. At the right end stands the gain. Only the
//! longest message is drawn: there the instructions count most, and calls least.

use gauge::Interval;

use super::{Bar, Bars, Body, Set};
use crate::record::Record;
use crate::report::cells::{self, figure};
use crate::report::colours::{Mark, marks};
use crate::report::plot::Plot;
use crate::study::{Source, Table};

/// Encryption and decryption of the longest message; nothing for a table without such pairs.
pub fn bars(record: &Record, table: &Table) -> Vec<Bars> {
    let plot = Plot::new(record, table);
    let directions = ["encrypt", "decrypt"].into_iter();
    directions.filter_map(|direction| of_direction(record, &plot, direction)).collect()
}

fn of_direction(record: &Record, plot: &Plot, direction: &str) -> Option<Bars> {
    let mode = |algorithm: &str| {
        let (mode, way) = algorithm.rsplit_once(' ')?;
        (way == direction).then(|| mode.to_owned())
    };
    let ours = plot.pairs.iter().filter(|pair| mode(&pair.algorithm).is_some());
    let size = ours.clone().map(|pair| pair.size).max()?;
    let pairs: Vec<_> = ours.filter(|pair| pair.size == size).collect();
    let paired = |name: &&String| pairs.iter().any(|pair| pair.algorithm == **name);
    let algorithms: Vec<_> = plot.algorithms.iter().filter(paired).cloned().collect();
    let of_pairs = |wanted: &Source| {
        pairs.iter().any(|pair| pair.hardware == *wanted || pair.software == *wanted)
    };
    let sources: Vec<_> = plot.sources.iter().filter(|source| of_pairs(source)).cloned().collect();
    let measured = sources.iter().zip(marks(&record.head.study, &sources));
    let mut sets: Vec<_> =
        measured.map(|(source, mark)| of_source(plot, &algorithms, size, source, mark)).collect();
    sets.extend(published(plot, &algorithms, size, &sources));
    let end = |algorithm: &String| {
        let ratios = pairs.iter().filter(|pair| pair.algorithm == *algorithm);
        let times: Vec<_> = ratios.map(|pair| format!("{:.1}×", pair.ratio.value)).collect();
        times.join(" ")
    };
    let body = Body {
        rows: algorithms.iter().filter_map(|name| mode(name)).collect(),
        ends: algorithms.iter().map(end).collect(),
        sets,
    };
    Bars::new(
        format!("{}: {direction}ion, messages of {size} bytes", plot.title),
        "At the right: how many times as fast the CPU's instructions make it.".to_owned(),
        "GB/s",
        body,
    )
}

fn of_source(plot: &Plot, algorithms: &[String], size: usize, source: &Source, mark: Mark) -> Set {
    let bar = |(row, algorithm): (usize, &String)| {
        let found = |cell: &&crate::report::plot::Measured| {
            cell.source == *source && cell.algorithm == *algorithm && cell.size == size
        };
        let cell = plot.measured.iter().find(found)?;
        let value = cell.gigabytes_per_second();
        let few = if cell.few { ", too few clean samples" } else { "" };
        let words =
            format!("{algorithm}: {} GB/s {}{few}", figure(value.value), cells::spread(&value));
        Some(Bar { row, value, parts: None, mark: None, end: None, words })
    };
    let bars = algorithms.iter().enumerate().filter_map(bar).collect();
    Set { name: source.to_string(), mark, on: None, bars }
}

fn published(plot: &Plot, algorithms: &[String], size: usize, sources: &[Source]) -> Vec<Set> {
    let set = |(place, block): (usize, &crate::report::plot::Block)| {
        // A document whose provider was not measured here has no bar to lie on.
        let on = sources.iter().position(|source| *source == block.here)?;
        let figures = block.figures.iter().filter(|figure| figure.size == size);
        let bar = |figure: &crate::report::plot::Printed| {
            let row = algorithms.iter().position(|name| *name == figure.algorithm)?;
            let value = Interval::exact(size as f64 / figure.ns?);
            let words = format!("{}: {}, {}", figure.algorithm, figure.printed, block.machine);
            Some(Bar { row, value, parts: None, mark: None, end: None, words })
        };
        let bars = figures.filter_map(bar).collect();
        let (name, mark) = (format!("published {}", block.id), Mark::published(place));
        Some(Set { name, mark, on: Some(on), bars })
    };
    plot.published.iter().enumerate().filter_map(set).collect()
}
