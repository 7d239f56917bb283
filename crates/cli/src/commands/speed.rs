//! `hashdyno speed`: algorithms by message length, in every implementation.
//!
//! A question becomes a study with one table, or with one for digests and one for ciphers, and is
//! measured as any study. Exit codes: 0; 1 where a cell is void; 2 unknown names; 128 + N if a
//! signal stopped it. `--mr` prints the lines of openssl speed, `+H:64:1024` and `+F:0:md5:...`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bench::report::{Format, openssl};
use bench::study::{ALL, Named, Shape, Source, Table, UNITS, Unit};
use bench::{
    Algorithm, Cipher, Keep, Payload, Preset, Provider, Record, Request, Study, StudyError,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gauge::Plan;

use super::measure::{self, Begun};
use super::output;
use crate::chart::ChartFile;
use crate::failure::BadInput;
use crate::nearest;
use crate::stdio::message;

const EXAMPLES: &str = "Examples:
  hashdyno speed sha256 blake3 xxh3
  hashdyno speed md5 --bytes 5,64,1k --provider hashdyno,openssl,php
  hashdyno speed --provider hashdyno --cpu none      no vector instructions
  hashdyno speed aes-128-gcm --cpu sweep             each CPU mask
  hashdyno speed sha256 --threads 1,2                a second process
  hashdyno speed sha1 --provider hashdyno,hashdyno/portable
  hashdyno speed md5 --many 5,64,0-600               1000 messages in each call
  hashdyno speed -mr -seconds 1 md5 aes-128-cbc      output of openssl speed

The options -evp, -seconds, -bytes, -decrypt, -elapsed, -multi and -mr of
openssl speed are accepted, with one hyphen too.";

/// What `speed` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Digests and ciphers, by the names that `hashdyno list` and `hashdyno list ciphers` show
    /// [default: every digest].
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<String>,
    /// Message lengths in bytes, such as 64 or 1k or 1M (k, M and G are powers of 1024). With
    /// --many there is no default [default: 16,64,256,1024,8192,16384].
    #[arg(long, value_delimiter = ',', value_parser = length, value_name = "LENGTH")]
    bytes: Vec<usize>,
    /// Many messages in one call, of these lengths in bytes: 64 is 1000 messages of 64 bytes, 200x5
    /// is 200 of 5, 0-600 is mixed lengths. Figures are of one message.
    #[arg(long, value_delimiter = ',', value_name = "LENGTH")]
    many: Vec<Shape>,
    /// What the messages of --bytes hold: random, zeros, a (the letter), or the name of a file,
    /// whose bytes are repeated where they are too few [default: random].
    #[arg(long, value_delimiter = ',', value_parser = measure::payload, value_name = "PAYLOAD")]
    payload: Vec<Payload>,
    /// The longest time for each algorithm and length, in seconds [default: 0.4].
    #[arg(long)]
    seconds: Option<f64>,
    /// PROVIDER or PROVIDER/IMPLEMENTATION, with commas between [default: all].
    #[arg(long, value_delimiter = ',', value_name = "PROVIDER")]
    provider: Vec<String>,
    /// CPU features to hide from every provider, such as -avx512f,-sha or scalar; none: no vector
    /// instructions (hashdyno only); sweep: each mask that makes a difference [default: all].
    #[arg(long, value_name = "MASK", allow_hyphen_values = true)]
    cpu: Option<String>,
    /// One more algorithm, by the name that openssl gives it.
    #[arg(long, value_name = "ALGORITHM")]
    evp: Vec<String>,
    /// Processes at once, each on its own core. Rates are those of all processes together [default:
    /// 1].
    #[arg(long, visible_alias = "multi", value_delimiter = ',', value_name = "NUMBER")]
    threads: Vec<usize>,
    /// Measure ciphers decrypting [default: encrypting].
    #[arg(long)]
    decrypt: bool,
    /// Accepted for compatibility; it has no effect.
    #[arg(long)]
    elapsed: bool,
    /// Print the lines of openssl speed -mr: +H and +F to standard output, +DT and +R to standard
    /// error.
    #[arg(long, conflicts_with_all = ["format", "json"])]
    mr: bool,
    /// The unit of the figures [default: gb/s; rows/s with --many alone].
    #[arg(long, value_parser = units(), ignore_case = true)]
    unit: Option<Unit>,
    /// How the report is printed.
    #[arg(long, value_parser = output::formats(), default_value = "terminal")]
    format: &'static Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write a record with every sample to this file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Go on with the run that was stopped and left this record. What is measured is in the record;
    /// arguments that say it again must say the same.
    #[arg(long, value_name = "RECORD", conflicts_with = "record")]
    resume: Option<PathBuf>,
    /// Draw throughput by message length (SVG or PNG).
    #[arg(long, value_name = "FILE")]
    chart: Option<ChartFile>,
    /// The libcrypto to load for the provider openssl.
    #[arg(long, value_name = "PATH")]
    libcrypto: Option<PathBuf>,
    /// An option of openssl speed that is refused by name.
    #[arg(long, value_name = "ENGINE", hide = true)]
    engine: Option<String>,
}

