//! All tables of a study's table, in the order of the report.
//!
//! ```text
//! first_calls            first calls beside warm ones
//! no published figures   sizes side by side
//! published figures      a table for each algorithm or each size, whichever are fewer; costs
//! told, axes, chunks     behind them, where the table asks for them
//! ```

use super::grid::{self, Grid};
use super::{axes, chunk, first, told};
use crate::record::Record;
use crate::study::{Size, Table};

/// The figures, those that programs told of themselves, the axes, and the lengths of chunks.
pub fn grids(record: &Record, table: &Table) -> Vec<Grid> {
    let told = told::grid(record, table).into_iter().collect();
    let (axes, chunks) = (axes::grids(record, table), chunk::grids(record, table));
    [figures(record, table), told, axes, chunks].concat()
}

/// First calls, or sizes side by side, or published figures beside measured ones.
fn figures(record: &Record, table: &Table) -> Vec<Grid> {
    if table.first_calls {
        return first::grids(record, table);
    }
    if table.published.is_empty() {
        return vec![grid::by_size(record, table, &table.columns())];
    }
    // Many messages that no document printed stand in a table of their own, behind the others.
    let printed = |size: &Size| {
        size.one().is_some() || table.published.iter().any(|block| block.sizes.contains(size))
    };
    let (sizes, unprinted): (Vec<_>, Vec<_>) = table.columns().into_iter().partition(printed);
    let algorithms = table.algorithms.iter();
    // Few long tables are read sooner than many short ones.
    let mut grids: Vec<_> = match table.algorithms.len() < sizes.len() {
        true => algorithms
            .map(|name| {
                grid::beside_published(
                    record,
                    table,
                    name,
                    &sizes.iter().map(|&size| (name, size)).collect::<Vec<_>>(),
                )
            })
            .collect(),
        false => sizes
            .iter()
            .map(|&size| {
                grid::beside_published(
                    record,
                    table,
                    &size.describe(),
                    &algorithms.clone().map(|name| (name, size)).collect::<Vec<_>>(),
                )
            })
            .collect(),
    };
    if table.sizes.len() >= 3 {
        grids.push(grid::costs(record, table));
    }
    if !unprinted.is_empty() {
        grids.push(grid::by_size(record, table, &unprinted));
    }
    grids
}
