//! First calls in fresh processes, beside the calls of a warm one.
//!
//! ```text
//! algorithm                     provider  calls              4096 bytes ...
//! aes-256-cbc-envelope encrypt  php       first, ascending
//! aes-256-cbc-envelope encrypt  php       first, descending
//! aes-256-cbc-envelope encrypt  php       warm
//! ```
//!
//! The warm row stands below the others, for the reader to subtract. Its figures are of another
//! table of the study, where that has the same cells.

use super::cells;
use super::grid::Grid;
use crate::record::{Cold, Record};
use crate::study::{SizeOrder, Table};

/// A row for each algorithm, source and order, and one for the warm process.
pub fn grids(record: &Record, table: &Table) -> Vec<Grid> {
    let mut header = ["algorithm", "provider", "calls"].map(str::to_owned).to_vec();
    header.extend(table.sizes.iter().map(|size| format!("{size} bytes")));
    let mut rows = Vec::new();
    for algorithm in &table.algorithms {
        for source in table.sources() {
            for order in [SizeOrder::Ascending, SizeOrder::Descending] {
                let of = |size: &usize| record.cold(&source, algorithm, *size, order);
                rows.push(row(
                    algorithm,
                    &source.to_string(),
                    &format!("first, {order}"),
                    table,
                    &|size| Some(of(size)?.interval(record.head.plan.confidence)),
                ));
            }
            rows.push(row(algorithm, &source.to_string(), "warm", table, &|size| {
                let entry = record.entry(&source, algorithm, *size)?;
                Some(entry.estimate().map(|estimate| estimate.ns))
            }));
        }
    }
    rows.retain(|row| row[3..].iter().any(|cell| !cell.is_empty()));
    let note = "first: fresh processes, each of which does every cell once, the sizes in that \
        order; no probe watches the core, and the \
        interval is of all processes. warm: as in the other tables.";
    vec![Grid {
        title: format!("{}, ns per call", table.title),
        note: note.to_owned(),
        header,
        rows,
    }]
}

/// What was voided, and why.
pub fn voids(record: &Record) -> impl Iterator<Item = String> {
    let void = |cold: &Cold| {
        let Cold { source, algorithm, size, order, void, .. } = cold;
        let reason = void.as_ref()?;
        Some(format!(
            "{source} {algorithm} at {size} bytes (first calls, {order}) is void: {reason}"
        ))
    };
    record.cold.iter().filter_map(void)
}

/// A cell for each size: nothing where nobody tried, `void` where nothing counts.
fn row(
    algorithm: &str,
    source: &str,
    calls: &str,
    table: &Table,
    interval: &dyn Fn(&usize) -> Option<Option<gauge::Interval>>,
) -> Vec<String> {
    let mut row = [algorithm, source, calls].map(str::to_owned).to_vec();
    let figure = |interval: gauge::Interval| {
        format!("{} {}", cells::figure(interval.value), cells::spread(&interval))
    };
    let cell = |found: Option<gauge::Interval>| found.map_or("void".to_owned(), figure);
    row.extend(table.sizes.iter().map(|size| interval(size).map(cell).unwrap_or_default()));
    row
}
