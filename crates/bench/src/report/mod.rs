//! A report: the words and tables of a record. Each format is a file; all read the same `Report`.
//!
//! ```text
//! Record --Report::new--> facts, answer, grids, board, claims, errata, gaps --a format--> text
//! ```
//!
//! Everything is computed in `Report::new`, from the record alone. Formats only lay it out, and so
//! do not contradict each other.

mod answer;
mod axes;
mod bars;
mod bases;
mod behaviour;
mod board;
mod cells;
pub mod chart;
mod chunk;
mod colours;
mod csv;
mod files;
mod first;
mod fit;
mod format;
mod grid;
mod html;
pub mod index;
mod json;
pub mod machines;
mod markdown;
pub mod openssl;
mod plot;
mod results;
mod screen;
mod strip;
mod summary;
mod tables;
mod terminal;
mod told;

use std::path::Path;

use gauge::Outcome;

use crate::judge::{self, Answered, Board, Judgement, Verdict};
use crate::record::{Entry, ProviderLine, Record};
use crate::study::Erratum;

pub use crate::text::{list, rate, short, time};
pub use board::agreement;
pub use cells::figure;
pub use format::{Format, Part, Render};
pub use grid::Grid;
pub use screen::Screen;
pub use summary::summary;

/// Every format, in the order of the help. A new one is a file and a line here.
pub const FORMATS: &[&Format] = &[
    &terminal::FORMAT,
    &markdown::FORMAT,
    &csv::FORMAT,
    &json::FORMAT,
    &openssl::FORMAT,
    &openssl::FOR_MACHINES,
    &html::FORMAT,
    &results::FORMAT,
];

impl Format {
    /// The format of a name that is known to be one.
    ///
    /// # Panics
    /// If no format has that name.
    pub fn named(name: &str) -> &'static Self {
        let found = FORMATS.iter().copied().find(|format| format.name == name);
        found.unwrap_or_else(|| panic!("there is no format '{name}'"))
    }

    /// The format that a file's ending names.
    pub fn of(path: &Path) -> Option<&'static Self> {
        let ending = path.extension()?.to_str()?;
        FORMATS.iter().copied().find(|format| format.endings.contains(&ending))
    }
}

/// What a record says.
pub struct Report<'a> {
    /// Where it comes from.
    pub record: &'a Record,
    /// The machine and how it behaved: name and value.
    pub facts: Vec<(String, String)>,
    /// In a few sentences.
    pub answer: Vec<String>,
    /// Those of them that the study has templates for, with the cells behind them.
    pub answers: Vec<Answered>,
    /// The tables.
    pub grids: Vec<Grid>,
    /// Ours beside the best of the others, where the study asks for that; its tables are among the
    /// above.
    pub board: Option<Board>,
    /// Each claim with its verdicts, published first.
    pub claims: Vec<(&'a crate::study::Claim, Vec<Judgement>)>,
    /// The document's errors.
    pub errata: Vec<&'a Erratum>,
    /// What was not measured, and why.
    pub gaps: Vec<String>,
}

impl<'a> Report<'a> {
    /// Reads a record.
    pub fn new(record: &'a Record) -> Self {
        let study = &record.head.study;
        let judge = |claim: &'a crate::study::Claim| (claim, claim.judgements(record));
        let claims: Vec<_> = study.claims.iter().map(judge).collect();
        let errata = study
            .tables
            .iter()
            .map(|table| &table.errata)
            .chain(study.files.iter().map(|table| &table.errata));
        let errata = errata.flatten().chain(&study.errata).collect();
        let of = |table| tables::grids(record, table);
        let board = Board::new(record);
        let messages = match &board {
            Some(board) => board::grids(board),
            None => study.tables.iter().flat_map(of).filter(|grid| !grid.rows.is_empty()).collect(),
        };
        let grids = messages
            .into_iter()
            .chain(study.files.iter().flat_map(|table| files::grids(record, table)))
            .collect();
        let answers = judge::answers(record);
        let answer = answer(record, &answers, board.as_ref(), &claims);
        Self {
            record,
            facts: facts(record),
            answer,
            answers,
            grids,
            board,
            claims,
            errata,
            gaps: gaps(record),
        }
    }

    /// The worst rows of the board beside the best, `most` of each, and the counts; nothing where
    /// the study has no board, or the format has no tables of their own.
    pub fn top(&self, most: usize, format: &Format) -> Option<String> {
        let grid = format.grid?;
        let grids = board::top(self.board.as_ref()?, most);
        Some(grids.iter().map(grid).collect::<Vec<_>>().join("\n"))
    }

    /// The whole report as text.
    pub fn render(&self, format: &Format) -> String {
        let path = Record::default_path(&self.record.head);
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        format.render(&[Part { report: self, file, bytes: None }])
    }
}

