//! The tables of a report about whole files.
//!
//! A tree has a table of rates and one of seconds round by round, as documents print them. Tools
//! have a table for each length, with real, user and system time in each state of the cache.

use gauge::Outcome;
use serde_json::{Value, json};

use super::{Grid, cells};
use crate::judge::{Evidence, Here};
use crate::record::Record;
use crate::record::files::{Hashed, Pass, Process};
use crate::study::{
    Cache, Clock, FileTable, Measures, Preset, PublishedFiles, READING, Source, Term,
};

/// All grids of a `[[files]]` table.
pub fn grids(record: &Record, table: &FileTable) -> Vec<Grid> {
    let here = Here { record, table };
    match table.measures {
        Measures::Tree => match record.files.trees.iter().find(|tree| tree.table == table.id) {
            Some(tree) => vec![speeds(&here, tree), rounds(&here, tree)],
            None => Vec::new(),
        },
        Measures::Tools => {
            table.sizes.iter().filter_map(|&size| processes(record, table, size)).collect()
        }
    }
}

/// In a sentence or two, what was found.
pub fn answer(record: &Record, table: &FileTable) -> Option<String> {
    match table.measures {
        Measures::Tree => answer_of_tree(&Here { record, table }),
        Measures::Tools => answer_of_tools(record, table),
    }
}

/// What was voided, and why.
pub fn voids(record: &Record) -> Vec<String> {
    let hashed = record.files.hashed.iter().filter_map(|cell| match &cell.series.outcome {
        Outcome::Void { reason } => {
            Some(format!("{} {} over the tree is void: {reason}", cell.source, cell.algorithm))
        }
        Outcome::Estimate(_) => None,
    });
    let processes = record.files.processes.iter().filter_map(|cell| {
        let reason = cell.void.as_ref()?;
        Some(format!(
            "{} on {} bytes, {}, is void: {reason}",
            cell.command,
            cell.bytes,
            cell.cache.name()
        ))
    });
    hashed.chain(processes).collect()
}

/// What could not be measured though nothing failed.
pub fn gaps(record: &Record) -> Vec<String> {
    let unproved = |cell: &Process| {
        Some(format!("{} on {} bytes: {}", cell.command, cell.bytes, cell.unproved()?))
    };
    record.files.processes.iter().filter_map(unproved).collect()
}

/// Everything but the single samples.
pub fn json(record: &Record) -> Value {
    let hashed = record.files.hashed.iter().map(|cell| {
        let Hashed { table, source, algorithm, implementation, series } = cell;
        let void = if let Outcome::Void { reason } = &series.outcome { Some(reason) } else { None };
        json!({ "table": table, "provider": source, "implementation": implementation,
            "algorithm": algorithm, "estimate_per_byte": series.estimate(), "void": void })
    });
    let processes = record.files.processes.iter().map(|cell| {
        let timing = |clock| cell.timing(clock, record.head.plan.confidence);
        json!({ "table": cell.table, "tool": cell.source, "command": cell.command,
            "algorithm": cell.algorithm, "size": cell.size, "bytes": cell.bytes,
            "cache": cell.cache, "real": timing(Clock::Real), "user": timing(Clock::User),
            "sys": timing(Clock::Sys), "void": cell.void,
            "not_where_it_was_to_be": cell.unproved() })
    });
    json!({ "trees": record.files.trees, "hashed": hashed.collect::<Vec<_>>(),
        "processes": processes.collect::<Vec<_>>() })
}

