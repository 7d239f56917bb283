//! The versions of the crates that this program was built with.
//!
//! Cargo.lock is compiled into the program, so the greeting names the crates that were built. An
//! entry:
//!
//! ```text
//! [[package]]
//! name = "ring"
//! version = "0.17.14"
//! ```

/// The version of `name` in Cargo.lock; of several, which stand in order, the newest.
pub fn version(name: &str) -> String {
    let entry = LOCK.split("[[package]]").filter(|entry| field(entry, "name") == Some(name)).last();
    entry.and_then(|entry| field(entry, "version")).unwrap_or_default().to_owned()
}

/// Each crate and its version, as facts for a greeting.
pub fn versions(names: &[&'static str]) -> Vec<(&'static str, String)> {
    names.iter().map(|&name| (name, version(name))).collect()
}

fn field<'a>(entry: &'a str, key: &str) -> Option<&'a str> {
    entry.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'))
}

const LOCK: &str = include_str!("../../../Cargo.lock");
