//! The tables of the axes: the cost of a mask to each provider, and the gain of threads.
//!
//! ```text
//! algorithm  source    all     -pclmulqdq  x       the base, then each point and its ratio to it
//! ```
//!
//! A mask or a number of threads is an axis with points. The other tables of a report stand at the
//! first point of both axes (`bases`), so that they stay as wide as without axes.

use super::bases::Axis;
use super::cells;
use super::grid::Grid;
use crate::record::{Entry, Record};
use crate::study::{Size, Source, Table};

/// A grid of providers by CPU mask and one of providers by threads for each size, where the table
/// has such axes.
pub fn grids(record: &Record, table: &Table) -> Vec<Grid> {
    let (by_mask, by_threads) = (Axis::masks(table), Axis::threads(table));
    let axes = [by_mask, by_threads].into_iter().filter(|axis| axis.points.len() > 1);
    axes.flat_map(|axis| {
        table.columns().into_iter().map(move |size| axis.grid(record, table, size))
    })
    .collect()
}

impl Axis {
    /// A row for each algorithm and source, a column for each point and its ratio to the first.
    fn grid(&self, record: &Record, table: &Table, size: Size) -> Grid {
        let (base, others) = self.points.split_first().expect("an axis has points");
        let mut header = vec!["algorithm".to_owned(), "source".to_owned(), base.clone()];
        header.extend(others.iter().flat_map(|point| [point.clone(), "x".to_owned()]));
        let rows = table.algorithms.iter().flat_map(|algorithm| {
            let sources = self.sources(table).into_iter();
            sources.filter_map(|source| self.row(record, table, &source, algorithm, size))
        });
        let title = format!(
            "{}: {}, {}, {}",
            table.title,
            size.describe(),
            table.describe_unit(),
            self.title
        );
        Grid { title, note: self.note.to_owned(), header, rows: rows.collect() }
    }

    /// The sources of the table, each brought to the axis' first point.
    fn sources(&self, table: &Table) -> Vec<Source> {
        let mut sources = Vec::new();
        for source in
            table.sources().into_iter().map(|source| (self.place)(source, &self.points[0]))
        {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources
    }

    /// Nothing for a source that was measured at one point only.
    fn row(
        &self,
        record: &Record,
        table: &Table,
        source: &Source,
        algorithm: &str,
        size: Size,
    ) -> Option<Vec<String>> {
        let entry =
            |point: &String| record.entry(&(self.place)(source.clone(), point), algorithm, size);
        let value = |point: &String| {
            let found = entry(point)?;
            cells::value(record, table, &found.source, algorithm, size)
        };
        let (base, others) = self.points.split_first()?;
        // A source with a mask of its own is at one point: its row would have no ratio.
        if self.points.iter().filter_map(entry).count() < 2 {
            return None;
        }
        let mut row =
            vec![algorithm.to_owned(), source.to_string(), value(base).unwrap_or_default()];
        for point in others {
            // The time of the first over the time here: how many times as fast.
            let ratio = entry(base)
                .zip(entry(point))
                .and_then(|(base, here): (&Entry, &Entry)| record.ratio(base, here));
            row.extend([
                value(point).unwrap_or_default(),
                ratio.map(|ratio| cells::figure(ratio.value)).unwrap_or_default(),
            ]);
        }
        Some(row)
    }
}