/// Megabytes a second in every provider, and what the whole tree takes.
fn speeds(here: &Here<'_>, tree: &Pass) -> Grid {
    let table = here.table;
    let main = main_source(here);
    let others: Vec<_> = table.providers.iter().filter(|source| *source != main).collect();
    let others: Vec<_> = others
        .into_iter()
        .filter(|source| table.algorithms.iter().any(|name| here.hashed(source, name).is_some()))
        .collect();
    let mut header = vec!["algorithm".to_owned()];
    header.extend(table.published.iter().map(|block| format!("published {}", block.id)));
    header.extend([format!("{main} here"), "spread".to_owned(), format!("{main}, s a round")]);
    header.extend(others.iter().map(|source| source.to_string()));
    header.push("fastest, by".to_owned());
    let row = |algorithm: &String| {
        let mut row = vec![algorithm.clone()];
        row.extend(table.published.iter().map(|block| {
            let rounds = block.seconds(algorithm).unwrap_or_default();
            let median = gauge::stats::median(&mut rounds.clone());
            if rounds.is_empty() {
                String::new()
            } else {
                cells::figure(block.size as f64 / median * 1e-6)
            }
        }));
        let estimate = here.hashed(main, algorithm).and_then(|cell| cell.series.estimate());
        row.push(rate(here.hashed(main, algorithm)));
        row.push(estimate.map(|estimate| cells::spread(&estimate.ns)).unwrap_or_default());
        row.push(
            estimate
                .map(|estimate| cells::figure(estimate.ns.value * tree.bytes as f64 * 1e-9))
                .unwrap_or_default(),
        );
        row.extend(others.iter().map(|source| rate(here.hashed(source, algorithm))));
        row.push(leader(here, algorithm));
        row
    };
    let rows: Vec<_> = table.algorithms.iter().map(row).collect();
    let mut notes: Vec<_> =
        table.published.iter().map(|block| format!("{}: {}", block.id, block.machine)).collect();
    notes.push(amount(here, tree));
    notes.push(
        "fastest, by: its lead over the next, = where the interval holds no difference".to_owned(),
    );
    Grid {
        title: format!("{}: hashing alone, MB/s", table.title),
        note: notes.join("; "),
        header,
        rows,
    }
}

/// Seconds of every round, as the document prints them.
fn rounds(here: &Here<'_>, tree: &Pass) -> Grid {
    let (table, main) = (here.table, main_source(here));
    let mut header = vec!["algorithm".to_owned()];
    for block in &table.published {
        header.extend(block.columns.iter().map(|column| format!("{} {column}", block.id)));
    }
    header.extend((1..=tree.reading_ns.len()).map(|round| format!("{main} round {round}")));
    let row = |algorithm: &String| {
        let mut row = vec![algorithm.clone()];
        for block in &table.published {
            let printed = block.rows_of(algorithm).next();
            row.extend(
                (0..block.columns.len())
                    .map(|column| printed.map(|row| row[column].clone()).unwrap_or_default()),
            );
        }
        row.extend((0..tree.reading_ns.len()).map(|round| {
            let cell = here.hashed(main, algorithm);
            let seconds = cell.and_then(|cell| cell.seconds_of_round(tree, round));
            seconds.map(cells::figure).unwrap_or_default()
        }));
        row
    };
    let mut rows: Vec<_> = table.algorithms.iter().map(row).collect();
    let mut reading = vec!["(reading)".to_owned()];
    reading.resize(header.len() - tree.reading_ns.len(), String::new());
    reading.extend(tree.reading_ns.iter().map(|&ns| cells::figure(ns as f64 * 1e-9)));
    rows.push(reading);
    let note =
        "every file of the round counted, disturbed or not; reading is common to all".to_owned();
    Grid {
        title: format!("{}: seconds of hashing, round by round", table.title),
        note,
        header,
        rows,
    }
}

/// How much was hashed, and what reading it took.
fn amount(here: &Here<'_>, tree: &Pass) -> String {
    let table = here.table;
    let asked = table.photos.map_or(tree.photos, |photos| photos.count);
    let less = if tree.photos < asked {
        format!(" of {asked}, since this run is quick")
    } else {
        String::new()
    };
    let rounds = tree.reading_ns.len();
    let quick = here.record.head.preset == Preset::Quick;
    let (planned, _) = table.amount(quick);
    let least = table.providers.iter().map(|provider| table.rounds_of(provider, quick)).min();
    let others = match least.filter(|&least| least < planned) {
        Some(least) => format!(", of which other providers take part in {least} at least"),
        None => String::new(),
    };
    let more = if rounds > planned as usize {
        format!(" in place of {planned}, since few samples were clean")
    } else {
        String::new()
    };
    let reading =
        gauge::stats::median(&mut tree.reading_ns.iter().map(|&ns| ns as f64).collect::<Vec<_>>());
    let seconds = cells::figure(reading * 1e-9);
    format!(
        "{} photographs{less} and their copies, {} bytes, {rounds} rounds{others}{more}; reading \
            took {seconds} s a round",
        tree.photos, tree.bytes
    )
}

