//! Runs under masks and on several threads, measured; as the children of this very program: `{self}
//! runner` and `{self} mask`.
//!
//! Nothing is asserted about times, and a cell that a busy machine left without a clean sample is
//! as good as another.

use std::io::{self, stdin, stdout};
use std::process::{Command, ExitCode};
use std::time::Duration;

use bench::report::{Format, Report};
use bench::{
    OnlyWarnings, Options, Ours, Preset, Provider, ProviderLine, Record, Request, RunnerError,
    Study, serve::serve,
};
use cpumask::{Mask, mechanism};
use gauge::Plan;

fn main() -> io::Result<ExitCode> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["runner", rest @ ..] => {
            let mask = rest.first().and_then(|word| word.strip_prefix("--cpu="));
            serve(&Ours::new(mask).map_err(io::Error::other)?, stdin().lock(), stdout().lock())?;
        }
        ["mask", "--strict", mask, "--", program, arguments @ ..]
        | ["mask", mask, "--", program, arguments @ ..] => {
            return masked(mask, program, arguments);
        }
        _ => {
            for (name, test) in TESTS {
                test();
                println!("ok: {name}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What `hashdyno mask` does.
fn masked(mask: &str, program: &str, arguments: &[&str]) -> io::Result<ExitCode> {
    let (mask, mechanism) =
        (Mask::parse(mask).map_err(io::Error::other)?, mechanism().map_err(io::Error::other)?);
    let mut command = Command::new(program);
    command.args(arguments);
    let code = cpumask::run(&mask, mechanism, command).map_or(127, |outcome| outcome.code());
    Ok(ExitCode::from(code as u8))
}

const TESTS: &[(&str, fn())] = &[
    ("several threads do the work together", several_threads),
    ("more threads than cores are not measured", too_many_threads),
    ("our own runner does without what is masked", masked_ours),
    ("another program runs under a mask, or is refused", masked_php),
    ("openssl says that its features are gone", masked_openssl),
    ("a mask for all is in the record's head", masked_run),
    ("a program that is not there is missing under a mask too", missing_under_a_mask),
    ("without masks and threads a record is what it was", plain_record),
];

fn several_threads() {
    let record = measure(r#"["hashdyno", "hashdyno*2"]"#, "");
    let line = line(&record, "hashdyno*2");
    match &line.missing {
        None => {
            let cores: Vec<_> = line.facts["cores"].split(',').collect();
            assert!(cores.len() == 2 && cores[0] != cores[1], "{cores:?}");
            let series = &record
                .entries
                .iter()
                .find(|entry| entry.source.threads == 2)
                .expect("it was measured")
                .series;
            assert!(series.iterations.is_multiple_of(2), "{}", series.iterations);
        }
        Some(reason) => assert!(reason.contains("2 threads need as many cores"), "{reason}"),
    }
    assert!(record.loops.iter().any(|bare| bare.source.to_string() == "hashdyno"));
}

fn too_many_threads() {
    let record = measure(r#"["hashdyno"]"#, "threads = [1, 4096]");
    let reason = line(&record, "hashdyno*4096").missing.as_ref().expect("there are fewer cores");
    assert!(reason.starts_with("4096 threads need as many cores"), "{reason}");
    let gaps = Report::new(&record).gaps;
    assert!(gaps.iter().any(|gap| gap.starts_with("hashdyno*4096: 4096 threads")), "{gaps:?}");
    assert!(!Report::new(&record).render(Format::named("csv")).contains("all,4096,"));
}

fn masked_ours() {
    let record =
        measure(r#"["hashdyno", "hashdyno*2"]"#, r#"masks = ["all", "-pclmulqdq", "scalar"]"#);
    let cpu = |source: &str| line(&record, source).facts["cpu"].clone();
    assert!(!cpu("hashdyno@-pclmulqdq").contains("pclmulqdq") && cpu("hashdyno@scalar") == "sse2");
    let masked = &line(&record, "hashdyno@scalar").facts["masked"];
    assert!(["patching", "faulting", "own"].contains(&masked.as_str()), "{masked}");
    assert!(!line(&record, "hashdyno").facts.contains_key("masked"));
    let kernel = |source: &str| {
        record
            .entries
            .iter()
            .find(|entry| entry.source.to_string() == source)
            .map(|entry| &entry.implementation)
    };
    assert!(kernel("hashdyno@scalar").is_some_and(|name| name != "pclmulqdq"));
    let report = Report::new(&record);
    let grid = report
        .grids
        .iter()
        .find(|grid| grid.title.ends_with("by CPU mask"))
        .expect("there are masks");
    assert_eq!(grid.header, ["algorithm", "source", "all", "-pclmulqdq", "x", "scalar", "x"]);
    assert_eq!(grid.rows.len(), 1, "{:?}", grid.rows);
    let csv = report.render(Format::named("csv"));
    assert!(
        csv.lines()
            .next()
            .is_some_and(|header| header.starts_with("provider,implementation,mask,threads,")),
        "{csv}"
    );
    assert!(
        csv.lines().any(|line| line.starts_with("hashdyno,") && line.contains(",scalar,1,crc32b,")),
        "{csv}"
    );
}

fn masked_php() {
    let record = measure(r#"["hashdyno", "php", "php@-pclmulqdq,-sha"]"#, "");
    if line(&record, "php").missing.is_some() {
        return println!("skipped: PHP is not here");
    }
    let line = line(&record, "php@-pclmulqdq,-sha");
    match mechanism() {
        Ok(mechanism) => {
            assert_eq!(line.missing, None);
            assert_eq!(line.facts["masked"], mechanism.to_string());
            assert!(record.entries.iter().any(|entry| entry.source == line.source()));
        }
        Err(reason) => assert_eq!(line.missing, Some(reason.to_string())),
    }
}

fn masked_openssl() {
    let record = measure_of("sha256", r#"["hashdyno", "openssl", "openssl@-aes"]"#, "");
    if line(&record, "openssl").missing.is_some() {
        return println!("skipped: libcrypto, or its runner, is not here");
    }
    let masked = line(&record, "openssl@-aes");
    assert_eq!(masked.missing, None);
    let by = mechanism().map_or("ia32cap".to_owned(), |mechanism| mechanism.to_string());
    assert_eq!(masked.facts["masked"], by);
    let word = |source: &str| {
        let words = &line(&record, source).facts["ia32cap"];
        let first = words
            .split(':')
            .next()
            .and_then(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok());
        first.unwrap_or_else(|| panic!("{words}"))
    };
    assert_eq!(word("openssl@-aes"), word("openssl") & !AES_NI);
}

/// Its bit in OpenSSL's first capability word.
const AES_NI: u64 = 1 << 57;

fn masked_run() {
    let options = Options { cpu: Some("-sse4.2".to_owned()), ..options() };
    let record = run(&study("crc32b", r#"["hashdyno"]"#, ""), options);
    assert_eq!(record.head.cpu, "-sse4.2");
    assert!(!line(&record, "hashdyno").facts["cpu"].contains("sse4.2"));
    let report = Report::new(&record);
    assert!(report.render(Format::named("markdown")).contains("under the CPU mask '-sse4.2'"));
    assert!(report.render(Format::named("csv")).contains(",-sse4.2,1,crc32b,"));
}

fn missing_under_a_mask() {
    let php = Provider::find("php").expect("PHP is in the table");
    let provider = Provider { command: vec!["no-such-program".into()], ..php.clone() };
    let error = provider
        .start(&Options { cpu: Some("-sha".to_owned()), ..options() })
        .err()
        .expect("there is no such program");
    match mechanism() {
        Ok(_) => assert!(
            matches!(&error, RunnerError::Missing { program, .. } if program == "no-such-program"),
            "{error}"
        ),
        Err(_) => assert!(matches!(&error, RunnerError::Unmeasurable { .. }), "{error}"),
    }
}

fn plain_record() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("record.jsonl");
    measure(r#"["hashdyno"]"#, "").write(&path).unwrap_or_else(|error| panic!("{error}"));
    let text = std::fs::read_to_string(&path).expect("it was just written");
    assert!(["\"mask\"", "\"masks\"", "\"threads\""].iter().all(|key| !text.contains(key)));
}

fn measure(providers: &str, axes: &str) -> Record {
    measure_of("crc32b", providers, axes)
}

/// A small study of these providers, measured as shortly as can be, written and read again.
fn measure_of(algorithm: &str, providers: &str, axes: &str) -> Record {
    run(&study(algorithm, providers, axes), options())
}

fn study(algorithm: &str, providers: &str, axes: &str) -> Study {
    let text = format!(
        r#"
        title = "Axes"
        source = "this test"
        question = "What do masks cost and threads gain?"
        [[table]]
        id = "t"
        title = "T"
        algorithms = ["{algorithm}"]
        sizes = [4096]
        providers = {providers}
        {axes}
        unit = "gigabytes-per-second"
    "#
    );
    Study::parse("axes", &text).unwrap_or_else(|error| panic!("{error}"))
}

/// With time enough for a tracer on a busy machine.
fn options() -> Options {
    Options { limit: Duration::from_secs(60), ..Options::default() }
}

fn run(study: &Study, options: Options) -> Record {
    let plan = Plan { budget: Duration::from_millis(20), ..Plan::quick() };
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

fn line<'a>(record: &'a Record, source: &str) -> &'a ProviderLine {
    let found = record.providers.iter().find(|line| line.source().to_string() == source);
    found.unwrap_or_else(|| panic!("no line of {source}: {:?}", record.providers))
}
