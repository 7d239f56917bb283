//! Which crate may depend on which: docs/ARCHITECTURE.md, held against `cargo metadata`.

use std::collections::BTreeSet;

use cargo_metadata::{CargoOpt, MetadataCommand};

/// Every edge that is allowed, development dependencies apart from none.
const ARROWS: &[(&str, &str)] = &[
    ("hashdyno-runner", "hashdyno"),
    ("hashdyno-runner", "cpumask"),
    ("hashdyno-bench", "hashdyno"),
    ("hashdyno-bench", "hashdyno-runner"),
    ("hashdyno-bench", "gauge"),
    ("hashdyno-bench", "cpumask"),
    ("hashdyno-bench", "atomic_file"),
    ("hashdyno-files", "hashdyno"),
    ("hashdyno-files", "atomic_file"),
    ("hashdyno-cli", "cpumask"),
    ("hashdyno-cli", "hashdyno"),
    ("hashdyno-cli", "gauge"),
    ("hashdyno-cli", "hashdyno-bench"),
    ("hashdyno-cli", "hashdyno-files"),
    ("hashdyno-cli", "atomic_file"),
    ("hashdyno-runners", "hashdyno-runner"),
    ("hashdyno-c", "hashdyno"),
    ("hashdyno-duckdb", "hashdyno"),
    ("hashdyno-jvm", "hashdyno"),
    ("hashdyno-python", "hashdyno"),
    ("hashdyno-python", "hashdyno-duckdb"),
];

#[test]
fn crates_depend_only_along_the_arrows() {
    let metadata = MetadataCommand::new()
        .features(CargoOpt::AllFeatures)
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    let members: BTreeSet<_> =
        metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let edges = metadata.packages.iter().flat_map(|package| {
        // The library names itself for a feature that its tests have.
        let inner = package.dependencies.iter().filter(|dependency| {
            members.contains(dependency.name.as_str()) && dependency.name != *package.name
        });
        inner.map(move |dependency| (package.name.to_string(), dependency.name.clone()))
    });
    let edges: BTreeSet<_> = edges.collect();
    let allowed: BTreeSet<_> =
        ARROWS.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    assert_eq!(
        edges, allowed,
        "left: the edges there are; right: those that docs/ARCHITECTURE.md allows"
    );
    assert!(members.len() >= 5, "{members:?}");
}
