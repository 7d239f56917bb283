//! A line for each measured cell, for spreadsheets and scripts.
//!
//! ```text
//! provider,implementation,mask,threads,algorithm,size_bytes,ns,ns_low,ns_high,cycles,ghz,...
//! ```
//!
//! Messages, trees and tools have the same columns: a column that does not fit a cell is empty. New
//! columns come at the end. The columns of a board stand there only where the study has one.
//! Figures have all digits of the record and no unit: the header has it.

use gauge::{Outcome, Series};

use super::{Format, Render, Report, board, cells};
use crate::judge::Board;
use crate::record::files::{Hashed, Process};
use crate::record::{Entry, Record};
use crate::study::Clock;
use crate::study::{Size, Source};

/// A line for each measured cell.
pub const FORMAT: Format = Format {
    name: "csv",
    endings: &["csv"],
    about: "A line for each cell",
    ..Format::by(Render::One(render))
};

fn render(report: &Report<'_>) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let header = [
        "provider",
        "implementation",
        "mask",
        "threads",
        "algorithm",
        "size_bytes",
        "ns",
        "ns_low",
        "ns_high",
        "cycles",
        "ghz",
        "bytes_per_second",
        "first_call_ns",
        "clean_samples",
        "samples",
        "void",
        "cache",
        "user_ns",
        "sys_ns",
        "core",
    ];
    let (record, board) = (report.record, report.board.as_ref());
    let columns = board.iter().flat_map(|_| board::COLUMNS);
    out.write_record(header.into_iter().chain(columns)).expect("writing to memory does not fail");
    let rows = record.entries.iter().map(|entry| {
        [cell(record, entry), board.map_or(Vec::new(), |board| on_board(board, entry))].concat()
    });
    let trees = record.files.hashed.iter().map(|one| hashed(record, one));
    let of_files = trees.chain(record.files.processes.iter().map(|one| process(record, one)));
    // No board is of files.
    let blank = vec![String::new(); board.map_or(0, |_| board::COLUMNS.len())];
    for row in rows.chain(of_files.map(|row| [row, blank.clone()].concat())) {
        out.write_record(&row).expect("writing to memory does not fail");
    }
    String::from_utf8(out.into_inner().expect("writing to memory does not fail"))
        .expect("fields are text")
}

/// What the board says, on the line of our default.
fn on_board(board: &Board, entry: &Entry) -> Vec<String> {
    let row =
        board.rows.iter().find(|row| row.algorithm == entry.algorithm && row.size == entry.size);
    let row = row.filter(|row| row.ours.as_ref().is_some_and(|ours| ours.source == entry.source));
    row.map_or_else(|| vec![String::new(); board::COLUMNS.len()], |row| board::fields(row).into())
}

fn cell(record: &Record, entry: &Entry) -> Vec<String> {
    let Entry { source, implementation, algorithm, size, series, .. } = entry;
    [
        who(record, source, implementation, algorithm, *size),
        measured(series, size.mean(), 1.0),
        no_process(),
        core(series),
    ]
    .concat()
}

/// An algorithm over a tree: what the whole tree takes.
fn hashed(record: &Record, hashed: &Hashed) -> Vec<String> {
    let Hashed { source, implementation, algorithm, series, table } = hashed;
    let bytes =
        record.files.trees.iter().find(|tree| tree.table == *table).map_or(0, |tree| tree.bytes);
    let figures = measured(series, bytes as f64, bytes as f64);
    [
        who(record, source, implementation, algorithm, Size::One(bytes as usize)),
        figures,
        no_process(),
        core(series),
    ]
    .concat()
}

/// A file tool: its real time; user and sys in columns of their own.
fn process(record: &Record, process: &Process) -> Vec<String> {
    let Process { source, command, algorithm, cache, bytes, .. } = process;
    let timing = |clock| process.timing(clock, record.head.plan.confidence);
    let figures = timing(Clock::Real).map_or_else(
        || nothing(process.void.clone().or(process.unproved()).unwrap_or_default()),
        |real| {
            let rate = (*bytes as f64 / real.ns.value * 1e9).to_string();
            let [ns, low, high] =
                [real.ns.value, real.ns.low, real.ns.high].map(|figure| figure.to_string());
            let [none, counted, total] =
                [String::new(), real.counted.to_string(), real.total.to_string()];
            vec![
                ns,
                low,
                high,
                none.clone(),
                none.clone(),
                rate,
                none.clone(),
                counted,
                total,
                none,
            ]
        },
    );
    let ns = |clock| timing(clock).map(|timing| timing.ns.value.to_string()).unwrap_or_default();
    let own = vec![cache.name().to_owned(), ns(Clock::User), ns(Clock::Sys), String::new()];
    [who(record, source, command, algorithm, Size::One(*bytes as usize)), figures, own].concat()
}

fn who(
    record: &Record,
    source: &Source,
    implementation: &str,
    algorithm: &str,
    size: Size,
) -> Vec<String> {
    let mask = source.mask.as_ref().unwrap_or(&record.head.cpu);
    let [size, threads] = [size.to_string(), source.threads.to_string()];
    [&source.provider, implementation, mask, &threads, algorithm, &size].map(str::to_owned).into()
}

/// The figures of a series of calls on `bytes`; an iteration of it is the part `1 / iterations` of
/// a call.
fn measured(series: &Series, bytes: f64, iterations: f64) -> Vec<String> {
    let estimate = match &series.outcome {
        Outcome::Estimate(estimate) => estimate,
        Outcome::Void { reason } => return nothing(reason.clone()),
    };
    let ns = &estimate.ns;
    let [ns, low, high, cycles] =
        [ns.value, ns.low, ns.high, estimate.cycles.value].map(|figure| figure * iterations);
    // Of the whole length: of a tree both are multiplied by its bytes.
    let rate = bytes / ns * 1e9;
    let figures = [ns, low, high, cycles, estimate.ghz, rate, series.first_call_ns];
    let mut row: Vec<_> = figures.map(known).into();
    row.extend([estimate.clean.to_string(), estimate.total.to_string(), String::new()]);
    row
}

/// A figure; nothing where it is not known.
fn known(figure: f64) -> String {
    if figure.is_finite() { figure.to_string() } else { String::new() }
}

/// No figures, and why.
fn nothing(reason: String) -> Vec<String> {
    std::iter::repeat_n(String::new(), 9).chain([reason]).collect()
}

/// In the columns of file tools.
fn no_process() -> Vec<String> {
    vec![String::new(); 3]
}

/// The state of the core that the figures are of.
fn core(series: &Series) -> Vec<String> {
    vec![series.estimate().map(|found| cells::core(found.state).to_owned()).unwrap_or_default()]
}
