//! An answer: a sentence with figures of measured cells. Another text is said where its test fails,
//! cannot be decided or has no figures. docs/STUDY.md is the reference.
//!
//! ```text
//! [[answer]]                                          Template
//! about = "short messages"
//! cells.fast = { provider = "php", algorithm = "*", size = 5 }                         Pick
//! cells.slow = { provider = "php", algorithm = "*", size = 5, which = "slowest" }
//! test = { left = "slow", relation = "times", right = "fast", factor = [1.0, 2.0] }    Test
//! # and the texts: holds, fails, tie, missing
//! ```
//!
//! This module reads templates and checks that names fit. The module `judge::answer` fills them.

use std::collections::BTreeMap;

use hashdyno::Security;
use runner::Size;
use serde::{Deserialize, Serialize};

use super::sentence::{Part, What, parts, runs};
use super::{Cache, Clock, Relation, SizeOrder, Source, Study, Term};

/// A sentence that is filled from cells.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// The part of the question that it answers, in a few words.
    pub about: String,
    /// The `[[files]]` table that its cells are of; messages if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// The cells that the texts name.
    pub cells: BTreeMap<String, Pick>,
    /// What decides between the texts; without it `holds` is said wherever all is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// Said where the test holds. Without a test it is said wherever all cells have figures.
    pub holds: String,
    /// Said where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<String>,
    /// Said where the interval of the ratio leaves it open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie: Option<String>,
    /// Said where a cell has no figure.
    pub missing: String,
}

/// A cell, or the fastest or slowest of several.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// A source; of several with `|` between them each is a candidate.
    pub provider: String,
    /// An algorithm as the study's tables write it, several with `|` between them, or `*` for all
    /// that the table has.
    pub algorithm: String,
    /// As of a claim's side.
    #[serde(default)]
    pub size: Size,
    /// As of a claim's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<SizeOrder>,
    /// As of a claim's side.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cache: Cache,
    /// As of a claim's side.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clock: Clock,
    /// Which of the candidates.
    #[serde(default, skip_serializing_if = "is_default")]
    pub which: Which,
    /// Only digests of this security are candidates: `sound`, `legacy`, `broken`, `checksum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<String>,
}

/// Which of several candidates a cell is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// The one that takes the least time.
    #[default]
    Fastest,
    /// The one that takes the most.
    Slowest,
}

/// How the time of one cell relates to that of another.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The name of a cell.
    pub left: String,
    /// As of a claim; not `spread`.
    pub relation: Relation,
    /// The name of another.
    pub right: String,
    /// As of a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<[f64; 2]>,
}

