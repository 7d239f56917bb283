//! Masks and threads as axes of a study: what a table measures, and what becomes of what cannot be.

use bench::{Record, Study, StudyError};

fn study(edit: &str) -> Result<Study, StudyError> {
    let text = format!(
        r#"
        title = "Axes"
        source = "this test"
        question = "Which sources?"
        [[table]]
        id = "t"
        title = "T"
        algorithms = ["md5"]
        sizes = [64]
        unit = "nanoseconds"
        {edit}
    "#
    );
    Study::parse("axes", &text)
}

fn sources(axes: &str) -> Vec<String> {
    study(axes).unwrap_or_else(|error| panic!("{error}")).tables[0]
        .sources()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_table_without_axes_measures_its_providers() {
    assert_eq!(
        sources(r#"providers = ["hashdyno", "hashdyno/portable"]"#),
        ["hashdyno", "hashdyno/portable"]
    );
}

#[test]
fn masks_and_threads_multiply() {
    let axes = r#"providers = ["hashdyno", "php"]
        masks = ["all", "-sha"]
        threads = [1, 2]"#;
    assert_eq!(
        sources(axes),
        [
            "hashdyno",
            "hashdyno*2",
            "hashdyno@-sha",
            "hashdyno@-sha*2",
            "php",
            "php*2",
            "php@-sha",
            "php@-sha*2"
        ]
    );
}

#[test]
fn what_is_written_out_is_taken_as_written_and_nothing_twice() {
    let axes = r#"providers = ["hashdyno", "hashdyno@-sha", "php*2"]
        masks = ["all", "-sha"]"#;
    assert_eq!(sources(axes), ["hashdyno", "hashdyno@-sha", "php*2"]);
}

#[test]
fn no_thread_at_all_is_an_error() {
    let error = study(r#"providers = ["hashdyno*0"]"#).unwrap_err().to_string();
    assert!(error.contains("'hashdyno*0': expected one thread at least"), "{error}");
}

#[test]
fn a_mask_that_means_nothing_is_an_error_of_its_name() {
    for source in ["hashdyno@-avx3", "php@-avx3", "php@sclar", "php@-sse2"] {
        let error = study(&format!(r#"providers = ["{source}"]"#)).unwrap_err().to_string();
        let word = source.split('@').nth(1).unwrap();
        assert!(
            error.contains(&format!("'{source}'"))
                && error.contains(&format!("'{word}' is not a CPU mask")),
            "{error}"
        );
    }
    assert!(study("providers = [\"php\"]\nmasks = [\"none\", \"avx2,-sha\", \"scalar\"]").is_ok());
}

#[test]
fn every_record_of_the_project_still_reads() {
    let folders = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../records"))
        .into_iter()
        .flatten()
        .flatten();
    let files = folders
        .filter_map(|folder| std::fs::read_dir(folder.path()).ok())
        .flatten()
        .flatten()
        .map(|file| file.path());
    for path in files
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl" || ending == "zst"))
    {
        let record = Record::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let figures =
            record.entries.len() + record.files.hashed.len() + record.files.processes.len();
        assert_ne!(figures, 0, "{}", path.display());
    }
}

#[test]
fn a_record_says_whether_a_star_stood_in_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    for every in [false, true] {
        let mut study = study(r#"providers = ["hashdyno", "hashdyno/portable"]"#).unwrap();
        study.tables[0].every = every;
        Record::empty(study).write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.contains("\"every\""), every, "{text}");
        assert_eq!(Record::read(&path).unwrap().head.study.tables[0].every, every);
    }
}