/// What was voided, and why: a runner that failed, a wrong answer, an implausible rate.
pub fn voids(record: &Record) -> Vec<String> {
    // A loop that was sampled and has no estimate was too short for the clock: a JIT compiler may
    // leave nothing of it.
    let loops = record.loops.iter().filter(|bare| bare.series.samples.is_empty());
    let loops = loops.map(|bare| (format!("{}'s bare loop", bare.source), &bare.series));
    let cell = |entry: &Entry| {
        format!("{} {} at {}", entry.source, entry.algorithm, entry.size.describe())
    };
    let cells = record.entries.iter().map(|entry| (cell(entry), &entry.series));
    let void = |(what, series): (String, &gauge::Series)| match &series.outcome {
        Outcome::Void { reason } => Some(format!("{what} is void: {reason}")),
        Outcome::Estimate(_) => None,
    };
    let messages = loops.chain(cells).filter_map(void).chain(first::voids(record));
    messages.chain(files::voids(record)).collect()
}

fn facts(record: &Record) -> Vec<(String, String)> {
    let head = &record.head;
    let mut facts = vec![
        ("date".to_owned(), head.date.clone()),
        ("command".to_owned(), format!("hashdyno {}", head.command)),
        ("preset".to_owned(), preset(head)),
        ("machine".to_owned(), machine(&head.machine)),
        ("load".to_owned(), load(&head.machine)),
    ];
    facts.extend(record.unfinished.map(|there| ("unfinished".to_owned(), there.to_string())));
    let resumed = head.resumed.iter().map(|resumed| resumed.date.as_str()).collect::<Vec<_>>();
    if !resumed.is_empty() {
        facts.push(("went on".to_owned(), resumed.join(", ")));
    }
    let measured = record.providers.iter().filter(|provider| provider.missing.is_none());
    facts.extend(
        measured.map(|provider| (provider.source().to_string(), receipt(record, provider))),
    );
    if !record.loops.is_empty() {
        facts.push(("bare loop".to_owned(), loops(record)));
    }
    facts.extend(behaviour(record));
    facts
}

fn preset(head: &crate::record::Head) -> String {
    if head.cpu == crate::study::ALL {
        head.preset.to_string()
    } else {
        format!("{}, under the CPU mask '{}'", head.preset, head.cpu)
    }
}

fn machine(machine: &gauge::Machine) -> String {
    let gauge::Machine {
        cpu,
        family,
        model,
        stepping,
        microcode,
        cpus,
        memory,
        kernel,
        hypervisor,
        ..
    } = machine;
    let guest = if hypervisor.is_some() { ", virtual" } else { "" };
    format!(
        "{cpu} (family {family}, model {model}, stepping {stepping}, microcode {microcode}), \
            {cpus} CPUs, {:.0} GiB{guest}, {kernel}",
        *memory as f64 / f64::from(1 << 30)
    )
}

fn load(gauge::Machine { load: [one, five, fifteen], .. }: &gauge::Machine) -> String {
    format!("{one:.2}, {five:.2}, {fifteen:.2} over 1, 5 and 15 minutes, at the start")
}

/// A processor in a few words.
fn cpu(gauge::Machine { cpu, family, model, .. }: &gauge::Machine) -> String {
    format!("{cpu}, family {family} model {model}")
}

/// Who answered; of a provider under a mask or on several threads, what it said otherwise than
/// plain.
fn receipt(record: &Record, provider: &ProviderLine) -> String {
    let plain =
        record.providers.iter().find(|line| line.name == provider.name && line.version.is_some());
    // The plain line of the provider says the rest already.
    let plain = plain.filter(|plain| plain.source() != provider.source());
    let news = provider
        .facts
        .iter()
        .filter(|(key, value)| plain.is_none_or(|plain| plain.facts.get(*key) != Some(*value)));
    let words = news.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
    format!("{} {words}", provider.version.as_deref().unwrap_or("?")).trim_end().to_owned()
}

/// What a call that does nothing takes in each runner; it is part of every figure. A mask does not
/// change it.
fn loops(record: &Record) -> String {
    let ns = |bare: &crate::record::Loop| {
        let ns = bare.series.estimate().map_or("too short to time".to_owned(), |estimate| {
            format!("{} ns", figure(estimate.ns.value))
        });
        format!("{} {ns}", bare.source)
    };
    record
        .loops
        .iter()
        .filter(|bare| bare.source.mask.is_none())
        .map(ns)
        .collect::<Vec<_>>()
        .join(", ")
}

