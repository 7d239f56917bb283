//! `hashdyno report`: records are shown again.
//!
//! Records in any format; several go into one page. The format is named by `--format`, else by the
//! ending of `--output`, else it is the terminal's. Exit codes: 0; 1 where a cell is void; 2 where
//! a record is malformed or the format does not take it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use bench::Record;
use bench::report::{Format, Part, Report};

use super::output;
use crate::chart::ChartFile;
use crate::failure::BadInput;

const EXAMPLES: &str = "Examples:
  hashdyno report records/MACHINE/DATE-php-hash.jsonl -o report.html
  hashdyno report here.jsonl there.jsonl -o both.html      a part for each machine
  hashdyno report records/MACHINE/DATE-php-hash.jsonl --chart php-hash.svg
  hashdyno report records/MACHINE/DATE-php-hash.jsonl --format markdown > php-hash.md
  hashdyno report records/MACHINE/DATE-scoreboard.jsonl --top 10";

/// What `report` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Records of `study` or `speed --record`, or the output of `openssl speed` or hyperfine.
    #[arg(required = true, value_name = "RECORD", help = records_help())]
    records: Vec<PathBuf>,
    /// The format [default: by the ending of FILE, else terminal].
    #[arg(long, value_parser = output::formats())]
    format: Option<&'static Format>,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write to this file and print nothing.
    #[arg(long, short, value_name = "FILE", help = output_help())]
    output: Option<PathBuf>,
    /// Print every table, not only verdicts and the answer.
    #[arg(long)]
    full: bool,
    /// Of a scoreboard, print only the counts and this many of its worst and best rows.
    #[arg(long, value_name = "NUMBER")]
    top: Option<usize>,
    /// Draw throughput by message length, and published beside measured, of one record (SVG or
    /// PNG). Nothing is printed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "output", "json"])]
    chart: Option<ChartFile>,
    /// Put the records into the page, to be downloaded from it. Without it, the page names their
    /// files.
    #[arg(long)]
    embed_record: bool,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let embed = self.embed_record;
        let records = self
            .records
            .iter()
            .map(|path| Loaded::read(path))
            .collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(chart) = &self.chart {
            let [record] = records.as_slice() else {
                return Err(one_at_a_time(records.len(), "a chart"));
            };
            chart.write(&record.record)?;
            return Ok(ExitCode::SUCCESS);
        }
        let format = self.format()?;
        if embed && !format.takes_several() {
            let message = "--embed-record puts records into the page: expected the format html";
            let hint = "hashdyno report RECORD -o report.html --embed-record".to_owned();
            return Err(BadInput { message: message.to_owned(), hint }.into());
        }
        let text = match (self.top, records.as_slice()) {
            (Some(most), [record]) => output::top(&record.record, most, format)?,
            (None, [record]) => render(format.full(self.shows_tables(record)), &records, embed),
            (None, _) if format.takes_several() => render(format, &records, embed),
            _ => return Err(one_at_a_time(records.len(), "this format")),
        };
        match &self.output {
            Some(path) => output::write(path, text.as_bytes())?,
            None => output::print(&text)?,
        }
        Ok(output::code(records.iter().map(|loaded| &loaded.record)))
    }

    /// A table is all that a record of `speed` or of another program has, and what --output asks
    /// for.
    fn shows_tables(&self, of: &Loaded) -> bool {
        self.full
            || self.output.is_some()
            || of.record.is_imported()
            || of.record.head.study.is_asked()
    }

    fn format(&self) -> anyhow::Result<&'static Format> {
        match (self.format.or(self.json.then(|| Format::named("json"))), &self.output) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(Format::named("terminal")),
            (None, Some(path)) => Format::of(path).ok_or_else(|| {
                let message = format!(
                    "{} has no ending that names a format: expected {}",
                    path.display(),
                    output::endings()
                );
                BadInput { message, hint: "or say it: --format html".to_owned() }.into()
            }),
        }
    }
}

fn records_help() -> String {
    format!(
        "Records of `study` or `speed --record`, or the output of `openssl speed` or hyperfine. \
            Several are taken by the formats: {}",
        output::names(Format::takes_several)
    )
}

fn output_help() -> String {
    format!("Write to this file, which ends in one of {}, and print nothing", output::endings())
}

/// The records in a format.
fn render(format: &Format, records: &[Loaded], embed: bool) -> String {
    let reports: Vec<_> = records.iter().map(|loaded| Report::new(&loaded.record)).collect();
    let parts = records.iter().zip(&reports).map(|(loaded, report)| Part {
        report,
        file: loaded.file.clone(),
        bytes: embed.then_some(loaded.bytes.as_slice()),
    });
    format.render(&parts.collect::<Vec<_>>())
}

fn one_at_a_time(records: usize, what: &str) -> anyhow::Error {
    let message = format!("{records} records: {what} shows one");
    BadInput { message, hint: "hashdyno report RECORD... -o report.html shows several".to_owned() }
        .into()
}

/// A record with the bytes of its file.
struct Loaded {
    record: Record,
    file: String,
    bytes: Vec<u8>,
}

impl Loaded {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let record = output::read(path)?;
        // The page packs its records itself.
        let is_packed = bench::record::zstd::is_named(path);
        // An unfinished record was settled when it was read, so its file says other figures.
        let bytes = match is_packed || record.unfinished.is_some() {
            true => record.to_bytes(),
            false => {
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?
            }
        };
        let file = output::file_name(path);
        Ok(Self { record, file: file.trim_end_matches(".zst").to_owned(), bytes })
    }
}
