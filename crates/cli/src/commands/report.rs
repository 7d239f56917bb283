use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use bench::Record;

use super::output::{self, OutputFormat};
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
    /// Records of `study` or `speed --record`, or the output of `openssl speed` or hyperfine. Only
    /// html takes several.
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The format [default: by the ending of FILE, else terminal].
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write to this file, which ends in .html, .md, .csv or .json, and print nothing.
    #[arg(long, short, value_name = "FILE")]
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
        if embed && !matches!(format, OutputFormat::Html) {
            let message = "--embed-record puts records into the page: expected the format html";
            let hint = "hashdyno report RECORD -o report.html --embed-record".to_owned();
            return Err(BadInput { message: message.to_owned(), hint }.into());
        }
        let text = match (format, records.as_slice()) {
            (OutputFormat::Html, records) if self.top.is_none() => {
                let parts = records.iter().map(|record| record.part(embed));
                bench::report::html::render(&parts.collect::<Vec<_>>())
            }
            (format, [record]) => match self.top {
                Some(most) => output::top(&record.record, most, format)?,
                None => output::text(&record.record, format.full(self.shows_tables(record))),
            },
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

    fn format(&self) -> anyhow::Result<OutputFormat> {
        match (self.format.or(self.json.then_some(OutputFormat::Json)), &self.output) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(OutputFormat::Terminal),
            (None, Some(path)) => OutputFormat::of(path).ok_or_else(|| {
                let message = format!(
                    "{} has no ending that names a format: expected .html, .md, .csv, .json",
                    path.display()
                );
                BadInput { message, hint: "or say it: --format html".to_owned() }.into()
            }),
        }
    }
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
        let bytes = match is_packed || record.unfinished.is_some() {
            true => record.to_bytes(),
            false => {
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?
            }
        };
        let file = output::file_name(path);
        Ok(Self { record, file: file.trim_end_matches(".zst").to_owned(), bytes })
    }

    fn part(&self, embed: bool) -> bench::report::html::Part<'_> {
        let bytes = embed.then_some(self.bytes.as_slice());
        bench::report::html::Part { bytes, ..output::part(&self.record, self.file.clone()) }
    }
}
