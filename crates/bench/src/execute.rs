//! Runs a study: starts the runners, verifies every answer before and after it is timed, measures group by group.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use gauge::{Engine, Implausible, Limits, Machine, Plan, Series};

use crate::board;
use crate::cold;
use crate::crew::Crew;
use crate::files::{self, FilesError, Measured, Measures, Place};
use crate::record::{Entry, Head, ProviderLine, Record, SCHEMA};
use crate::study::{Size, Source, Study, Table};
use crate::team::Cores;
use crate::{Algorithm, Options, Preset};

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
    /// Where the files of a study are made and stay; without it, in a temporary folder.
    pub keep: Option<PathBuf>,
}

/// Is told how far a run is.
pub trait Progress {
    /// How many groups there will be.
    fn start(&mut self, groups: usize);
    /// A group begins: algorithm and size.
    fn group(&mut self, label: &str);
    /// Something a person should know now.
    fn warn(&mut self, message: &str);
}

/// Tells nobody how far a run is; warnings go to stderr.
pub struct OnlyWarnings;

impl Progress for OnlyWarnings {
    fn start(&mut self, _: usize) {}
    fn group(&mut self, _: &str) {}
    fn warn(&mut self, message: &str) {
        // Nobody to read a warning is no reason to end a run.
        let _ = writeln!(io::stderr(), "{message}");
    }
}

