//! What the repository holds: nothing large, records as summaries, and what it says of what it
//! needs.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use bench::report::index;
use cargo_metadata::{MetadataCommand, semver::Version};

/// Bytes of any file.
const MOST_OF_A_FILE: u64 = 1 << 20;
/// Bytes of a record: a scoreboard of 300 digests.
const MOST_OF_A_RECORD: u64 = 320 << 10;
/// Bytes of all records.
const MOST_OF_RECORDS: u64 = 5_000_000;

/// Every file of the checkout.
fn checked_out() -> Vec<PathBuf> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.expect("git runs").stdout;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let files: Vec<_> = names.map(path).filter(|file| file.exists()).collect();
    assert!(files.len() > 500, "{} files: expected a checkout", files.len());
    files
}

#[test]
fn no_file_is_large() {
    for file in checked_out() {
        assert!(len(&file) <= MOST_OF_A_FILE, "{}: {} bytes", file.display(), len(&file));
    }
}

/// Characters of a line of code.
const MOST_OF_A_LINE: usize = 100;

#[test]
fn code_is_at_most_100_columns_wide() {
    let wide = checked_out().into_iter().filter(|file| is_code(file)).flat_map(|file| {
        let text = fs::read_to_string(&file).expect("code is text");
        let is_wide = |line: &&str| line.chars().count() > MOST_OF_A_LINE;
        let count = text.lines().filter(is_wide).count();
        (count > 0).then(|| format!("{count} lines of {}", file.display()))
    });
    let wide: Vec<_> = wide.collect();
    assert!(wide.is_empty(), "wider than {MOST_OF_A_LINE} columns:\n{}", wide.join("\n"));
}

/// Whether a file is written in a programming language, as its extension or its first line says.
fn is_code(file: &Path) -> bool {
    const LANGUAGES: &str =
        "c cpp css go h inc java lua m4 mjs mk pas php pl py pyi rb rs sh sql tcl ts";
    match file.extension().and_then(|extension| extension.to_str()) {
        Some(extension) => LANGUAGES.split(' ').any(|language| language == extension),
        None if file.ends_with("Makefile") => true,
        None => fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"#!")),
    }
}

#[test]
fn records_are_small_and_indexed() {
    let folders =
        fs::read_dir(records()).expect("records/").map(|entry| entry.expect("an entry").path());
    let files: Vec<_> =
        folders.filter(|path| path.is_dir()).flat_map(|folder| inside(&folder)).collect();
    for file in &files {
        assert!(
            len(file) <= MOST_OF_A_RECORD,
            "{}: {} bytes; hashdyno summarize",
            file.display(),
            len(file)
        );
    }
    let all: u64 = files.iter().map(|file| len(file)).sum();
    assert!(all <= MOST_OF_RECORDS, "{all} bytes in all");
    let index = index::of_folder(&records()).expect("every record can be read");
    let written = fs::read_to_string(records().join("README.md")).expect("records/README.md");
    assert!(index == written, "records/README.md is old: hashdyno summarize --index records");
}

#[test]
fn documents_name_the_rust_that_the_manifests_name() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata runs");
    let of = |name: &str| -> &Version {
        let package = metadata.packages.iter().find(|package| *package.name == name);
        package.expect("a crate of the workspace").rust_version.as_ref().expect("rust-version")
    };
    // `make install` builds both.
    let program = of("hashdyno-cli").max(of("hashdyno-runners"));
    for (file, version) in [
        ("README.md", program),
        ("install-tools", program),
        ("crates/hashdyno/README.md", of("hashdyno")),
        ("bindings/php/README.md", of("hashdyno-c")),
        ("bindings/python/README.md", of("hashdyno-python")),
    ] {
        let text = fs::read_to_string(root().join(file)).expect("a document");
        let said: Vec<_> = text.split("Rust 1.").skip(1).collect();
        let minor =
            |said: &str| said.split(|c: char| !c.is_ascii_digit()).next().map(str::to_owned);
        assert!(!said.is_empty(), "{file} names no Rust");
        for said in said {
            assert_eq!(minor(said), Some(version.minor.to_string()), "{file}: Rust 1.?");
        }
    }
}

#[test]
fn only_the_tests_need_a_browser_and_emulators() {
    let tools = tempfile::tempdir().expect("a folder");
    // Whoever is not root is told what to install. Nothing else is found here.
    let id = tools.path().join("id");
    fs::write(&id, "#!/bin/sh\necho 1000\n").expect("a program");
    fs::set_permissions(&id, PermissionsExt::from_mode(0o755)).expect("a program");
    symlink("/bin/grep", tools.path().join("grep")).expect("a link");
    let told = |stage: &str| {
        let mut command = Command::new("/bin/bash");
        command.arg(root().join("install-tools")).arg(stage).env("PATH", tools.path());
        let output = command.output().expect("bash runs");
        assert_eq!(output.status.code(), Some(3), "{stage}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let [build, study, test] = ["build", "study", "test"].map(told);
    assert!(build.contains("apt-get install gcc\n"), "{build}");
    assert!(study.contains("apt-get install gcc php-cli php-dev libssl3\n"), "{study}");
    for package in ["chromium", "valgrind", "qemu-user", "npm", "nodejs"] {
        assert!(test.contains(package) && !study.contains(package), "{package}: {study}");
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

fn len(file: &Path) -> u64 {
    fs::metadata(file).expect("a file").len()
}

fn path(name: &[u8]) -> PathBuf {
    root().join(String::from_utf8_lossy(name).as_ref())
}

fn records() -> PathBuf {
    root().join("records")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
