//! Cells of many messages, measured by the child of this very program: `{self} runner`.
//!
//! Nothing is asserted about times, and a cell that a busy machine left without a clean sample is
//! as good as another.

use std::io::{self, stdin, stdout};
use std::time::Duration;

use bench::report::{Format, Report};
use bench::{OnlyWarnings, Options, Ours, Preset, Record, Request, Size, Study, serve::serve};
use gauge::Plan;

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("runner") {
        return serve(&Ours::new(None).map_err(io::Error::other)?, stdin().lock(), stdout().lock());
    }
    every_way_has_its_cells();
    what_cannot_be_measured_is_refused();
    Ok(())
}

fn study(table: &str) -> Result<Study, bench::StudyError> {
    let text = format!(
        r#"
        title = "Many"
        source = "this test"
        question = "What do many messages take?"
        [[table]]
        id = "t"
        title = "T"
        unit = "nanoseconds"
        {table}
        [[claim]]
        says = "The loop takes some time, and the kernel."
        place = "nowhere"
        left = {{ provider = "hashdyno/loop", algorithm = "md5", size = "1000x5" }}
        relation = "equal"
        factor = [0.0, 1e9]
        right = {{ provider = "hashdyno", algorithm = "md5", size = "1000x5" }}
    "#
    );
    Study::parse("many", &text)
}

fn measure(study: &Study) -> Record {
    let plan = Plan { budget: Duration::from_millis(20), ..Plan::quick() };
    let options = Options { limit: Duration::from_secs(60), ..Options::default() };
    let request = Request {
        preset: Preset::Told("test".to_owned()),
        plan,
        options,
        command: "test".to_owned(),
        keep: None,
    };
    let record =
        bench::run(study, &request, &mut OnlyWarnings).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("record.jsonl");
    record.write(&path).unwrap_or_else(|error| panic!("{error}"));
    Record::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn every_way_has_its_cells() {
    let study = study(
        r#"algorithms = ["md5"]
        sizes = [64]
        many = ["1000x5", "20x0-600"]
        providers = ["hashdyno", "hashdyno/loop", "hashdyno/portable"]
        [[table.published]]
        id = "p"
        machine = "M"
        here = "hashdyno"
        sizes = ["1000x5"]
        rows = [["md5", "12.5"]]"#,
    );
    let record = measure(&study.unwrap_or_else(|error| panic!("{error}")));
    let cells = |source: &str| {
        let of = |entry: &&bench::Entry| entry.source.to_string() == source;
        record.entries.iter().filter(of).map(|entry| entry.size.to_string()).collect::<Vec<_>>()
    };
    for source in ["hashdyno", "hashdyno/portable"] {
        assert_eq!(cells(source), ["64", "1000x5", "20x0-600"], "{source}");
    }
    // The loop is a way beside interfaces that take many messages at once.
    let md5 = hashdyno::find("md5").expect("it is a digest");
    let at_once = md5.ready_lanes(hashdyno::Cpu::native()).next().is_some();
    assert_eq!(cells("hashdyno/loop"), if at_once { vec!["1000x5", "20x0-600"] } else { vec![] });
    for entry in &record.entries {
        assert!(
            entry.series.iterations.is_multiple_of(entry.size.count()),
            "{}: {}",
            entry.size,
            entry.series.iterations
        );
    }
    let five: Size = "1000x5".parse::<bench::Shape>().expect("it is one").into();
    let ours = record.entries.iter().find(|entry| entry.size == five).expect("it was measured");
    let usual = md5.bind_many(hashdyno::Cpu::native(), 1000).map(|kernel| kernel.name());
    assert!(usual.is_none_or(|usual| ours.implementation == usual), "{}", ours.implementation);
    let report = Report::new(&record);
    let text = report.render(Format::named("markdown"));
    assert!(text.contains("20x0-600 bytes") && text.contains("ns per message"), "{text}");
    assert!(text.contains("published p") && text.contains("| 1000x5 | 12.5 |"), "{text}");
    let csv = report.render(Format::named("csv"));
    assert!(csv.lines().any(|line| line.contains(",md5,20x0-600,")), "{csv}");
    let json: serde_json::Value =
        serde_json::from_str(&report.render(Format::named("json"))).expect("it is JSON");
    let cell = json["cells"]
        .as_array()
        .and_then(|cells| cells.iter().find(|cell| cell["size"] == "1000x5"));
    assert_eq!(cell.map(|cell| cell["bytes"].as_f64()), Some(Some(5.0)));
    assert_eq!(report.claims.len(), 1);
}

fn what_cannot_be_measured_is_refused() {
    let providers = "providers = [\"hashdyno\"]";
    for (table, words) in [
        (
            "algorithms = [\"aes-128-ecb encrypt\"]\nmany = [\"1000x16\"]",
            "expected one message of whole blocks",
        ),
        ("algorithms = [\"md5\"]", "expected `sizes`, `many` or `column`"),
        ("algorithms = [\"md5\"]\nmany = [\"1001x5\"]", "'1001x5' is not many messages"),
        (
            "algorithms = [\"md5\"]\nsizes = [5]\nmany = [\"1000x5\"]\nfirst_calls = true",
            "of first calls `sizes` only",
        ),
    ] {
        let error = study(&format!("{table}\n{providers}")).expect_err(table).to_string();
        assert!(error.contains(words), "{error}");
    }
}
