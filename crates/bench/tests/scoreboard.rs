//! A small scoreboard, measured: ours is this very program (`{self} runner`), a planted `php` that
//! lies, a planted `node` whose first process dies and a planted `python3` whose first process is
//! unlucky: it sleeps a millisecond in every call. Nothing else is asserted about times.

use std::io::{self, stdin, stdout};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use bench::report::Report;
use bench::study::Source;
use bench::{
    Board, Entry, OnlyWarnings, Options, Ours, Preset, Provider, ProviderLine, Record, Request,
    Row, Standing, Study, serve::serve,
};
use gauge::{Outcome, Plan};

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("runner") {
        return serve(&Ours::new(None).map_err(io::Error::other)?, stdin().lock(), stdout().lock());
    }
    let folder = tempfile::tempdir()?;
    plant(folder.path(), "php", "lie-job")?;
    let at_first =
        |fault: &str| format!("$(mkdir $0-was-here 2>/dev/null && echo {fault} || echo none)");
    plant(folder.path(), "node", &at_first("exit-greeting"))?;
    plant(folder.path(), "python3", &at_first("slow"))?;
    let record = run(folder.path());
    who_lies_is_no_peer(&record);
    an_unlucky_process_does_not_run(&record, folder.path());
    who_came_late_is_not_missing(&record);
    nobody_stands_twice(&record);
    Ok(())
}

/// A program of that name that runs the planted runner with this fault.
fn plant(folder: &Path, name: &str, fault: &str) -> io::Result<()> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../runner/tests/bad/runner.py");
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\nPATH=${{PATH#*:}} exec python3 {script} {fault}\n"))?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
}

fn run(folder: &Path) -> Record {
    let mut study =
        Study::parse("board", include_str!("board.toml")).unwrap_or_else(|error| panic!("{error}"));
    let board = &mut study.tables[0];
    (board.algorithms, board.sizes, board.many) =
        (vec!["md5".to_owned(), "crc32b".to_owned()], vec![64], Vec::new());
    board.providers = sources(&["hashdyno", "hashdyno/*", "php", "node", "python"]);
    // Kernels by their names, in a cell that the board has, too.
    let mut kernels = board.clone();
    (kernels.algorithms, kernels.providers) = (vec!["crc32b".to_owned()], sources(&["hashdyno/*"]));
    study.tables.push(kernels);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let options = Options {
        env: vec![("PATH".to_owned(), path)],
        limit: Duration::from_secs(60),
        ..Options::default()
    };
    let plan = Plan { budget: Duration::from_millis(20), ..Plan::quick() };
    let request = Request {
        preset: Preset::Told("test".to_owned()),
        plan,
        options,
        command: "test".to_owned(),
        keep: None,
    };
    bench::run(&study, &request, &mut OnlyWarnings).unwrap_or_else(|error| panic!("{error}"))
}

fn sources(texts: &[&str]) -> Vec<Source> {
    texts.iter().map(|&text| Source::from(text.to_owned())).collect()
}

fn who_lies_is_no_peer(record: &Record) {
    let php =
        entries(record, "md5").find(|entry| entry.source.provider == "php").expect("PHP was asked");
    assert!(
        matches!(&php.series.outcome, Outcome::Void { reason } if reason.contains("wrong answer")),
        "{:?}",
        php.series.outcome
    );
    let row = row(record, "md5");
    assert!(
        row.peer.is_none_or(|peer| peer.source.provider != "php"),
        "a liar stands on the board"
    );
    assert!(
        Report::new(record).gaps.iter().any(|gap| gap.starts_with("php md5 at 64 bytes is void"))
    );
    assert!(
        [Standing::Alone, Standing::NotMeasured].contains(&self::row(record, "crc32b").standing)
    );
    assert_eq!(record.head.plan.max_samples, 40);
}

fn an_unlucky_process_does_not_run(record: &Record, folder: &Path) {
    assert!(folder.join("python3-was-here").exists(), "no process was slow");
    let python = entries(record, "md5")
        .find(|entry| entry.source.provider == "python")
        .expect("Python was asked");
    let ns = python.estimate().expect("it has the digest").ns.value;
    assert!(ns < 500_000.0, "{ns} ns: the slow process ran");
}

fn who_came_late_is_not_missing(record: &Record) {
    let node = entries(record, "md5")
        .find(|entry| entry.source.provider == "node")
        .expect("Node.js was asked");
    assert!(node.estimate().is_some(), "{:?}", node.series.outcome);
    assert!(!record.never_started(&node.source));
    let is_node = |line: &&ProviderLine| line.name == "node";
    let line = record.providers.iter().find(is_node).expect("it was asked for");
    assert!(line.version.is_some() && line.missing.is_none(), "{line:?}");
}

/// Every kernel of ours has an entry, the default under the provider's name alone unless another
/// table asks for it by its own.
fn nobody_stands_twice(record: &Record) {
    let ours = Provider::find("hashdyno")
        .expect("hashdyno is in the table")
        .start(&Options::default())
        .unwrap_or_else(|error| panic!("{error}"));
    for algorithm in ["md5", "crc32b"] {
        let offered = &ours
            .offers(hashdyno::find(algorithm).expect("it is a digest"))
            .expect("hashdyno has every digest")
            .variants;
        let mut ran: Vec<_> = entries(record, algorithm)
            .filter(|entry| entry.source.provider == "hashdyno")
            .collect();
        ran.sort_by_key(|entry| entry.source.implementation.is_some());
        assert_eq!(ran[0].source.to_string(), "hashdyno");
        let mut names: Vec<_> = ran.iter().map(|entry| &entry.implementation).collect();
        assert_eq!(names[0], &offered[0]);
        if algorithm == "crc32b" {
            names.remove(0);
        }
        let mut offered: Vec<_> = offered.iter().collect();
        names.sort();
        offered.sort();
        assert_eq!(names, offered);
    }
}

fn entries<'a>(record: &'a Record, algorithm: &'a str) -> impl Iterator<Item = &'a Entry> {
    record.entries.iter().filter(move |entry| entry.algorithm == algorithm)
}

fn row(record: &Record, algorithm: &str) -> Row {
    let board = Board::new(record).expect("the study has a board");
    board.rows.into_iter().find(|row| row.algorithm == algorithm).expect("it was measured")
}
