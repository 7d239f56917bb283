//! Whole files: rates over a tree of photographs and seconds of its rounds, times of tools on one
//! file.
//!
//! ```text
//! of_tree     rows: digests    bars: providers, MB/s
//! of_rounds   rows: digests    bars: rounds of one provider, seconds
//! of_tools    rows: commands   bars: states of the cache, seconds: user | system | waiting
//! ```

use gauge::Interval;

use super::{Bar, Bars, Body, Set};
use crate::judge::Here;
use crate::record::Record;
use crate::record::files::{Pass, Process};
use crate::report::cells::{self, figure};
use crate::report::colours::{Mark, marks};
use crate::report::files::main_source;
use crate::study::{Cache, Clock, FileTable, Measures, PublishedFiles, seconds};
use crate::text::whole_length;

/// The charts of a tree, or one for each length of file, the longest last.
pub fn bars(record: &Record, table: &FileTable) -> Vec<Bars> {
    let here = Here { record, table };
    match table.measures {
        Measures::Tree => of_tree(&here).into_iter().chain(of_rounds(&here)).collect(),
        Measures::Tools => {
            let mut lengths: Vec<_> = cells_of(record, table).map(|cell| cell.bytes).collect();
            lengths.sort_unstable();
            lengths.dedup();
            let of_length = |bytes| of_tools(record, table, bytes);
            lengths.into_iter().filter_map(of_length).collect()
        }
    }
}

/// Those for a document: of tools the longest file only.
pub fn chosen(record: &Record, table: &FileTable) -> Vec<Bars> {
    let mut all = bars(record, table);
    match table.measures {
        Measures::Tree => all,
        Measures::Tools => all.pop().into_iter().collect(),
    }
}

/// Megabytes a second of every provider, a row for each digest.
fn of_tree(here: &Here<'_>) -> Option<Bars> {
    let (record, table) = (here.record, here.table);
    let measured = table.providers.iter().zip(marks(&record.head.study, &table.providers));
    let mut sets: Vec<_> = measured
        .map(|(source, mark)| {
            let bar = |(row, name): (usize, &String)| {
                let ns = here.hashed(source, name)?.series.estimate()?.ns;
                // A rate turns the ends of the interval around.
                let [value, low, high] = [ns.value, ns.high, ns.low].map(|ns| 1e3 / ns);
                let value = Interval { value, low, high };
                let (rate, spread) = (figure(value.value), cells::spread(&value));
                let words = format!("{name}: {rate} MB/s {spread}");
                Some(Bar { row, value, parts: None, mark: None, end: None, words })
            };
            let bars = table.algorithms.iter().enumerate().filter_map(bar).collect();
            Set { name: source.to_string(), mark, on: None, bars }
        })
        .collect();
    let printed = table.published.iter().enumerate();
    sets.extend(printed.filter_map(|(place, block)| published_tree(table, place, block)));
    let body = Body { rows: table.algorithms.clone(), ends: Vec::new(), sets };
    let note = "Hashing alone, without reading.".to_owned();
    Bars::new(format!("{}: rate by digest", table.title), note, "MB/s", body)
}

/// The median of the published rounds.
fn published_tree(table: &FileTable, place: usize, block: &PublishedFiles) -> Option<Set> {
    let on = table.providers.iter().position(|source| *source == block.here)?;
    let bar = |(row, name): (usize, &String)| {
        let mut rounds = block.seconds(name)?;
        if rounds.is_empty() {
            return None;
        }
        let rate = block.size as f64 * 1e-6 / gauge::stats::median(&mut rounds);
        let words = format!("{name}: {} MB/s, {}", figure(rate), block.machine);
        Some(Bar { row, value: Interval::exact(rate), parts: None, mark: None, end: None, words })
    };
    let bars = table.algorithms.iter().enumerate().filter_map(bar).collect();
    let (name, mark) = (format!("published {}", block.id), Mark::published(place));
    Some(Set { name, mark, on: Some(on), bars })
}

/// Seconds of hashing in each round of the provider that stands in the document's place, a row for
/// each digest. Where a round was not hashed whole, its bar is missing.
fn of_rounds(here: &Here<'_>) -> Option<Bars> {
    let (record, table) = (here.record, here.table);
    let tree = record.files.trees.iter().find(|tree| tree.table == table.id)?;
    let rounds = tree.reading_ns.len();
    let main = main_source(here);
    let mark = *marks(&record.head.study, std::slice::from_ref(main)).first()?;
    let of_round = |round: usize| {
        let bar = |(row, name): (usize, &String)| {
            let seconds = here.hashed(main, name)?.seconds_of_round(tree, round)?;
            let words = format!("{name}, round {}: {} s", round + 1, figure(seconds));
            let value = Interval::exact(seconds);
            Some(Bar { row, value, parts: None, mark: None, end: None, words })
        };
        let bars = table.algorithms.iter().enumerate().filter_map(bar).collect();
        Set { name: format!("round {}", round + 1), mark, on: None, bars }
    };
    let mut sets: Vec<_> = (0..rounds.min(MOST_ROUNDS)).map(of_round).collect();
    for (place, block) in table.published.iter().enumerate() {
        let columns = 0..rounds.min(block.columns.len()).min(MOST_ROUNDS);
        sets.extend(columns.map(|round| published_round(table, tree, (place, block), round)));
    }
    let body = Body { rows: table.algorithms.clone(), ends: Vec::new(), sets };
    let scaled = table.published.iter().any(|block| block.size != tree.bytes);
    let more = if scaled { " Published seconds are scaled to as many." } else { "" };
    let note = format!("{main}, hashing {} bytes a round, without reading.{more}", tree.bytes);
    Bars::new(format!("{}: seconds by digest and round", table.title), note, "seconds", body)
}

