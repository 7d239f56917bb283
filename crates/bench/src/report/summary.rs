//! A record without its samples: what is kept of a run for years.

use std::path::Path;

use gauge::{Estimate, Interval, Outcome, Series};

use super::{FORMATS, Report, chart};
use crate::record::{Kept, Raw, Record};

/// The record without samples of messages: estimates, intervals, counts and verdicts stay, and
/// every ratio and cost that a report of the record shows. Figures have five digits. Files keep
/// their samples, which are few. Of a library's path its name is left: folders are its user's.
pub fn summary(record: &Record, raw: Raw) -> Record {
    let mut summary = Record { kept: shown(record), ..record.clone() };
    summary.head.summary_of = Some(raw);
    let facts = summary.providers.iter_mut().filter_map(|provider| provider.facts.get_mut("path"));
    facts.for_each(|path| *path = file_name(path));
    let loops = summary.loops.iter_mut().chain(&mut summary.opens).map(|bare| &mut bare.series);
    loops.chain(summary.entries.iter_mut().map(|entry| &mut entry.series)).for_each(strip);
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
    for format in FORMATS.iter().filter(|format| !format.takes_several()) {
        report.render(format);
    }
    chart::svg(&listening);
    listening.kept.rounded(five_digits)
}

fn strip(series: &mut Series) {
    series.samples.clear();
    series.first_call_ns = five_digits(series.first_call_ns);
    if let Outcome::Estimate(Estimate { ns, cycles, ghz, ipc, drift, .. }) = &mut series.outcome {
        [ns, cycles].into_iter().for_each(|interval| *interval = rounded(interval));
        [ghz, ipc, drift].into_iter().for_each(|figure| *figure = five_digits(*figure));
    }
}

fn rounded(interval: &Interval) -> Interval {
    let Interval { value, low, high } = interval;
    Interval { value: five_digits(*value), low: five_digits(*low), high: five_digits(*high) }
}

/// More than a report shows, and less than a random fraction takes.
fn five_digits(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}