/// How the core behaved while it was measured. Another program does not say it.
fn behaviour(record: &Record) -> Option<(String, String)> {
    if record.is_imported() {
        return None;
    }
    let files = record.files.hashed.iter().filter_map(|cell| cell.series.estimate());
    let estimates: Vec<_> =
        record.entries.iter().filter_map(Entry::estimate).chain(files).collect();
    let (clean, total) = estimates
        .iter()
        .fold((0, 0), |sum, estimate| (sum.0 + estimate.clean, sum.1 + estimate.total));
    let ghz = || estimates.iter().map(|estimate| estimate.ghz);
    let (low, high) = (ghz().min_by(f64::total_cmp)?, ghz().max_by(f64::total_cmp)?);
    let wide = estimates.iter().filter(|estimate| !estimate.narrow).count();
    let few = estimates.iter().filter(|estimate| estimate.few).count();
    let shared = estimates.iter().filter(|estimate| !estimate.state.is_quiet()).count();
    // A fifth of the samples may be rejected on a machine that is called quiet.
    let quiet = few == 0 && shared == 0 && 10 * clean >= 8 * total;
    let word = if quiet { "quiet" } else { "noisy" };
    let text = format!(
        "{word}: {clean} of {total} samples count on core {}, {low:.2} to {high:.2} GHz; {wide} \
            of {} intervals wider than planned, {few} cells with too few samples, {shared} cells \
            on a shared core",
        record.head.core,
        estimates.len()
    );
    Some(("noise".to_owned(), text))
}

/// The study's own sentences, or what can be said of any study; then how its claims fared.
fn answer(
    record: &Record,
    answers: &[Answered],
    board: Option<&Board>,
    claims: &[(&crate::study::Claim, Vec<Judgement>)],
) -> Vec<String> {
    let mut answer: Vec<_> = match answers {
        [] => usual_answer(record, board),
        answers => {
            let chunks =
                || record.head.study.tables.iter().flat_map(|of| chunk::answers(record, of));
            answers.iter().map(|answered| answered.says.clone()).chain(chunks().take(1)).collect()
        }
    };
    if !claims.is_empty() {
        let count = |verdict| {
            let here = claims.iter().filter_map(|(_, judgements)| judgements.last());
            here.filter(|judgement| judgement.verdict == verdict).count()
        };
        answer.push(format!(
            "Claims: {}. On this machine: {} hold, {} fail, {} not distinguishable, {} not \
                measured.",
            claims.len(),
            count(Verdict::Holds),
            count(Verdict::Fails),
            count(Verdict::NotDistinguishable),
            count(Verdict::NotMeasured)
        ));
    }
    answer
}

/// Of a study without templates.
fn usual_answer(record: &Record, board: Option<&Board>) -> Vec<String> {
    let study = &record.head.study;
    let messages = study.tables.iter().flat_map(|table| answer::of_table(record, table));
    let messages: Vec<_> =
        board.map_or_else(|| messages.collect(), |board| vec![board::answer(board)]);
    let files = study.files.iter().filter_map(|table| files::answer(record, table));
    let chunks = study.tables.iter().flat_map(|table| chunk::answers(record, table));
    messages.into_iter().chain(files).chain(chunks).collect()
}

/// What was asked of a few providers on the command line that they do not have. Elsewhere nobody
/// expects everything of everybody.
fn lacking(record: &Record) -> Vec<String> {
    let asked = |table: &&crate::study::Table| {
        record.head.study.is_asked() && table.sources().len() <= FEW_SOURCES
    };
    let of = |table: &crate::study::Table| {
        let pairs = table.sources().into_iter().filter(|source| !record.never_started(source));
        let pairs = pairs.flat_map(|source| {
            table.algorithms.clone().into_iter().map(move |name| (source.clone(), name))
        });
        let lacks = pairs.filter(|(source, name)| {
            table.columns().iter().all(|&size| record.entry(source, name, size).is_none())
        });
        lacks.map(|(source, name)| format!("{source} has no {name}")).collect::<Vec<_>>()
    };
    record.head.study.tables.iter().filter(asked).flat_map(of).collect()
}

/// More are all that there are, not a choice.
const FEW_SOURCES: usize = 6;

fn gaps(record: &Record) -> Vec<String> {
    let mut missing: Vec<(&String, Vec<String>)> = Vec::new();
    for (provider, reason) in
        record.providers.iter().filter_map(|provider| Some((provider, provider.missing.as_ref()?)))
    {
        match missing.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, sources)) => sources.push(provider.source().to_string()),
            None => missing.push((reason, vec![provider.source().to_string()])),
        }
    }
    let missing =
        missing.into_iter().map(|(reason, sources)| format!("{}: {reason}", sources.join(" ")));
    let void = voids(record);
    missing
        .chain(lacking(record))
        .chain(files::gaps(record))
        .chain(told::gaps(record))
        .chain(void)
        .map(|gap| gap.replace('\n', "; "))
        .collect()
}