/// What ends a run before it has a record.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Nobody can compute it.
    #[error("no provider of table '{table}' has the algorithm '{algorithm}': asked {asked}")]
    NobodyHas {
        /// The table's id.
        table: String,
        /// As the study writes it.
        algorithm: String,
        /// The providers and what became of each.
        asked: String,
    },
    /// The engine cannot measure here.
    #[error("cannot measure on this machine: {0}")]
    Engine(#[from] std::io::Error),
    /// The files that are to be hashed cannot be made.
    #[error(transparent)]
    Files(#[from] files::FilesError),
}

/// Measures every cell of a study.
pub fn run(study: &Study, request: &Request, progress: &mut dyn Progress) -> Result<Record, ExecuteError> {
    let begin = Instant::now();
    let whole = study.clone().spelled_out(&request.options);
    let study = &whole.clone().without_empty_tables();
    let rounds = study.board.as_ref().map_or(usize::MAX, |board| board.rounds);
    let plan = Plan { max_samples: request.plan.max_samples.min(rounds), ..request.plan.clone() };
    let cores = Cores::allowed()?;
    let mut engine = Engine::new(plan)?;
    let mut crew = Crew::start(study, &request.options, cores.beginning_with(engine.core()));
    crew.check_offers(study)?;
    let groups = shuffled(groups(study, |table, algorithm, size| crew.wanted(table, algorithm, size)), request.plan.seed);
    let quick = request.preset == Preset::Quick;
    progress.start(groups.len() + study.files.iter().map(|table| table.steps(quick)).sum::<usize>());
    let loops = if groups.is_empty() { Vec::new() } else { crew.measure_loops(&mut engine, progress) };
    let opens = crew.measure_opens(study, &mut engine, progress)?;
    let mut cold = Vec::new();
    for table in study.tables.iter().filter(|table| table.first_calls) {
        cold.extend(cold::measure(&crew, table, request.plan.min_samples, progress));
    }
    let undecided = |measured: &[Entry]| study.board.is_some() && !board::is_decided(measured, &request.plan);
    let wanted = |measured: &[Entry]| undecided(measured) || measured.iter().any(|entry| entry.series.is_spoiled());
    let mut entries = passes(&groups, wanted, |group| {
        progress.group(&format!("{} {}", group.algorithm, group.size.describe()));
        let began_ms = Some(begin.elapsed().as_millis() as u64);
        let measured = crew.measure(group, &mut engine, progress);
        measured.into_iter().map(|entry| Entry { began_ms, ..entry }).collect()
    });
    entries.sort_by_key(|entry: &Entry| groups.iter().find(|group| group.has(entry)).map(|group| group.place));
    let machine = Machine::detect();
    let limits = engine.limits(&machine, None);
    entries.iter_mut().for_each(|entry| guard_rate(entry, &limits));
    guard_growth(&mut entries, &limits, progress);
    if study.board.is_some() {
        board::thin(&mut entries);
    }
    let mut files = measure_trees(study, request, &mut crew, &mut engine, progress)?;
    let head = head(&whole, request, &engine, machine);
    let mut providers = crew.receipts();
    // A tool may use every core: the engine's end lifts the pin.
    drop(engine);
    measure_tools(study, request, &mut files, &mut providers, progress)?;
    Ok(Record { head, providers, loops, opens, cold, entries, files })
}

/// Every group, and those that are `wanted` once more at the end, when the neighbour may have left who spoiled their samples.
fn passes(groups: &[Group], wanted: impl Fn(&[Entry]) -> bool, mut measure: impl FnMut(&Group) -> Vec<Entry>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut left: Vec<_> = groups.iter().collect();
    for _ in 0..PASSES {
        left.retain(|group| {
            let measured = measure(group);
            let again = wanted(&measured);
            entries.retain(|entry| !group.has(entry));
            entries.extend(measured);
            again
        });
    }
    entries
}

/// A neighbour who stays that long is part of the machine.
const PASSES: usize = 3;

fn measure_trees(
    study: &Study,
    request: &Request,
    crew: &mut Crew<'_>,
    engine: &mut Engine,
    progress: &mut dyn Progress,
) -> Result<Measured, FilesError> {
    let mut measured = Measured::default();
    for table in study.trees() {
        let place = Place::new(request.keep.as_deref())?;
        let (tree, hashed) = files::measure_tree(table, request.preset == Preset::Quick, &place, crew, engine, progress)?;
        measured.trees.push(tree);
        measured.hashed.extend(hashed);
    }
    Ok(measured)
}

fn measure_tools(
    study: &Study,
    request: &Request,
    measured: &mut Measured,
    providers: &mut Vec<ProviderLine>,
    progress: &mut dyn Progress,
) -> Result<(), FilesError> {
    for table in study.files.iter().filter(|table| table.measures == Measures::Tools) {
        let place = Place::new(request.keep.as_deref())?;
        let asked = files::tools().iter().filter(|tool| table.providers.iter().any(|source| source.provider == tool.name));
        let (tools, quick): (Vec<_>, _) = (asked.cloned().collect(), request.preset == Preset::Quick);
        let (processes, receipts) = files::measure_tools(table, &tools, quick, request.plan.seed, &place, progress)?;
        measured.processes.extend(processes);
        providers.extend(receipts);
    }
    Ok(())
}

fn head(study: &Study, request: &Request, engine: &Engine, machine: Machine) -> Head {
    Head {
        schema: SCHEMA,
        hashdyno: env!("CARGO_PKG_VERSION").to_owned(),
        date: jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default().to_string(),
        command: request.command.clone(),
        preset: request.preset.clone(),
        cpu: request.options.cpu.clone().unwrap_or_else(|| "all".to_owned()),
        plan: engine.plan().clone(),
        core: engine.core(),
        machine,
        name: study.name.clone(),
        study: study.clone(),
    }
}

/// One algorithm on one message, or on many: what is measured together, so that ratios are paired.
pub(crate) struct Group {
    /// Its place in the study, whatever the order of measuring.
    place: usize,
    pub(crate) algorithm: String,
    pub(crate) size: Size,
    pub(crate) sources: BTreeSet<Source>,
}

impl Group {
    fn has(&self, entry: &Entry) -> bool {
        self.algorithm == entry.algorithm && self.size == entry.size
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        Algorithm::find(&self.algorithm).expect("a study names only what there is")
    }

    pub(crate) fn entry(&self, source: &Source, implementation: String, series: Series) -> Entry {
        let (source, algorithm) = (source.clone(), self.algorithm.clone());
        Entry { source, algorithm, size: self.size, implementation, began_ms: None, series }
    }
}

/// The groups of all tables, with the sources that each of them has `wanted` there.
fn groups(study: &Study, mut wanted: impl FnMut(&Table, &str, Size) -> BTreeSet<Source>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for table in study.tables.iter().filter(|table| !table.first_calls) {
        for algorithm in &table.algorithms {
            for size in table.columns() {
                let sources = wanted(table, algorithm, size);
                match groups.iter_mut().find(|group| group.algorithm == *algorithm && group.size == size) {
                    Some(group) => group.sources.extend(sources),
                    None => groups.push(Group { place: groups.len(), algorithm: algorithm.clone(), size, sources }),
                }
            }
        }
    }
    groups
}

/// In a random order, so that slow drift of the machine does not follow the tables.
fn shuffled(mut groups: Vec<Group>, seed: u64) -> Vec<Group> {
    fastrand::Rng::with_seed(seed).shuffle(&mut groups);
    groups
}

/// A rate that this core, or as many as worked on it, cannot reach counts for nothing.
fn guard_rate(entry: &mut Entry, limits: &Limits) {
    let side_by_side = entry.source.threads as u64 * entry.size.count();
    let ns = entry.estimate().map(|estimate| estimate.ns.high * side_by_side as f64);
    if let Some(Err(implausible)) = ns.map(|ns| limits.rate(entry.size.bytes(), ns)) {
        entry.void(implausible.to_string());
    }
}

/// A time that does not grow with the data counts for nothing. One that grows in another proportion than the data is told,
/// not voided: a tree hash gains lanes as it gets more to do. Of many messages those of one length are looked at.
fn guard_growth(entries: &mut [Entry], limits: &Limits, progress: &mut dyn Progress) {
    let line = |entry: &Entry| (entry.source.clone(), entry.algorithm.clone(), entry.size.count());
    let lines: BTreeSet<_> = entries.iter().map(line).collect();
    for one in lines {
        let here = entries.iter_mut().filter(|entry| line(entry) == one);
        let mut curve: Vec<_> = here.filter_map(|entry| Some((entry.size.each()? as u64, entry))).collect();
        curve.sort_by_key(|(bytes, _)| *bytes);
        let (source, algorithm, _) = one;
        let point = |(bytes, entry): &(u64, &mut Entry)| Some((*bytes, entry.estimate()?.ns.times(source.threads as f64)));
        for implausible in limits.growth(&curve.iter().filter_map(point).collect::<Vec<_>>()) {
            progress.warn(&format!("{source} {algorithm}: {implausible}"));
            let flat = |bytes: u64| matches!(implausible, Implausible::Flat { more, .. } if more == bytes);
            curve.iter_mut().filter(|(bytes, _)| flat(*bytes)).for_each(|(_, entry)| entry.void(implausible.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use gauge::{Estimate, Interval, Machine, Probe, Reason, Sample, Verdict};

    use super::*;

    fn group(place: usize, algorithm: &str) -> Group {
        Group { place, algorithm: algorithm.to_owned(), size: Size::One(5), sources: BTreeSet::new() }
    }

    fn entry(group: &Group, verdict: Verdict) -> Entry {
        let core = Probe { ghz: 3.0, ipc: 4.0 };
        let sample = Sample { round: 0, iterations: 1, ns: 100, wall_ns: 100, preemptions: 0, before: core, after: core, verdict };
        let outcome = gauge::Outcome::Void { reason: "not asked".to_owned() };
        let series = gauge::Series { iterations: 1, clock_step_ns: 1, samples: vec![sample], first_call_ns: 1.0, outcome };
        group.entry(&Source::from("ours".to_owned()), String::new(), series)
    }

    #[test]
    fn a_time_that_does_not_grow_is_void_of_many_messages_too() {
        let measured = [("16", 90.0), ("8192", 9000.0), ("9x16", 50.0), ("9x8192", 52.0), ("9x9000", 6000.0), ("9x0-20000", 53.0)];
        let mut entries: Vec<_> = measured.iter().map(|&(size, ns)| timed(size, ns)).collect();
        guard_growth(&mut entries, &Limits::of(&Machine::default(), 3.0), &mut OnlyWarnings);
        let void = entries.iter().filter(|entry| entry.estimate().is_none());
        assert_eq!(void.map(|entry| entry.size.to_string()).collect::<Vec<_>>(), ["9x8192"]);
    }

    /// MD5 in so many nanoseconds a message.
    fn timed(size: &str, ns: f64) -> Entry {
        let size = size.parse().map_or_else(|_| Size::Many(size.parse().expect("it is one")), Size::One);
        let interval = |value| Interval { value, low: value, high: value };
        let (ns, cycles) = (interval(ns), interval(3.0 * ns));
        let estimate = Estimate { ns, cycles, ghz: 3.0, clean: 9, total: 9, narrow: true, few: false, drift: 1.0 };
        let mut entry = entry(&Group { size, ..group(0, "md5") }, Verdict::Clean);
        entry.series.outcome = gauge::Outcome::Estimate(estimate);
        entry
    }

    #[test]
    fn what_a_neighbour_spoiled_is_measured_again_at_the_end() {
        let groups = [group(0, "md5"), group(1, "sha1"), group(2, "md4")];
        let mut order = Vec::new();
        let spoiled = |measured: &[Entry]| measured.iter().any(|entry| entry.series.is_spoiled());
        let entries = passes(&groups, spoiled, |group| {
            let before = order.iter().filter(|seen| **seen == group.algorithm).count();
            order.push(group.algorithm.clone());
            let spoiled = group.algorithm == "md4" || (group.algorithm == "md5" && before == 0);
            vec![entry(group, if spoiled { Verdict::Rejected(Reason::Neighbour) } else { Verdict::Clean })]
        });
        assert_eq!(order, ["md5", "sha1", "md4", "md5", "md4", "md4"]);
        let mut spoiled: Vec<_> = entries.iter().map(|entry| (entry.algorithm.as_str(), entry.series.is_spoiled())).collect();
        spoiled.sort_unstable();
        assert_eq!(spoiled, [("md4", true), ("md5", false), ("sha1", false)]);
    }
}
