//! Every command of the README runs, and prints the lines that the README shows below it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;

/// A command, and the lines of its output that are shown.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The commands in the blocks of consoles; lines without `$` are what the command before has
/// printed.
fn shown(text: &str) -> Vec<Shown> {
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut commands: Vec<Shown> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => {
                let command = command.split(" #").next().unwrap().trim_end().to_owned();
                commands.push(Shown { command, output: Vec::new() });
            }
            None => commands
                .last_mut()
                .expect("a command comes before its output")
                .output
                .push(line.to_owned()),
        }
    }
    commands
}

/// What the README's files and folders are.
fn fixture() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in
        [("photos/a.jpg", "a"), ("card/DCIM/b.jpg", "b"), ("keys.txt", "one\ntwo\n")]
    {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    std::os::unix::fs::symlink(root().join("records"), folder.path().join("records")).unwrap();
    folder
}

/// The command as a test can run it: less of a measurement, and of `make` what it would do.
fn runnable(command: &str) -> String {
    let program = cargo_bin("hashdyno");
    match command.split_once(' ') {
        Some(("make", targets)) => {
            format!("make --dry-run --no-print-directory -C {} {targets}", root().display())
        }
        // Installing compiles a release, which takes minutes; what it needs is there.
        Some(("pip", "install ./bindings/python")) => {
            format!("test -f {}/bindings/python/pyproject.toml", root().display())
        }
        Some(("hashdyno", rest)) => {
            let less = match rest {
                rest if rest.starts_with("speed ") => " --seconds 0.02",
                rest if rest.starts_with("study ") && !rest.contains("--list") => {
                    " --only crc32b --bytes 5 --no-record"
                }
                _ => "",
            };
            // One redirection at the end at most: options stand before it.
            let (words, into) = rest
                .split_once(" > ")
                .map_or((rest, String::new()), |(words, file)| (words, format!(" > {file}")));
            format!("{} {words}{less}{into}", program.display())
        }
        _ => panic!("the README has a command that this test does not know: {command}"),
    }
}

fn run(folder: &Path, command: &str) -> Output {
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("COLUMNS", "90")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap()
}

#[test]
fn every_command_of_the_readme_runs_and_prints_what_is_shown() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (folder, commands) = (fixture(), shown(&readme));
    assert!(commands.len() >= 10, "{}", commands.len());
    for Shown { command, output } in &commands {
        let run = run(folder.path(), &runnable(command));
        let (out, err) =
            (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        // A busy machine may leave a cell of so short a measurement void, which is exit code 1.
        let measures = command.contains(" speed ") || command.contains(" study ");
        let good =
            [Some(0)].contains(&run.status.code()) || measures && run.status.code() == Some(1);
        assert!(good, "`{command}`: {:?}\n{err}", run.status);
        for line in output {
            assert!(
                out.lines().any(|printed| printed.trim() == line.trim()),
                "`{command}` does not print `{line}`:\n{out}"
            );
        }
    }
}

#[test]
fn readmes_count_the_digests() {
    let count = hashdyno::ALL.len();
    for (file, sentence) in [
        ("README.md", format!("computes {count} digests")),
        ("bindings/python/README.md", format!("every known CRC, {count} in all")),
    ] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&sentence), "{file}: expected '{sentence}'");
    }
}

#[test]
fn the_readme_is_short_and_narrow() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 90, "{}", readme.lines().count());
    let wide: Vec<_> = readme.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(wide.is_empty(), "wider than 100 columns: {wide:#?}");
}

#[test]
fn the_page_of_results_is_what_its_command_prints() {
    let page = fs::read_to_string(root().join("docs/RESULTS.md")).unwrap();
    let block = page.split("```").nth(1).unwrap().replace("\\\n", " ");
    let words = block.split("$ hashdyno ").nth(1).expect("the page has its command");
    let run = Command::new(cargo_bin("hashdyno"))
        .args(words.split_whitespace())
        .current_dir(root().join("records/amd-epyc"))
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success() && printed.len() > 10_000, "{printed}");
    assert!(page.ends_with(&printed), "docs/RESULTS.md is not what `hashdyno {words}` prints");
}
