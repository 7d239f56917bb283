//! Runners whose host is gone, or that a signal ends: they say nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

/// The commands of the runners that are here.
fn runners() -> Vec<Vec<PathBuf>> {
    let ours = cargo_bin("hashdyno");
    let rust = ours.with_file_name("hashdyno-runners");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runners");
    let mut all = vec![vec![ours, "runner".into()], vec![rust, "rustcrypto".into()]];
    // Scripts; others are programs above, or need what a build makes.
    for provider in bench::providers() {
        let Some((script, words)) = provider.command.split_last() else { continue };
        let Some(file) = script.strip_prefix("{runners}/") else { continue };
        if Command::new(&words[0]).arg("--version").output().is_ok() {
            let words = words.iter().map(PathBuf::from);
            all.push(words.chain([folder.join(file)]).collect());
        }
    }
    assert!(all.len() > 3, "{all:?}");
    all
}

/// Starts a runner, hears its greeting, has it ended; what it said to stderr.
fn said(words: &[PathBuf], end: impl FnOnce(&mut Child)) -> String {
    // A shell in the background has what it starts ignore SIGINT, and nohup has it ignore SIGHUP.
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,HUP").args(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it was here just now");
    let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut greeting = String::new();
    output.read_line(&mut greeting).expect("it greets");
    assert!(greeting.starts_with("runner 1 "), "{words:?}: {greeting}");
    drop(output);
    end(&mut child);
    let begin = Instant::now();
    while child.try_wait().expect("it is our child").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(300), "{words:?} does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut said = String::new();
    let mut errors: ChildStderr = child.stderr.take().expect("stderr is piped");
    errors.read_to_string(&mut said).expect("it can be read");
    said
}

#[test]
fn runners_end_without_a_word() {
    let runners = runners();
    assert!(runners.len() > 1, "nobody is here: {runners:?}");
    for words in runners {
        let unheard = said(&words, |child| {
            let mut input = child.stdin.take().expect("stdin is piped");
            // It may be gone before the second.
            let _ =
                (0..2).try_for_each(|_| input.write_all(b"list\n").and_then(|()| input.flush()));
        });
        assert_eq!(unheard, "", "{words:?}, nobody reads its answers");
        for signal in ["INT", "TERM", "HUP"] {
            let signalled = said(&words, |child| {
                let words = format!("kill -{signal} {}", child.id());
                let killed = Command::new("sh").arg("-c").arg(words).status();
                assert!(killed.expect("there is a shell").success());
            });
            assert_eq!(signalled, "", "{words:?}, SIG{signal}");
        }
    }
}
