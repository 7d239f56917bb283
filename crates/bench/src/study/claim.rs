//! A claim: a sentence of a document as a test on a ratio of times.
//!
//! ```text
//! [[claim]]
//! says = "..."
//! place = "..."
//! left = { provider = "php", algorithm = "md2", size = 5 }        Term
//! relation = "slower"
//! right = { provider = "php", algorithm = "crc32|md5", size = 5 }
//! ```
//!
//! The ratio is time of `left` / time of `right`, also where the document speaks of rates. Its
//! whole interval decides. This module checks names; the module `judge::claim` gives verdicts.

use runner::Size;
use serde::{Deserialize, Serialize};

use super::{Cache, Clock, EVERY, FileTable, Measures, READING, SizeOrder, Source, Study, Table};

/// A sentence and its test.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The sentence, in our words.
    pub says: String,
    /// Where the document says it.
    pub place: String,
    /// The `[[files]]` table that it is about; one of messages if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// What is compared. The algorithm `*` stands for all of the table in a `spread`; of several
    /// with `|` between them the one decides that is the hardest for the claim.
    pub left: Term,
    /// How its time relates to `right`'s.
    pub relation: Relation,
    /// What it is compared with; nothing for `spread`.
    pub right: Option<Term>,
    /// Low and high bound of the ratio left / right, for `times` and `equal`; of `spread` the most
    /// that slowest / fastest may be.
    pub factor: Option<[f64; 2]>,
    /// The published blocks to judge by: each entry is a set that together gives both sides.
    #[serde(default)]
    pub published: Vec<Vec<String>>,
    /// What a reader should know beside the verdict.
    pub note: Option<String>,
}

/// One figure: what a source takes for an algorithm on a message length.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The provider here; in a published block, the one that stands for it.
    pub provider: Source,
    /// As the study's tables write it.
    pub algorithm: String,
    /// Message length in bytes, or many messages; of a tool, the file's length. A tree of
    /// photographs has none.
    #[serde(default)]
    pub size: Size,
    /// Of the first calls of fresh processes those that went through the sizes in this order; a
    /// document's figure is what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<SizeOrder>,
    /// Of a tool: where the file is before it is read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cache: Cache,
    /// Of a tool: which of its times.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clock: Clock,
}

impl Term {
    /// An algorithm of a provider over a whole tree.
    pub(crate) fn whole_tree(provider: Source, algorithm: &str) -> Self {
        Self {
            provider,
            algorithm: algorithm.to_owned(),
            size: Size::default(),
            first: None,
            cache: Cache::Warm,
            clock: Clock::Real,
        }
    }
}

impl Term {
    /// Checks that a table measures it: of messages, or that table of files.
    pub(crate) fn check(&self, study: &Study, files: Option<&str>) -> Result<(), (String, String)> {
        let is_measured = match files {
            None => study.tables.iter().any(|table| self.is_of(table)),
            Some(id) => study.files.iter().any(|table| table.id == id && self.is_of_files(table)),
        };
        if is_measured {
            return Ok(());
        }
        let what = format!("'{} {} at {}'", self.provider, self.algorithm, self.size.describe());
        Err((what, "expected what a table of the study measures".to_owned()))
    }

    /// Whether that table of messages measures the term. Stars are still in the study here: any
    /// source of a provider may stand behind `php/*`, and any source at all behind `*`.
    fn is_of(&self, table: &Table) -> bool {
        let source = &self.provider;
        let known = |of: &Source| {
            of == source || of.provider == EVERY || of.provider == source.provider && of.is_every()
        };
        // A warm table has no first calls, and a table of first calls has nothing else.
        table.first_calls == self.first.is_some()
            && table.sources().iter().any(known)
            && table.columns().contains(&self.size)
            && (self.algorithm == "*" || table.algorithms.contains(&self.algorithm))
    }

    fn is_of_files(&self, table: &FileTable) -> bool {
        // A tree is hashed whole; the length of one photograph is nobody's question.
        let has_size = match table.measures {
            Measures::Tree => self.size == Size::default(),
            Measures::Tools => {
                self.size.one().is_some_and(|size| table.sizes.contains(&(size as u64)))
            }
        };
        // A tool that only reads has no digest: its row is the floor of all others.
        let is_read = self.algorithm == READING && table.measures == Measures::Tools;
        has_size
            && table.providers.contains(&self.provider)
            && (is_read || self.algorithm == "*" || table.algorithms.contains(&self.algorithm))
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How the time of `left` relates to that of `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// It takes longer.
    Slower,
    /// It takes less.
    Faster,
    /// It takes about as long: the ratio is within `factor`, such as 0.95 to 1.05.
    Equal,
    /// It takes as many times longer as `factor` says.
    Times,
    /// All algorithms of `left` take about the same: slowest / fastest is within `factor`.
    Spread,
}

impl Claim {
    /// Checks what the claim names; the error is what it named and what was expected.
    pub(crate) fn check(&self, study: &Study) -> Result<(), (String, String)> {
        let known: Vec<_> = match &self.files {
            None => study.published().into_keys().collect(),
            Some(id) => {
                let table = study.files.iter().find(|table| table.id == *id);
                let table = table.ok_or_else(|| {
                    (
                        format!("the files table '{id}' in a claim"),
                        "expected the id of one".to_owned(),
                    )
                })?;
                table.published.iter().map(|block| block.id.as_str()).collect()
            }
        };
        if let Some(id) = self.published.iter().flatten().find(|id| !known.contains(&id.as_str())) {
            return Err((
                format!("the published block '{id}' in a claim"),
                format!("expected one of {}", known.join(", ")),
            ));
        }
        // A spread has its two ends from its left side: the slowest and the fastest algorithm.
        let needs_right = self.relation != Relation::Spread;
        if needs_right != self.right.is_some() {
            let expected =
                if needs_right { "expected a right side" } else { "'spread' has no right side" };
            return Err((format!("the claim '{}'", self.says), expected.to_owned()));
        }
        let needs_factor =
            matches!(self.relation, Relation::Equal | Relation::Times | Relation::Spread);
        if needs_factor != self.factor.is_some() {
            let expected = if needs_factor {
                "expected factor = [low, high]"
            } else {
                "this relation has no factor"
            };
            return Err((format!("the claim '{}'", self.says), expected.to_owned()));
        }
        Ok(())
    }

    /// Checks that tables of the study measure both sides.
    pub(crate) fn check_names(&self, study: &Study) -> Result<(), (String, String)> {
        // A claim of several algorithms needs each of them: the hardest one decides.
        [Some(&self.left), self.right.as_ref()].into_iter().flatten().try_for_each(|side| {
            side.algorithm.split('|').try_for_each(|algorithm| {
                let side = Term { algorithm: algorithm.to_owned(), ..side.clone() };
                side.check(study, self.files.as_deref())
                    .map_err(|(what, expected)| (format!("{what} in a claim"), expected))
            })
        })
    }
}
