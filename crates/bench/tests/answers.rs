//! Answers: each template of each study says what the figures say, and a study with a wrong one is
//! refused.

use std::path::{Path, PathBuf};

use bench::files::{Cache, Hashed, Pass, Process, Run};
use bench::report::{Format, Report};
use bench::study::{FileTable, Measures, Pick, Relation, Source, Template, Term};
use bench::{Answered, Cold, Entry, Record, Study, Verdict, judge};
use gauge::{Estimate, Interval, Outcome, Probe, Sample, Series};

/// The studies that repeat a founding document.
fn founding() -> Vec<Study> {
    let studies = Study::shipped().into_iter().map(|name| Study::load(&name).expect("it is right"));
    studies.filter(|study| study.source.starts_with("Founding document")).collect()
}

#[test]
fn every_study_answers_its_question() {
    let founding = founding();
    assert!(founding.len() >= 8);
    for study in &founding {
        assert!((2..=5).contains(&study.answers.len()), "{}", study.name);
    }
    for name in Study::shipped() {
        let study = Study::load(&name).unwrap();
        let asked = study.answers.len() + study.claims.len() + study.tables.len();
        assert!(asked > 0, "{name} says nothing");
    }
}

#[test]
fn each_template_follows_its_figures() {
    let mut seen = 0;
    for study in founding() {
        for template in &study.answers {
            let verdicts = [Verdict::Holds, Verdict::Fails, Verdict::NotDistinguishable];
            let possible = if template.test.is_some() { &verdicts[..] } else { &verdicts[..1] };
            for &verdict in possible {
                let record = record_with(&study, template, verdict);
                let found = answer(&record, template);
                let place = format!("{}, {}: {found:#?}", study.name, template.about);
                assert_eq!(found.verdict, verdict, "{place}");
                assert!(
                    !found.says.contains(['{', '}', '[', ']']) && found.says.ends_with('.'),
                    "{place}"
                );
                assert!(!found.cells.is_empty(), "{place}");
                let decided = template.test.as_ref().is_none_or(|test| {
                    found.ratios.iter().any(|of| of.left == test.left && of.right == test.right)
                });
                assert!(decided, "{place}");
                seen += 1;
            }
            let empty = answer(&Record::empty(study.clone()), template);
            assert_eq!(empty.verdict, Verdict::NotMeasured, "{}", template.about);
            assert!(empty.says.contains("not measured") && !empty.says.contains('{'), "{empty:?}");
        }
    }
    assert!(seen >= 70, "{seen} texts were said");
}

#[test]
fn files_with_too_few_runs_are_not_called_missing() {
    let study = Study::load("file-digests").unwrap();
    let template = study.answers.iter().find(|of| of.about == "this disk").unwrap();
    let mut record = record_with(&study, template, Verdict::Holds);
    record.files.processes.iter_mut().for_each(|process| process.runs.truncate(7));
    let found = answer(&record, template);
    assert_eq!(found.says, "This disk: not measured (the samples give no ratio).");
}

#[test]
fn records_of_the_repository_are_answered() {
    let mut answered = 0;
    for path in records() {
        let record = Record::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let report = Report::new(&record);
        assert!(!report.answer.is_empty(), "{}", path.display());
        let is_founding = record.head.study.source.starts_with("Founding document");
        // Records of the first days hold a study without answers: the one of that name has them.
        let has_answers = is_founding || !record.head.study.answers.is_empty();
        assert_eq!(has_answers, !report.answers.is_empty(), "{}", path.display());
        let measured = report.answers.iter().filter(|one| one.verdict != Verdict::NotMeasured);
        assert!(!is_founding || measured.count() >= 2, "{}: {:#?}", path.display(), report.answers);
        answered += usize::from(is_founding);
        let (brief, markdown) = (
            report.render(Format::named("terminal").full(false)),
            report.render(Format::named("markdown")),
        );
        let last = report.answer.last().expect("it has an answer");
        assert!(brief.trim_end().ends_with(last.as_str()), "{brief}");
        // A screen, unless the claims alone are more.
        let claims = record.head.study.claims.len().saturating_sub(20);
        assert!(brief.lines().count() <= 45 + claims, "{}: {brief}", path.display());
        assert!(markdown.contains("## Answer\n"), "{}", path.display());
    }
    assert!(answered >= 4, "{answered}");
}

