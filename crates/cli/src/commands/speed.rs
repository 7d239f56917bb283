use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bench::study::{Source, Table, Unit};
use bench::{Request, Study};
use gauge::Plan;

use super::output::{self, OutputFormat};
use super::study::{measure, options};
use crate::failure::BadInput;

const EXAMPLES: &str = "Examples:
  hashdyno speed sha256 blake3 xxh3
  hashdyno speed md5 --bytes 5,64,1000 --provider ours,openssl,php
  hashdyno speed --provider ours,php --cpu none --bytes 5000     every algorithm, our portable kernels
  hashdyno speed sha1 --provider ours,ours/portable              two kernels side by side";

/// What `speed` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Algorithms by any name that `hashdyno list` shows; all if none is given.
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<String>,
    /// Message lengths in bytes.
    #[arg(long, value_delimiter = ',', default_value = "16,64,256,1024,8192,16384")]
    bytes: Vec<usize>,
    /// Seconds for each algorithm and length at most.
    #[arg(long, default_value_t = 0.4)]
    seconds: f64,
    /// Providers, each with /IMPLEMENTATION for another than its first; all if none is given.
    #[arg(long, value_delimiter = ',', value_name = "PROVIDER")]
    provider: Vec<String>,
    /// CPU features that our own kernels must do without: none, or -avx512f,-sha. Other providers run as they are.
    #[arg(long, value_name = "MASK", default_value = "all", allow_hyphen_values = true)]
    cpu: String,
    /// What the figures are shown in.
    #[arg(long, value_enum, default_value = "gigabytes-per-second")]
    unit: SpeedUnit,
    /// How the report is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: OutputFormat,
    /// Write the record here.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The libcrypto to measure as `openssl`.
    #[arg(long, value_name = "PATH")]
    libcrypto: Option<PathBuf>,
}

/// What the figures are shown in.
#[derive(Clone, Copy, clap::ValueEnum)]
enum SpeedUnit {
    GigabytesPerSecond,
    CyclesPerByte,
    Nanoseconds,
    KilobytesPerSecond,
}

impl From<SpeedUnit> for Unit {
    fn from(unit: SpeedUnit) -> Self {
        match unit {
            SpeedUnit::GigabytesPerSecond => Self::GigabytesPerSecond,
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
        let options = options(&self.cpu, self.libcrypto.clone())?;
        let preset = format!("{} s for each cell", self.seconds);
        let request = Request { preset, plan, options, command: output::command_line(), keep: None };
        let record = measure(&self.study()?, &request)?;
        if let Some(path) = &self.record {
            record.write(path)?;
        }
        output::show(&record, self.format)
    }

    /// The question as a study without a document.
    fn study(&self) -> anyhow::Result<Study> {
        let all = || hashdyno::ALL.iter().map(|digest| digest.name.to_owned()).collect();
        let table = Table {
            id: "speed".to_owned(),
            title: "Speed by message length".to_owned(),
            algorithms: if self.algorithms.is_empty() { all() } else { self.algorithms.clone() },
            sizes: self.bytes.clone(),
            providers: self.sources(),
            masks: Vec::new(),
            threads: Vec::new(),
            unit: self.unit.into(),
            iterations: 1,
            published: Vec::new(),
            errata: Vec::new(),
        };
        let study = Study {
            files: Vec::new(),
            name: "speed".to_owned(),
            title: "Speed".to_owned(),
            source: "the command line".to_owned(),
            question: "How fast is each, by message length?".to_owned(),
            tables: vec![table],
            claims: Vec::new(),
            errata: Vec::new(),
        };
        study.check()?;
        Ok(study)
    }

    fn sources(&self) -> Vec<Source> {
        match self.provider.is_empty() {
            true => bench::providers().iter().map(|provider| Source::from(provider.name.clone())).collect(),
            false => self.provider.iter().cloned().map(Source::from).collect(),
        }
    }
}
