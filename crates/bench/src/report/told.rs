//! Figures that programs tell of themselves, beside verified ones.
//!
//! ```text
//! command  algorithm  bytes  told, not verified  verified  by  told / verified
//! ```
//!
//! The ratio is of rates, without an interval: the program gives one figure. It shows whether a
//! program times the work that it names (METHODOLOGY.md has an example, document 004).

use super::{Grid, cells};
use crate::record::{Record, Told};
use crate::study::{self, Table};

/// A table of what was told; nothing where no program was asked.
pub fn grid(record: &Record, table: &Table) -> Option<Grid> {
    let of_table = |told: &&Told| told.table == table.id;
    let rows: Vec<_> =
        record.told.iter().filter(of_table).map(|told| row(record, table, told)).collect();
    if rows.is_empty() {
        return None;
    }
    let unit = table.describe_unit();
    let header = [
        "command",
        "algorithm",
        "bytes",
        "told, not verified",
        "verified",
        "by",
        "told / verified",
    ];
    Some(Grid {
        title: format!("{}: what programs say of themselves, {unit}", table.title),
        note: format!(
            "told: the rate that the program prints. Nobody sees what it computed, so it takes \
                part in no verdict; told / verified: how many times the rate of the provider \
                whose answers were compared; {}",
            versions(record, table).join("; ")
        ),
        header: header.map(str::to_owned).into(),
        rows,
    })
}

/// What each program of the table says it is.
fn versions(record: &Record, table: &Table) -> Vec<String> {
    let told = record.told.iter().filter(|told| told.table == table.id);
    let mut versions: Vec<_> = told
        .filter_map(|told| {
            let program = told.command.split(' ').next().unwrap_or_default();
            Some(format!("{program}: {}", told.version.as_ref()?))
        })
        .collect();
    versions.dedup();
    versions
}

/// Why a program said nothing.
pub fn gaps(record: &Record) -> impl Iterator<Item = String> {
    record.told.iter().filter_map(|told| {
        Some(format!(
            "`{}` says nothing of {}: {}",
            told.command,
            told.algorithm,
            told.missing.as_ref()?
        ))
    })
}

fn row(record: &Record, table: &Table, told: &Told) -> Vec<String> {
    let here = table.told.iter().find(|known| known.id == told.id).map(|known| &known.here);
    let entry = here.and_then(|here| record.entry(here, &told.algorithm, told.size));
    let verified =
        entry.and_then(|entry| Some(told.size as f64 / entry.estimate()?.ns.value * 1e9));
    let shown = |rate: f64| {
        let ns = told.size as f64 / rate * 1e9;
        cells::figure(table.unit.from_message(ns, f64::NAN, told.size as f64, table.iterations))
    };
    let of_here = |here: &study::Source| {
        cells::value(record, table, here, &told.algorithm, told.size).unwrap_or_default()
    };
    let ratio = told
        .rate
        .zip(verified)
        .map(|(told, verified)| format!("{}x", cells::figure(told / verified)));
    vec![
        told.command.clone(),
        told.algorithm.clone(),
        told.size.to_string(),
        told.rate.map(shown).unwrap_or_default(),
        here.map(of_here).unwrap_or_default(),
        here.map(ToString::to_string).unwrap_or_default(),
        ratio.unwrap_or_default(),
    ]
}
