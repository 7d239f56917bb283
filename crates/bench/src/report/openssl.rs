//! As `openssl speed` prints: its table, and the lines of `-mr`, so that programs which read its
//! output read ours.
//!
//! ```text
//! type             16 bytes     64 bytes           +H:16:64
//! md5              1000.00k   203694.85k           +F:0:md5:1000000.00:203694850.00
//! ```
//!
//! Widths and the sign `k` are openssl's. There is no place for an interval, a mark or a reason: a
//! cell without a figure is 0, as openssl prints a size that it did not time.

use std::fmt::Write;

use gauge::Series;

use super::{Format, Render, Report};
use crate::record::{Entry, Record};
use crate::study::Table;

/// The table: thousands of bytes per second.
pub const FORMAT: Format = Format {
    name: "openssl",
    about: "The table of `openssl speed`",
    one_row_each: true,
    ..Format::by(Render::One(render))
};

/// What `openssl speed -mr` writes to its standard output.
pub const FOR_MACHINES: Format = Format {
    name: "openssl-mr",
    about: "The lines of `openssl speed -mr`",
    one_row_each: true,
    ..Format::by(Render::One(render_for_machines))
};

fn render(report: &Report<'_>) -> String {
    let mut out = format!("version: hashdyno {}\n", report.record.head.hashdyno);
    out += "The 'numbers' are in 1000s of bytes per second processed.\n";
    for table in &report.record.head.study.tables {
        out += "type        ";
        table.sizes.iter().for_each(|size| write_to(&mut out, format_args!("{size:7} bytes")));
        out.push('\n');
        for (name, rates) in rows(report.record, table) {
            write_to(&mut out, format_args!("{name:<13}"));
            for rate in rates {
                match rate {
                    // openssl writes small rates without the `k`, and a blank in its place.
                    rate if rate > 10_000.0 => {
                        write_to(&mut out, format_args!(" {:11.2}k", rate / 1e3))
                    }
                    rate => write_to(&mut out, format_args!(" {rate:11.2} ")),
                }
            }
            out.push('\n');
        }
    }
    out
}

/// `+H` and `+F`; the index is the row's place in ours.
fn render_for_machines(report: &Report<'_>) -> String {
    let mut out = String::new();
    for table in &report.record.head.study.tables {
        out += "+H";
        table.sizes.iter().for_each(|size| write_to(&mut out, format_args!(":{size}")));
        out.push('\n');
        for (index, (name, rates)) in rows(report.record, table).into_iter().enumerate() {
            write_to(&mut out, format_args!("+F:{index}:{name}"));
            rates.iter().for_each(|rate| write_to(&mut out, format_args!(":{rate:.2}")));
            out.push('\n');
        }
    }
    out
}

/// `+DT` and `+R` of every cell, which openssl writes to its standard error: how long it ran and
/// how often.
pub fn receipts(record: &Record) -> String {
    let mut out = String::new();
    for Entry { algorithm, size, series, .. } in
        record.entries.iter().filter(|entry| entry.size.one().is_some())
    {
        let (calls, seconds) = total(series);
        let name = row_name(algorithm);
        write_to(
            &mut out,
            format_args!("+DT:{name}:{}:{size}\n+R:{calls}:{name}:{seconds:.6}\n", seconds.ceil()),
        );
    }
    out
}

/// A row for each algorithm and source: the rate in bytes per second at each size, or 0. The row's
/// name has the source only where several sources have the algorithm.
fn rows(record: &Record, table: &Table) -> Vec<(String, Vec<f64>)> {
    let sources = table.sources();
    let mut rows = Vec::new();
    for algorithm in &table.algorithms {
        let has = |source: &&_| {
            table.sizes.iter().any(|&size| record.entry(source, algorithm, size).is_some())
        };
        let having: Vec<_> = sources.iter().filter(has).collect();
        for source in &having {
            let rate = |&size: &usize| {
                let estimate = record.entry(source, algorithm, size).and_then(Entry::estimate);
                estimate.map_or(0.0, |estimate| size as f64 / estimate.ns.value * 1e9)
            };
            let name = row_name(algorithm);
            let name = if having.len() == 1 { name } else { format!("{name}/{source}") };
            rows.push((name, table.sizes.iter().map(rate).collect()));
        }
    }
    rows
}

/// openssl has no blanks in its names, and says nowhere which way a cipher went.
fn row_name(algorithm: &str) -> String {
    algorithm.split(' ').next().unwrap_or(algorithm).to_owned()
}

fn total(series: &Series) -> (u64, f64) {
    let calls = series.samples.iter().map(|sample| sample.iterations).sum();
    let ns: u64 = series.samples.iter().map(|sample| sample.ns).sum();
    (calls, ns as f64 * 1e-9)
}

fn write_to(out: &mut String, words: std::fmt::Arguments<'_>) {
    out.write_fmt(words).expect("writing to a string does not fail");
}
