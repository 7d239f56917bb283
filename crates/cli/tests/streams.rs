//! Standard output and standard error that take nothing: a result is never lost without an exit
//! code that says so.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;

/// A folder with the file `a` of one line, a list of it, and `md5sum`, which is hashdyno.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "hello\n").unwrap();
    fs::write(folder.path().join("list"), "b1946ac92492d2347c6235b4d2611184  a\n").unwrap();
    symlink(cargo_bin("hashdyno"), folder.path().join("md5sum")).unwrap();
    symlink(cargo_bin("hashdyno"), folder.path().join("hashdyno")).unwrap();
    folder
}

/// What a shell's command line does there.
fn shell(folder: &Path, line: &str) -> Output {
    Command::new("sh").current_dir(folder).args(["-c", line]).output().unwrap()
}

#[test]
fn a_full_disk_behind_standard_error_ends_nothing() {
    let folder = folder();
    for (line, code) in [
        ("./hashdyno sum a missing 2>/dev/full", 1),
        ("./hashdyno sum -a md6 a 2>/dev/full", 2),
        ("./hashdyno check list missing 2>/dev/full", 1),
        ("./hashdyno copy a missing to -q 2>/dev/full", 1),
        ("./md5sum missing 2>/dev/full", 1),
        ("./md5sum --nonsense 2>/dev/full", 1),
        ("./hashdyno sum --update list missing 2>/dev/full", 1),
    ] {
        assert_eq!(shell(folder.path(), line).status.code(), Some(code), "{line}");
    }
    assert!(folder.path().join("to/a").exists(), "the copy went on");
}

#[test]
fn a_closed_pipe_behind_standard_error_ends_nothing() {
    let folder = folder();
    for (program, arguments) in [
        ("hashdyno", &["sum", "a", "missing"][..]),
        ("hashdyno", &["check", "list", "missing"]),
        ("hashdyno", &["copy", "a", "missing", "to", "-q"]),
        ("md5sum", &["a", "missing"]),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(folder.path().join(program));
        command.current_dir(folder.path()).args(arguments).stderr(writer);
        assert_eq!(command.output().unwrap().status.code(), Some(1), "{program} {arguments:?}");
    }
    assert!(folder.path().join("to/a").exists(), "the copy went on");
}

#[test]
fn results_without_standard_output_are_an_error() {
    let folder = folder();
    for line in [
        "./hashdyno sum a >&-",
        "./hashdyno check list >&-",
        "./md5sum a >&-",
        "./md5sum --help >&-",
        "./hashdyno list >&-",
    ] {
        let output = shell(folder.path(), line);
        assert!(matches!(output.status.code(), Some(1 | 3)), "{line}: {}", output.status);
        assert!(!output.stderr.is_empty(), "{line}");
    }
    let output = shell(folder.path(), "./hashdyno sum a >&-");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "hashdyno: write error: standard output is closed\n"
    );
    // Nothing to say is no error, and neither is a result that nobody wants.
    for line in [
        "./hashdyno check --status list >&-",
        "./hashdyno sum a >/dev/null",
        "./hashdyno sum a <>/dev/null >&0",
    ] {
        assert_eq!(shell(folder.path(), line).status.code(), Some(0), "{line}");
    }
}

#[test]
fn more_threads_than_a_system_has_are_refused() {
    let folder = folder();
    for line in
        ["./hashdyno sum -j 100000 a", "./hashdyno copy -j 0 a to", "./hashdyno check -j 1025 list"]
    {
        let output = shell(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("1..=1024"), "{line}");
    }
    assert_eq!(shell(folder.path(), "./hashdyno sum -j 1024 a").status.code(), Some(0));
    symlink(cargo_bin("hashdyno"), folder.path().join("b3sum")).unwrap();
    assert_eq!(shell(folder.path(), "./b3sum --num-threads 100000 a").status.code(), Some(0));
    let output = shell(folder.path(), "./b3sum --num-threads x a");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("invalid number of threads: 'x'"));
}
