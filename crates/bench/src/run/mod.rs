//! Runs a study: starts the runners, verifies every answer before and after it is timed, measures
//! group by group.

use std::path::PathBuf;
use std::time::Instant;

use gauge::{Engine, Machine, Plan};
use runner::Options;

use crate::judge;
use crate::record::files::Measured;
use crate::record::{Entry, Head, Kept, ProviderLine, Record, SCHEMA};
use crate::study::{self, Measures, Preset, Study};

mod allowance;
mod crew;
mod error;
pub mod files;
mod first_calls;
mod group;
mod plausible;
mod progress;
mod stars;
mod team;

use allowance::Allowance;
use crew::Crew;
pub use error::ExecuteError;
use files::{FilesError, Place};
use group::{Group, groups, shuffled};
use plausible::{guard_growth, guard_rate};
pub use progress::{OnlyWarnings, Progress};
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
    /// Where the files of a study are made and stay; without it, in a temporary folder.
    pub keep: Option<PathBuf>,
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
    let begin = Instant::now();
    let whole = stars::spelled_out(study.clone(), &request.options);
    let study = &whole.clone().without_empty_tables();
    let rounds = study.board.as_ref().map_or(usize::MAX, |board| board.rounds);
    let plan = Plan {
        max_samples: request.plan.max_samples.min(rounds),
        few_beyond: study.board.as_ref().map(|_| OUT_OF_THE_RACE),
        ..request.plan.clone()
    };
    let cores = Cores::allowed()?;
    let mut engine = Engine::new(plan)?;
    let mut crew = Crew::start(study, &request.options, cores.beginning_with(engine.core()));
    crew.check_offers(study)?;
    let groups = shuffled(
        groups(study, |table, algorithm, size| crew.wanted(table, algorithm, size)),
        request.plan.seed,
    );
    let quick = request.preset == Preset::Quick;
    progress
        .start(groups.len() + study.files.iter().map(|table| table.steps(quick)).sum::<usize>());
    let loops =
        if groups.is_empty() { Vec::new() } else { crew.measure_loops(&mut engine, progress) };
    let opens = crew.measure_opens(study, &mut engine, progress)?;
    let mut cold = Vec::new();
    for table in study.tables.iter().filter(|table| table.first_calls) {
        cold.extend(first_calls::measure(&crew, table, request.plan.min_samples, progress));
    }
    let undecided =
        |measured: &[Entry]| study.board.is_some() && !judge::is_decided(measured, &request.plan);
    let cells = groups.iter().flat_map(|group| group.sources.iter().map(move |of| (group, of)));
    let has = |(group, source): &(&Group, &_)| {
        crew.offer(source, group.algorithm(), group.size).is_some()
    };
    let cells = cells.filter(has).count();
    let allowance = study.board.as_ref().map(|_| Allowance::new(cells, request.plan.budget));
    let wanted = |measured: &[Entry]| {
        allowance.as_ref().is_none_or(Allowance::is_left)
            && (undecided(measured) || measured.iter().any(|entry| entry.series.is_spoiled()))
    };
    let mut left = groups.len();
    let mut entries = passes(&groups, wanted, |group| {
        engine.limit(allowance.as_ref().map(|allowance| allowance.next(left)));
        left = left.saturating_sub(1);
        progress.group(&format!("{} {}", group.algorithm, group.size.describe()));
        let began_ms = Some(begin.elapsed().as_millis() as u64);
        let measured = crew.measure(group, &mut engine, progress);
        measured.into_iter().map(|entry| Entry { began_ms, ..entry }).collect()
    });
    entries.sort_by_key(|entry: &Entry| {
        groups.iter().find(|group| group.has(entry)).map(|group| group.place)
    });
    let machine = Machine::detect();
    let limits = engine.limits(&machine, None);
    entries.iter_mut().for_each(|entry| guard_rate(entry, &limits));
    guard_growth(&mut entries, &limits, progress);
    if study.board.is_some() {
        judge::thin(&mut entries);
    }
    let mut files = measure_trees(study, request, &mut crew, &mut engine, progress)?;
    let head = head(&whole, request, &engine, machine);
    let mut providers = crew.receipts();
    // A tool may use every core: the engine's end lifts the pin.
    drop(engine);
    measure_tools(study, request, &mut files, &mut providers, progress)?;
    Ok(Record { head, providers, loops, opens, cold, entries, kept: Kept::default(), files })
}

/// Every group, and those that are `wanted` once more at the end, when the neighbour may have left
/// who spoiled their samples.
fn passes(
    groups: &[Group],
    wanted: impl Fn(&[Entry]) -> bool,
    mut measure: impl FnMut(&Group) -> Vec<Entry>,
) -> Vec<Entry> {
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

/// A peer that takes so many times as long as the fastest at first is not the best one.
const OUT_OF_THE_RACE: f64 = 4.0;

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
        let (tree, hashed) = files::measure_tree(
            table,
            request.preset == Preset::Quick,
            &place,
            crew,
            engine,
            progress,
        )?;
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
        let asked = study::tools()
            .iter()
            .filter(|tool| table.providers.iter().any(|source| source.provider == tool.name));
        let (tools, quick): (Vec<_>, _) =
            (asked.cloned().collect(), request.preset == Preset::Quick);
        let (processes, receipts) =
            files::measure_tools(table, &tools, quick, request.plan.seed, &place, progress)?;
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
        summary_of: None,
    }
}

#[cfg(test)]
mod tests {
    use gauge::{Reason, Verdict};

    use super::group::tests::{entry, group};
    use super::*;

    #[test]
    fn what_a_neighbour_spoiled_is_measured_again_at_the_end() {
        let groups = [group(0, "md5"), group(1, "sha1"), group(2, "md4")];
        let mut order = Vec::new();
        let spoiled = |measured: &[Entry]| measured.iter().any(|entry| entry.series.is_spoiled());
        let entries = passes(&groups, spoiled, |group| {
            let before = order.iter().filter(|seen| **seen == group.algorithm).count();
            order.push(group.algorithm.clone());
            let spoiled = group.algorithm == "md4" || (group.algorithm == "md5" && before == 0);
            vec![entry(
                group,
                if spoiled { Verdict::Rejected(Reason::Neighbour) } else { Verdict::Clean },
            )]
        });
        assert_eq!(order, ["md5", "sha1", "md4", "md5", "md4", "md4"]);
        let mut spoiled: Vec<_> = entries
            .iter()
            .map(|entry| (entry.algorithm.as_str(), entry.series.is_spoiled()))
            .collect();
        spoiled.sort_unstable();
        assert_eq!(spoiled, [("md4", true), ("md5", false), ("sha1", false)]);
    }
}
