//! What programs say of themselves stands beside what was verified, and in no verdict.

use std::time::Duration;

use bench::report::{Format, Report};
use bench::{OnlyWarnings, Options, Preset, Record, Request, Study};
use gauge::Plan;

/// A program that claims a terabyte a second for MD5, and nothing for SHA-1.
const STUDY: &str = r#"
title = "Told"
source = "the tests"
question = "Who says what?"
[[table]]
id = "digests"
title = "Digests"
algorithms = ["md5", "sha1"]
sizes = [64]
providers = ["python"]
unit = "kilobytes-per-second"
[[table.told]]
id = "boaster"
command = ["printf", "+H:{bytes}\\n+F:1:md5:1000000000000.00\\n"]
version = ["echo", "boaster 1.0"]
here = "python"
algorithms = ["md5"]
sizes = [64]
[[table.told]]
id = "silent"
command = ["false", "{name}"]
version = ["echo", "silent 1.0"]
here = "python"
algorithms = ["sha1"]
sizes = [64]
[[claim]]
says = "SHA-1 is slower"
place = "there"
left = { provider = "python", algorithm = "sha1", size = 64 }
relation = "slower"
right = { provider = "python", algorithm = "md5", size = 64 }
"#;

#[test]
fn what_is_told_is_shown_as_told_and_its_record_reads_again() {
    let study = Study::parse("told", STUDY).unwrap_or_else(|error| panic!("{error}"));
    let request = Request {
        preset: Preset::Told("test".to_owned()),
        plan: Plan::quick(),
        options: Options { limit: Duration::from_secs(60), ..Options::default() },
        command: "test".to_owned(),
        keep: None,
    };
    let record = bench::run(&study, &request, &mut OnlyWarnings).unwrap();
    let [boast, silence] = &record.told[..] else { panic!("{:?}", record.told) };
    let rate = boast.rate.map(f64::round);
    assert_eq!((rate, boast.version.as_deref()), (Some(1e12), Some("boaster 1.0")));
    assert_eq!(boast.command, "printf +H:64\\n+F:1:md5:1000000000000.00\\n");
    assert!(silence.rate.is_none() && silence.missing.as_ref().unwrap().contains("exit status: 1"));
    assert!(record.entries.iter().all(|entry| entry.source.provider == "python"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("told.jsonl");
    record.write(&path).unwrap();
    assert_eq!(Record::read(&path).unwrap().told, record.told);
    let report = Report::new(&record);
    let grid = report.grids.iter().find(|grid| grid.title.contains("say of themselves")).unwrap();
    assert!(grid.note.contains("printf: boaster 1.0"), "{}", grid.note);
    assert_eq!(grid.rows[0][3], "1000000000");
    assert!(grid.note.contains("takes part in no verdict"), "{}", grid.note);
    assert!(report.gaps.iter().any(|gap| gap.contains("`false sha1` says nothing of sha1")));
    let text = report.render(Format::named("json"));
    assert!(text.contains("\"boaster\"") && text.contains("\"told\""), "{text}");
}