/// The units that figures may have, as values of an option.
fn units() -> impl TypedValueParser<Value = Unit> {
    let value = |of: &Named| PossibleValue::new(of.name).aliases(of.aliases).help(of.about);
    PossibleValuesParser::new(UNITS.iter().map(value))
        .map(|name| Unit::find(&name).expect("a unit of the list"))
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(engine) = self.engine {
            let message = format!("-engine {engine}: no engine of OpenSSL is loaded");
            let hint = "--libcrypto FILE measures another library".to_owned();
            return Err(BadInput { message, hint }.into());
        }
        let begun = self.resume.as_deref().map(Begun::read).transpose()?;
        let begun = begun.as_ref();
        let keep = match (begun, &self.record) {
            (Some(begun), _) => begun.keep(),
            (None, Some(path)) => Keep::At(path.clone()),
            (None, None) => Keep::Nowhere,
        };
        measure::check_chart(&keep, self.chart.as_ref())?;
        if let Some((record, _)) = begun.and_then(Begun::whole) {
            return self.finish(record);
        }
        if let Some(begun) = begun.filter(|_| !self.payload.is_empty()) {
            begun.check_payloads(&self.payload.iter().copied().collect())?;
        }
        // A run that goes on takes study and plan from its record, unless the arguments say them
        // again.
        let head = begun.filter(|_| !self.says_what()).map(Begun::head);
        let (study, preset, plan) = match head {
            Some(head) => (head.study.clone(), head.preset.clone(), head.plan.clone()),
            None => {
                let seconds = self.seconds()?;
                let plan = Plan { budget: Duration::from_secs_f64(seconds), ..Plan::standard() };
                (self.study()?, Preset::Told(format!("{seconds} s for each cell")), plan)
            }
        };
        self.check_shown(&study)?;
        let cpu = self.cpu.as_deref().filter(|&cpu| cpu != SWEEP);
        let cpu = cpu.or(begun.map(|begun| begun.head().cpu.as_str())).unwrap_or(ALL);
        let options = measure::options(cpu, self.libcrypto.clone())?;
        let request =
            Request { preset, plan, options, command: output::command_line(), keep: None };
        let is_all = self.algorithms.is_empty() && self.evp.is_empty();
        let ran = measure::run(&study, &request, &keep, is_all.then_some(SHORTER))?;
        if let Some(signal) = ran.stopped {
            self.tell_receipts(&ran.record);
            return Ok(ran.show_stopped("speed", signal, self.format()));
        }
        self.finish(&ran.record)
    }

    /// Shows a record that is whole, and draws it.
    fn finish(&self, record: &Record) -> anyhow::Result<ExitCode> {
        self.tell_receipts(record);
        let code = output::show(record, self.format())?;
        self.chart.iter().try_for_each(|chart| chart.write(record))?;
        Ok(code)
    }

    /// What openssl writes to its standard error.
    fn tell_receipts(&self, record: &Record) {
        if self.mr {
            message!("{}", openssl::receipts(record).trim_end());
        }
    }

    /// Whether it was told what to measure.
    fn says_what(&self) -> bool {
        let names = [&self.algorithms, &self.evp, &self.provider];
        names.iter().any(|names| !names.is_empty())
            || !(self.bytes.is_empty() && self.many.is_empty() && self.threads.is_empty())
            || self.seconds.is_some()
            || self.unit.is_some()
            || self.decrypt
            || self.cpu.as_deref() == Some(SWEEP)
    }

    fn seconds(&self) -> Result<f64, BadInput> {
        let seconds = self.seconds.unwrap_or(SECONDS);
        if seconds > 0.0 && seconds <= 3600.0 {
            return Ok(seconds);
        }
        let message =
            format!("--seconds {seconds} is out of range: expected more than 0 and at most 3600");
        Err(BadInput { message, hint: format!("{SECONDS} is the default") })
    }

    /// The question as a study without a document.
    fn study(&self) -> anyhow::Result<Study> {
        let common = hashdyno::ALL.iter().filter(|digest| !digest.is_rare());
        let all = || common.map(|digest| digest.name.to_owned()).collect();
        let named: Vec<_> =
            self.algorithms.iter().chain(&self.evp).map(|name| self.directed(name)).collect();
        let algorithms = if named.is_empty() { all() } else { named };
        let tables = match self.format().one_row_each && self.provider.is_empty() {
            true => self.one_provider_each(algorithms),
            false => vec![self.table("speed", algorithms, self.sources())],
        };
        let study = Study::new(
            "speed",
            "Speed",
            "How fast is each algorithm, by message length and provider?",
            tables,
        );
        self.check_names()?;
        study.check().map_err(|error| match error {
            StudyError::Names { what, expected, .. } => anyhow::Error::from(BadInput {
                message: format!("{what}: {expected}"),
                hint: "hashdyno speed --help".to_owned(),
            }),
            error => error.into(),
        })?;
        Ok(study)
    }

    /// Refuses messages that stand nowhere in the format.
    fn check_shown(&self, study: &Study) -> Result<(), BadInput> {
        let format = self.format();
        let is_random = |payload: &Payload| *payload == Payload::Random;
        let is_shown =
            |table: &Table| table.many.is_empty() && table.payloads().iter().all(is_random);
        if !format.one_row_each || study.tables.iter().all(is_shown) {
            return Ok(());
        }
        let message = format!(
            "the format {} has no place for --many and --payload: expected single random messages",
            format.name
        );
        Err(BadInput::new(message, "--format csv shows them all"))
    }

    /// Finds a name that nobody has before anything runs, and the name that was meant.
    fn check_names(&self) -> Result<(), BadInput> {
        for name in self.algorithms.iter().chain(&self.evp) {
            if Algorithm::find(&self.directed(name)).is_none() {
                let hint = nearest::algorithm(
                    name,
                    "`hashdyno list` and `hashdyno list ciphers` name all",
                );
                return Err(BadInput { message: format!("unknown algorithm '{name}'"), hint });
            }
        }
        for source in self.provider.iter().cloned().map(Source::from) {
            if Provider::find(&source.provider).is_none() {
                let hint =
                    nearest::provider(&source.provider, "`hashdyno list providers` names all");
                return Err(BadInput {
                    message: format!("unknown provider '{}'", source.provider),
                    hint,
                });
            }
        }
        Ok(())
    }

    /// A cipher's name with its direction.
    fn directed(&self, name: &str) -> String {
        let lower = name.to_lowercase();
        match Cipher::find(&lower) {
            Some(cipher) => {
                let way = usize::from(self.decrypt).min(cipher.directions().len() - 1);
                format!("{lower} {}", cipher.directions()[way])
            }
            None => name.to_owned(),
        }
    }

    fn format(&self) -> &'static Format {
        match (self.mr, self.json) {
            (true, _) => Format::named("openssl-mr"),
            (_, true) => Format::named("json"),
            _ => self.format,
        }
    }

    /// In openssl's tables an algorithm has one row: ours of a digest, OpenSSL's of a cipher.
    fn one_provider_each(&self, algorithms: Vec<String>) -> Vec<Table> {
        let is_cipher =
            |name: &String| matches!(Algorithm::find(name), Some(Algorithm::Cipher(..)));
        let (ciphers, digests): (Vec<_>, Vec<_>) = algorithms.into_iter().partition(is_cipher);
        let tables =
            [("digests", digests, "hashdyno"), ("ciphers", ciphers, "openssl")].into_iter();
        let named = tables.filter(|(_, algorithms, _)| !algorithms.is_empty());
        named
            .map(|(id, algorithms, provider)| {
                self.table(id, algorithms, vec![Source::from(provider.to_owned())])
            })
            .collect()
    }

    fn table(&self, id: &str, algorithms: Vec<String>, providers: Vec<Source>) -> Table {
        let only_many = !self.many.is_empty() && self.bytes.is_empty();
        let usual = if only_many { Unit::MillionsPerSecond } else { Unit::GigabytesPerSecond };
        let mut table = Table::new(id, "Speed by message length", self.unit.unwrap_or(usual));
        table.many.clone_from(&self.many);
        table.sizes.clone_from(&self.bytes);
        table.payload.clone_from(&self.payload);
        if self.bytes.is_empty() && self.many.is_empty() {
            table.sizes = LENGTHS.to_vec();
        }
        if !self.threads.is_empty() {
            table.threads.clone_from(&self.threads);
        }
        if self.cpu.as_deref() == Some(SWEEP) {
            let known: Vec<_> =
                algorithms.iter().filter_map(|name| Algorithm::find(name)).collect();
            table.masks = bench::sweep(&known);
        }
        Table { algorithms, providers, ..table }
    }

    fn sources(&self) -> Vec<Source> {
        match self.provider.is_empty() {
            true => bench::providers()
                .iter()
                .filter(|provider| !provider.columns)
                .map(|provider| Source::from(provider.name.clone()))
                .collect(),
            false => self.provider.iter().cloned().map(Source::from).collect(),
        }
    }
}

