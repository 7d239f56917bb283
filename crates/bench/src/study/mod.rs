//! A study: the measurements of a document, its printed figures, its errors and its claims. A TOML
//! file, no code. docs/STUDY.md is its reference.
//!
//! ```text
//! [[table]]    messages: algorithms x sizes x sources         table.rs, told.rs, unit.rs
//! [[files]]    whole files                                    files.rs, tool.rs
//! [[claim]]    a sentence as a test on a ratio                claim.rs
//! [[answer]]   a sentence that is filled from cells           answer.rs, sentence.rs
//! [board]      hashdyno against the best of the others        rules.rs, bound.rs
//! ```
//!
//! A study passes these steps, in this order:
//!
//! ```text
//! load, parse, check    quickly    only, only_sizes    with_payload, with_every_kernel    run
//! ```
//!
//! The study in a record is the one that was run, with a source for each star. Records of years ago
//! are read by this module. So a key may be added with a default, and is never taken away.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

mod answer;
mod bound;
mod ceiling;
mod check;
mod claim;
mod files;
mod narrow;
mod preset;
mod rules;
mod sentence;
mod size_order;
mod source;
mod star;
mod table;
mod told;
mod tool;
mod unit;

pub(crate) use answer::security;
pub use answer::{Pick, Template, Test, Which};
pub(crate) use bound::Core;
pub use bound::{Bound, Load};
pub use ceiling::Ceiling;
pub use claim::{Claim, Relation, Term};
pub(crate) use files::MOST_PHOTOS;
pub use files::{
    Cache, Clock, FileTable, Measures, Photos, PublishedFiles, Quick, Throttle, seconds,
};
pub use preset::Preset;
pub use rules::Rules;
pub use runner::{ALL, Shape, Size};
pub use sentence::{Part, What};
pub(crate) use sentence::{parts, runs};
pub use size_order::SizeOrder;
pub use source::Source;
pub(crate) use source::read_provider_name;
pub(crate) use star::EVERY;
pub use table::{Erratum, Published, Table};
pub use told::{Asked, Told};
pub use tool::{Answer, READING, Tool, tools};
pub use unit::{Named, UNITS, Unit};

/// The rows of a column with `--quick`, at most.
const QUICK_ROWS: usize = 100_000;

/// In place of a document.
const COMMAND_LINE: &str = "the command line";

static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../studies");

/// A study, as its file says it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// One line.
    pub title: String,
    /// The document that it repeats.
    pub source: String,
    /// What the document wanted to know.
    pub question: String,
    /// The tables, in the document's order.
    #[serde(rename = "table", default)]
    pub tables: Vec<Table>,
    /// Digests of whole files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileTable>,
    /// How ours is held against the best of the others, cell by cell, where that is the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Rules>,
    /// The answer to the question, a sentence for each part of it.
    #[serde(rename = "answer", default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Template>,
    /// Whether `--only` has left algorithms out: then nothing is known of all of them, and judges
    /// find no algorithm behind `*`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub narrowed: bool,
    /// What the document concludes, as tests.
    #[serde(rename = "claim", default)]
    pub claims: Vec<Claim>,
    /// Errors of the document that stand in no table.
    #[serde(rename = "erratum", default)]
    pub errata: Vec<Erratum>,
}

/// What is wrong with a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Neither a study of ours nor a file.
    #[error("there is no study '{name}': expected one of {known}, or a file ending in .toml")]
    Unknown {
        /// As asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read the study {path}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is not TOML, or says what a study cannot say.
    #[error("the study {name} is malformed: {message}")]
    Malformed {
        /// The study.
        name: String,
        /// Line, column and what was expected.
        message: String,
    },
    /// It names what there is not.
    #[error("the study {name} names {what}: {expected}")]
    Names {
        /// The study.
        name: String,
        /// The kind of thing and its name.
        what: String,
        /// What was expected.
        expected: String,
    },
}

