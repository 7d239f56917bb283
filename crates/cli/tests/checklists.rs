//! Checklists as GNU coreutils 9.1, shasum, b3sum and rhash judged them
//! (crates/files/tests/checklists.jsonl, recorded from the programs themselves), judged by hashdyno
//! under the name of each: the same verdicts, messages and exit codes, or what that file and
//! crates/files/README.md say is safer.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const FACTS: &str = include_str!("../../files/tests/checklists.jsonl");
const README: &str = include_str!("../../files/README.md");
const NOBODY: u32 = 65534;

/// The files that the lists speak of, in a folder with a file beside it.
struct Fixture {
    outer: tempfile::TempDir,
    program: PathBuf,
}

impl Fixture {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("folder");
        fs::create_dir(&folder).unwrap();
        fs::write(outer.path().join("outside.txt"), "hello\n").unwrap();
        // A copy, for the user that may read nothing but what everybody may.
        let program = outer.path().join("hashdyno");
        fs::copy(env!("CARGO_BIN_EXE_hashdyno"), &program).unwrap();
        let facts = lines().filter_map(|line| line.get("fixture").cloned());
        facts.for_each(|fact| create(&folder, &fact));
        fs::set_permissions(outer.path(), PermissionsExt::from_mode(0o755)).unwrap();
        Self { outer, program }
    }

    fn folder(&self) -> PathBuf {
        self.outer.path().join("folder")
    }

    /// Runs a command line under the name of its first word: exit code, stdout and stderr.
    fn run(&self, words: &[&str], stdin: &[u8], nobody: bool) -> (i64, Vec<u8>, Vec<u8>) {
        let mut command = Command::new(&self.program);
        command.arg0(words[0]).args(&words[1..]).current_dir(self.folder()).env("LC_ALL", "C");
        if nobody {
            command.uid(NOBODY);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code().unwrap().into(), output.stdout, output.stderr)
    }

    fn write_list(&self, list: &[u8], mode: u32) {
        let path = self.folder().join("L");
        let _ = fs::remove_file(&path);
        fs::write(&path, list).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    }
}

