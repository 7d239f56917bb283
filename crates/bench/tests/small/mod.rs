//! A small record of each kind, on a virtual machine.
#![allow(dead_code)] // each test uses a part

use std::path::Path;

use bench::files::{Cache, Hashed, Pass, Process, Run};
use bench::record::Told;
use bench::study::Source;
use bench::{Cold, Entry, ProviderLine, Record, Size, SizeOrder, Study};
use gauge::{Estimate, Interval, Outcome, Probe, Sample, Series, Verdict};
use serde_json::Value;

/// Enough for an interval.
const ROUNDS: u32 = 8;

/// Messages: sizes, many messages, masks, threads, chunks, first calls, published figures, claims.
pub fn speed() -> Record {
    let mut record = record(include_str!("speed.toml"));
    let long = Size::One(65536);
    let of_php = [16, 1024, 65536].map(Size::One).into_iter().chain([many()]);
    record.entries.extend(of_php.map(|size| entry("php", "md5", size, 10.0 + size.mean())));
    let others = [("php@-sha", "md5"), ("python", "md5"), ("python*2", "md5"), ("php", "sha1")];
    record
        .entries
        .extend(others.map(|(source, algorithm)| entry(source, algorithm, long, 90_000.0)));
    record.told = vec![Told {
        table: "sizes".to_owned(),
        id: "program".to_owned(),
        command: "program md5".to_owned(),
        version: Some("program 1".to_owned()),
        algorithm: "md5".to_owned(),
        size: 16,
        rate: Some(1e9),
        missing: None,
    }];
    record.loops = vec![bare("php")];
    record.opens = vec![bare("php")];
    record.cold =
        [SizeOrder::Ascending, SizeOrder::Descending].map(|order| cold("md5", order)).into();
    record
}

/// A tree of photographs, and file tools.
pub fn files() -> Record {
    let mut record = record(include_str!("files.toml"));
    let tree =
        Pass { table: "tree".to_owned(), photos: 2, bytes: 4000, reading_ns: vec![500, 600] };
    record.files.trees = vec![tree];
    record.files.hashed =
        [("php", "md5", 2.0), ("python", "md5", 3.0), ("php", "sha1", 4.0)].map(hashed).into();
    for cache in [Cache::Warm, Cache::Cold] {
        let cells = [("cat", "reading", 100), ("coreutils", "md5", 300)];
        record
            .files
            .processes
            .extend(cells.map(|(tool, algorithm, ns)| process(tool, algorithm, ns, cache)));
    }
    record
}

/// Ours beside others.
pub fn scoreboard() -> Record {
    let mut record = record(include_str!("board.toml"));
    for (source, ns) in
        [("hashdyno", 100.0), ("hashdyno/portable", 300.0), ("php", 200.0), ("python", 90.0)]
    {
        record.entries.push(entry(source, "md5", Size::One(64), ns));
    }
    record.entries.extend(
        [("hashdyno", 900.0), ("php", 1900.0)]
            .map(|(source, ns)| entry(source, "md5", Size::One(1024), ns)),
    );
    record
}

