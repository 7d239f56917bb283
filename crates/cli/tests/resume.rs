//! Runs that are stopped at any moment: what they leave can be read, and they go on.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use bench::{Record, Size, Study};
use tempfile::TempDir;

/// Four groups of two cheap digests by one fast runner.
const STUDY: &str = r#"
    title = "Short"
    source = "this test"
    question = "Is it there when it is stopped?"
    [[table]]
    id = "short"
    title = "Short"
    algorithms = ["crc32b", "adler32"]
    providers = ["hashdyno"]
    sizes = [64, 1024]
    unit = "gigabytes-per-second"
    [[claim]]
    says = "CRC-32 is a checksum."
    place = "here"
    left = { provider = "hashdyno", algorithm = "crc32b", size = 64 }
    relation = "faster"
    right = { provider = "hashdyno", algorithm = "adler32", size = 64 }
"#;

/// Moments of each signal.
const MOMENTS: u32 = 7;

/// A folder with the study, in which a run has all that it leaves.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::write(folder.path().join("short.toml"), STUDY).expect("the folder is ours");
        std::fs::create_dir(folder.path().join("tmp")).expect("the folder is ours");
        Self { folder }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("hashdyno"));
        command.current_dir(self.folder.path()).args(words);
        command.env("TMPDIR", self.folder.path().join("tmp")).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program starts")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn begin(&self) -> Child {
        let mut command = self.command(RUN);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }
}

const RUN: &[&str] = &["study", "short.toml", "--quick", "--record", "r.jsonl"];

fn kill(child: &Child, signal: &str) {
    let words = format!("kill -{signal} {}", child.id());
    let killed = Command::new("sh").arg("-c").arg(words).output().expect("there is a shell");
    drop(killed); // it may have ended before
}

