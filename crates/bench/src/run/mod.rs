//! Runs a study: starts the runners, verifies every answer before and after it is timed, measures
//! group by group.
//!
//! ```text
//! stars spelled out     stars      which providers are here, and by which implementations
//! place of the record   growing    refused before anything starts
//! crew                  crew       a team for each source
//! steps                            each is recorded whole, then the next begins
//!   start               crew       bare loops, small files, receipts
//!   first calls         first_calls
//!   told                told       programs that time themselves
//!   groups              passes     in random order, some of them again
//!   trees, tools        files      whole files
//! settled               plausible  order of the study, figures that cannot be are void
//! ```
//!
//! A step that the record has is not done again: `--resume` walks through the same list. A run that
//! is to stop ends after the step that it gives up.

use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, io};

use gauge::{Engine, Limits, Machine, Plan};
use hashdyno::{Hasher, SHA256};
use runner::{Options, Payload};

use crate::judge;
use crate::record::files::Measured;
use crate::record::{Entry, Head, Line, ProviderLine, Record, SCHEMA, Step};
use crate::study::{self, Measures, Preset, Study};

mod allowance;
mod crew;
mod error;
pub mod files;
mod first_calls;
mod group;
mod growing;
mod member;
mod passes;
mod plausible;
mod progress;
mod stars;
mod stop;
mod system;
mod team;
mod told;
mod work;

use allowance::Allowance;
use crew::Crew;
pub use error::ExecuteError;
use files::{FilesError, Place};
use group::{Group, groups, shuffled};
use growing::Growing;
pub use growing::Keep;
use passes::{Pass, passes};
use plausible::{guard_growth, guard_rate};
pub use progress::{OnlyWarnings, Progress, Work};
pub use stop::Stop;
use team::Cores;

/// What `run` is told beside the study.
pub struct Request {
    /// How thoroughly; files are as many as it wants.
    pub preset: Preset,
    /// How each group is measured.
    pub plan: Plan,
    /// How runners are started.
    pub options: Options,
    /// The arguments of the program, for the record.
    pub command: String,
    /// Where the files of a study are made, and photographs stay; without it, in a temporary
    /// folder.
    pub keep: Option<PathBuf>,
}

/// What a run leaves.
pub struct Ran {
    /// What was measured: all of it, unless the run was told to stop.
    pub record: Record,
    /// The file that holds it, if one does.
    pub path: Option<PathBuf>,
}

/// Measures every cell of a study.
///
/// # Errors
/// [`ExecuteError`]: nobody has an algorithm, the engine cannot measure here, or the files of a
/// study cannot be made. A runner that fails is no error: its cells are void.
pub fn run(
    study: &Study,
    request: &Request,
    progress: &mut dyn Progress,
) -> Result<Record, ExecuteError> {
    run_and_keep(study, request, &Keep::Nowhere, &Stop::default(), progress).map(|ran| ran.record)
}

