//! What the AES units of a CPU can do, against what was measured on it.

use std::path::Path;

use bench::{Record, judge, report::Report};

fn modes() -> Record {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records/amd-epyc");
    Record::read(&root.join("20261125T210900-aes-modes.jsonl.zst")).unwrap()
}

/// A provider above a ceiling, or no provider within 5 % of it, shows a wrong count of rounds.
#[test]
fn nobody_passes_a_ceiling_and_somebody_comes_near() {
    let record = modes();
    let shares: Vec<_> = record
        .entries
        .iter()
        .filter_map(|entry| Some((entry, judge::of_ceiling(&record, entry)?)))
        .collect();
    assert!(shares.len() > 100, "{} cells have a ceiling", shares.len());
    for (entry, share) in &shares {
        assert!(entry.size.mean() >= 4096.0);
        assert!(*share <= 1.01, "{} {} {}: {share}", entry.source, entry.algorithm, entry.size);
    }
    let best = |name: &str| {
        let own = shares.iter().filter(|(entry, _)| entry.algorithm == name);
        own.map(|(_, share)| *share).fold(0.0, f64::max)
    };
    for name in ["aes-128-ecb encrypt", "aes-256-cbc encrypt", "aes-128-ecb decrypt"] {
        assert!(best(name) > 0.95, "{name}: {}", best(name));
    }
}

#[test]
fn tables_of_aes_say_how_near_each_cell_comes() {
    let record = modes();
    let report = Report::new(&record);
    let libraries = report.grids.iter().find(|grid| grid.title.starts_with("AES in every library"));
    let grid = libraries.expect("a table of the libraries");
    let column = grid.header.iter().position(|name| name == "of the ceiling").unwrap();
    let row = |algorithm: &str, provider: &str| {
        grid.rows.iter().find(|row| row[0] == algorithm && row[1] == provider).unwrap()
    };
    assert_eq!(row("aes-128-ecb encrypt", "rustcrypto")[column], "98 %");
    assert_eq!(row("aes-128-cbc encrypt", "gcrypt")[column], "100 %");
    let because = "aes-128-ecb encrypt: 10 rounds, 8 in a cycle, in 16 bytes (Zen 5: two units";
    assert!(grid.note.contains(because), "{}", grid.note);
}