#[test]
fn a_record_of_another_study_of_that_name_is_not_answered_by_ours() {
    let mut study = Study::load("php-hash").unwrap();
    study.answers.clear();
    assert_eq!(judge::answers(&Record::empty(study.clone())).len(), 5);
    study.title = "Mine".to_owned();
    assert!(judge::answers(&Record::empty(study)).is_empty());
}

#[test]
fn a_wrong_answer_is_named() {
    let refused = |from: &str, to: &str, words: &str| {
        assert!(STUDY.contains(from), "{from}");
        let error = Study::parse("bad", &STUDY.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(words), "{to}: {error}");
    };
    Study::parse("good", STUDY).unwrap_or_else(|error| panic!("{error}"));
    refused(
        "{md5.rate}",
        "{md6.rate}",
        "the cell 'md6' in the answer 'a': expected one of md5, sha1",
    );
    refused("{md5.rate}", "{md5.speed}", "'{md5.speed}' in an answer: expected {CELL}");
    refused("{md5.rate}", "{md5.rate", "expected a } for each { in it");
    refused("{md5.rate}", "[{md5.rate}", "expected a ] for each [ in it");
    refused("{md5.rate}", "{missing}", "expected it in the text `missing` alone");
    refused("{md5/sha1}", "{md5/md6}", "the cell 'md6'");
    refused("(?)", "{md5}", "expected no placeholder but {missing}");
    refused("left = 'md5'", "left = 'md6'", "the cell 'md6'");
    refused("'slower'", "'spread'", "expected slower, faster, equal or times");
    refused("'slower'", "'times'", "expected factor = [low, high]");
    refused("fails = 'F'", "", "expected `fails` and `tie` beside it");
    refused(
        "size = 5 }",
        "size = 6 }",
        "'php md5 at 6 bytes' in the cell 'md5': expected what a table",
    );
    refused("algorithm = 'md5'", "algorithm = 'md4'", "'php md4 at 5 bytes'");
    refused("provider = 'php'", "provider = 'php|java'", "'java md5 at 5 bytes'");
    refused("size = 5 }", "size = 5, security = 'safe' }", "the security 'safe'");
    refused("about = 'a'", "about = 'a'\nfiles = 'x'", "the files table 'x' in the answer 'a'");
}

#[test]
fn a_first_call_has_no_cycles() {
    let first = STUDY.replacen("size = 5 }", "size = 5, first = 'ascending' }", 1);
    for what in ["cycles", "ceiling"] {
        let text = first.replacen("md5.rate", &format!("md5.{what}"), 1);
        let error = Study::parse("bad", &text).expect_err(what).to_string();
        let place = format!("the placeholder '{{md5.{what}}}'");
        assert!(error.contains(&place) && error.contains("first calls have no cycles"), "{error}");
    }
}

const STUDY: &str = "
title = 'T'
source = 'S'
question = 'Q'
[[answer]]
about = 'a'
cells.md5 = { provider = 'php', algorithm = 'md5', size = 5 }
cells.sha1 = { provider = 'php', algorithm = 'sha1', size = 5 }
test = { left = 'md5', relation = 'slower', right = 'sha1' }
holds = 'H {md5.rate} {md5/sha1}'
fails = 'F'
tie = 'T'
missing = 'M (?)'
[[table]]
id = 'small'
title = 'Small'
algorithms = ['md5', 'sha1']
sizes = [5]
providers = ['php']
unit = 'nanoseconds'
";

