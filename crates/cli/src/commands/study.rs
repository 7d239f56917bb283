use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use bench::{Options, Preset, Record, Request, Size, Study, temporary};
use gauge::Plan;

use super::output::{self, OutputFormat};
use crate::chart::ChartFile;
use crate::progress::Bar;
use crate::stdio::message;

const EXAMPLES: &str = "Examples:
  hashdyno study                      run php-hash, in under ten minutes
  hashdyno study php-hash --quick     in under two
  hashdyno study ./mine.toml --format markdown > mine.md
  hashdyno study scoreboard --quick --only md5,sha256 --kernel all
  hashdyno study --list";

/// What `study` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A study that comes with hashdyno, or a file ending in .toml.
    #[arg(default_value = "php-hash", value_name = "NAME|FILE")]
    study: String,
    /// Under two minutes, with wider intervals.
    #[arg(long)]
    quick: bool,
    /// Name the studies that come with hashdyno.
    #[arg(long)]
    list: bool,
    /// Only these of its algorithms; a claim about others is not measured.
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM")]
    only: Vec<String>,
    /// Only these of its message lengths, or of its many messages, such as 1000x64.
    #[arg(long, value_delimiter = ',', value_name = "LENGTH")]
    bytes: Vec<Size>,
    /// Each of our kernels beside the one that the library chooses.
    #[arg(long, value_enum)]
    kernel: Option<Kernels>,
    /// How the report is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: OutputFormat,
    /// Where the record is written [default: records/MACHINE/DATE-STUDY.jsonl].
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Draw throughput by size, and published beside measured (SVG).
    #[arg(long, value_name = "FILE")]
    chart: Option<ChartFile>,
    /// Make the files of a study that hashes files in this folder, and leave them there: the disk under it is what is measured.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// CPU features that every provider must do without: -avx512f,-sha, scalar, none (our portable kernels) ...
    #[arg(long, value_name = "MASK", default_value = "all", allow_hyphen_values = true)]
    cpu: String,
    /// The libcrypto to measure as `openssl`.
    #[arg(long, value_name = "PATH")]
    libcrypto: Option<PathBuf>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.list {
            output::print(&(Study::shipped().join("\n") + "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let (preset, plan) = if self.quick { (Preset::Quick, Plan::quick()) } else { (Preset::Standard, Plan::standard()) };
        let study = self.study()?;
        let options = options(&self.cpu, self.libcrypto)?;
        let request = Request { preset, plan, options, command: output::command_line(), keep: self.keep };
        let record = measure(&study, &request)?;
        let path = self.record.unwrap_or_else(|| Record::default_path(&record.head));
        record.write(&path)?;
        let page = path.with_extension("html");
        let bytes = record.to_bytes();
        let part = output::part(&record, output::file_name(&path), &bytes);
        output::write(&page, bench::report::html::render(&[part]).as_bytes())?;
        let code = output::show(&record, self.format)?;
        self.chart.iter().try_for_each(|chart| chart.write(&record))?;
        message!("record: {}\nreport: {}", path.display(), page.display());
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

/// Which of our kernels.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kernels {
    /// Every one that this CPU can run.
    All,
}

/// Has a signal that ends the program end its runners, too, and remove their files.
pub fn leave_nothing_when_stopped() -> anyhow::Result<()> {
    ctrlc::set_handler(leave_nothing).context("cannot listen for the signals that end a program")
}

/// Ends the program as a signal does, its temporary files removed: those of a study are up to 1.6 GB.
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
        hint: "`hashdyno list cpu` names the features, `hashdyno mask --list` the presets too".to_owned(),
    })?;
    Ok(Options { cpu: Some(cpu.to_owned()), libcrypto, ..Options::default() })
}