/// What is in a record, without its figures.
fn form(path: &Path) -> Vec<String> {
    let record = Record::read(path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(record.unfinished, None);
    let cells = record.entries.iter().map(|entry| {
        format!("{} {} {} {}", entry.source, entry.algorithm, entry.size, entry.implementation)
    });
    let providers = record.providers.iter().map(|line| line.source().to_string());
    let loops = record.loops.iter().map(|bare| format!("loop of {}", bare.source));
    providers.chain(loops).chain(cells).collect()
}

/// A busy machine may leave a cell without a figure.
fn is_measured(output: &Output) -> bool {
    matches!(output.status.code(), Some(0 | 1))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The form of a whole run's record, and how long it took.
fn whole() -> (Vec<String>, Duration) {
    let place = Place::new();
    let begin = Instant::now();
    let run = place.run(RUN);
    let took = begin.elapsed();
    let form = form(&place.file("r.jsonl"));
    assert_eq!(form.len(), 1 + 1 + 4, "{form:?}: {}", text(&run.stderr));
    assert!(!place.file("r.jsonl.part").exists());
    (form, took)
}

/// Stops a run after that time, reads what it left, and has it go on. How many groups were there.
fn stopped(signal: &str, number: i32, after: Duration, form_of_whole: &[String]) -> Option<usize> {
    let place = Place::new();
    let child = place.begin();
    thread::sleep(after);
    kill(&child, signal);
    let output = child.wait_with_output().expect("it is our child");
    let (part, record) = (place.file("r.jsonl.part"), place.file("r.jsonl"));
    assert!(ends_as_it_should(output.status, number), "{signal}: {}", output.status);
    let said = text(&output.stderr);
    for word in ["SIGKILL", "died", "Traceback", "Broken pipe"] {
        assert!(!said.contains(word), "{signal}: {said}");
    }
    let there = match (part.exists(), record.exists()) {
        (false, false) => return None,
        (false, true) => 4,
        // It may have been killed after its last group.
        _ => {
            let read = Record::read_as_far_as_it_goes(&part).unwrap_or_else(|e| panic!("{e}"));
            let unfinished = read.unfinished.expect("it is a part");
            assert_eq!(unfinished.of, Some(4));
            assert_eq!(read.entries.len(), unfinished.groups, "only whole groups are there");
            let there = format!("unfinished: {} of 4 groups are there", unfinished.groups);
            let shown = place.run(&["report", "r.jsonl.part", "--format", "csv"]);
            assert!(text(&shown.stderr).contains(&there), "{}", text(&shown.stderr));
            assert_eq!(shown.status.code(), Some(1), "{}", text(&shown.stderr));
            if number != KILLED {
                let groups = format!("stopped by SIG{signal}: {} of 4 groups", unfinished.groups);
                assert!(said.contains(&groups), "{said}");
                assert!(said.contains("hint: hashdyno study --resume r.jsonl.part"), "{said}");
                assert!(text(&output.stdout).contains("Is it there when it is stopped?"));
            }
            let resumed = place.run(&["study", "--resume", "r.jsonl"]);
            assert!(is_measured(&resumed), "{}", text(&resumed.stderr));
            assert!(!part.exists(), "{}", text(&resumed.stderr));
            unfinished.groups
        }
    };
    assert_eq!(form(&record), form_of_whole);
    Some(there)
}

/// By the signal: as itself before the program listens, and by code after that; or the run had
/// ended.
fn ends_as_it_should(status: ExitStatus, number: i32) -> bool {
    status.signal() == Some(number)
        || (number != KILLED && status.code() == Some(128 + number))
        || matches!(status.code(), Some(0 | 1))
}

const KILLED: i32 = 9;

#[test]
fn a_run_that_is_stopped_at_any_moment_is_read_and_goes_on() {
    let (form, took) = whole();
    let signals = [("KILL", KILLED), ("TERM", 15), ("INT", 2)];
    let found: Vec<_> = thread::scope(|scope| {
        let form = &form;
        let moments = signals.map(|(signal, number)| {
            scope.spawn(move || {
                let moment = |moment| took * (moment + 1) / MOMENTS;
                (0..MOMENTS)
                    .filter_map(|at| stopped(signal, number, moment(at), form))
                    .collect::<Vec<_>>()
            })
        });
        moments.into_iter().flat_map(|thread| thread.join().expect("no moment fails")).collect()
    });
    println!("groups that were there: {found:?}");
}

#[test]
fn a_run_of_speed_goes_on_too_and_only_as_it_began() {
    let place = Place::new();
    let words = ["speed", "crc32b", "adler32", "--provider", "hashdyno", "--seconds", "0.3"];
    let more = ["--bytes", "5,64,1k", "--record", "s.jsonl"];
    let mut child = place.command(&[&words[..], &more].concat());
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let part = place.file("s.jsonl.part");
    let groups = || {
        let read = Record::read_as_far_as_it_goes(&part).ok()?;
        read.unfinished.map(|unfinished| unfinished.groups)
    };
    let begin = Instant::now();
    while groups().unwrap_or(0) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(300), "no group is measured");
        thread::sleep(Duration::from_millis(10));
    }
    // On a busy machine it would end while the other one starts.
    kill(&child, "STOP");
    let again = place.run(&[&words[..], &more].concat());
    assert!(text(&again.stderr).contains("s.jsonl.part is there"), "{}", text(&again.stderr));
    assert_eq!(again.status.code(), Some(2));
    // Not SIGINT: a shell that runs the tests in the background has them ignore it.
    kill(&child, "TERM");
    kill(&child, "CONT");
    let output = child.wait_with_output().expect("it is our child");
    assert_eq!(output.status.code(), Some(143), "{}", text(&output.stderr));
    let refused = |words: &[&str], expected: &str| {
        let refused = place.run(&[&["speed", "--resume", "s.jsonl.part"], words].concat());
        let said = text(&refused.stderr);
        assert!(said.contains(expected) && said.contains("hint:"), "{said}");
        assert_eq!(refused.status.code(), Some(2), "{said}");
    };
    refused(&["md5"], "its preset differs");
    refused(&["md5", "--seconds", "0.3"], "its study differs");
    refused(&["--cpu", "none"], "its CPU mask differs, all before and none now");
    let written = std::fs::read_to_string(&part).expect("it is there");
    for (from, to, expected) in [
        ("\"hashdyno\":\"", "\"hashdyno\":\"9", "its version of hashdyno differs"),
        ("\"program_sha256\":\"", "\"program_sha256\":\"9", "its program's SHA-256 differs, 9"),
        ("\"stepping\":", "\"stepping\":9", "its machine differs"),
    ] {
        std::fs::write(&part, written.replacen(from, to, 1)).expect("it can be written");
        refused(&[], expected);
    }
    // A run that was killed while it wrote has torn its last line.
    std::fs::write(&part, format!("{written}{{\"line\":\"series\",\"sou")).expect("as before");
    let go_on = place.run(&["speed", "--resume", "s.jsonl", "--format", "csv"]);
    assert!(is_measured(&go_on), "{}", text(&go_on.stderr));
    let record = Record::read(&place.file("s.jsonl")).unwrap_or_else(|error| panic!("{error}"));
    let sizes = record.entries.iter().map(|entry| (entry.algorithm.as_str(), entry.size));
    let all = ["crc32b", "adler32"].map(|name| [5, 64, 1024].map(|len| (name, Size::One(len))));
    assert_eq!(sizes.collect::<Vec<_>>(), all.concat());
    assert_eq!(record.head.resumed.len(), 1);
    let nothing = place.run(&["speed", "--resume", "s.jsonl", "--format", "csv"]);
    assert!(text(&nothing.stderr).contains("nothing is missing"), "{}", text(&nothing.stderr));
    assert_eq!(text(&nothing.stdout), text(&go_on.stdout));
}