/// The lines of the record's file.
pub fn lines(record: &Record) -> Vec<Value> {
    let text = String::from_utf8(record.to_bytes()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The place of the first line of each kind.
pub fn first_of_each_kind(lines: &[Value]) -> Vec<usize> {
    let kind = |line: &Value| (line["line"].to_string(), line["of"].to_string());
    let first =
        |place: &usize| lines[..*place].iter().all(|line| kind(line) != kind(&lines[*place]));
    (0..lines.len()).filter(first).collect()
}

/// Writes the lines to a new file. The kind of a line comes first, as in every record.
pub fn write(path: &Path, lines: &[Value]) {
    let text = |line: &Value| {
        let mut rest = line.clone();
        match rest.as_object_mut().and_then(|fields| fields.remove("line")) {
            Some(kind) if rest.as_object().is_some_and(|fields| fields.is_empty()) => {
                format!("{{\"line\":{kind}}}\n")
            }
            Some(kind) => format!("{{\"line\":{kind},{}\n", &rest.to_string()[1..]),
            None => format!("{rest}\n"),
        }
    };
    // A file that is written over goes to the disk at once: thousands of times a test.
    let _ = std::fs::remove_file(path);
    std::fs::write(path, lines.iter().map(text).collect::<String>()).unwrap();
}

fn record(study: &str) -> Record {
    let study = Study::parse("small", study).unwrap_or_else(|error| panic!("{error}"));
    let mut record = Record::empty(study);
    record.head.date = "2026-01-02T03:04:05Z".to_owned();
    record.head.machine.cpu = "A Processor".to_owned();
    record.head.machine.flags = vec!["sha".to_owned()];
    let facts = [("cpu".to_owned(), "sse2 sha".to_owned())].into();
    let ours = ProviderLine {
        name: "hashdyno".to_owned(),
        mask: None,
        threads: 1,
        version: Some("1".to_owned()),
        facts,
        missing: None,
    };
    let missing = ProviderLine {
        name: "go".to_owned(),
        version: None,
        missing: Some("not here".to_owned()),
        ..ours.clone()
    };
    record.providers = vec![ours, missing];
    record
}

fn many() -> Size {
    "10x16".parse().unwrap()
}

fn entry(source: &str, algorithm: &str, size: Size, ns: f64) -> Entry {
    let source = Source::from(source.to_owned());
    let implementation = source.implementation.clone().unwrap_or_else(|| "usual".to_owned());
    Entry {
        source,
        algorithm: algorithm.to_owned(),
        size,
        implementation,
        began_ms: Some(5),
        series: series(ns, ROUNDS, 1000),
    }
}

fn series(ns: f64, rounds: u32, iterations: u64) -> Series {
    let core = Probe { ghz: 2.0, ipc: 4.0 };
    let sample = |round: u32| {
        let ns = (ns * iterations as f64) as u64 + u64::from(round);
        Sample {
            round,
            iterations,
            ns,
            wall_ns: ns + 10,
            preemptions: 0,
            before: core,
            after: core,
            verdict: Verdict::Clean,
        }
    };
    let clean = rounds as usize;
    // As a record has its figures: with five digits.
    let five = |value: f64| format!("{value:.4e}").parse().expect("a number");
    let around = |value: f64| {
        let [value, low, high] = [1.0, 0.99, 1.01].map(|factor| five(factor * value));
        Interval { value, low, high }
    };
    let (cycles, ns) = (around(2.0 * ns), around(ns));
    let estimate = Estimate {
        state: gauge::CoreState::Quiet,
        ns,
        cycles,
        ghz: 2.0,
        ipc: 4.0,
        clean,
        total: clean,
        narrow: true,
        few: false,
        drift: 1.0,
    };
    let samples = (0..rounds).map(sample).collect();
    Series {
        iterations,
        clock_step_ns: 1,
        samples,
        first_call_ns: 50.0,
        outcome: Outcome::Estimate(estimate),
    }
}

fn bare(source: &str) -> bench::Loop {
    bench::Loop { source: Source::from(source.to_owned()), series: series(20.0, ROUNDS, 1000) }
}

fn cold(algorithm: &str, order: SizeOrder) -> Cold {
    let ns = (0..ROUNDS).map(|round| 1000.0 + f64::from(round)).collect();
    Cold {
        source: Source::from("php".to_owned()),
        algorithm: algorithm.to_owned(),
        size: 16,
        order,
        ns,
        void: None,
    }
}

fn hashed((source, algorithm, ns): (&str, &str, f64)) -> Hashed {
    let (source, algorithm) = (Source::from(source.to_owned()), algorithm.to_owned());
    let (table, implementation) = ("tree".to_owned(), "usual".to_owned());
    Hashed { table, source, algorithm, implementation, series: series(ns, 8, 1000) }
}

fn process(tool: &str, algorithm: &str, ns: u64, cache: Cache) -> Process {
    let bytes = 1 << 20;
    let device = if cache == Cache::Cold { bytes } else { 0 };
    let run = |round| Run { round, real: ns + u64::from(round), user: ns / 2, sys: ns / 4, device };
    Process {
        table: "tools".to_owned(),
        source: Source::from(tool.to_owned()),
        algorithm: algorithm.to_owned(),
        command: tool.to_owned(),
        size: bytes,
        bytes,
        cache,
        runs: (0..ROUNDS).map(run).collect(),
        void: None,
    }
}
