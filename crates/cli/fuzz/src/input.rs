//! What strangers hand us, as bytes: the first byte says which parser gets the rest. A parser may
//! refuse its input, but not panic, and what it accepts must hold.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bench::report::{FORMATS, Report};
use bench::{Job, Names, Options, Provider, Record, RunnerError};
use files::copy::{
    CopyJob, Failure, Include, Layout, OnConflict, Settled, Taken, Undated, Verify, Watch, copy,
};
use files::list::{Algorithm, Entry, Format, Grammar, Reader, Writer};
use files::meter::Meter;
use files::names;
use hashdyno::find;

/// Gives the rest of the bytes to the parser that the first one names.
pub fn check(bytes: &[u8]) {
    match bytes {
        [b'l', name, grammar, rest @ ..] => list(*name, *grammar, rest),
        [b'p', rest @ ..] => photo(rest),
        [b'j', rest @ ..] => journal(rest),
        [b's', rest @ ..] => study(&String::from_utf8_lossy(rest)),
        [b'r', rest @ ..] => record(rest),
        [b'h', rest @ ..] => host(rest),
        _ => {}
    }
}

/// Names that tell a list's dialect or digest, and one that tells nothing.
const NAMES: [&str; 6] = ["list", "SHA256SUMS", "x.sfv", "manifest-md5.txt", "x.mhl", "x.b3"];

/// A list in any dialect.
fn list(name: u8, grammar: u8, bytes: &[u8]) {
    let only = |name| Algorithm::One(find(name).expect("it is in the table").into());
    let algorithm = match grammar % 5 {
        0 => Algorithm::Any,
        1 => Algorithm::Tagged,
        2 => Algorithm::Blake2b,
        3 => only("sha256"),
        _ => only("md5"),
    };
    let grammar = Grammar {
        algorithm: algorithm.clone(),
        exact: grammar & 64 != 0,
        base64: grammar & 128 != 0,
        least: 0,
    };
    let mut reader = Reader::named(bytes, grammar, NAMES[usize::from(name) % NAMES.len()]);
    while let Ok(Some(line)) = reader.next_line() {
        line.entry.iter().for_each(|entry| holds(entry, &algorithm));
    }
}

/// What every entry of every list promises.
fn holds(entry: &Entry, algorithm: &Algorithm) {
    assert!(!entry.claims.is_empty() && !entry.name.is_empty() && !entry.name.contains(&0));
    for (at, claim) in entry.claims.iter().enumerate() {
        assert!(claim.digests.iter().all(|digest| digest.output_len == claim.value.len()));
        assert!(
            entry.claims[..at].iter().all(|other| other.digests != claim.digests),
            "each digest once"
        );
    }
    if let Algorithm::One(only) = algorithm {
        assert!(
            entry.claims.iter().any(|claim| claim.digests.contains(only)),
            "no other digest than the one asked for"
        );
    }
    let mut writer = Writer::new(Vec::new(), Format::Json, &[]);
    writer.entry(entry).expect("JSON lines carry every name");
    let written = writer.into_inner();
    let read = Reader::new(&written[..], Grammar::ANY)
        .next_line()
        .expect("it is in memory")
        .expect("it has a line")
        .entry;
    let (read, mut expected) = (read.expect("our own line is one"), entry.clone());
    // The line names one digest where an untagged value could be of two, and JSON has its own
    // order.
    let sorted = |entry: &Entry| {
        let mut claims: Vec<_> =
            entry.claims.iter().map(|claim| (claim.digests[0].name, claim.value.clone())).collect();
        claims.sort();
        claims
    };
    assert_eq!(sorted(&read), sorted(&expected));
    expected.claims.clone_from(&read.claims);
    assert_eq!(read, expected);
}

/// A photograph or a film.
fn photo(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("photo");
    fs::write(&path, bytes).expect("there is room");
    Taken::read(&fs::File::open(&path).expect("it was written"));
}

/// A journal from somebody else: nothing outside of the destination changes, whatever it says.
fn journal(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let (victim, to) = (folder.path().join("victim"), folder.path().join("to"));
    fs::create_dir_all(to.join(".hashdyno-copy")).expect("there is room");
    fs::write(to.join(".hashdyno-copy/journal"), bytes).expect("there is room");
    fs::write(&victim, "victim").expect("there is room");
    let source = folder.path().join("s");
    fs::write(&source, "source").expect("there is room");
    let job = CopyJob {
        include: Include::default(),
        sources: vec![names::name(&source).to_vec()],
        destinations: vec![to],
        digests: vec![find("sha256").expect("it is in the table")],
        layout: Layout::default(),
        undated: Undated::Folder,
        on_conflict: OnConflict::Suffix,
        verify: Verify::Cache,
        reread_source: false,
        resume: true,
        list: None,
        threads: 1,
    };
    let _ = copy(&job, Meter::default(), &mut Quiet);
    assert_eq!(fs::read(&victim).expect("it is still there"), b"victim");
    assert_eq!(
        fs::read_dir(folder.path()).expect("it is a folder").count(),
        3,
        "nothing was renamed beside the destination"
    );
}

/// Hears nothing.
struct Quiet;

impl Watch for Quiet {
    fn failed(&mut self, _: &Failure<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn settled(&mut self, _: &Settled<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn listed(&mut self, _: &Entry) -> std::io::Result<()> {
        Ok(())
    }
}

/// A study.
fn study(text: &str) {
    let _ = bench::Study::parse("study", text);
}

/// A record, and every way to show it.
fn record(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("record.jsonl");
    fs::write(&path, bytes).expect("there is room");
    let Ok(record) = Record::read(&path) else { return };
    let report = Report::new(&record);
    FORMATS.iter().for_each(|format| drop(report.render(format)));
    fs::write(&path, record.to_bytes()).expect("there is room");
    assert_eq!(
        Record::read(&path).expect("what was written is read").to_bytes(),
        record.to_bytes()
    );
}

/// What a runner says, whatever the host asks: a program that prints it, says no more, and soon
/// ends.
fn host(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("says");
    fs::write(&path, bytes).expect("there is room");
    // The host's errors are of this type alone; none may be a panic.
    let _: Result<(), RunnerError> = converse(&path);
}

fn converse(says: &Path) -> Result<(), RunnerError> {
    let options = Options { limit: Duration::from_secs(5), ..Options::default() };
    let provider = Provider {
        name: "says".to_owned(),
        title: "Says".to_owned(),
        mark: Default::default(),
        names: Names::Hashdyno,
        command: [
            "sh",
            "-c",
            "cat \"$0\"; exec 1>&-; exec timeout 0.01 cat",
            &says.to_string_lossy(),
        ]
        .map(str::to_owned)
        .into(),
        accepts: Vec::new(),
        compiles_for: 0,
        ia32cap: false,
        variant_of: None,
        columns: false,
        make: None,
        hint: String::new(),
    };
    let mut runner = provider.start(&options)?;
    let md5 = find("md5").expect("it is in the table");
    let Some(offer) = runner.offers(md5).cloned() else { return Ok(()) };
    let answer = runner.job(&Job::digest(md5, &offer, b"abc"[..].into()))?;
    assert_eq!(answer[..], md5.digest(b"abc")[..], "a wrong answer is an error");
    runner.run(3)?;
    let again = runner.again()?;
    assert_eq!(again, answer, "a wrong answer is an error");
    runner.finish()
}