/// Measures every cell of a study that is not measured yet, keeps the record while it grows, and
/// stops when it is told to: what is in work then is given up.
///
/// # Errors
/// [`ExecuteError`]: as [`run`]; or the record cannot be kept, the run that is to go on was
/// another, or it was told to stop before there was a record.
pub fn run_and_keep(
    study: &Study,
    request: &Request,
    keep: &Keep,
    stop: &Stop,
    progress: &mut dyn Progress,
) -> Result<Ran, ExecuteError> {
    let begin = Instant::now();
    let whole = stars::spelled_out(study.clone(), &request.options, stop);
    if stop.is_asked() {
        return Err(ExecuteError::Stopped);
    }
    // The record has the whole study, with tables of which nothing is left: reports show them.
    let study = &whole.clone().without_empty_tables();
    // Only a board limits its rounds and looks for peers that are far behind: it has most cells.
    let (rounds, processes) =
        study.board.as_ref().map_or((usize::MAX, 1), |board| (board.rounds, board.processes));
    let plan = Plan {
        max_samples: request.plan.max_samples.min(rounds),
        few_beyond: study.board.as_ref().map(|_| OUT_OF_THE_RACE),
        ..request.plan.clone()
    };
    // Before the engine: it pins this thread to one core, which would be the only one allowed.
    let cores = Cores::allowed()?;
    let mut engine = Engine::new(plan)?;
    let head = head(&whole, request, &engine);
    let place = keep.place(&head)?;
    let cores = cores.beginning_with(engine.core());
    let mut crew = Crew::start(study, &request.options, cores, stop);
    if stop.is_asked() {
        return Err(ExecuteError::Stopped);
    }
    // A study that nobody can run ends here, before its record has a part.
    crew.check_offers(study)?;
    let groups = shuffled(
        groups(study, |table, algorithm, size| crew.wanted(table, algorithm, size)),
        request.plan.seed,
    );
    let quick = request.preset == Preset::Quick;
    let mut growing = Growing::begin(place, head, steps(study, quick, groups.len()), stop.clone())?;
    // Groups of two versions of a provider would stand in one record as one.
    growing.check_providers(&crew.receipts())?;
    let left = groups.iter().filter(|group| growing.lacks(&group.step()));
    let cells: Vec<_> = left.map(|group| crew.count(group)).collect();
    let planned = work::of_groups(cells, engine.plan(), processes);
    let (mut left, cells) = (planned.groups, planned.cells);
    progress.start(&work_left(study, quick, &growing, planned));
    if growing.lacks(&Step::Start) {
        // Without groups nothing is timed by calls, and a loop beside it would say nothing.
        let loops =
            if groups.is_empty() { Vec::new() } else { crew.measure_loops(&mut engine, progress) };
        let opens = crew.measure_opens(study, &mut engine, progress)?;
        let providers = crew.receipts().into_iter().map(Line::Provider);
        let loops = loops.into_iter().map(|bare| Line::Loop(Box::new(bare)));
        let opens = opens.into_iter().map(|open| Line::Open(Box::new(open)));
        growing.add(Step::Start, providers.chain(loops).chain(opens).collect(), progress);
    }
    for table in study.tables.iter().filter(|table| table.first_calls) {
        let step = Step::FirstCalls(table.id.clone());
        if growing.lacks(&step) {
            let cold = first_calls::measure(&mut crew, table, request.plan.min_samples, progress);
            growing.add(step, cold.into_iter().map(Line::Cold).collect(), progress);
        }
    }
    for table in study.tables.iter().filter(|table| !table.told.is_empty()) {
        let step = Step::Told(table.id.clone());
        if growing.lacks(&step) {
            let said = told::measure(table, progress, stop);
            growing.add(step, said.into_iter().map(Line::Told).collect(), progress);
        }
    }
    let undecided =
        |measured: &[Entry]| study.board.is_some() && !judge::is_decided(measured, &request.plan);
    let allowance = study.board.as_ref().map(|_| Allowance::new(cells, request.plan.budget));
    let wanted = |measured: &[Entry]| {
        allowance.as_ref().is_none_or(Allowance::is_left)
            && (undecided(measured) || measured.iter().any(|entry| entry.series.is_spoiled()))
    };
    let since = growing.since(begin);
    passes(&groups, &mut growing, wanted, progress, |group, pass, progress| {
        engine.limit(allowance.as_ref().map(|allowance| allowance.next(left)));
        left = left.saturating_sub(1);
        let work = work::of_groups([crew.count(group)], engine.plan(), processes);
        if pass == Pass::Again {
            progress.more(&work);
        }
        progress.group(&format!("{} {}", group.algorithm, group.size.describe()));
        let began_ms = Some(since());
        let measured = crew.measure(group, &mut engine, progress);
        progress.done(work.planned);
        measured.into_iter().map(|entry| Entry { began_ms, ..entry }).collect()
    });
    measure_trees(study, request, &mut crew, &mut engine, &mut growing, progress)?;
    // The engine has seen the fastest core only now, after all groups.
    let limits = engine.limits(&growing.record.head.machine, None);
    // A tool may use every core: the engine's end lifts the pin.
    drop(engine);
    measure_tools(study, request, &crew.receipts(), &mut growing, progress)?;
    // Settled at last: a figure is held against all lengths, and groups came in random order.
    growing.end(|record| {
        settle(record, &limits, progress);
        name_late_comers(record, crew.receipts());
        if study.board.is_some() {
            judge::thin(&mut record.entries);
        }
    })
}

/// Puts the cells of a record into the order of its study, and takes back figures that cannot be.
fn settle(record: &mut Record, limits: &Limits, progress: &mut dyn Progress) {
    let study = record.head.study.clone().without_empty_tables();
    let groups = groups(&study, |_, _, _| Default::default());
    record
        .entries
        .sort_by_key(|entry| groups.iter().find(|group| group.has(entry)).map(|group| group.place));
    // A rate that cannot be is taken back first, or the growth would be held against it.
    record.entries.iter_mut().for_each(|entry| guard_rate(entry, limits));
    guard_growth(&mut record.entries, limits, progress);
}

/// The same for a record whose run did not come to it: the fastest core that was seen in it is the
/// limit.
pub fn settle_unfinished(record: &mut Record, progress: &mut dyn Progress) {
    // A part does not have the engine's limits. The fastest estimate comes near.
    let ghz = record.entries.iter().filter_map(Entry::estimate).map(|estimate| estimate.ghz);
    if let Some(ghz) = ghz.filter(|ghz| ghz.is_finite()).reduce(f64::max) {
        settle(record, &Limits::of(&record.head.machine.clone(), ghz), progress);
    }
}

/// Names whoever was missing at the start and was started again.
fn name_late_comers(record: &mut Record, now: Vec<ProviderLine>) {
    for line in now.into_iter().filter(|line| line.version.is_some()) {
        let mut missing = record.providers.iter_mut().filter(|known| known.missing.is_some());
        if let Some(known) = missing.find(|known| known.source() == line.source()) {
            *known = line;
        }
    }
}

