//! `hashdyno study`: a published benchmark is measured again, and its claims are judged.
//!
//! ```text
//! study + --quick, --only, --bytes, --payload, --kernel   the cells
//! run -> record (RECORD.part, then RECORD)                every sample, kept while it runs
//!     -> page beside it, report on standard output, chart, file for an issue
//! ```
//!
//! Exit codes: 0; 1 a cell is void; 2 an unknown name or a malformed study; 3 nothing can be
//! measured. 128 + N is that of a run which a signal N stopped.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bench::report::{Format, Grid, Part, Report};
use bench::study::ALL;
use bench::{Keep, Payload, Preset, Provider, Record, Request, Size, Study};
use gauge::Plan;

use super::measure::{self, Begun};
use super::output;
use super::summarize::summarized;
use crate::chart::ChartFile;
use crate::failure::BadInput;
use crate::stdio::message;

const EXAMPLES: &str = "Examples:
  hashdyno study --list               names the studies and their questions
  hashdyno study php-hash             in under ten minutes
  hashdyno study php-hash --quick     in under two minutes
  hashdyno study ./mine.toml --format markdown > mine.md
  hashdyno study scoreboard --quick --only md5,sha256 --kernel all
  hashdyno study scoreboard --send-in        and a file to attach to an issue
  hashdyno study --resume records/MACHINE/DATE-scoreboard.jsonl.part

A study leaves a record (every sample) and a page (HTML) in records/MACHINE
below the current folder. --record names another file, --no-record leaves
nothing. The record grows in a file whose name ends in .part. A run that is
stopped leaves that, and --resume measures what is missing.";

/// What `study` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The name of a study, or a file that ends in .toml [default: php-hash].
    #[arg(value_name = "NAME|FILE")]
    study: Option<String>,
    /// Take less than two minutes; intervals are wider.
    #[arg(long)]
    quick: bool,
    /// Name the studies that come with hashdyno, each with its question.
    #[arg(short, long)]
    list: bool,
    /// Name the targets of the Makefile that build what the study measures, a line each; for
    /// `make study`.
    #[arg(long, hide = true)]
    needs: bool,
    /// Measure only these algorithms of the study. Claims about others are reported as not
    /// measured.
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM")]
    only: Vec<String>,
    /// Measure only these message lengths of the study, in bytes; 1000x64 is 1000 messages of 64
    /// bytes.
    #[arg(long, value_delimiter = ',', value_name = "LENGTH")]
    bytes: Vec<Size>,
    /// One payload more where the study compares several: random, zeros, a, or the name of a file.
    #[arg(long, value_parser = measure::payload, value_name = "PAYLOAD")]
    payload: Option<Payload>,
    /// Measure every kernel of hashdyno, besides the one that the library chooses.
    #[arg(long, value_enum)]
    kernel: Option<Kernels>,
    /// Print every table, not only verdicts and the answer.
    #[arg(long)]
    full: bool,
    /// How the report is printed.
    #[arg(long, value_parser = output::formats(), default_value = "terminal")]
    format: &'static Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The file of the record; the page lies beside it [default: records/MACHINE/DATE-STUDY.jsonl].
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write neither record nor page.
    #[arg(long, conflicts_with = "record")]
    no_record: bool,
    /// Write one file more beside the record, to attach to an issue of hashdyno: figures of a
    /// machine that its developers have not. It holds no samples, and what `hashdyno report` shows.
    #[arg(long, conflicts_with_all = ["no_record", "list"])]
    send_in: bool,
    /// Go on with the run that was stopped and left this record. What is measured is in the record;
    /// arguments that say it again must say the same.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["record", "no_record", "list"])]
    resume: Option<PathBuf>,
    /// Draw throughput by message length, and published beside measured (SVG or PNG).
    #[arg(long, value_name = "FILE")]
    chart: Option<ChartFile>,
    /// The folder for the test files of studies that hash files. Its disk is measured. Photographs
    /// stay there. No file that is there is replaced.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// CPU features to hide from every provider, such as -avx512f,-sha or scalar; none: no vector
    /// instructions (hashdyno only) [default: all].
    #[arg(long, value_name = "MASK", allow_hyphen_values = true)]
    cpu: Option<String>,
    /// The libcrypto to load for the provider openssl.
    #[arg(long, value_name = "PATH")]
    libcrypto: Option<PathBuf>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let format = if self.json { Format::named("json") } else { self.format.full(self.full) };
        if self.list {
            output::print(&listed(format)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.needs {
            output::print(&needs(&self.study()?))?;
            return Ok(ExitCode::SUCCESS);
        }
        let begun = self.resume.as_deref().map(Begun::read).transpose()?;
        let begun = begun.as_ref();
        let keep = match (begun, &self.record) {
            (Some(begun), _) => begun.keep(),
            (None, Some(path)) => Keep::At(path.clone()),
            (None, None) if self.no_record => Keep::Nowhere,
            (None, None) => Keep::Usual,
        };
        check_place(&keep)?;
        measure::check_chart(&keep, self.chart.as_ref())?;
        if let Some((record, path)) = begun.and_then(Begun::whole) {
            return self.finish(record, Some(path), format);
        }
        if let Some((begun, payload)) = begun.zip(self.payload) {
            let mut now = begun.payloads();
            now.insert(payload);
            begun.check_payloads(&now)?;
        }
        let head = begun.filter(|_| !self.says_what()).map(Begun::head);
        let (study, preset, plan) = match head {
            Some(head) => (head.study.clone(), head.preset.clone(), head.plan.clone()),
            None if self.quick => (self.study()?, Preset::Quick, Plan::quick()),
            None => (self.study()?, Preset::Standard, Plan::standard()),
        };
        let cpu = self.cpu.as_deref().or(begun.map(|begun| begun.head().cpu.as_str()));
        let options = measure::options(cpu.unwrap_or(ALL), self.libcrypto.clone())?;
        let command = output::command_line();
        let request = Request { preset, plan, options, command, keep: self.keep.clone() };
        let ran = measure::run(&study, &request, &keep, None)?;
        if let Some(signal) = ran.stopped {
            return Ok(ran.show_stopped("study", signal, format));
        }
        self.finish(&ran.record, ran.path.as_deref(), format)
    }

    /// Shows a record that is whole, and writes what is to lie beside it.
    fn finish(
        &self,
        record: &Record,
        path: Option<&Path>,
        format: &Format,
    ) -> anyhow::Result<ExitCode> {
        let page = path.map(|path| page(record, path)).transpose()?;
        let code = output::show(record, format)?;
        if let Some((path, page)) = path.zip(page) {
            message!("record: {}\nreport: {}", path.display(), page.display());
        }
        self.chart.iter().try_for_each(|chart| chart.write(record))?;
        if self.send_in
            && let Some(path) = path
        {
            // An ending that issue trackers take.
            let file = path.with_extension("send-in.json");
            summarized(path, &file, None)?;
            message!("attach {} to an issue: {ISSUES}", file.display());
        }
        Ok(code)
    }

    /// Whether it was told what to measure.
    fn says_what(&self) -> bool {
        let narrowed = !self.only.is_empty() || !self.bytes.is_empty() || self.kernel.is_some();
        self.study.is_some() || self.quick || narrowed
    }

    /// The study with as much of it as is asked for.
    fn study(&self) -> anyhow::Result<Study> {
        let study = Study::load(self.study.as_deref().unwrap_or(USUAL))?;
        let study = if self.quick { study.quickly() } else { study };
        let study = if self.only.is_empty() { study } else { study.only(&self.only)? };
        let study = if self.bytes.is_empty() { study } else { study.only_sizes(&self.bytes)? };
        let study = match self.payload {
            Some(payload) => study.with_payload(payload),
            None => study,
        };
        Ok(if self.kernel == Some(Kernels::All) { study.with_every_kernel() } else { study })
    }
}

