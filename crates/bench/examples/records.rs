//! Writes the records that the report page is tested with: two machines on a virtual clock, the
//! same bytes every time. `cargo run -p hashdyno-bench --example records -- FOLDER`

use std::path::Path;

use bench::study::{Size, Source};
use bench::{Entry, Preset, Record, Study};
use gauge::{Engine, Machine, Plan, Series, Subject, fake};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("expected the folder to write to")?;
    // Messages of no bytes, too, and a table in another unit.
    let other = STUDY.replacen("sizes = [16, ", "sizes = [0, 16, ", 1).replacen(
        "kilobytes-per-second",
        "nanoseconds",
        1,
    );
    for (name, cpu, ghz, study) in [
        ("fast", "A Fast Processor </script> <!--", 4.0, STUDY),
        ("slow", "A Slow Processor", 2.0, STUDY),
        ("other", "A Slow Processor", 2.0, other.as_str()),
    ] {
        record(cpu, ghz, study)?.write(&Path::new(&folder).join(format!("{name}.jsonl")))?;
    }
    Ok(())
}

/// A run of a study on a core of that frequency, with a neighbour on it for a while.
fn record(cpu: &str, ghz: f64, study: &str) -> Result<Record, Box<dyn std::error::Error>> {
    let study = Study::parse("page", study)?;
    let plan = Plan { min_samples: 5, max_samples: 12, ..Plan::quick() };
    let world = fake::World::new()
        .ghz(move |_| ghz)
        .ipc(|now| if (4.0e7..4.4e7).contains(&now) { 2.2 } else { fake::IPC });
    let mut engine = Engine::with(plan, Box::new(world.clone()))?;
    let mut entries = Vec::new();
    for table in &study.tables {
        for algorithm in &table.algorithms {
            for size in table.columns() {
                let sources = table.sources();
                let mut subjects: Vec<_> =
                    sources.iter().map(|source| subject(&world, source, algorithm, size)).collect();
                let mut subjects: Vec<_> =
                    subjects.iter_mut().map(|subject| subject as &mut dyn Subject).collect();
                let began_ms = Some((world.time() / 1e6) as u64);
                let series = engine.measure(&mut subjects);
                entries.extend(
                    sources
                        .iter()
                        .zip(series)
                        .map(|(source, series)| entry(source, algorithm, size, series, began_ms)),
                );
            }
        }
    }
    entries[1].void("php: wrong answer: expected 00, got <b>ff</b>".to_owned());
    let machine = Machine {
        cpu: cpu.to_owned(),
        family: 6,
        model: 1,
        cpus: 2,
        memory: 1 << 33,
        ..Machine::default()
    };
    let head = bench::Head {
        schema: bench::SCHEMA,
        hashdyno: "0.0.0".to_owned(),
        program_sha256: None,
        date: "2026-01-02T03:04:05Z".to_owned(),
        command: "study page".to_owned(),
        preset: Preset::Told("virtual".to_owned()),
        cpu: "all".to_owned(),
        plan: engine.plan().clone(),
        core: 0,
        machine,
        name: study.name.clone(),
        study,
        payload_sha256: None,
        summary_of: None,
        resumed: Vec::new(),
    };
    let (providers, loops, opens, cold, files) = Default::default();
    let (told, kept, unfinished) = Default::default();
    Ok(Record { head, providers, loops, opens, cold, told, entries, kept, files, unfinished })
}

fn entry(
    source: &Source,
    algorithm: &str,
    size: Size,
    series: Series,
    began_ms: Option<u64>,
) -> Entry {
    let (source, algorithm, implementation) =
        (source.clone(), algorithm.to_owned(), "virtual".to_owned());
    Entry { source, algorithm, size, implementation, began_ms, series }
}

/// Costs by the words' lengths: any that differ will do. What is masked takes nine times as long.
fn subject(world: &fake::World, source: &Source, algorithm: &str, size: Size) -> fake::Fake {
    let slower = if source.mask.is_some() { 9.0 } else { 1.0 };
    let byte = algorithm.len() as f64 * source.provider.len() as f64 / 10.0;
    fake::Fake::new(world, slower * (400.0 + byte * size.mean())).noise(0.01, size.bytes())
}

const STUDY: &str = r#"
title = "A study for the page"
source = "nowhere: the clock is virtual"
question = "Does the page show what the record says?"
[[table]]
id = "digests"
title = "Digests"
algorithms = ["md5", "sha1", "sha256", "crc32b"]
sizes = [16, 1024, 8192]
many = ["100x16", "100x256"]
providers = ["hashdyno", "php", "openssl"]
masks = ["all", "-sha"]
unit = "kilobytes-per-second"
[[table.published]]
id = "old"
machine = "An old machine"
here = "openssl"
sizes = [16, 8192]
rows = [
  ["md5", "50390.16k", "614400.00k"],
  ["sha1", "40000.00k", "700000.50k"],
  ["sha256", "30000.00k", "300000.00k"],
]
[[table.erratum]]
says = "kB"
is = "1000 bytes"
reason = "the manual says so"
[[table]]
id = "ciphers"
title = "AES"
algorithms = [
  "aes-128-ctr encrypt", "aes-128-ctr decrypt", "aes-128-cbc encrypt", "aes-128-cbc decrypt",
]
sizes = [16, 8192]
providers = ["openssl", "openssl-software"]
unit = "gigabytes-per-second"
[[claim]]
says = "SHA-256 is slower than MD5"
place = "the table"
left = { provider = "openssl", algorithm = "sha256", size = 8192 }
relation = "slower"
right = { provider = "openssl", algorithm = "md5", size = 8192 }
published = [["old"]]
note = "It always was."
[[claim]]
says = "MD5 is ten times as fast"
place = "the table"
left = { provider = "openssl", algorithm = "sha256", size = 8192 }
relation = "times"
right = { provider = "openssl", algorithm = "md5", size = 8192 }
factor = [10.0, 11.0]
published = [["old"]]
"#;