fn lines() -> impl Iterator<Item = Value> {
    FACTS.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// The file has bytes as characters U+0000 to U+00FF.
fn bytes(text: &Value) -> Vec<u8> {
    text.as_str().unwrap().chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

fn create(folder: &Path, fact: &Value) {
    let name = bytes(&fact["file"]);
    let path = folder.join(files::names::path(&name));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match fact["type"].as_str().unwrap() {
        "file" => fs::write(&path, bytes(&fact["content"])).unwrap(),
        "dir" => fs::create_dir_all(&path).unwrap(),
        "symlink" => symlink(fact["target"].as_str().unwrap(), &path).unwrap(),
        "fifo" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
        "socket" => drop(UnixListener::bind(&path).unwrap()),
        other => panic!("{other}"),
    }
    if let Some(mode) = fact.get("mode") {
        fs::set_permissions(
            &path,
            PermissionsExt::from_mode(u32::try_from(mode.as_u64().unwrap()).unwrap()),
        )
        .unwrap();
    }
}

/// The case's list; for a program of another digest, with that digest's values in place of MD5's.
fn list(case: &Value, run: &Value, outer: &Path) -> Vec<u8> {
    let pieces = case["list"].as_array().unwrap().iter();
    let list: Vec<u8> = pieces
        .flat_map(|piece| {
            bytes(&piece[0]).repeat(usize::try_from(piece[1].as_u64().unwrap()).unwrap())
        })
        .collect();
    let mut text: String = list.iter().map(|&byte| char::from(byte)).collect();
    text = text.replace("@FIXTURE@", outer.to_str().unwrap());
    if let Some(name) = run.get("digests").and_then(Value::as_str) {
        let (md5, other) = (hashdyno::find("md5").unwrap(), hashdyno::find(name).unwrap());
        for content in [&b""[..], b"hello\n", b"second file\n", b"9t"] {
            let [old, new] = [md5, other].map(|digest| hashdyno::hex(&digest.digest(content)));
            text = text.replace(&old, &new).replace(&old.to_uppercase(), &new.to_uppercase());
        }
        text = text
            .replace(&format!("{}1", "0".repeat(31)), &format!("{}1", "0".repeat(63)))
            .replace("MD5", &name.to_uppercase());
    }
    text.chars().map(|c| u32::from(c) as u8).collect()
}

/// hashdyno does not answer as rhash. Of lists of shasum the verdicts of `check` are compared.
fn words(command: &str) -> Vec<&str> {
    match command.split_once(' ').unwrap().0 {
        "rhash" => vec!["hashdyno", "check", "-a", "md5", "L"],
        "shasum" => vec!["hashdyno", "check", "-a", "sha256", "L"],
        _ => command.split(' ').collect(),
    }
}

#[test]
fn every_recorded_case_has_its_verdict_or_a_documented_one() {
    let fixture = Fixture::new();
    let root =
        fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let (mut cases, mut wrong) = (0, Vec::new());
    for case in lines().filter(|line| line.get("id").is_some()) {
        for run in case["runs"].as_array().unwrap() {
            let mode = if case.get("list_mode").is_some() { 0 } else { 0o644 };
            fixture.write_list(&list(&case, run, fixture.outer.path()), mode);
            let stdin = case.get("stdin").map(bytes).unwrap_or_default();
            let command = run["cmd"].as_str().unwrap();
            let (exit, stdout, stderr) =
                fixture.run(&words(command), &stdin, root && case.get("user").is_some());
            let expected = |what: &str| {
                run.get("ours").and_then(|ours| ours.get(what)).or_else(|| run.get(what)).cloned()
            };
            let same = |what: &str, seen: &[u8]| {
                let there = fixture.outer.path().to_str().unwrap();
                expected(what).is_none_or(|text| {
                    let text = String::from_utf8_lossy(&bytes(&text)).replace("@FIXTURE@", there);
                    text == String::from_utf8_lossy(seen)
                })
            };
            cases += 1;
            if Some(exit) != expected("exit").unwrap().as_i64()
                || !same("stdout", &stdout)
                || !same("stderr", &stderr)
            {
                let [stdout, stderr] =
                    [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
                wrong.push(format!(
                    "{} {} `{command}`: {exit} {stdout:?} {stderr:?}",
                    case["id"], case["name"]
                ));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(cases >= 220, "{cases}");
}

#[test]
fn the_readme_lists_every_difference() {
    for case in lines().filter(|line| line.get("id").is_some()) {
        for run in case["runs"].as_array().unwrap().iter().filter(|run| run.get("ours").is_some()) {
            let program = run["cmd"].as_str().unwrap().split(' ').next().unwrap();
            let row = format!(
                "| {} | {} | {program} | {} |",
                case["id"],
                case["name"].as_str().unwrap(),
                run["ours"]["why"].as_str().unwrap()
            );
            assert!(README.contains(&row), "missing: {row}");
        }
    }
}

#[test]
fn a_write_error_is_never_success() {
    let fixture = Fixture::new();
    fixture.write_list(&b"b1946ac92492d2347c6235b4d2611184  a.txt\n".repeat(10_000), 0o644);
    for words in [
        &["md5sum", "-c", "L"][..],
        &["md5sum", "a.txt"],
        &["hashdyno", "sum", "a.txt"],
        &["hashdyno", "check", "L"],
    ] {
        let mut command = Command::new(&fixture.program);
        command.arg0(words[0]).args(&words[1..]).current_dir(fixture.folder());
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(": write error"), "{words:?}");
    }
    let mut child = Command::new(&fixture.program);
    let child = child
        .arg0("md5sum")
        .args(["-c", "L"])
        .current_dir(fixture.folder())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(141));
}
