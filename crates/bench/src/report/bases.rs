//! The axes of a table, its CPU masks and its threads, and the sources at which both begin.
//!
//! The base of a source is the same source at the first mask and on the fewest threads. A source
//! stands in the usual tables if it is its own base, or if the table lacks its base.

use crate::study::{ALL, Source, Table};

/// One axis: its points, and how a source is moved to one of them.
pub struct Axis {
    /// The end of its tables' titles.
    pub title: &'static str,
    /// What the signs in its tables say.
    pub note: &'static str,
    /// The first is what the others are held against.
    pub points: Vec<String>,
    /// The same source at another point.
    pub place: fn(Source, &str) -> Source,
}

impl Axis {
    /// The CPU masks of a table, none first.
    pub fn masks(table: &Table) -> Self {
        let mut points = points(table, |source| source.mask().to_owned());
        points.sort_by_key(|mask| mask != ALL);
        let note = "x: rate under the mask / rate without; blank: not measured";
        Self { title: "by CPU mask", note, points, place: |source, mask| source.under(mask) }
    }

    /// The numbers of threads of a table, the least first.
    pub fn threads(table: &Table) -> Self {
        let mut points = points(table, |source| source.threads.to_string());
        points.sort_by_key(|threads| threads.parse::<usize>().ok());
        let note = "x: rate of all threads together / rate of one; blank: not measured";
        Self {
            title: "by threads",
            note,
            points,
            place: |source, threads| source.on(threads.parse().unwrap_or(1)),
        }
    }
}

/// The sources that the other tables are about: what differs from one of them by its mask or
/// threads alone stands in the tables of the axes.
pub fn bases(table: &Table) -> Vec<Source> {
    let (masks, threads, sources) = (Axis::masks(table), Axis::threads(table), table.sources());
    let base = |source: &Source| {
        (threads.place)((masks.place)(source.clone(), &masks.points[0]), &threads.points[0])
    };
    sources
        .iter()
        .filter(|source| base(source) == **source || !sources.contains(&base(source)))
        .cloned()
        .collect()
}

/// What the sources of a table have of one kind, in their order.
fn points(table: &Table, of: impl Fn(&Source) -> String) -> Vec<String> {
    let mut points = Vec::new();
    for point in table.sources().iter().map(of) {
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}