impl Study {
    /// A question that no document asks.
    pub fn new(name: &str, title: &str, question: &str, tables: Vec<Table>) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            source: COMMAND_LINE.to_owned(),
            question: question.to_owned(),
            tables,
            files: Vec::new(),
            board: None,
            answers: Vec::new(),
            narrowed: false,
            claims: Vec::new(),
            errata: Vec::new(),
        }
    }

    /// Whether it was asked on the command line, and no document asks it.
    pub fn is_asked(&self) -> bool {
        self.source == COMMAND_LINE
    }

    /// The names of the studies that come with the program.
    pub fn shipped() -> Vec<String> {
        let stem =
            |file: &include_dir::File<'_>| Some(file.path().file_stem()?.to_str()?.to_owned());
        let mut names: Vec<_> =
            SHIPPED.files().filter(|file| ends_in_toml(file.path())).filter_map(stem).collect();
        names.sort();
        names
    }

    /// The study of that name, or in that file.
    ///
    /// # Errors
    /// [`StudyError`]: there is no such study, its file cannot be read, or [`Study::parse`] refuses
    /// it.
    pub fn load(name: &str) -> Result<Self, StudyError> {
        // A name without an ending is a shipped study. A file is asked for with its ending.
        if let Some(file) = SHIPPED.get_file(format!("{name}.toml")) {
            return Self::parse(name, file.contents_utf8().unwrap_or_default());
        }
        let path = std::path::Path::new(name);
        if !ends_in_toml(path) {
            return Err(StudyError::Unknown {
                name: name.to_owned(),
                known: Self::shipped().join(", "),
            });
        }
        let text = std::fs::read_to_string(path)
            .map_err(|source| StudyError::Unreadable { path: name.to_owned(), source })?;
        Self::parse(path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name), &text)
    }

    /// Reads a study and checks that whatever it names is there.
    ///
    /// # Errors
    /// [`StudyError`]: the text is no TOML, has unknown keys, or names something that is not there.
    pub fn parse(name: &str, text: &str) -> Result<Self, StudyError> {
        let mut study: Self = toml::from_str(text).map_err(|error| StudyError::Malformed {
            name: name.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        study.name = name.to_owned();
        // The bounds go into the record: a later program may know others.
        if let Some(board) = study.board.as_mut().filter(|board| board.bounds.is_empty()) {
            board.bounds = Bound::known();
        }
        study.check()?;
        Ok(study)
    }

    /// The study as `--quick` runs it: each table with the sizes that it names for that, and every
    /// column with fewer rows, wherever it is named.
    #[must_use]
    pub fn quickly(mut self) -> Self {
        // Claims and answers name columns by their rows, and must name the shorter ones.
        let columns = self.tables.iter_mut().flat_map(|table| &mut table.column);
        columns.for_each(|column| *column = column.at_most(QUICK_ROWS));
        let claims = self.claims.iter_mut();
        let sides = claims.flat_map(|claim| [Some(&mut claim.left), claim.right.as_mut()]);
        let sides = sides.flatten().map(|side| &mut side.size);
        let cells = self.answers.iter_mut().flat_map(|answer| answer.cells.values_mut());
        for size in sides.chain(cells.map(|cell| &mut cell.size)) {
            if let Size::Column(column) = size {
                *column = column.at_most(QUICK_ROWS);
            }
        }
        for table in self.tables.iter_mut().filter(|table| !table.quick.is_empty()) {
            table.sizes = std::mem::take(&mut table.quick);
        }
        self
    }

    /// Every published block by its id, with the table that it stands in.
    pub fn published(&self) -> BTreeMap<&str, (&Table, &Published)> {
        let blocks = self
            .tables
            .iter()
            .flat_map(|table| table.published.iter().map(move |block| (table, block)));
        blocks.map(|(table, block)| (block.id.as_str(), (table, block))).collect()
    }

    /// The `[[files]]` tables that runners work on.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &FileTable> {
        self.files.iter().filter(|table| table.measures == Measures::Tree)
    }

    /// That it names what there is not.
    pub(crate) fn names(&self, what: String, expected: String) -> StudyError {
        StudyError::Names { name: self.name.clone(), what, expected }
    }
}

fn ends_in_toml(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_that_is_shipped_is_right() {
        assert!(!Study::shipped().is_empty());
        for name in Study::shipped() {
            let study = Study::load(&name).unwrap_or_else(|error| panic!("{error}"));
            for (id, (table, block)) in study.published() {
                for row in &block.rows {
                    assert!(
                        table.algorithms.contains(&row[0]),
                        "{name}, {id}: no algorithm of the table is called {}",
                        row[0]
                    );
                    assert!(
                        row[1..].iter().all(|printed| Published::number(printed).is_some()),
                        "{name}, {id}: {row:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn figures_are_read_as_they_were_printed() {
        for (printed, number) in [
            ("0.021267 sec", 0.021267),
            ("50390.16k", 50390.16),
            (">0.0000001 secs", 1e-7),
            ("1,20", 1.2),
        ] {
            assert_eq!(Published::number(printed), Some(number), "{printed}");
        }
        assert_eq!(Published::number("n/a"), None);
    }
}