/// A length in bytes: `64`, `1k`, `1M`.
pub fn length(text: &str) -> Result<usize, String> {
    let expected = || "expected a number of bytes, such as 64, 1k or 1M".to_owned();
    let text = text.strip_suffix("iB").unwrap_or(text);
    let (digits, scale) =
        match text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())) {
            (digits, "") => (digits, 1),
            (digits, "k" | "K") => (digits, 1 << 10),
            (digits, "m" | "M") => (digits, 1 << 20),
            (digits, "g" | "G") => (digits, 1 << 30),
            _ => return Err(expected()),
        };
    digits.parse::<usize>().ok().and_then(|count| count.checked_mul(scale)).ok_or_else(expected)
}

/// The longest time for a cell where none is said.
const SECONDS: f64 = 0.4;

/// Message lengths where none are said, in bytes: those of openssl speed.
const LENGTHS: [usize; 6] = [16, 64, 256, 1024, 8192, 16384];

/// How fewer are measured.
const SHORTER: &str = "hashdyno speed sha256 blake3 --provider hashdyno,openssl measures some";

/// In place of a mask: all that make a difference.
const SWEEP: &str = "sweep";

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_have_units_of_1024() {
        for (text, bytes) in [
            ("0", 0),
            ("64", 64),
            ("1k", 1024),
            ("16K", 16384),
            ("1M", 1 << 20),
            ("2MiB", 2 << 20),
            ("1g", 1 << 30),
        ] {
            assert_eq!(length(text), Ok(bytes), "{text}");
        }
        for text in ["", "k", "1kb", "1.5k", "-1", "99999999999999999999", "99999999999999999G"] {
            assert!(length(text).is_err(), "{text}");
        }
    }
}
