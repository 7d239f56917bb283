use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bench::report::openssl;
use bench::study::{ALL, Shape, Source, Table, Unit};
use bench::{Algorithm, Cipher, Preset, Request, Study};
use clap::builder::ArgPredicate;
use gauge::Plan;

use super::output::{self, OutputFormat};
use super::study::{measure, options};
use crate::chart::ChartFile;
use crate::failure::BadInput;

const EXAMPLES: &str = "Examples:
  hashdyno speed sha256 blake3 xxh3
  hashdyno speed md5 --bytes 5,64,1000 --provider ours,openssl,php
  hashdyno speed --provider ours --cpu none --bytes 5000         every algorithm, our portable kernels
  hashdyno speed aes-128-gcm --cpu sweep                         every provider under each CPU mask that makes a difference
  hashdyno speed sha256 --threads 1,2                            what a second process gains
  hashdyno speed sha1 --provider ours,ours/portable              two kernels side by side
  hashdyno speed md5 --many 5,64,300,0-600                       1000 short messages at a time
  hashdyno speed -mr -seconds 1 md5 aes-128-cbc                  as openssl speed, for scripts that read it

The options -evp, -seconds, -bytes, -decrypt, -elapsed, -multi and -mr of openssl speed are understood, also with one hyphen.";

/// What `speed` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Digests by any name that `hashdyno list` shows, ciphers with or without their direction; all digests if none is given.
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<String>,
    /// Message lengths in bytes; with --many none if none is given.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "16,64,256,1024,8192,16384",
        default_value_if("many", ArgPredicate::IsPresent, None)
    )]
    bytes: Vec<usize>,
    /// Many messages in one job, 1000 or as many as 200x5 says, of these lengths in bytes, 0-600 for mixed ones: by what takes them
    /// all at once, else in a loop. Figures are of one message.
    #[arg(long, value_delimiter = ',', value_name = "LENGTHS")]
    many: Vec<Shape>,
    /// Seconds for each algorithm and length at most.
    #[arg(long, default_value_t = 0.4)]
    seconds: f64,
    /// Providers, each with /IMPLEMENTATION for another than its first; all if none is given.
    #[arg(long, value_delimiter = ',', value_name = "PROVIDER")]
    provider: Vec<String>,
    /// CPU features that every provider must do without: -avx512f,-sha, scalar, none (our portable kernels) ...; or sweep: each mask
    /// that makes a difference here.
    #[arg(long, value_name = "MASK", default_value = "all", allow_hyphen_values = true)]
    cpu: String,
    /// Another algorithm, as openssl names them.
    #[arg(long, value_name = "ALGORITHM")]
    evp: Vec<String>,
    /// Processes at once, each on its own core; rates are of all together.
    #[arg(long, visible_alias = "multi", value_delimiter = ',', default_value = "1", value_name = "NUMBER")]
    threads: Vec<usize>,
    /// A cipher named without its direction is measured decrypting; otherwise encrypting.
    #[arg(long)]
    decrypt: bool,
    /// Rates by time passed, not by the processor's time. They always are.
    #[arg(long)]
    elapsed: bool,
    /// What openssl speed -mr writes, in place of tables: +H and +F to standard output, +DT and +R to standard error.
    #[arg(long, conflicts_with = "format")]
    mr: bool,
    /// What the figures are shown in.
    #[arg(long, value_enum, default_value = "gigabytes-per-second")]
    unit: SpeedUnit,
    /// How the report is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: OutputFormat,
    /// Write the record here.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Draw throughput by size (SVG).
    #[arg(long, value_name = "FILE")]
    chart: Option<ChartFile>,
    /// The libcrypto to measure as `openssl`.
    #[arg(long, value_name = "PATH")]
    libcrypto: Option<PathBuf>,
}

/// What the figures are shown in.
#[derive(Clone, Copy, clap::ValueEnum)]
enum SpeedUnit {
    GigabytesPerSecond,
    Cycles,
    CyclesPerByte,
    Nanoseconds,
    KilobytesPerSecond,
}