fn answer(record: &Record, template: &Template) -> Answered {
    let place = record.head.study.answers.iter().position(|of| of.about == template.about);
    judge::answers(record).swap_remove(place.expect("it is of this study"))
}

/// A record in which the test has this verdict.
fn record_with(study: &Study, template: &Template, verdict: Verdict) -> Record {
    let mut record = Record::empty(study.clone());
    let table = template.files.as_ref().and_then(|id| study.files.iter().find(|of| of.id == *id));
    if let Some(table) = table.filter(|table| table.measures == Measures::Tree) {
        let (table, bytes) = (table.id.clone(), 1_000_000);
        record.files.trees.push(Pass { table, photos: 1, bytes, reading_ns: vec![1000] });
    }
    let mut planted: Vec<Term> = Vec::new();
    let mut plant = |record: &mut Record, pick: &Pick, first: Figure, rest: Figure| {
        for (place, term) in candidates(study, table, pick).into_iter().enumerate() {
            if planted.iter().all(|known| words(known) != words(&term)) {
                let (ns, noise) = if place == 0 { first } else { rest };
                put(record, table, &term, ns, noise);
                planted.push(term);
            }
        }
    };
    if let Some(test) = &template.test {
        let (left, right) = (&template.cells[&test.left], &template.cells[&test.right]);
        let ratio = ratio(test.relation, test.factor, verdict);
        let noise = if verdict == Verdict::NotDistinguishable { 0.01 } else { 0.0 };
        let same = (&left.provider, &left.algorithm, left.size)
            == (&right.provider, &right.algorithm, right.size);
        if same && left.first == right.first && left.which != right.which {
            plant(&mut record, left, (1000.0, 0.0), (1000.0 * ratio, noise));
        } else {
            plant(&mut record, left, (1000.0 * ratio, noise), (1000.0 * ratio, noise));
            plant(&mut record, right, (1000.0, 0.0), (1000.0, 0.0));
        }
    }
    for pick in template.cells.values() {
        plant(&mut record, pick, (1000.0, 0.0), (1100.0, 0.0));
    }
    record
}

/// Nanoseconds, and how much of them a round has more or less.
type Figure = (f64, f64);

/// A ratio of times for which the test has this verdict, give or take a hundredth.
fn ratio(relation: Relation, factor: Option<[f64; 2]>, verdict: Verdict) -> f64 {
    match (relation, verdict, factor) {
        (_, Verdict::NotDistinguishable, None) => 1.0,
        (_, Verdict::NotDistinguishable, Some([_, high])) => high,
        (Relation::Slower, Verdict::Holds, _) | (Relation::Faster, Verdict::Fails, _) => 2.0,
        (Relation::Slower, _, _) | (Relation::Faster, _, _) => 0.5,
        (_, Verdict::Holds, Some([low, high])) => (low + high) / 2.0,
        (_, _, Some([_, high])) => 1.5 * high,
        (_, _, None) => panic!("a relation without its factor"),
    }
}

/// What a pick may be; of all algorithms some of a table.
fn candidates(study: &Study, table: Option<&FileTable>, pick: &Pick) -> Vec<Term> {
    let of_tables = || match table {
        Some(table) => table.algorithms.clone(),
        None => {
            let has = |of: &&bench::study::Table| {
                of.columns().contains(&pick.size)
                    && pick.sources().iter().all(|one| of.sources().contains(one))
            };
            study.tables.iter().filter(has).flat_map(|of| of.algorithms.clone()).collect()
        }
    };
    let names = pick.algorithms().unwrap_or_else(of_tables);
    let sources = pick.sources();
    sources.iter().flat_map(|source| names.iter().map(|name| pick.term(source, name))).collect()
}

fn words(term: &Term) -> String {
    format!(
        "{} {} {:?} {:?} {:?} {:?}",
        term.provider, term.algorithm, term.size, term.first, term.cache, term.clock
    )
}

