//! The runner that keeps to the protocol but for one fault.

use runner::{Names, Provider};

/// It with this fault; `runner.py` names them.
pub fn bad(fault: &str) -> Provider {
    Provider {
        name: "bad".to_owned(),
        title: "Bad".to_owned(),
        mark: Default::default(),
        names: Names::Hashdyno,
        command: ["python3", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad/runner.py"), fault]
            .map(str::to_owned)
            .into(),
        accepts: Vec::new(),
        compiles_for: 0,
        ia32cap: false,
        variant_of: None,
        columns: false,
        make: None,
        hint: "apt-get install python3".to_owned(),
    }
}

/// Whether there is a process of that number, and not only its exit status.
pub fn lives(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}
