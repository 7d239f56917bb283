use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use bench::report::Grid;
use bench::{Options, Preset, Provider, Record, Request, Size, Study, temporary};
use gauge::Plan;

use super::output::{self, OutputFormat};
use crate::chart::ChartFile;
use crate::progress::Bar;
use crate::stdio::message;

const EXAMPLES: &str = "Examples:
  hashdyno study --list               names the studies and their questions
  hashdyno study php-hash             in under ten minutes
  hashdyno study php-hash --quick     in under two minutes
  hashdyno study ./mine.toml --format markdown > mine.md
  hashdyno study scoreboard --quick --only md5,sha256 --kernel all

A study leaves a record (every sample) and a page (HTML) in records/MACHINE
below the current folder. --record names another file, --no-record leaves
nothing.";

/// What `study` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The name of a study, or a file that ends in .toml.
    #[arg(default_value = "php-hash", value_name = "NAME|FILE")]
    study: String,
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
    /// Measure every kernel of hashdyno, besides the one that the library chooses.
    #[arg(long, value_enum)]
    kernel: Option<Kernels>,
    /// Print every table, not only verdicts and the answer.
    #[arg(long)]
    full: bool,
    /// How the report is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: OutputFormat,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The file of the record; the page lies beside it [default: records/MACHINE/DATE-STUDY.jsonl].
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write neither record nor page.
    #[arg(long, conflicts_with = "record")]
    no_record: bool,
    /// Draw throughput by message length, and published beside measured (SVG or PNG).
    #[arg(long, value_name = "FILE")]
    chart: Option<ChartFile>,
    /// The folder for the test files of studies that hash files; the files stay there. This disk is
    /// measured.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// CPU features to hide from every provider, such as -avx512f,-sha or scalar; none: no vector
    /// instructions (hashdyno only).
    #[arg(long, value_name = "MASK", default_value = "all", allow_hyphen_values = true)]
    cpu: String,
    /// The libcrypto to load for the provider openssl.
    #[arg(long, value_name = "PATH")]
    libcrypto: Option<PathBuf>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let format = if self.json { OutputFormat::Json } else { self.format.full(self.full) };
        if self.list {
            output::print(&listed(format)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let (preset, plan) = if self.quick {
            (Preset::Quick, Plan::quick())
        } else {
            (Preset::Standard, Plan::standard())
        };
        let study = self.study()?;
        if self.needs {
            output::print(&needs(&study))?;
            return Ok(ExitCode::SUCCESS);
        }
        let options = options(&self.cpu, self.libcrypto)?;
        let request =
            Request { preset, plan, options, command: output::command_line(), keep: self.keep };
        let record = measure(&study, &request)?;
        let code = if self.no_record {
            output::show(&record, format)?
        } else {
            let path = self.record.unwrap_or_else(|| Record::default_path(&record.head));
            let page = leave(&record, &path)?;
            let code = output::show(&record, format)?;
            message!("record: {}\nreport: {}", path.display(), page.display());
            code
        };
        self.chart.iter().try_for_each(|chart| chart.write(&record))?;
        Ok(code)
    }

    /// The study with as much of it as is asked for.
    fn study(&self) -> anyhow::Result<Study> {
        let study = Study::load(&self.study)?;
        let study = if self.quick { study.quickly() } else { study };
        let study = if self.only.is_empty() { study } else { study.only(&self.only)? };
        let study = if self.bytes.is_empty() { study } else { study.only_sizes(&self.bytes)? };
        Ok(if self.kernel == Some(Kernels::All) { study.with_every_kernel() } else { study })
    }
}

/// Every study with its question.
fn listed(format: OutputFormat) -> anyhow::Result<String> {
    let studies =
        Study::shipped().iter().map(|name| Study::load(name)).collect::<Result<Vec<_>, _>>()?;
    if matches!(format, OutputFormat::Json) {
        let of = |study: &Study| serde_json::json!({ "name": study.name, "title": study.title, "question": study.question });
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

/// Writes the record, and the page beside it.
fn leave(record: &Record, path: &Path) -> anyhow::Result<PathBuf> {
    record.write(path)?;
    let page = path.with_extension("html");
    let part = output::part(record, output::file_name(path));
    output::write(&page, bench::report::html::render(&[part]).as_bytes())?;
    Ok(page)
}

/// Which kernels of hashdyno.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kernels {
    /// Every one that this CPU can run.
    All,
}

/// Has a signal that ends the program end its runners, too, and remove their files.
pub fn leave_nothing_when_stopped() -> anyhow::Result<()> {
    ctrlc::set_handler(leave_nothing).context("cannot listen for the signals that end a program")
}

/// Ends the program as a signal does, its temporary files removed: those of a study are up to 1.6
/// GB.
fn leave_nothing() {
    STOPPING.store(true, Ordering::Relaxed);
    temporary::remove();
    std::process::exit(STOPPED);
}

static STOPPING: AtomicBool = AtomicBool::new(false);

/// What a shell shows of a program that Ctrl-C ended.
const STOPPED: i32 = 130;

/// Runs a study under a progress bar.
pub fn measure(study: &Study, request: &Request) -> anyhow::Result<Record> {
    leave_nothing_when_stopped()?;
    let mut bar = Bar::new();
    let record = bench::run(study, request, &mut bar);
    while STOPPING.load(Ordering::Relaxed) {
        std::thread::park(); // the signal's thread ends the program
    }
    bar.finish();
    Ok(record?)
}

/// How runners are started, the mask checked before anything runs.
pub fn options(cpu: &str, libcrypto: Option<PathBuf>) -> anyhow::Result<Options> {
    bench::check_mask(cpu).map_err(|error| crate::failure::BadInput {
        message: error.to_string(),
        hint: "`hashdyno list cpu` names the features, `hashdyno mask --list` the presets too"
            .to_owned(),
    })?;
    Ok(Options { cpu: Some(cpu.to_owned()), libcrypto, ..Options::default() })
}