/// A megabyte rate; `void` where nothing counts, nothing where nobody tried.
fn rate(cell: Option<&Hashed>) -> String {
    let Some(cell) = cell else { return String::new() };
    cell.series.estimate().map_or("void".to_owned(), |estimate| {
        cells::figure(1e3 / estimate.ns.value) + cells::marks(estimate.state, estimate.few)
    })
}

/// The fastest provider of an algorithm and its lead.
fn leader(here: &Here<'_>, algorithm: &str) -> String {
    let cells = here.table.providers.iter().filter_map(|source| here.hashed(source, algorithm));
    let mut timed: Vec<_> =
        cells.filter_map(|cell| Some((cell.series.estimate()?.ns.value, &cell.source))).collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let term = |source: &Source| Term::whole_tree(source.clone(), algorithm);
    match timed[..] {
        [] => String::new(),
        [(_, only)] => only.to_string(),
        [(_, best), (_, next), ..] => match here.ratio(&term(next), &term(best)) {
            Some(lead) if lead.low > 1.0 => format!("{best} {}x", cells::figure(lead.value)),
            _ => format!("{best} = {next}"),
        },
    }
}

/// Who stands in the document's place; where that is not here, the first provider that is.
pub fn main_source<'a>(here: &Here<'a>) -> &'a Source {
    let FileTable { published, providers, algorithms, .. } = here.table;
    let hashed =
        |source: &&Source| algorithms.iter().any(|name| here.hashed(source, name).is_some());
    let mut known = published.iter().map(|block| &block.here).chain(providers);
    known.find(hashed).unwrap_or(&providers[0])
}

/// The tools on one file.
fn processes(record: &Record, table: &FileTable, size: u64) -> Option<Grid> {
    let all: Vec<_> = record
        .files
        .processes
        .iter()
        .filter(|cell| cell.table == table.id && cell.size == size)
        .collect();
    let bytes = all.first()?.bytes;
    let find = |cell: &Process, cache| {
        all.iter().copied().find(|other| other.command == cell.command && other.cache == cache)
    };
    let blocks: Vec<_> = table.published.iter().filter(|block| block.size == size).collect();
    let mut header = vec!["command".to_owned(), "digest".to_owned()];
    header.extend(blocks.iter().map(|block| format!("published {}: real, user, sys", block.id)));
    let caches = Cache::ALL.into_iter().filter(|&cache| all.iter().any(|cell| cell.cache == cache));
    let caches: Vec<_> = caches.collect();
    for cache in &caches {
        header.extend(
            ["", " spread", " user", " sys", " CPU", " / reading"]
                .map(|what| format!("{}{what}", cache.name())),
        );
    }
    let confidence = record.head.plan.confidence;
    let mut rows = Vec::new();
    for cell in all.iter().filter(|cell| cell.cache == Cache::Warm) {
        let mut row = vec![
            cell.command.clone(),
            if cell.reads() { String::new() } else { cell.algorithm.clone() },
        ];
        let printed = |block: &PublishedFiles| {
            if block.here == cell.source { block.in_order(&cell.algorithm) } else { String::new() }
        };
        row.extend(blocks.iter().copied().map(printed));
        for &cache in &caches {
            let floor = all
                .iter()
                .copied()
                .find(|other| other.algorithm == READING && other.cache == cache);
            row.extend(timings(find(cell, cache), floor, confidence));
        }
        rows.push(row);
    }
    let stands = if bytes == size {
        String::new()
    } else {
        format!(" in place of {size}, since this run is quick")
    };
    let what = if bytes == 0 {
        "what starting a process costs".to_owned()
    } else {
        format!("{bytes} bytes{stands}")
    };
    let mut notes: Vec<_> = blocks
        .iter()
        .map(|block| format!("{} ({}): {}", block.id, block.cache.name(), block.machine))
        .collect();
    notes.push(
        "warm and cold: the file in the page cache, or read from the device; CPU: user and sys of \
            real; / reading: how many times as long as cat"
            .to_owned(),
    );
    if let Some(throttle) = table.throttle.filter(|_| caches.contains(&Cache::Throttled)) {
        let rate = cells::figure(throttle.rate as f64 * 1e-6);
        notes.push(format!("throttled: through a pipe that gives {rate} MB/s, as a slow disk"));
    }
    Some(Grid {
        title: format!("{}: {what}, seconds", table.title),
        note: notes.join("; "),
        header,
        rows,
    })
}

