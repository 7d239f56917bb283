//! The tables of messages in a study: cells to measure, printed figures beside them, and the errors
//! of a document.
//!
//! ```text
//! [[table]]
//! algorithms = ["md5", "sha1", "sha256", "sha512"]
//! sizes = [16, 64, 256, 1024, 8192]
//! providers = ["openssl/plain", "openssl/evp", "hashdyno"]
//! unit = "kilobytes-per-second"
//! [[table.published]]
//! id = "evp"
//! here = "openssl/evp"
//! sizes = [16, 64, 256, 1024, 8192]
//! rows = [ ["md5", "62131.19k", "166863.91k", "345440.39k", "472988.34k", "531773.51k"] ]
//! ```
//!
//! Figures are strings, exactly as printed. A number would lose its last zeros and its unit.

use runner::{ALL, Column, Payload, Shape, Size};
use serde::{Deserialize, Serialize};

use super::source::Source;
use super::star;
use super::told::Told;
use super::unit::Unit;

/// Algorithms by sizes, in several providers.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What the report's headings call it.
    pub id: String,
    /// One line.
    pub title: String,
    /// By any name that the registry knows; shown as written. `*` is every digest.
    #[serde(deserialize_with = "star::algorithms")]
    pub algorithms: Vec<String>,
    /// Message lengths in bytes.
    #[serde(default)]
    pub sizes: Vec<usize>,
    /// What each message of `sizes` holds, each a column of its own; pseudo-random bytes if not
    /// given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payload: Vec<Payload>,
    /// Many messages at once: `1000x64`, or `1000x0-600` of mixed lengths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub many: Vec<Shape>,
    /// Columns of strings: `1000 rows of 64`, or `1000 rows of 5-40` of mixed lengths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub column: Vec<Column>,
    /// Those of the sizes that `--quick` measures; all if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick: Vec<usize>,
    /// Whether each message is a chunk of something, and a file of its own: the report says which
    /// length is good enough.
    #[serde(default, skip_serializing_if = "is_false")]
    pub chunk: bool,
    /// Whether what is measured is the first calls of fresh processes.
    #[serde(default, skip_serializing_if = "is_false")]
    pub first_calls: bool,
    /// `php`, or `php/function` for another than its first implementation. `*` is every one that is
    /// here, by all its implementations; `php/*` each of its implementations.
    #[serde(deserialize_with = "star::sources")]
    pub providers: Vec<Source>,
    /// Whether a star stood among them: then a default does not stand a second time under its own
    /// name. A run that goes on has it from the record, where the stars are spelled out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub every: bool,
    /// CPU masks that each provider runs under, `all` for none; no mask if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<String>,
    /// How many processes of each provider run at once; one if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<usize>,
    /// What the figures are shown in.
    pub unit: Unit,
    /// Calls that a figure in seconds stands for.
    #[serde(default = "one")]
    pub iterations: u64,
    /// What the document printed.
    #[serde(default)]
    pub published: Vec<Published>,
    /// Programs that time themselves, whose figures stand beside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Told>,
    /// Errors in what it printed.
    #[serde(rename = "erratum", default)]
    pub errata: Vec<Erratum>,
}

fn one() -> u64 {
    1
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Table {
    /// A table that no document has, empty as yet.
    pub fn new(id: &str, title: &str, unit: Unit) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            algorithms: Vec::new(),
            sizes: Vec::new(),
            payload: Vec::new(),
            many: Vec::new(),
            column: Vec::new(),
            quick: Vec::new(),
            chunk: false,
            first_calls: false,
            providers: Vec::new(),
            every: false,
            masks: Vec::new(),
            threads: Vec::new(),
            unit,
            iterations: 1,
            published: Vec::new(),
            told: Vec::new(),
            errata: Vec::new(),
        }
    }

    /// What the messages of `sizes` hold.
    pub fn payloads(&self) -> &[Payload] {
        if self.payload.is_empty() { &[Payload::Random] } else { &self.payload }
    }

    /// What each algorithm is measured on: one message of each size, many, and columns.
    pub fn columns(&self) -> Vec<Size> {
        self.sizes
            .iter()
            .flat_map(|&len| self.payloads().iter().map(move |payload| payload.of(len)))
            .chain(self.many.iter().copied().map(Size::Many))
            .chain(self.column.iter().copied().map(Size::Column))
            .collect()
    }

    /// What the figures count, in words.
    pub fn describe_unit(&self) -> String {
        // A call has many messages there, and its figure is of one: `ns per call` would mislead.
        let words = self.unit.describe(self.iterations);
        if !self.column.is_empty() {
            return words.replace("call", "row").replace("messages", "rows");
        }
        if self.many.is_empty() { words } else { words.replace("call", "message") }
    }

    /// Whatever is measured: each provider under each mask on each number of threads. One that is
    /// written with a mask or a number of threads is taken as written.
    pub fn sources(&self) -> Vec<Source> {
        let mut sources = Vec::new();
        for source in self.providers.iter().flat_map(|provider| self.along_the_axes(provider)) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources
    }

    fn along_the_axes(&self, provider: &Source) -> Vec<Source> {
        // A source with an axis of its own is one point: its author asked for no others.
        if provider.mask.is_some() || provider.threads != 1 {
            return vec![provider.clone()];
        }
        let masks = if self.masks.is_empty() { &[ALL.to_owned()] } else { self.masks.as_slice() };
        let threads = if self.threads.is_empty() { &[1] } else { self.threads.as_slice() };
        masks
            .iter()
            .flat_map(|mask| {
                threads.iter().map(|&threads| provider.clone().under(mask).on(threads))
            })
            .collect()
    }
}

/// What a document printed, exactly.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// What claims call it.
    pub id: String,
    /// Machine and software, as the document says.
    pub machine: String,
    /// Which provider of ours stands in its place here.
    pub here: Source,
    /// What each column of `rows` is of: a message length in bytes, or many messages.
    pub sizes: Vec<Size>,
    /// What the figures count, if not what the table's do.
    pub unit: Option<Unit>,
    /// Algorithm, then a figure for each of `sizes`, as printed.
    pub rows: Vec<Vec<String>>,
}

impl Published {
    /// The figure as printed.
    pub fn printed(&self, algorithm: &str, size: Size) -> Option<&str> {
        let column = 1 + self.sizes.iter().position(|&known| known == size)?;
        let row = self.rows.iter().find(|row| row[0] == algorithm)?;
        Some(&row[column])
    }

    /// The number in a printed figure: `50390.16k`, `0.021267 sec`, `>0.0000001 secs`, `1,20`.
    pub fn number(printed: &str) -> Option<f64> {
        // A figure below the step of a clock is printed as `>0.0000001 secs`: its bound is taken.
        let digits = printed.trim_start_matches(['>', '<', ' ']).replace(',', ".");
        let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
        digits[..end].parse().ok()
    }
}

/// An error of a document.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// What it says.
    pub says: String,
    /// What is so.
    pub is: String,
    /// How we know.
    pub reason: String,
}
