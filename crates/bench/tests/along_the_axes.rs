//! Runs under masks and on several threads, measured; as the child of this very program: `{self} runner`.
//!
//! Nothing is asserted about times, and a cell that a busy machine left without a clean sample is as good as another.

use std::io::{self, stdin, stdout};
use std::time::Duration;

use bench::report::{Format, Report};
use bench::{Options, Ours, Progress, ProviderLine, Record, Request, Study, serve::serve};
use gauge::Plan;

fn main() -> io::Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "runner") {
        let mask = words.get(1).and_then(|word| word.strip_prefix("--cpu="));
        return serve(&Ours::new(mask).map_err(io::Error::other)?, stdin().lock(), stdout().lock());
    }
    let tests: [(&str, fn()); 2] =
        [("several threads do the work together", several_threads), ("more threads than cores are not measured", too_many_threads)];
    for (name, test) in tests {
        test();
        println!("ok: {name}");
    }
    Ok(())
}

fn several_threads() {
    let record = measure(r#"["ours", "ours*2"]"#, "");
    let line = line(&record, "ours*2");
    match &line.missing {
        None => {
            let cores: Vec<_> = line.facts["cores"].split(',').collect();
            assert!(cores.len() == 2 && cores[0] != cores[1], "{cores:?}");
            let series = &record.entries.iter().find(|entry| entry.source.threads == 2).expect("it was measured").series;
            assert!(series.iterations > 0 && series.iterations.is_multiple_of(2), "{}", series.iterations);
        }
        Some(reason) => assert!(reason.contains("2 threads need as many cores"), "{reason}"),
    }
    assert!(record.loops.iter().any(|bare| bare.source.to_string() == "ours"));
}

fn too_many_threads() {
    let record = measure(r#"["ours"]"#, "threads = [1, 4096]");
    let reason = line(&record, "ours*4096").missing.as_ref().expect("there are fewer cores");
    assert!(reason.starts_with("4096 threads need as many cores"), "{reason}");
    let gaps = Report::new(&record).gaps;
    assert!(gaps.iter().any(|gap| gap.starts_with("ours*4096: 4096 threads")), "{gaps:?}");
    assert!(!Report::new(&record).render(Format::Csv).contains("all,4096,"));
}

/// A small study of these providers, measured as shortly as can be, written and read again.
fn measure(providers: &str, axes: &str) -> Record {
    let text = format!(
        r#"
        title = "Axes"
        source = "this test"
        question = "What do masks cost and threads gain?"
        [[table]]
        id = "t"
        title = "T"
        algorithms = ["crc32b"]
        sizes = [4096]
        providers = {providers}
        {axes}
        unit = "gigabytes-per-second"
    "#
    );
    let study = Study::parse("axes", &text).unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan { budget: Duration::from_millis(20), ..Plan::quick() };
    let options = Options { limit: Duration::from_secs(60), ..Options::default() };
    let request = Request { preset: "test".to_owned(), plan, options, command: "test".to_owned() };
    let record = bench::run(&study, &request, &mut Silent).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("record.jsonl");
    record.write(&path).unwrap_or_else(|error| panic!("{error}"));
    Record::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn line<'a>(record: &'a Record, source: &str) -> &'a ProviderLine {
    let found = record.providers.iter().find(|line| line.source().to_string() == source);
    found.unwrap_or_else(|| panic!("no line of {source}: {:?}", record.providers))
}

struct Silent;

impl Progress for Silent {
    fn start(&mut self, _: usize) {}
    fn group(&mut self, _: &str) {}
    fn warn(&mut self, message: &str) {
        eprintln!("{message}");
    }
}