/// Real with its spread, user, sys, both as a share of real, and how many times what reading takes.
fn timings(cell: Option<&Process>, floor: Option<&Process>, confidence: f64) -> [String; 6] {
    let alone = |word: &str| std::array::from_fn(|at| if at == 0 { word } else { "" }.to_owned());
    let Some(cell) = cell else { return alone("") };
    if cell.void.is_some() {
        return alone("void");
    }
    let Some(real) = cell.timing(Clock::Real, confidence) else {
        return alone(&format!("not {}", cell.cache.name()));
    };
    let seconds = |clock| {
        cell.timing(clock, confidence)
            .map(|timing| cells::figure(timing.ns.value * 1e-9))
            .unwrap_or_default()
    };
    let ratio = floor
        .and_then(|floor| cell.ratio(floor, [Clock::Real; 2], confidence))
        .map(|ratio| cells::figure(ratio.value));
    let few = if cell.few() { "?" } else { "" };
    let ns = |clock| cell.timing(clock, confidence).map_or(0.0, |timing| timing.ns.value);
    let busy = 100.0 * (ns(Clock::User) + ns(Clock::Sys)) / real.ns.value;
    [
        format!("{}{few}", seconds(Clock::Real)),
        cells::spread(&real.ns),
        seconds(Clock::User),
        seconds(Clock::Sys),
        format!("{busy:.0} %"),
        ratio.unwrap_or_default(),
    ]
}

fn answer_of_tree(here: &Here<'_>) -> Option<String> {
    let (table, main) = (here.table, main_source(here));
    let tree = here.record.files.trees.iter().find(|tree| tree.table == table.id)?;
    let timed = table.algorithms.iter().filter_map(|name| {
        let estimate = here.hashed(main, name)?.series.estimate()?;
        Some((estimate.ns.value, name))
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let order: Vec<_> =
        timed.iter().map(|(ns, name)| format!("{name} {} MB/s", cells::figure(1e3 / ns))).collect();
    (!order.is_empty())
        .then(|| format!("{main}, from the fastest: {}. {}.", order.join(", "), amount(here, tree)))
}

fn answer_of_tools(record: &Record, table: &FileTable) -> Option<String> {
    let size = *table.sizes.iter().max()?;
    let all: Vec<_> = record
        .files
        .processes
        .iter()
        .filter(|cell| cell.table == table.id && cell.size == size)
        .collect();
    let bytes = all.first()?.bytes;
    let said = [Cache::Warm, Cache::Cold].into_iter().filter_map(|cache| {
        let time = |cell: &&Process| {
            Some(cell.timing(Clock::Real, record.head.plan.confidence)?.ns.value * 1e-9)
        };
        let mut timed: Vec<_> = all
            .iter()
            .filter(|cell| cell.cache == cache)
            .filter_map(|cell| Some((time(cell)?, *cell)))
            .collect();
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reading = timed.iter().find(|(_, cell)| cell.reads()).map(|&(seconds, _)| seconds)?;
        timed.retain(|(_, cell)| !cell.reads());
        let ((best, first), (worst, last)) = (timed.first()?, timed.last()?);
        Some(format!(
            "{}: reading alone {} s, fastest {} ({} s), slowest {} ({} s)",
            cache.name(),
            cells::figure(reading),
            first.command,
            cells::figure(*best),
            last.command,
            cells::figure(*worst)
        ))
    });
    let said: Vec<_> = said.collect();
    (!said.is_empty()).then(|| format!("A file of {bytes} bytes, {}.", said.join("; ")))
}