fn put(record: &mut Record, table: Option<&FileTable>, term: &Term, ns: f64, noise: f64) {
    let (source, algorithm) = (term.provider.clone(), term.algorithm.clone());
    let implementation = "usual".to_owned();
    if let Some(order) = term.first {
        let ns = (0..ROUNDS).map(|round| ns * wave(round, noise)).collect();
        let size = term.size.one().expect("first calls have one message");
        return record.cold.push(Cold { source, algorithm, size, order, ns, void: None });
    }
    match table.map(|table| (table.measures, table.id.clone())) {
        None => {
            let (size, series) = (term.size, series(ns, noise));
            record.entries.push(Entry {
                source,
                algorithm,
                size,
                implementation,
                began_ms: None,
                series,
            });
        }
        Some((Measures::Tree, table)) => {
            let series = series(ns * 1e-3, noise);
            record.files.hashed.push(Hashed { table, source, algorithm, implementation, series });
        }
        Some((Measures::Tools, table)) => {
            let size = term.size.one().unwrap_or_default() as u64;
            record.files.processes.push(process(table, term, size, ns * 1e6, noise));
        }
    }
}

fn process(table: String, term: &Term, size: u64, ns: f64, noise: f64) -> Process {
    let device = if term.cache == Cache::Cold { size } else { 0 };
    let run = |round| {
        let ns = (ns * wave(round, noise)) as u64;
        Run { round, real: ns, user: ns, sys: ns, device }
    };
    Process {
        table,
        source: term.provider.clone(),
        algorithm: term.algorithm.clone(),
        command: format!("{} {}", term.provider, term.algorithm),
        size,
        bytes: size,
        cache: term.cache,
        runs: (0..ROUNDS).map(run).collect(),
        void: None,
    }
}

/// Enough for an interval.
const ROUNDS: u32 = 16;

/// A little more in one round, a little less in the next.
fn wave(round: u32, noise: f64) -> f64 {
    if round.is_multiple_of(2) { 1.0 + noise } else { 1.0 - noise }
}

fn series(ns: f64, noise: f64) -> Series {
    let (core, iterations) = (Probe { ghz: 2.0, ipc: 4.0 }, 1_000_000);
    let sample = |round| {
        let ns = (ns * wave(round, noise) * iterations as f64) as u64;
        let (before, after) = (core, core);
        let verdict = gauge::Verdict::Clean;
        Sample { round, iterations, ns, wall_ns: ns, preemptions: 0, before, after, verdict }
    };
    let around = |value: f64| Interval { value, low: 0.999 * value, high: 1.001 * value };
    let (cycles, ns) = (around(2.0 * ns), around(ns));
    let total = ROUNDS as usize;
    let estimate = Estimate {
        ns,
        cycles,
        ghz: 2.0,
        clean: total,
        total,
        narrow: true,
        few: false,
        drift: 1.0,
        ipc: 4.0,
        state: gauge::CoreState::Quiet,
    };
    let samples = (0..ROUNDS).map(sample).collect();
    let outcome = Outcome::Estimate(estimate);
    Series { iterations, clock_step_ns: 1, samples, first_call_ns: 50.0, outcome }
}

/// The records of the repository.
fn records() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records");
    let mut files = bench::report::index::records(&folder).expect("records/");
    files.sort();
    // Scoreboards are many and alike.
    let boards = files.iter().filter(|file| file.to_string_lossy().contains("scoreboard"));
    let boards: Vec<_> = boards.skip(1).cloned().collect();
    files.retain(|file| !boards.contains(file));
    files
}

#[test]
fn a_source_is_what_a_pick_says() {
    let study = Study::load("native-hash").unwrap();
    let pick = &study.answers.iter().find(|of| of.about == "the fastest").unwrap().cells["crc"];
    assert!(pick.sources().contains(&Source::from("libdeflate".to_owned())) && pick.is_choice());
}
