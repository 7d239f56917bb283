//! Which algorithm to take for a purpose, by figures of this machine.
//!
//! ```text
//! hashdyno advise                a table of purposes
//! hashdyno advise PURPOSE        a ranking and advice, by a record or by figures measured now
//! a purpose whose answer is no   the no, and alternatives; nothing is measured
//! ```
//!
//! As JSON: `{"schema":1,"purposes":[...]}`, or `purpose`, `title`, `answer`, `says`, `because`,
//! `never`, `instead`, `measured` and `ranking`. Exit codes: 0; 1 where nothing measured fits; 2
//! for an unknown purpose or provider.

mod purpose;
mod ranking;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use bench::report::{Grid, Screen};
use bench::study::{Source, Table, Unit};
use bench::{Keep, Preset, Provider, Record, Request, Study};
use gauge::{Machine, Plan};
use serde_json::{Value, json};

pub use purpose::all as purposes;

use self::purpose::Purpose;
use self::ranking::Ranking;
use super::measure;
use super::output::{self, LineFormat};
use crate::failure::{BadInput, INCOMPLETE, Stopped};
use crate::nearest;

const EXAMPLES: &str = "Examples:
  hashdyno advise                                  names the purposes
  hashdyno advise file-integrity
  hashdyno advise deduplication --size 4k,1M --installed openssl,php
  hashdyno advise hash-table --record records      the newest record of this CPU
  hashdyno advise passwords                        the answer is no
  hashdyno advise s3 --json | jq -r '.ranking[0].algorithm'

Without --record, what fits is measured now, in less than a minute.";

/// What `advise` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// What the algorithm is wanted for [default: names the purposes].
    #[arg(value_name = "PURPOSE")]
    purpose: Option<String>,
    /// Message lengths in bytes, such as 64, 1k or 1M; the first decides [default: the purpose's].
    #[arg(
        long,
        visible_alias = "bytes",
        value_delimiter = ',',
        value_parser = super::speed::length,
        value_name = "LENGTH"
    )]
    size: Vec<usize>,
    /// Only what these providers have, with commas between [default: of a record all, else
    /// hashdyno, openssl, php and python].
    #[arg(long, value_delimiter = ',', value_name = "PROVIDER")]
    installed: Vec<String>,
    /// Take the figures of this record, or of the newest in this folder that is of this CPU.
    #[arg(long, value_name = "FILE|FOLDER")]
    record: Option<PathBuf>,
    /// Name every algorithm that fits, not only the first ten.
    #[arg(long)]
    full: bool,
    /// How it is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: LineFormat,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let Some(name) = &self.purpose else {
            output::print(&self.listed())?;
            return Ok(ExitCode::SUCCESS);
        };
        let purpose = purpose::find(name).ok_or_else(|| unknown(name))?;
        self.check_providers()?;
        if let Some(no) = &purpose.no {
            output::print(&self.refused(purpose, no))?;
            return Ok(ExitCode::SUCCESS);
        }
        let sizes = if self.size.is_empty() { &purpose.sizes } else { &self.size };
        let record = self.figures(purpose, sizes)?;
        let may = |source: &Source| {
            self.installed.is_empty()
                || self
                    .installed
                    .iter()
                    .any(|name| Source::from(name.clone()).provider == source.provider)
        };
        let ranking = Ranking::new(&record, &purpose.algorithms(), sizes, may);
        output::print(&self.text(purpose, &ranking))?;
        Ok(if ranking.is_empty() { ExitCode::from(INCOMPLETE) } else { ExitCode::SUCCESS })
    }

    fn is_json(&self) -> bool {
        self.json || self.format == LineFormat::Json
    }

    fn text(&self, purpose: &Purpose, ranking: &Ranking<'_>) -> String {
        let says = if ranking.is_empty() { nothing(purpose) } else { ranking.advice() };
        if self.is_json() {
            let more =
                [("measured", json!(ranking.measured())), ("ranking", json!(ranking.json()))];
            return document(purpose, "yes", &says, &more);
        }
        let most = if self.full { usize::MAX } else { FIRST };
        let title = format!("{}: {}", purpose.title, ranking.measured());
        let table = if ranking.is_empty() {
            String::new()
        } else {
            ranking.grid(&title, most).terminal() + "\n"
        };
        let never = purpose.never.iter().map(|never| format!("Not: {never}"));
        table + &paragraphs([says, purpose.because.clone()].into_iter().chain(never))
    }

    /// The plain no.
    fn refused(&self, purpose: &Purpose, no: &str) -> String {
        let says = format!("No. {no}");
        if self.is_json() {
            return document(purpose, "no", &says, &[("ranking", json!([]))]);
        }
        let instead = format!("Take {}.", purpose.instead.join(", or "));
        paragraphs([says, instead, purpose.because.clone()])
    }

    fn listed(&self) -> String {
        if self.is_json() {
            let of = |purpose: &Purpose| {
                let Purpose { name, also, title, .. } = purpose;
                json!({ "name": name, "also": also, "title": title })
            };
            let purposes: Vec<_> = purposes().iter().map(of).collect();
            return format!(
                "{:#}\n",
                json!({ "schema": output::JSON_SCHEMA, "purposes": purposes })
            );
        }
        let row = |purpose: &Purpose| {
            vec![purpose.name.clone(), purpose.title.clone(), purpose.also.join(" ")]
        };
        let header = ["purpose", "what for", "also called"].map(str::to_owned).to_vec();
        let rows = purposes().iter().map(row).collect();
        Grid { title: format!("{} purposes", purposes().len()), note: String::new(), header, rows }
            .terminal()
    }

    fn check_providers(&self) -> Result<(), BadInput> {
        let unknown = self
            .installed
            .iter()
            .find(|name| Provider::find(&Source::from((*name).clone()).provider).is_none());
        match unknown {
            None => Ok(()),
            Some(name) => Err(BadInput {
                message: format!("unknown provider '{name}': expected one that can be measured"),
                hint: nearest::provider(name, "`hashdyno list providers` names all"),
            }),
        }
    }

    /// The record that is named, or a new one.
    fn figures(&self, purpose: &Purpose, sizes: &[usize]) -> anyhow::Result<Record> {
        match &self.record {
            Some(path) if path.is_dir() => newest(path, purpose),
            Some(path) => output::read_record(path),
            None => self.measured(purpose, sizes),
        }
    }

    fn measured(&self, purpose: &Purpose, sizes: &[usize]) -> anyhow::Result<Record> {
        let mut table = Table::new("advise", &purpose.title, Unit::GigabytesPerSecond);
        table.algorithms = purpose.algorithms().into_iter().map(str::to_owned).collect();
        table.sizes = sizes.to_vec();
        let usual = || USUAL.iter().map(|&name| name.to_owned()).collect();
        let providers = if self.installed.is_empty() { usual() } else { self.installed.clone() };
        table.providers = providers.into_iter().map(Source::from).collect();
        let question = "Which of these is the fastest here?";
        let study = Study::new("advise", &purpose.title, question, vec![table]);
        study.check().map_err(|error| BadInput {
            message: error.to_string(),
            hint: "--size 64,1k,1M; ciphers take whole blocks of 16 bytes".to_owned(),
        })?;
        let plan = Plan { budget: Duration::from_millis(BUDGET_MS), ..Plan::quick() };
        let preset = Preset::Told(format!("{BUDGET_MS} ms for each cell"));
        let options = measure::options(bench::study::ALL, None)?;
        let command = output::command_line();
        let request = Request { preset, plan, options, command, keep: None };
        let ran = measure::run(&study, &request, &Keep::Nowhere, None)?;
        match ran.stopped {
            Some(signal) => Err(Stopped(signal).into()),
            None => Ok(ran.record),
        }
    }
}