/// How many steps a run has, the start left out.
fn steps(study: &Study, quick: bool, groups: usize) -> usize {
    let first_calls = study.tables.iter().filter(|table| table.first_calls).count();
    let told = study.tables.iter().filter(|table| !table.told.is_empty()).count();
    let files = study.files.iter().map(|table| match table.measures {
        Measures::Tree => 1,
        Measures::Tools => table.lengths(quick).len(),
    });
    groups + first_calls + told + files.sum::<usize>()
}

/// What there is to do: these groups, and the files that are not measured yet.
fn work_left(study: &Study, quick: bool, growing: &Growing, groups: Work) -> Work {
    let left = study.files.iter().map(|table| match table.measures {
        Measures::Tree if growing.lacks(&Step::Tree(table.id.clone())) => {
            work::of_files(table, quick)
        }
        Measures::Tree => Work::default(),
        Measures::Tools => {
            let sizes = table.sizes.iter().copied();
            let lacking = sizes.filter(|&size| growing.lacks(&Step::Tools(table.id.clone(), size)));
            work::of_files(&table.of_sizes(lacking.collect()), quick)
        }
    });
    let told = study.tables.iter().filter(|table| growing.lacks(&Step::Told(table.id.clone())));
    left.chain(told.map(told::work)).fold(groups, Work::and)
}

/// A peer is out of the race if its first rounds take this many times as long as the fastest's.
const OUT_OF_THE_RACE: f64 = 4.0;

fn measure_trees(
    study: &Study,
    request: &Request,
    crew: &mut Crew<'_>,
    engine: &mut Engine,
    growing: &mut Growing,
    progress: &mut dyn Progress,
) -> Result<(), FilesError> {
    for table in study.trees() {
        let step = Step::Tree(table.id.clone());
        if growing.lacks(&step) {
            let place = Place::new(request.keep.as_deref())?;
            let quick = request.preset == Preset::Quick;
            let (tree, hashed) = files::measure_tree(table, quick, &place, crew, engine, progress)?;
            let measured = Measured { trees: vec![tree], hashed, processes: Vec::new() };
            growing.add(step, measured.lines().map(Line::Files).collect(), progress);
        }
    }
    Ok(())
}

fn measure_tools(
    study: &Study,
    request: &Request,
    runners: &[ProviderLine],
    growing: &mut Growing,
    progress: &mut dyn Progress,
) -> Result<(), ExecuteError> {
    for table in study.files.iter().filter(|table| table.measures == Measures::Tools) {
        let asked = study::tools()
            .iter()
            .filter(|tool| table.providers.iter().any(|source| source.provider == tool.name));
        let (tools, quick): (Vec<_>, _) =
            (asked.cloned().collect(), request.preset == Preset::Quick);
        // A step is one length of file: a stopped run loses the runs of no other.
        for &size in &table.sizes {
            let step = Step::Tools(table.id.clone(), size);
            if !growing.lacks(&step) {
                continue;
            }
            let place = Place::new(request.keep.as_deref())?;
            let table = table.of_sizes(vec![size]);
            let stop = growing.stop().clone();
            let (processes, receipts) = files::measure_tools(
                &table,
                &tools,
                quick,
                request.plan.seed,
                &place,
                progress,
                &stop,
            )?;
            // A signal that stops the run ends a tool that is asked for its version, too.
            if stop.is_asked() {
                return Ok(());
            }
            // Where a runner has the name of a tool, the record has the line of the runner.
            let is_tool =
                |line: &&ProviderLine| runners.iter().all(|runner| runner.name != line.name);
            growing.check_providers(&Vec::from_iter(receipts.iter().filter(is_tool).cloned()))?;
            let measured = Measured { processes, ..Measured::default() };
            let receipts = receipts.into_iter().map(Line::Provider);
            let lines = receipts.chain(measured.lines().map(Line::Files)).collect();
            growing.add(step, lines, progress);
        }
    }
    Ok(())
}

fn head(study: &Study, request: &Request, engine: &Engine) -> Head {
    Head {
        schema: SCHEMA,
        hashdyno: env!("CARGO_PKG_VERSION").to_owned(),
        program_sha256: program_sha256().ok(),
        date: jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default().to_string(),
        command: request.command.clone(),
        preset: request.preset.clone(),
        cpu: request.options.cpu.clone().unwrap_or_else(|| "all".to_owned()),
        plan: engine.plan().clone(),
        core: engine.core(),
        machine: Machine::detect(),
        name: study.name.clone(),
        study: study.clone(),
        payload_sha256: payload_sha256(study),
        summary_of: None,
        resumed: Vec::new(),
    }
}

/// The SHA-256 of this program's file.
fn program_sha256() -> io::Result<String> {
    let mut hasher = Hasher::new(SHA256);
    io::copy(&mut File::open(env::current_exe()?)?, &mut hasher)?;
    Ok(hasher.finish().to_string())
}

/// The SHA-256 of the user's file, where messages hold it.
fn payload_sha256(study: &Study) -> Option<String> {
    let mut payloads = study.tables.iter().flat_map(|table| &table.payload);
    let bytes = Payload::file().filter(|_| payloads.any(|&payload| payload == Payload::File))?;
    Some(SHA256.digest(bytes).to_string())
}