impl From<SpeedUnit> for Unit {
    fn from(unit: SpeedUnit) -> Self {
        match unit {
            SpeedUnit::GigabytesPerSecond => Self::GigabytesPerSecond,
            SpeedUnit::Cycles => Self::Cycles,
            SpeedUnit::CyclesPerByte => Self::CyclesPerByte,
            SpeedUnit::Nanoseconds => Self::Nanoseconds,
            SpeedUnit::KilobytesPerSecond => Self::KilobytesPerSecond,
        }
    }
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if !(self.seconds > 0.0 && self.seconds <= 3600.0) {
            let message = format!("--seconds {} is no time: expected more than 0 and at most 3600", self.seconds);
            return Err(BadInput { message, hint: "0.4 is the default".to_owned() }.into());
        }
        let plan = Plan { budget: Duration::from_secs_f64(self.seconds), ..Plan::standard() };
        let cpu = if self.cpu == SWEEP { ALL } else { &self.cpu };
        let options = options(cpu, self.libcrypto.clone())?;
        let preset = Preset::Told(format!("{} s for each cell", self.seconds));
        let request = Request { preset, plan, options, command: output::command_line(), keep: None };
        let record = measure(&self.study()?, &request)?;
        if let Some(path) = &self.record {
            record.write(path)?;
        }
        if self.mr {
            eprint!("{}", openssl::receipts(&record));
        }
        let code = output::show(&record, self.format())?;
        self.chart.iter().try_for_each(|chart| chart.write(&record))?;
        Ok(code)
    }

    /// The question as a study without a document.
    fn study(&self) -> anyhow::Result<Study> {
        let all = || hashdyno::ALL.iter().map(|digest| digest.name.to_owned()).collect();
        let named: Vec<_> = self.algorithms.iter().chain(&self.evp).map(|name| self.directed(name)).collect();
        let algorithms = if named.is_empty() { all() } else { named };
        let tables = match self.in_openssls_language() && self.provider.is_empty() {
            true => self.one_provider_each(algorithms),
            false => vec![self.table("speed", algorithms, self.sources())],
        };
        let study = Study::new("speed", "Speed", "How fast is each, by message length?", tables);
        study.check()?;
        Ok(study)
    }

    /// A cipher's name with its direction.
    fn directed(&self, name: &str) -> String {
        let lower = name.to_lowercase();
        match Cipher::find(&lower) {
            Some(_) if self.decrypt => format!("{lower} decrypt"),
            Some(_) => format!("{lower} encrypt"),
            None => name.to_owned(),
        }
    }

    fn format(&self) -> OutputFormat {
        if self.mr { OutputFormat::OpensslMr } else { self.format }
    }

    fn in_openssls_language(&self) -> bool {
        matches!(self.format(), OutputFormat::Openssl | OutputFormat::OpensslMr)
    }

    /// In openssl's tables an algorithm has one row: ours of a digest, OpenSSL's of a cipher.
    fn one_provider_each(&self, algorithms: Vec<String>) -> Vec<Table> {
        let is_cipher = |name: &String| matches!(Algorithm::find(name), Some(Algorithm::Cipher(..)));
        let (ciphers, digests): (Vec<_>, Vec<_>) = algorithms.into_iter().partition(is_cipher);
        let tables = [("digests", digests, "ours"), ("ciphers", ciphers, "openssl")].into_iter();
        let named = tables.filter(|(_, algorithms, _)| !algorithms.is_empty());
        named.map(|(id, algorithms, provider)| self.table(id, algorithms, vec![Source::from(provider.to_owned())])).collect()
    }

    fn table(&self, id: &str, algorithms: Vec<String>, providers: Vec<Source>) -> Table {
        let mut table = Table::new(id, "Speed by message length", self.unit.into());
        table.sizes.clone_from(&self.bytes);
        table.many.clone_from(&self.many);
        table.threads.clone_from(&self.threads);
        if self.cpu == SWEEP {
            let known: Vec<_> = algorithms.iter().filter_map(|name| Algorithm::find(name)).collect();
            table.masks = bench::sweep(&known);
        }
        Table { algorithms, providers, ..table }
    }

    fn sources(&self) -> Vec<Source> {
        match self.provider.is_empty() {
            true => bench::providers().iter().map(|provider| Source::from(provider.name.clone())).collect(),
            false => self.provider.iter().cloned().map(Source::from).collect(),
        }
    }
}

/// In place of a mask: all that make a difference.
const SWEEP: &str = "sweep";