/// What is measured where the user names no provider: what starts quickly and most people have.
const USUAL: [&str; 4] = ["hashdyno", "openssl", "php", "python"];
/// Milliseconds for each algorithm, length and provider, at most.
const BUDGET_MS: u64 = 40;
/// How many algorithms are named without --full.
const FIRST: usize = 10;

/// The newest record below `folder` that is of this CPU and has an algorithm of the purpose.
fn newest(folder: &Path, purpose: &Purpose) -> anyhow::Result<Record> {
    let here = Machine::detect();
    let mut newest: Option<Record> = None;
    for file in bench::report::index::records(folder)? {
        let record = Record::read(&file)?;
        let of = &record.head.machine;
        let is_here = (&of.cpu, of.family, of.model) == (&here.cpu, here.family, here.model);
        let has = |name: &&str| {
            record.entries.iter().any(|entry| bench::Algorithm::same(&entry.algorithm, name))
        };
        let is_newer = newest.as_ref().is_none_or(|known| known.head.date < record.head.date);
        // A record under a mask shows a CPU with fewer features than this one.
        let is_plain = record.head.cpu == bench::study::ALL;
        if is_newer && is_here && is_plain && purpose.algorithms().iter().any(has) {
            newest = Some(record);
        }
    }
    newest.ok_or_else(|| {
        let message = format!(
            "no record below {} is of this CPU ({}) and has an algorithm for {}",
            folder.display(),
            here.cpu,
            purpose.name
        );
        BadInput { message, hint: "without --record it is measured now".to_owned() }.into()
    })
}

fn unknown(name: &str) -> BadInput {
    let known = purposes().iter().flat_map(Purpose::names);
    BadInput {
        message: format!("unknown purpose '{name}': expected one that `hashdyno advise` names"),
        hint: nearest::hint(name, known.map(|name| (name, 0.0)), "`hashdyno advise` names all"),
    }
}

fn nothing(purpose: &Purpose) -> String {
    format!(
        "Nothing that was measured fits {}: expected one of {}.",
        purpose.name,
        purpose.algorithms().join(", ")
    )
}

/// Sentences, each a paragraph as wide as the screen.
fn paragraphs(sentences: impl IntoIterator<Item = String>) -> String {
    let screen = Screen::here();
    let wrapped = sentences.into_iter().map(|text| screen.wrap(&text, "") + "\n");
    screen.spell(wrapped.collect())
}

fn document(purpose: &Purpose, answer: &str, says: &str, more: &[(&str, Value)]) -> String {
    let mut document = json!({
        "schema": output::JSON_SCHEMA,
        "purpose": purpose.name,
        "title": purpose.title,
        "answer": answer,
        "says": says,
        "because": purpose.because,
        "never": purpose.never,
        "instead": purpose.instead,
    });
    more.iter().for_each(|(key, value)| document[*key] = value.clone());
    format!("{document:#}\n")
}
