//! Programs that use the library as C programs do: through the header, linked either way, installed
//! and found by pkg-config.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Runs a command that must succeed; what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{printed}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}

/// A program that the machine may lack: the test then says so and is content.
fn there_is(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        println!("{program} is not here: not tested");
    }
    there
}

/// The library, built and installed into a folder of the tests' own.
fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c");
        let makefile = Path::new(HERE).join("../bindings.mk");
        let variable = |name, path: &Path| format!("{name}={}", path.display());
        let target =
            Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in the target folder");
        let mut make = Command::new("make");
        make.arg("-f").arg(makefile).arg("install-c").arg(variable("PREFIX", &prefix));
        run(make.env("CARGO_TARGET_DIR", target).env_remove("DESTDIR"));
        prefix
    })
}

/// `tests/smoke.c` and `tests/keys.c` as a program, compiled and linked with these words.
fn smoke(name: &str, words: &[&str]) -> PathBuf {
    let program = prefix().join(name);
    let strict = ["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"];
    run(Command::new("cc")
        .args(strict)
        .args(["smoke.c", "keys.c"].map(|source| Path::new(HERE).join("tests").join(source)))
        .arg("-o")
        .arg(&program)
        .args(words));
    program
}

/// What pkg-config says of the installed library.
fn pkg_config(question: &str) -> Vec<String> {
    let folder = prefix().join("lib/pkgconfig");
    let answer =
        run(Command::new("pkg-config").args([question, "hashdyno"]).env("PKG_CONFIG_PATH", folder));
    answer.split_whitespace().map(str::to_owned).collect()
}

/// Words that link the static library, and what must be linked with it.
fn statically() -> Vec<String> {
    let header = format!("-I{}", prefix().join("include").display());
    let library = prefix().join("lib/libhashdyno.a").display().to_string();
    [header, library].into_iter().chain(["-lpthread", "-lm", "-ldl"].map(str::to_owned)).collect()
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn the_shared_library_is_found_by_pkg_config() {
    if there_is("pkg-config") {
        let words = [pkg_config("--cflags"), pkg_config("--libs")].concat();
        run(Command::new(smoke("shared", &strs(&words)))
            .env("LD_LIBRARY_PATH", prefix().join("lib")));
        assert_eq!(pkg_config("--modversion"), [env!("CARGO_PKG_VERSION")]);
    }
}

#[test]
fn the_shared_library_has_its_version_in_its_name() {
    let folder = prefix().join("lib");
    let version = env!("CARGO_PKG_VERSION");
    let soname = format!(
        "libhashdyno.so.{}",
        version.rsplit_once('.').expect("a version has three numbers").0
    );
    let leads_to = |link: &str| fs::read_link(folder.join(link)).expect("it is a link");
    assert_eq!(leads_to("libhashdyno.so"), Path::new(&soname));
    assert_eq!(leads_to(&soname), Path::new(&format!("libhashdyno.so.{version}")));
    if there_is("readelf") {
        let said = run(Command::new("readelf").arg("-d").arg(folder.join("libhashdyno.so")));
        assert!(said.contains(&format!("soname: [{soname}]")), "{said}");
    }
}

#[test]
fn the_static_library_under_valgrind() {
    let program = smoke("static", &strs(&statically()));
    run(&mut Command::new(&program));
    if there_is("valgrind") {
        run(Command::new("valgrind")
            .args([
                "-q",
                "--error-exitcode=9",
                "--leak-check=full",
                "--errors-for-leak-kinds=definite",
            ])
            .arg(program));
    }
}

#[test]
fn the_static_library_under_the_sanitizers_of_addresses_and_of_undefined_behaviour() {
    let mut words = statically();
    words.push("-fsanitize=address,undefined".to_owned());
    words.push("-fno-sanitize-recover=all".to_owned());
    run(&mut Command::new(smoke("sanitized", &strs(&words))));
}

#[test]
fn the_header_is_good_cplusplus() {
    if there_is("c++") {
        let header = prefix().join("include/hashdyno.h");
        run(Command::new("c++")
            .args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"])
            .arg(header));
    }
}

#[test]
fn python_loads_it_and_agrees() {
    if there_is("python3") {
        let library = prefix().join("lib/libhashdyno.so");
        run(Command::new("python3").arg(Path::new(HERE).join("tests/loads.py")).arg(library));
    }
}

#[test]
fn only_our_names_are_exported() {
    if there_is("nm") {
        let names = run(Command::new("nm")
            .args(["-D", "--defined-only", "--format=posix"])
            .arg(prefix().join("lib/libhashdyno.so")));
        let foreign: Vec<_> = names.lines().filter(|line| !line.starts_with("hashdyno_")).collect();
        assert!(foreign.is_empty() && names.lines().count() >= 15, "{names}");
    }
}