/// Every study with its question.
fn listed(format: &Format) -> anyhow::Result<String> {
    let studies =
        Study::shipped().iter().map(|name| Study::load(name)).collect::<Result<Vec<_>, _>>()?;
    if format.name == "json" {
        let of = |study: &Study| {
            serde_json::json!({
                "name": study.name,
                "title": study.title,
                "question": study.question,
            })
        };
        let studies: Vec<_> = studies.iter().map(of).collect();
        return Ok(format!(
            "{:#}\n",
            serde_json::json!({ "schema": output::JSON_SCHEMA, "studies": studies })
        ));
    }
    let rows = studies
        .iter()
        .map(|study| vec![study.name.clone(), study.question.clone()])
        .collect::<Vec<_>>();
    let header = ["study", "question"].map(str::to_owned).to_vec();
    Ok(Grid { title: format!("{} studies", rows.len()), note: String::new(), header, rows }
        .terminal())
}

/// The targets of the Makefile that build the study's providers, a line each.
fn needs(study: &Study) -> String {
    let of_tables = study.tables.iter().flat_map(|table| &table.providers);
    let of_files = study.files.iter().flat_map(|table| &table.providers);
    let targets: BTreeSet<_> = of_tables
        .chain(of_files)
        .filter_map(|source| Provider::find(&source.provider)?.make.as_deref())
        .map(|target| format!("{target}\n"))
        .collect();
    targets.into_iter().collect()
}

/// Where figures of other machines are sent.
const ISSUES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

/// The study where none is named.
const USUAL: &str = "php-hash";

/// Refuses a record in the place of its page, which would be written over it.
fn check_place(keep: &Keep) -> Result<(), BadInput> {
    let Some(place) = measure::place(keep) else { return Ok(()) };
    let hint = match keep {
        Keep::GoOn(_) => "rename it: before .part the name ends in",
        _ => "give the record a name that ends in",
    };
    let is_page = |ending: &OsStr| PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page));
    if !place.extension().is_some_and(is_page) {
        return Ok(());
    }
    let message = format!("{} is the name of a page, not of a record", place.display());
    Err(BadInput::new(message, format!("{hint} .jsonl or .jsonl.zst; the page lies beside it")))
}

/// How the names of pages end.
const PAGES: [&str; 2] = ["html", "htm"];

/// Writes the page beside the record.
fn page(record: &Record, path: &Path) -> anyhow::Result<PathBuf> {
    let page = path.with_extension("html");
    let parts = [Part { report: &Report::new(record), file: output::file_name(path), bytes: None }];
    output::write(&page, Format::named("html").render(&parts).as_bytes())?;
    Ok(page)
}

/// Which kernels of hashdyno.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kernels {
    /// Every one that this CPU can run.
    All,
}
