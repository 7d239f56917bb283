//! The storeys of this crate (docs/ARCHITECTURE.md): a folder names only itself and the folders
//! below it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. The last two do not know each other.
const STOREYS: [&str; 6] = ["text", "study", "record", "judge", "run", "report"];

#[test]
fn a_storey_knows_only_those_below() {
    let mut seen = BTreeSet::new();
    for file in sources(&root()) {
        let storey = storey_of(&file);
        let text = fs::read_to_string(&file).expect("a source can be read");
        for named in text.split("crate::").skip(1).flat_map(named) {
            let place = file.strip_prefix(root()).expect("below the root").display();
            assert!(is_below(&named, &storey), "{place} is of '{storey}' and names crate::{named}");
            seen.insert((storey.clone(), named));
        }
    }
    for storey in &STOREYS[2..] {
        assert!(
            seen.iter().any(|(from, to)| from == storey && to != storey),
            "nothing was seen in '{storey}'"
        );
    }
}

#[test]
fn the_test_can_fail() {
    assert!(is_below("study", "record") && is_below("judge", "run") && is_below("text", "report"));
    assert!(
        !is_below("record", "study") && !is_below("run", "report") && !is_below("report", "run")
    );
    assert!(!is_below("Algorithm", "report"), "a name of the facade hides where it is from");
    assert_eq!(named("{study::Table, record::Entry};"), ["study", "record"]);
}

/// Whether a file of `storey` may name `module`.
fn is_below(module: &str, storey: &str) -> bool {
    let level = |name: &str| STOREYS.iter().position(|known| *known == name);
    match (level(module), level(storey)) {
        (Some(module), Some(storey)) if module == storey => true,
        (Some(module), Some(storey)) => {
            module < storey && (STOREYS[module], STOREYS[storey]) != ("run", "report")
        }
        _ => false,
    }
}

/// What follows `crate::`: one module, or several in braces.
fn named(rest: &str) -> Vec<String> {
    let word = |text: &str| {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    match rest.strip_prefix('{').and_then(|rest| rest.split_once("};")) {
        Some((inside, _)) => inside
            .split(',')
            .map(|part| word(part.trim()))
            .filter(|name| !name.is_empty())
            .collect(),
        None => vec![word(rest)],
    }
}

fn storey_of(file: &Path) -> String {
    let inner = file.strip_prefix(root()).expect("below the root");
    let first = inner
        .components()
        .next()
        .expect("a file has a name")
        .as_os_str()
        .to_string_lossy()
        .into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// Every source file but the facade.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| *path != root().join("lib.rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}