/// What is wrong, and what was expected.
type Wrong = (String, String);

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Template {
    /// Checks that the texts and the test name only cells of the template.
    pub(crate) fn check_shape(&self, study: &Study) -> Result<(), Wrong> {
        if let Some(id) = &self.files
            && !study.files.iter().any(|table| table.id == *id)
        {
            let what = format!("the files table '{id}' in the answer '{}'", self.about);
            return Err((what, "expected the id of one".to_owned()));
        }
        // A wrong name in a text would show only in a report, hours after the run had begun.
        self.check_test()?;
        let figures = [Some(&self.holds), self.fails.as_ref(), self.tie.as_ref()];
        figures.into_iter().flatten().try_for_each(|text| self.check_text(text))?;
        match parts(&self.missing)?.iter().all(|part| matches!(part, Part::Text(_) | Part::Missing))
        {
            true => Ok(()),
            // A figure may be the very one that is missing.
            false => Err((
                format!("a figure in the text '{}'", self.missing),
                "expected no placeholder but {missing} where a figure is missing".to_owned(),
            )),
        }
    }

    fn check_test(&self) -> Result<(), Wrong> {
        let of = |what: &str| format!("{what} in the answer '{}'", self.about);
        let Some(test) = &self.test else {
            return match self.fails.as_ref().or(self.tie.as_ref()) {
                None => Ok(()),
                Some(_) => Err((of("no test"), "expected one, or no `fails` and `tie`".to_owned())),
            };
        };
        if self.fails.is_none() || self.tie.is_none() {
            return Err((of("a test"), "expected `fails` and `tie` beside it".to_owned()));
        }
        let needs_factor = match test.relation {
            Relation::Slower | Relation::Faster => false,
            Relation::Equal | Relation::Times => true,
            // A spread is of all algorithms of one side; a test names two cells.
            Relation::Spread => {
                let expected = "expected slower, faster, equal or times between two cells";
                return Err((of("the relation 'spread'"), expected.to_owned()));
            }
        };
        if needs_factor != test.factor.is_some() {
            let expected = "expected factor = [low, high] for equal and times, and for these alone";
            return Err((of("the test"), expected.to_owned()));
        }
        [&test.left, &test.right].into_iter().try_for_each(|name| self.check_cell(name))
    }

    fn check_text(&self, text: &str) -> Result<(), Wrong> {
        runs(text)?;
        for part in parts(text)? {
            match part {
                Part::Text(_) => {}
                Part::Figure(cell, what) => self.check_figure(cell, what)?,
                Part::Ratio(left, right) => {
                    self.check_cell(left)?;
                    self.check_cell(right)?;
                }
                Part::Missing => {
                    let expected = "expected it in the text `missing` alone";
                    return Err((format!("{{missing}} in the text '{text}'"), expected.to_owned()));
                }
            }
        }
        Ok(())
    }

    fn check_figure(&self, cell: &str, what: What) -> Result<(), Wrong> {
        self.check_cell(cell)?;
        let of = match what {
            What::Cycles => "cycles",
            What::Ceiling => "ceiling",
            _ => return Ok(()),
        };
        let expected = if self.files.is_some() {
            // A whole process has no probes beside it, so that its frequency is not known.
            "expected one of messages: files have no cycles"
        } else if self.cells[cell].first.is_some() {
            // Nor has a first call: the cycles of later calls would be shown as its own.
            "expected one of a warm process: first calls have no cycles"
        } else {
            return Ok(());
        };
        Err((format!("the placeholder '{{{cell}.{of}}}'"), expected.to_owned()))
    }

    fn check_cell(&self, name: &str) -> Result<(), Wrong> {
        if self.cells.contains_key(name) {
            return Ok(());
        }
        let known: Vec<_> = self.cells.keys().map(String::as_str).collect();
        Err((
            format!("the cell '{name}' in the answer '{}'", self.about),
            format!("expected one of {}", known.join(", ")),
        ))
    }

    /// Checks that a table of the study measures every cell.
    pub(crate) fn check_names(&self, study: &Study) -> Result<(), Wrong> {
        self.cells.iter().try_for_each(|(name, pick)| {
            pick.check(study, self.files.as_deref())
                .map_err(|(what, expected)| (format!("{what} in the cell '{name}'"), expected))
        })
    }
}

impl Pick {
    /// The sources that are candidates.
    pub fn sources(&self) -> Vec<Source> {
        self.provider.split('|').map(|name| Source::from(name.to_owned())).collect()
    }

    /// The algorithms that are candidates; nothing where all are.
    pub fn algorithms(&self) -> Option<Vec<String>> {
        (self.algorithm != "*").then(|| self.algorithm.split('|').map(str::to_owned).collect())
    }

    /// A candidate as a claim's side.
    pub fn term(&self, source: &Source, algorithm: &str) -> Term {
        Term {
            provider: source.clone(),
            algorithm: algorithm.to_owned(),
            size: self.size,
            first: self.first,
            cache: self.cache,
            clock: self.clock,
        }
    }

    /// Whether it names more than one candidate.
    /// Such a cell needs two figures: the fastest of one candidate says nothing of the others.
    pub fn is_choice(&self) -> bool {
        // How many algorithms `*` stands for is known only from a record. Two stand for many.
        self.sources().len() * self.algorithms().map_or(2, |names| names.len()) > 1
    }

    fn check(&self, study: &Study, files: Option<&str>) -> Result<(), Wrong> {
        if let Some(word) = self.security.as_ref().filter(|word| security(word).is_none()) {
            let expected = "expected sound, legacy, broken or checksum";
            return Err((format!("the security '{word}'"), expected.to_owned()));
        }
        for source in self.sources() {
            let all = ["*".to_owned()];
            // A table may have all algorithms: `*` is checked as a name of its own.
            for algorithm in self.algorithms().as_deref().unwrap_or(&all) {
                self.term(&source, algorithm).check(study, files)?;
            }
        }
        Ok(())
    }
}

/// The security that a word names.
pub(crate) fn security(word: &str) -> Option<Security> {
    [Security::Sound, Security::Legacy, Security::Broken, Security::Checksum]
        .into_iter()
        .find(|known| known.to_string() == word)
}
