//! The published figures in `studies/` are the documents', digit by digit.
//!
//! The documents are not part of the project. They are looked for in `$HASHDYNO_DOCUMENTS`, then in
//! `../shared/seeds` beside the repository; without them there is nothing to compare with, and the
//! test says so.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use bench::report::{Format, Part, Report};
use bench::study::Published;
use bench::{Judgement, Record, Study, Verdict};

#[test]
fn published_figures_are_those_of_the_documents() {
    let Some(documents) = documents() else {
        return println!("no documents: nothing compared");
    };
    let mut total = Count::default();
    for study in studies() {
        let count = compare(&study, &documents);
        println!("{}: {count}", study.name);
        total.add(&count);
    }
    println!("all studies: {total}");
    assert!(total.wrong.is_empty(), "not in the documents: {:#?}", total.wrong);
    assert!(total.in_rows + total.alone >= 200, "only {total}");
}

#[test]
fn no_row_of_the_first_document_is_left_out() {
    let Some(documents) = documents() else {
        return println!("no documents: nothing compared");
    };
    let published: BTreeSet<_> =
        studies().flat_map(|study| rows(&study)).map(|row| row[1..].join(" ")).collect();
    let printed = figures_in_rows(&documents[0]);
    let missing: Vec<_> = printed.iter().filter(|row| !published.contains(*row)).collect();
    println!(
        "{} rows of figures in the document, {} of them in no study",
        printed.len(),
        missing.len()
    );
    assert!(
        printed.len() >= 95,
        "42 rows of PHP 7, 43 of PHP 5, 5 of OpenSSL, 5 of Delphi, but {}",
        printed.len()
    );
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Document 004 explains one line of `openssl speed`, and prints the rate that comes of it.
#[test]
fn the_line_that_the_document_explains_is_the_first_figure_of_its_table() {
    let study = Study::load("openssl-digests").unwrap();
    let (table, block) = study.published()["plain"];
    let printed = Published::number(block.printed("md5", table.sizes[0].into()).unwrap()).unwrap();
    let (messages, seconds) = (10_036_649.0, 2.98);
    let rate = messages * table.sizes[0] as f64 / seconds / 1000.0;
    assert!((rate - printed).abs() < 0.005, "{rate} and {printed}");
}

/// The studies of founding documents; other sources are not looked for.
fn studies() -> impl Iterator<Item = Study> {
    let all = Study::shipped()
        .into_iter()
        .map(|name| Study::load(&name).expect("a study that comes with the program is right"));
    all.filter(|study| study.source.starts_with("Founding document"))
}

/// What was compared.
#[derive(Default)]
struct Count {
    rows: usize,
    /// Figures found together with their row's name and the row's other figures, in order.
    in_rows: usize,
    /// Figures found by themselves: those of running text.
    alone: usize,
    wrong: Vec<String>,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.in_rows += other.in_rows;
        self.alone += other.alone;
        self.wrong.extend_from_slice(&other.wrong);
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rows, in_rows, alone, wrong } = self;
        write!(
            f,
            "{rows} whole rows of {in_rows} figures and {alone} single figures are as printed, {} \
                are not",
            wrong.len()
        )
    }
}

fn compare(study: &Study, documents: &[String]) -> Count {
    let mut count = Count::default();
    let (turned, straight): (Vec<_>, Vec<_>) =
        blocks(study).partition(|block| documents.iter().any(|text| has_turned(text, &block.rows)));
    for block in turned {
        count.rows += block.sizes.len();
        count.in_rows += block.sizes.len() * block.rows.len();
    }
    for row in straight.iter().flat_map(|block| &block.rows) {
        let figures = &row[1..];
        if documents.iter().any(|text| has_row(text, &row[0], figures)) {
            count.rows += 1;
            count.in_rows += figures.len();
            continue;
        }
        for figure in figures {
            match figures.len() == 1 {
                true if documents.iter().any(|text| has_figure(text, figure)) => count.alone += 1,
                _ => count.wrong.push(format!("{} {}: {figure}", study.name, row[0])),
            }
        }
    }
    for block in study.files.iter().flat_map(|table| &table.published) {
        for row in &block.rows {
            match documents.iter().any(|text| has_times(text, &block.columns, &row[1..])) {
                true => {
                    (count.rows, count.in_rows) = (count.rows + 1, count.in_rows + row.len() - 1)
                }
                false => count.wrong.push(format!("{} {}: {row:?}", study.name, block.id)),
            }
        }
    }
    count
}

/// Whether the times stand there, each with its column's word as `time` and zsh write it, or in a
/// row of rounds.
fn has_times(text: &str, columns: &[String], times: &[String]) -> bool {
    let words = |form: &str| {
        let pairs = columns
            .iter()
            .zip(times)
            .map(|(column, time)| form.replace("{column}", column).replace("{time}", time));
        pairs.collect::<Vec<_>>().join(" ")
    };
    let rounds = format!(" {} ", times.join(" "));
    let bash = format!(" {} ", words("{column} {time}"));
    let zsh = || {
        let [user, system, total] = times else { return false };
        let begin = format!(" {user} user {system} system ");
        text.match_indices(&begin).any(|(at, _)| {
            let mut rest = text[at + begin.len()..].split(' ').skip(1);
            rest.next() == Some("cpu") && rest.next() == Some(total) && rest.next() == Some("total")
        })
    };
    text.contains(&rounds) || text.contains(&bash) || zsh()
}

/// Every published row of a study.
fn rows(study: &Study) -> Vec<Vec<String>> {
    blocks(study).flat_map(|block| block.rows.clone()).collect()
}