/// What a document printed of a round, for as many bytes as were hashed here.
fn published_round(
    table: &FileTable,
    tree: &Pass,
    (place, block): (usize, &PublishedFiles),
    round: usize,
) -> Set {
    let bar = |(row, name): (usize, &String)| {
        let printed = block.rows_of(name).next()?.get(round)?;
        // The document's tree had other bytes: its seconds are brought to as many as here.
        let value = seconds(printed)? * tree.bytes as f64 / block.size as f64;
        let words = format!("{name}, {}: {printed}, {}", block.columns[round], block.machine);
        let value = Interval::exact(value);
        Some(Bar { row, value, parts: None, mark: None, end: None, words })
    };
    let bars = table.algorithms.iter().enumerate().filter_map(bar).collect();
    let (name, mark) = (format!("published {}", block.id), Mark::published(place));
    Set { name, mark, on: Some(round), bars }
}

/// Seconds of every tool on a file, from the page cache and from the device.
fn of_tools(record: &Record, table: &FileTable, bytes: u64) -> Option<Bars> {
    let cells: Vec<_> = cells_of(record, table).filter(|cell| cell.bytes == bytes).collect();
    let mut commands: Vec<(&str, &Process)> = Vec::new();
    for cell in &cells {
        if !commands.iter().any(|(command, _)| *command == cell.command) {
            commands.push((&cell.command, cell));
        }
    }
    // Reading alone, which every tool does too, comes first.
    commands.sort_by_key(|(_, cell)| !cell.reads());
    let of_cache = |cache: Cache| {
        let bar = |(row, (command, _)): (usize, &(&str, &Process))| {
            let here = |cell: &&&Process| cell.command == *command && cell.cache == cache;
            timed(cells.iter().find(here)?, row, record.head.plan.confidence)
        };
        let bars = commands.iter().enumerate().filter_map(bar).collect();
        let mark = Mark { shape: 1, ..Mark::of_provider("cat") };
        Set { name: named(cache).to_owned(), mark, on: None, bars }
    };
    let mut sets: Vec<_> = Cache::ALL.map(of_cache).into();
    let blocks = table.published.iter().filter(|block| block.size == bytes);
    sets.extend(blocks.enumerate().map(|(place, block)| published(&commands, place, block)));
    let rows = commands.iter().map(|(command, _)| (*command).to_owned()).collect();
    let note = "Time from start to end. In each bar from the left: user time (dark), system time \
        (pale), waiting (white). CPU: user and system time as a share of it, above 100 % on \
        several threads.";
    let length = if bytes == 0 { "an empty file".to_owned() } else { whole_length(bytes) };
    let body = Body { rows, ends: Vec::new(), sets };
    Bars::new(format!("{}: {length}", table.title), note.to_owned(), "seconds", body)
}

fn cells_of<'a>(record: &'a Record, table: &FileTable) -> impl Iterator<Item = &'a Process> {
    let id = table.id.clone();
    record.files.processes.iter().filter(move |cell| cell.table == id)
}

fn timed(cell: &Process, row: usize, confidence: f64) -> Option<Bar> {
    let by = |clock| Some(cell.timing(clock, confidence)?.ns);
    let ns = by(Clock::Real)?;
    let [value, low, high] = [ns.value, ns.low, ns.high].map(|ns| ns * 1e-9);
    let value = Interval { value, low, high };
    let [user, sys] = [by(Clock::User)?, by(Clock::Sys)?].map(|ns| ns.value.max(0.0) * 1e-9);
    let busy = (user + sys) / value.value;
    let words = format!(
        "{}, {}: {} s {}; user {} s, system {} s, CPU {:.0} %",
        cell.command,
        named(cell.cache),
        figure(value.value),
        cells::spread(&value),
        figure(user),
        figure(sys),
        100.0 * busy
    );
    let end = format!("{} {}, CPU {:.0} %", figure(value.value), cell.cache.name(), 100.0 * busy);
    // The set is a state of the cache; the bar has the colour of its tool.
    let mark = Mark { shape: 1, ..Mark::of_provider(&cell.source.provider) };
    // Several threads have more CPU time than passes: then nothing is left to wait.
    let whole = value.value.max(user + sys);
    let parts = Some([user / whole, sys / whole]);
    Some(Bar { row, value, parts, mark: Some(mark), end: Some(end), words })
}

fn published(commands: &[(&str, &Process)], place: usize, block: &PublishedFiles) -> Set {
    let bar = |(row, (_, cell)): (usize, &(&str, &Process))| {
        if cell.source != block.here {
            return None;
        }
        let printed = block.printed(&cell.algorithm, Clock::Real);
        let value = Interval::exact(seconds(printed.first()?)?);
        let words = format!("{}: {}, {}", cell.algorithm, printed[0], block.machine);
        Some(Bar { row, value, parts: None, mark: None, end: None, words })
    };
    let bars = commands.iter().enumerate().filter_map(bar).collect();
    let on = Cache::ALL.iter().position(|cache| *cache == block.cache);
    Set { name: format!("published {}", block.id), mark: Mark::published(place), on, bars }
}

/// The state of the page cache in words.
fn named(cache: Cache) -> &'static str {
    match cache {
        Cache::Warm => "from the page cache",
        Cache::Cold => "from the device",
        Cache::Throttled => "through a throttled pipe",
    }
}

/// More rounds than that are not drawn one by one.
const MOST_ROUNDS: usize = 8;
