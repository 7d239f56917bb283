//! `hashdyno mask`: exit codes, signals, and what it says where it cannot.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

fn mask(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("hashdyno"));
    command.arg("mask").args(arguments);
    command
}

fn ended(arguments: &[&str]) -> (i32, String, String) {
    let output = mask(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Whether a mechanism works on this machine. Where none does, the refusal is checked.
fn works() -> bool {
    let (code, _, stderr) = ended(&["all", "--", "true"]);
    if code != 0 {
        assert_eq!(code, 3, "{stderr}");
        assert!(stderr.contains("hint:") && stderr.contains("--cpu"), "{stderr}");
        assert!(stderr.contains("OPENSSL_ia32cap=~0x200000200000000:~0x60000000000"), "{stderr}");
        eprintln!("not tested: {stderr}");
    }
    code == 0
}

#[test]
fn the_list_names_features_presets_and_mechanisms() {
    let (code, json, _) = ended(&["--list", "--json"]);
    let list: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(code, 0);
    let names = |key: &str| {
        list[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(names("features").iter().any(|name| name == "avx512vl"));
    assert_eq!(names("presets"), ["all", "no-avx512", "avx2", "sse42", "as-2008", "scalar"]);
    assert_eq!(names("mechanisms"), ["faulting", "patching"]);
    let (_, table, _) = ended(&["--list"]);
    assert!(
        ["vpclmulqdq", "as-2008", "patching"].iter().all(|word| table.contains(word)),
        "{table}"
    );
}

#[test]
fn a_wrong_mask_is_named() {
    for wrong in ["-aess", "aes", "-avx,scala"] {
        let (code, stdout, stderr) = ended(&[wrong, "--", "true"]);
        assert_eq!((code, &*stdout), (2, ""));
        assert!(
            stderr.contains("is not a CPU mask: expected") && stderr.contains("as-2008"),
            "{stderr}"
        );
        assert!(stderr.contains("hint: `hashdyno mask --list`"), "{stderr}");
    }
}

#[test]
fn the_programs_exit_code_is_passed_through() {
    if !works() {
        return;
    }
    let code = |arguments: &[&str]| ended(&[&["-aes,-vaes", "--"], arguments].concat()).0;
    assert_eq!(code(&["sh", "-c", "exit 42"]), 42);
    assert_eq!(code(&["sh", "-c", "kill -TERM $$"]), 143);
    assert_eq!(code(&["/nonexistent/program"]), 127);
    assert_eq!(code(&["/etc"]), 126);
    let (code, stdout, stderr) =
        ended(&["scalar", "--strict", "--verbose", "--", "echo", "-n", "--list"]);
    assert_eq!((code, &*stdout), (0, "--list"));
    assert!(stderr.contains("CPUIDs answered"), "{stderr}");
}

#[test]
fn doubtful_bytes_are_told_and_strict_ends_the_program() {
    if !works() {
        return;
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../cpumask/tests/asks.c");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("doubtful");
    let compiled = Command::new("cc")
        .args(["-DDATA", "-O1", "-pthread", source, "-ldl", "-o"])
        .arg(&program)
        .status();
    assert!(compiled.expect("cc runs: ./install-tools").success());
    let run = |options: &[&str]| {
        let line = ["--mechanism", "patching", "scalar", "--", program.to_str().unwrap(), "data"];
        ended(&[options, &line].concat())
    };
    let told = "doubtful has bytes that may be a CPUID or data";
    let (code, stdout, stderr) = run(&[]);
    assert_eq!((code, &*stdout), (0, "0fa2 a20f00\n"));
    assert!(stderr.contains(&format!("note: {told}")), "{stderr}");
    let (code, stdout, stderr) = run(&["--strict"]);
    assert_eq!((code, &*stdout), (3, ""));
    assert!(stderr.contains(&format!("error: {told}")), "{stderr}");
}

/// Starts a shell that says its process id once it is ready.
fn started(script: &str) -> (Child, i32) {
    let script = format!("{script}; echo $$; while :; do sleep 0.05; done");
    let mut child =
        mask(&["scalar", "--", "sh", "-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().parse().unwrap())
}

fn send(signal: &str, pid: i32) {
    assert!(
        Command::new("sh")
            .arg("-c")
            .arg(format!("kill -{signal} {pid}"))
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn signals_are_passed_on() {
    if !works() {
        return;
    }
    // Not SIGINT: a shell that runs the tests in the background has them ignore it.
    for (signal, code) in [("TERM", 5), ("USR1", 6), ("USR2", 7)] {
        let (mut child, _) = started(&format!("trap 'exit {code}' {signal}"));
        send(signal, child.id() as i32);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
    }
    let (mut child, _) = started(":");
    send("TERM", child.id() as i32);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn the_program_dies_with_its_tracer() {
    if !works() {
        return;
    }
    let (mut child, pid) = started("trap '' TERM");
    child.kill().unwrap();
    child.wait().unwrap();
    // It is gone, or waits to be reaped by whoever does that here.
    let alive = || {
        std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z "))
    };
    while alive() {
        std::thread::sleep(Duration::from_millis(20));
    }
}