fn blocks(study: &Study) -> impl Iterator<Item = &Published> {
    study.tables.iter().flat_map(|table| &table.published)
}

/// Whether the document has the block turned on its side: a row for each of our columns, one below
/// the other, with the figures of all our rows.
fn has_turned(text: &str, rows: &[Vec<String>]) -> bool {
    let mut rest = text;
    let mut has_column = |column: usize| {
        let figures: Vec<_> = rows.iter().map(|row| row[column].as_str()).collect();
        let line = format!(" {} ", figures.join(" "));
        let found = rest.find(&line);
        rest = found.map_or(rest, |at| &rest[at + line.len() - 1..]);
        found.is_some()
    };
    rows.len() > 1 && (1..rows[0].len()).all(&mut has_column)
}

/// Whether the figures stand in this order behind the algorithm's name.
fn has_row(text: &str, algorithm: &str, figures: &[String]) -> bool {
    let name = |name: &str| text.contains(&format!(" {name} {} ", figures.join(" ")));
    // What the studies call crc32b after PHP, the table of native code calls crc32.
    // A cipher's direction stands in the heading above its row.
    name(algorithm.split(' ').next().unwrap_or_default())
        || algorithm == "crc32b" && name("crc32")
        || algorithm == "crc32c" && name("crc32c (intel hw)")
}

/// Whether the figure stands somewhere, and no digit beside it.
fn has_figure(text: &str, figure: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    text.match_indices(figure).any(|(at, _)| {
        let (before, after) =
            (text[..at].chars().next_back(), text[at + figure.len()..].chars().next());
        !before.is_some_and(number) && !after.is_some_and(number)
    })
}

/// The figures of every row of two or more: `0.021267 sec 2.602651 sec`, `50390.16k 817875.48k`.
fn figures_in_rows(text: &str) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    let mut row: Vec<String> = Vec::new();
    for word in text.split(' ').chain([""]) {
        match word {
            "sec" | "secs" if !row.is_empty() => {
                row.last_mut().expect("it is not empty").push_str(&format!(" {word}"))
            }
            _ if is_figure(word) => row.push(word.to_owned()),
            _ => {
                let whole = std::mem::take(&mut row).join(" ");
                if whole.contains("k ") || whole.contains("sec ") || whole.contains("secs ") {
                    rows.insert(whole);
                }
            }
        }
    }
    rows
}

fn is_figure(word: &str) -> bool {
    let digits = word.trim_start_matches('>').trim_end_matches('k');
    digits.contains('.') && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The documents in the order of their names, the bars and line ends of their tables as blanks.
fn documents() -> Option<Vec<String>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    let folder = env::var_os("HASHDYNO_DOCUMENTS").map_or(beside, PathBuf::from);
    let mut paths: Vec<_> =
        fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    paths.sort();
    let texts: Vec<_> = paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    let flat = |text: &String| {
        format!(" {} ", text.replace('|', " ").split_whitespace().collect::<Vec<_>>().join(" "))
    };
    (!texts.is_empty()).then(|| texts.iter().map(flat).collect())
}

#[test]
fn claims_about_what_is_left_out_are_not_measured() {
    for name in Study::shipped() {
        let study = Study::load(&name).unwrap();
        let first = study
            .tables
            .iter()
            .flat_map(|table| &table.algorithms)
            .chain(study.files.iter().flat_map(|table| &table.algorithms));
        let first = first.take(1).cloned().collect::<Vec<_>>();
        let mut record = Record::empty(study.only(&first).unwrap());
        record.head.study = record.head.study.only_sizes(&[]).unwrap();
        let here = |(_, judgements): &(_, Vec<Judgement>)| {
            judgements.last().map(|judgement| judgement.verdict)
        };
        assert!(
            Report::new(&record)
                .claims
                .iter()
                .all(|claim| here(claim) == Some(Verdict::NotMeasured)),
            "{name}"
        );
    }
}

/// One of `records/`.
fn record(name: &str) -> Record {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records");
    Record::read(&folder.join(name)).unwrap()
}

#[test]
fn records_of_one_study_share_a_table_of_claims() {
    let records = [
        record("intel-r-xeon-r-processor/20261121T235534-php-hash.jsonl.zst"),
        record("amd-epyc/20261122T184917-php-hash.jsonl.zst"),
    ];
    let reports = records.each_ref().map(Report::new);
    let part = |report| Part { report, file: "record".to_owned(), bytes: None };
    let page = Format::named("results").render(&reports.each_ref().map(part));
    assert_eq!(page.matches("\n## ").count() + usize::from(page.starts_with("## ")), 1, "{page}");
    let cpus = "| claim | published | Intel(R) Xeon(R) Processor, family 6 model 167 \
                | AMD EPYC, family 25 model 1 |";
    assert!(page.contains(cpus), "{page}");
    let claim = page.lines().find(|line| line.starts_with("| MD2 is about ten times")).unwrap();
    assert_eq!(claim.matches("does not hold, ").count(), 4, "{claim}");
}

#[test]
fn a_provider_that_is_not_there_is_no_column() {
    let record = record("amd-epyc/20261125T210558-php-hash.jsonl.zst");
    let missing = record.providers.iter().filter(|provider| provider.missing.is_some());
    let missing: Vec<_> = missing.map(|provider| provider.source().to_string()).collect();
    assert!(!missing.is_empty());
    let report = Report::new(&record);
    for header in report.grids.iter().flat_map(|grid| &grid.header) {
        let source = header.split(' ').next().unwrap_or_default();
        assert!(!missing.iter().any(|name| name == source), "{header}");
    }
}
