//! First calls of fresh processes and the opening of small files: measured, written, read again,
//! told.
//!
//! Nothing is asserted about times.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use bench::report::{Format, Report, voids};
use bench::{OnlyWarnings, Options, Preset, Progress, Record, Request, SizeOrder, Study, Work};
use gauge::Plan;

const STUDY: &str = r#"
    title = "First calls"
    source = "this test"
    question = "What does the first call cost?"
    [[table]]
    id = "chunks"
    title = "Chunks"
    algorithms = ["aes-256-cbc-envelope encrypt"]
    sizes = [64, 1024, 65536]
    quick = [64, 1024]
    providers = ["php"]
    chunk = true
    unit = "microseconds"
    [[table]]
    id = "first"
    title = "First"
    algorithms = ["aes-256-cbc-envelope encrypt", "aes-256-cbc-envelope decrypt"]
    sizes = [64, 1024]
    providers = ["php"]
    first_calls = true
    unit = "nanoseconds"
    [[claim]]
    says = "Sixteen times the data take less time at first"
    place = "nowhere"
    left.provider = "php"
    left.algorithm = "aes-256-cbc-envelope encrypt"
    left.size = 1024
    left.first = "ascending"
    relation = "faster"
    right.provider = "php"
    right.algorithm = "aes-256-cbc-envelope encrypt"
    right.size = 64
    right.first = "ascending"
"#;

fn run(
    study: &Study,
    plan: Plan,
    env: Vec<(String, String)>,
    progress: &mut dyn Progress,
) -> Record {
    let request = Request {
        preset: Preset::Told("test".to_owned()),
        plan,
        options: Options { env, limit: Duration::from_secs(60), ..Options::default() },
        command: "test".to_owned(),
        keep: None,
    };
    bench::run(study, &request, progress).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_record_holds_them_and_a_report_tells_them() {
    let study = Study::parse("first", STUDY).unwrap_or_else(|error| panic!("{error}")).quickly();
    assert_eq!(study.tables[0].sizes, [64, 1024]);
    let plan = Plan { budget: Duration::from_millis(20), min_samples: 8, ..Plan::quick() };
    let record = run(&study, plan, Vec::new(), &mut OnlyWarnings);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("record.jsonl");
    record.write(&path).unwrap_or_else(|error| panic!("{error}"));
    let record = Record::read(&path).unwrap_or_else(|error| panic!("{error}"));

    assert_eq!(record.cold.len(), 2 * 2 * 2, "two algorithms, two sizes, two orders");
    assert!(
        record.cold.iter().all(|cold| cold.ns.len() == 8 && cold.ns.iter().all(|&ns| ns > 0.0)),
        "{:?}",
        record.cold
    );
    let source = &record.head.study.tables[1].providers[0];
    assert!(
        record.cold(source, "aes-256-cbc-envelope decrypt", 64, SizeOrder::Descending).is_some()
    );
    assert_eq!(record.opens.len(), 1);
    assert!(record.entries.iter().all(|entry| entry.size <= 1024.into()), "the sizes of --quick");

    let report = Report::new(&record);
    let text = report.render(Format::named("markdown"));
    assert!(
        text.contains("| first, ascending |") && text.contains("| first, descending |"),
        "{text}"
    );
    let judged = report.claims[0].1.last().expect("every claim is judged here");
    assert!(
        judged.ratio.is_some() && judged.detail.contains("(first calls, ascending)"),
        "{judged:?}"
    );
}

/// An environment in which this script is called as PHP. On its own path it finds PHP.
fn before_php(folder: &Path, script: &str) -> Vec<(String, String)> {
    let php = folder.join("php");
    let script = format!("#!/bin/sh\nPATH=${{PATH#*:}}\n{script}\n");
    std::fs::write(&php, script).expect("the folder is ours");
    std::fs::set_permissions(&php, std::fs::Permissions::from_mode(0o755))
        .expect("the file is ours");
    let path = std::env::var("PATH").unwrap_or_default();
    vec![("PATH".to_owned(), format!("{}:{path}", folder.display()))]
}

const IMPLEMENTATIONS: &str = r#"
    title = "First calls by name"
    source = "this test"
    question = "Whose first call is it?"
    [[table]]
    id = "first"
    title = "First"
    algorithms = ["md5"]
    sizes = [64]
    providers = ["php", "php/function", "php/nonsense"]
    first_calls = true
    unit = "nanoseconds"
"#;

#[test]
fn a_first_call_is_by_the_implementation_that_is_asked_for() {
    let study = Study::parse("first", IMPLEMENTATIONS).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let told = folder.path().join("told");
    // PHP, and whatever it is told is written down.
    let env = before_php(folder.path(), &format!("tee -a '{}' | php \"$@\"", told.display()));
    let plan = Plan { min_samples: 8, ..Plan::quick() };
    let record = run(&study, plan, env, &mut OnlyWarnings);

    let sources: BTreeSet<_> = record.cold.iter().map(|cold| cold.source.to_string()).collect();
    assert_eq!(sources.into_iter().collect::<Vec<_>>(), ["php", "php/function"]);
    let told = std::fs::read(&told).expect("PHP was told something");
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("impl=function"), "PHP's function was not asked for");
    assert!(!told.contains("impl=nonsense"), "{told}");
}

/// Keeps the warnings.
struct Heard(Vec<String>);

impl Progress for Heard {
    fn start(&mut self, _: &Work) {}
    fn group(&mut self, _: &str) {}
    fn warn(&mut self, message: &str) {
        self.0.push(message.to_owned());
    }
}

#[test]
fn the_cells_of_a_runner_that_dies_are_void() {
    let mut study = Study::parse("first", STUDY).unwrap_or_else(|error| panic!("{error}"));
    study.tables.remove(0);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let began = folder.path().join("began");
    // The first process is asked what it offers; those that are to be timed die.
    let script = format!(
        "[ -e '{0}' ] && {{ echo gone >&2; exit 7; }}\n: > '{0}'\nexec php \"$@\"",
        began.display()
    );
    let env = before_php(folder.path(), &script);
    let plan = Plan { min_samples: 8, ..Plan::quick() };
    let mut heard = Heard(Vec::new());
    let record = run(&study, plan, env, &mut heard);
    assert!(matches!(&heard.0[..], [one] if one.contains("gone")), "{:?}", heard.0);

    let path = folder.path().join("record.jsonl");
    record.write(&path).unwrap_or_else(|error| panic!("{error}"));
    let record = Record::read(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(record.cold.len(), 2 * 2 * 2, "two algorithms, two sizes, two orders");
    assert!(record.cold.iter().all(|cold| cold.ns.is_empty() && cold.void.is_some()));
    // By these the program ends with another code than 0.
    let voids = voids(&record);
    assert_eq!(voids.len(), record.cold.len());
    assert!(voids.iter().all(|void| void.contains("with exit status: 7")), "{voids:?}");
    let text = Report::new(&record).render(Format::named("markdown"));
    assert!(text.contains("| first, descending | void | void |"), "{text}");
}
