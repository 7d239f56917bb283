//! A record without its samples: the form in which a run is kept for years.
//!
//! Samples are most of a record. A summary has the same head and the same series, without samples,
//! and the ratios that need pairs. The SHA-256 of the raw record stands in its head.
//!
//! Reports of a summary show the figures and verdicts of its record. The course of the probes is
//! gone.

use std::path::Path;

use super::{FORMATS, Report, chart};
use crate::record::{Kept, Raw, Record};

/// The record without samples of messages: estimates, intervals, counts and verdicts stay, and
/// every ratio and cost that a report of the record shows. Files keep their samples, which are few.
/// Of a library's path its name is left: folders are its user's.
pub fn summary(record: &Record, raw: Raw) -> Record {
    let mut summary = Record { kept: shown(record), ..record.clone() };
    summary.head.summary_of = Some(raw);
    let facts = summary.providers.iter_mut().filter_map(|provider| provider.facts.get_mut("path"));
    facts.for_each(|path| *path = file_name(path));
    let loops = summary.loops.iter_mut().chain(&mut summary.opens).map(|bare| &mut bare.series);
    let series = loops.chain(summary.entries.iter_mut().map(|entry| &mut entry.series));
    series.for_each(|series| series.samples.clear());
    summary
}

fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whatever some format asks for.
fn shown(record: &Record) -> Kept {
    let listening = Record { kept: Kept::keeping(), ..record.clone() };
    let report = Report::new(&listening);
    // Formats of several records ask for no other ratios than these.
    for format in FORMATS.iter().filter(|format| !format.takes_several()) {
        report.render(format);
    }
    chart::svg(&listening);
    listening.kept.closed()
}