/// A tool on two files.
const TOOL: &str = r#"
    title = "Tool"
    source = "this test"
    question = "Is it one tool?"
    [[files]]
    id = "tools"
    title = "Tools"
    measures = "tools"
    algorithms = ["md5"]
    providers = ["coreutils"]
    sizes = [0, 1]
    rounds = 1
"#;

#[test]
fn a_run_does_not_go_on_with_another_version_of_a_tool() {
    let place = Place::new();
    std::fs::write(place.file("tool.toml"), TOOL).expect("the folder is ours");
    // Whenever it is asked, it has another version.
    let tool = place.file("md5sum");
    std::fs::write(&tool, "#!/bin/sh\necho of process $$\n").expect("the folder is ours");
    std::fs::set_permissions(&tool, Permissions::from_mode(0o755)).expect("the file is ours");
    let path = std::env::var("PATH").expect("there are programs");
    let path = format!("{}:{path}", place.folder.path().display());
    let begin = ["study", "tool.toml", "--quick", "--record", "t.jsonl"];
    for words in [&begin[..], &["study", "--resume", "t.jsonl"]] {
        let refused = place.command(words).env("PATH", &path).output().expect("it starts");
        let said = text(&refused.stderr);
        assert!(said.contains("its provider coreutils differs, version of process "), "{said}");
        assert!(refused.status.code() == Some(2) && said.contains("hint:"), "{said}");
        let left = Record::read_as_far_as_it_goes(&place.file("t.jsonl.part"));
        let left = left.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(left.unfinished.map(|it| (it.groups, it.of)), Some((1, Some(2))));
    }
}

#[test]
fn a_record_that_is_torn_in_its_middle_is_refused() {
    let place = Place::new();
    assert!(is_measured(&place.run(RUN)));
    let whole = std::fs::read_to_string(place.file("r.jsonl")).expect("it is there");
    let lines: Vec<_> = whole.lines().collect();
    let show = |name: &str, text: &str| {
        std::fs::write(place.file(name), text).expect("the folder is ours");
        place.run(&["report", name])
    };
    let torn = lines.iter().enumerate().map(|(place, line)| match place {
        2 => format!("{}\n", &line[..line.len() / 2]),
        _ => format!("{line}\n"),
    });
    let refused = show("torn.jsonl", &torn.collect::<String>());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("malformed at line 3"), "{}", text(&refused.stderr));
    // The last series is torn, and the group before it may not be whole either.
    let cut = show("cut.jsonl", &whole[..whole.len() - lines[lines.len() - 1].len() - 9]);
    assert_eq!(cut.status.code(), Some(1), "{}", text(&cut.stderr));
    assert!(text(&cut.stderr).contains("2 groups are there, the end is missing"));
    let refused = place.run(&["study", "--resume", "cut.jsonl"]);
    assert!(text(&refused.stderr).contains("is not the part of a record"));
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_record_does_not_lie_where_its_page_goes() {
    let place = Place::new();
    let study = Study::parse("short", STUDY).unwrap_or_else(|error| panic!("{error}"));
    let empty = text(&Record::empty(study).to_bytes());
    let head = empty.lines().next().expect("a record has a head");
    let part = format!("{head}\n{{\"line\":\"begun\",\"groups\":4}}\n");
    std::fs::write(place.file("out.html.part"), &part).expect("the folder is ours");
    for words in [
        ["short.toml", "--record", "page.html"],
        ["short.toml", "--record", "page.HTM"],
        ["--quick", "--record", "page.html"],
        ["--format=csv", "--resume", "out.html.part"],
    ] {
        let refused = place.run(&[&["study"], &words[..]].concat());
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("is the name of a page, not of a record"), "{words:?}: {said}");
        assert!(said.contains("hint:") && said.contains(".jsonl.zst"), "{words:?}: {said}");
        assert_eq!(text(&refused.stdout), "", "{words:?}");
    }
    for name in ["page.html", "page.HTM", "page.html.part", "page.HTM.part", "out.html"] {
        assert!(!place.file(name).exists(), "{name}");
    }
    let left = std::fs::read_to_string(place.file("out.html.part")).expect("it is there");
    assert_eq!(left, part);
}
