//! The `[[files]]` tables of a study: whole files. docs/STUDY.md is the reference.
//!
//! ```text
//! measures   files                       hashed by               clocks
//! tree       photographs and their copy  runners, in memory      the engine's, between probes
//! tools      one file of each size       programs, as processes  real, user, sys
//! ```
//!
//! METHODOLOGY.md, "Whole files", says how each is measured. `--quick` takes fewer rounds, fewer
//! photographs, and one shorter file in the place of all longer ones.

use runner::{Algorithm, Provider, providers};
use serde::{Deserialize, Serialize};

use super::{Erratum, Source, Tool, tools};

/// Digests of whole files, by runners or by file tools.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FileTable {
    /// What claims and the report call it.
    pub id: String,
    /// One line.
    pub title: String,
    /// What is done with the files.
    pub measures: Measures,
    /// Digests, by any name that the registry knows; shown as written.
    pub algorithms: Vec<String>,
    /// `tree`: providers of `runners.toml`; `tools`: tools of `tools.toml`.
    pub providers: Vec<Source>,
    /// `tree`: the photographs.
    pub photos: Option<Photos>,
    /// `tools`: lengths of the files in bytes; 0 shows what starting a process costs.
    #[serde(default)]
    pub sizes: Vec<u64>,
    /// `tools`: a disk slower than this one, which short files are read from, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttle: Option<Throttle>,
    /// How often each file is hashed. Ratios pair runs of one round: eight rounds give an interval.
    pub rounds: u32,
    /// What becomes less with `--quick`.
    #[serde(default)]
    pub quick: Quick,
    /// What the document printed.
    #[serde(default)]
    pub published: Vec<PublishedFiles>,
    /// Errors in what it printed.
    #[serde(rename = "erratum", default)]
    pub errata: Vec<Erratum>,
}

/// What is done with the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measures {
    /// A tree of photographs and its copy are read here and hashed by runners; the time of hashing
    /// is counted apart from reading.
    Tree,
    /// Single files are hashed by whole processes, with the page cache warm and cold.
    Tools,
}

/// A tree of photographs.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Photos {
    /// How many.
    pub count: usize,
    /// Bytes of the shortest, at least.
    pub from: u64,
    /// Bytes of the longest, at most.
    pub to: u64,
}

/// A disk that is slower than the one that is here.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Throttle {
    /// Bytes a second.
    pub rate: u64,
    /// The longest file that is read from it, in bytes: the others take too long.
    pub longest: u64,
}

/// What `--quick` makes less of.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Quick {
    /// Rounds in place of the table's.
    pub rounds: Option<u32>,
    /// Photographs in place of `photos.count`.
    pub photos: Option<usize>,
    /// A file of this length stands for every longer one.
    pub longest: Option<u64>,
}

/// What a document printed of whole files.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedFiles {
    /// What claims call it.
    pub id: String,
    /// Machine and software, as the document says.
    pub machine: String,
    /// Which provider or tool of ours stands in its place here.
    pub here: Source,
    /// Bytes that each figure stands for: of a tree both of its sides, of a tool the table's size.
    pub size: u64,
    /// Which state of the cache here it stands beside.
    #[serde(default)]
    pub cache: Cache,
    /// What each figure of a row is: rounds of a tree, or `real`, `user` and `sys`.
    pub columns: Vec<String>,
    /// Algorithm, then a time for each of `columns`, as printed.
    pub rows: Vec<Vec<String>>,
}

/// Where a file is before it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// In the system's page cache: the time is that of hashing and starting.
    #[default]
    Warm,
    /// On the device alone: its pages were dropped before the run.
    Cold,
    /// Nowhere: it comes through a pipe, as fast as the table's `throttle` says.
    Throttled,
}

impl Cache {
    /// All, in the order of tables and charts.
    pub const ALL: [Self; 3] = [Self::Warm, Self::Cold, Self::Throttled];
}

/// Which of a process's times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// From before it is started until after it has ended.
    #[default]
    Real,
    /// The CPUs' time in it, all of its threads together.
    User,
    /// The CPUs' time in the kernel on its behalf, such as for reads.
    Sys,
}

impl Photos {
    /// Whether there is a photograph, also with `--quick`, no more than [`MOST_PHOTOS`], and none
    /// longer than [`LONGEST_PHOTO`].
    fn can_be(&self, quick: &Quick) -> bool {
        let counts = [Some(self.count), quick.photos].into_iter().flatten();
        self.from <= self.to
            && self.to <= LONGEST_PHOTO
            && counts.into_iter().all(|count| (1..=MOST_PHOTOS).contains(&count))
    }
}

/// More than a study needs: at 5 MB each they take 10 TB with their copies.
pub(crate) const MOST_PHOTOS: usize = 1_000_000;
/// A photograph is one message of a job, which has 1 GiB at most. It may be a row of pixels longer
/// than the study says.
const LONGEST_PHOTO: u64 = 1_000_000_000;
const PHOTOS: &str = "expected photos = { count, from, to } for a tree, of 1 to 1000000 \
    photographs, of 1000000000 bytes at most";
const MOST_ROUNDS: u32 = 1_000_000;
/// A kilobyte a second.
/// A file of 4 MB takes over an hour at that rate.
const SLOWEST: u64 = 1000;
const THROTTLE: &str = "expected throttle = { rate, longest } with 1000 bytes a second at least";
/// Readings that give a figure with a narrow interval.
const READINGS: u32 = 32;
const ROUNDS: &str = "expected 1 to 1000000 rounds";

/// In the order in which they are shown.
const CLOCKS: [Clock; 3] = [Clock::Real, Clock::User, Clock::Sys];

impl FileTable {
    /// The rounds, and the photographs if it has any.
    pub fn amount(&self, quick: bool) -> (u32, Option<Photos>) {
        let less = if quick { self.quick.clone() } else { Quick::default() };
        let photos = self
            .photos
            .map(|photos| Photos { count: less.photos.unwrap_or(photos.count), ..photos });
        (less.rounds.unwrap_or(self.rounds), photos)
    }

    /// Where a file of this length is before it is read, in the order of reports: there is nothing
    /// to read of an empty one.
    pub fn caches(&self, bytes: u64) -> Vec<Cache> {
        let throttled = self.throttle.is_some_and(|throttle| bytes <= throttle.longest);
        let mut caches = vec![Cache::Warm];
        if bytes > 0 {
            caches.push(Cache::Cold);
            caches.extend(throttled.then_some(Cache::Throttled));
        }
        caches
    }

    /// The table with these sizes alone.
    pub(crate) fn of_sizes(&self, sizes: Vec<u64>) -> Self {
        Self { sizes, ..self.clone() }
    }

    /// How many steps a round has, for a person who waits.
    pub fn steps(&self, quick: bool) -> usize {
        let (_, photos) = self.amount(quick);
        photos.map_or(self.sizes.len(), |photos| photos.count)
    }

    /// The rounds that a provider takes part in. One whose figures stand beside published ones
    /// takes part in all. Of another's, 32 readings of photographs are enough.
    pub fn rounds_of(&self, provider: &Source, quick: bool) -> u32 {
        let (rounds, photos) = self.amount(quick);
        let published = &self.published;
        let in_all = published.is_empty() || published.iter().any(|block| block.here == *provider);
        match photos.filter(|_| !in_all) {
            // A round reads each photograph twice, at its source and in its copy.
            Some(photos) => rounds.min(READINGS.div_ceil(2 * photos.count as u32)),
            None => rounds,
        }
    }

    /// Each size, and the length of the file that is measured for it.
    pub fn lengths(&self, quick: bool) -> Vec<(u64, u64)> {
        // Claims name the document's sizes, also where a shorter file stands for one.
        let longest = self.quick.longest.filter(|_| quick).unwrap_or(u64::MAX);
        self.sizes.iter().map(|&size| (size, size.min(longest))).collect()
    }

    /// Checks that the table fits together; the error is what does not, and what was expected.
    pub(crate) fn check_shape(&self) -> Result<(), (String, String)> {
        let counts = [Some(self.rounds), self.quick.rounds].into_iter().flatten();
        let expected = match self.measures {
            _ if self.providers.is_empty() => "expected one provider at least",
            _ if !counts.into_iter().all(|rounds| (1..=MOST_ROUNDS).contains(&rounds)) => ROUNDS,
            Measures::Tree if !self.photos.is_some_and(|photos| photos.can_be(&self.quick)) => {
                PHOTOS
            }
            // A key of the other kind would be ignored, and its author would wait for its effect.
            Measures::Tree if !self.sizes.is_empty() => "a tree has no sizes",
            Measures::Tools if self.photos.is_some() => "tools have no photos",
            Measures::Tree if self.throttle.is_some() => "a tree has no throttle",
            _ if self.throttle.is_some_and(|throttle| throttle.rate < SLOWEST) => THROTTLE,
            _ => return self.published.iter().try_for_each(PublishedFiles::check),
        };
        Err((format!("the files table '{}'", self.id), expected.to_owned()))
    }

    /// Checks what the table names; the error is what it named, and what was expected.
    pub(crate) fn check_names(&self) -> Result<(), (String, String)> {
        for name in &self.algorithms {
            if !matches!(Algorithm::find(name), Some(Algorithm::Digest(_))) {
                return Err((
                    format!("the algorithm '{name}'"),
                    "expected a digest that `hashdyno list` shows".to_owned(),
                ));
            }
        }
        if self.measures == Measures::Tools && self.sizes.is_empty() {
            return Err((
                format!("the files table '{}'", self.id),
                "expected sizes for tools".to_owned(),
            ));
        }
        let named = self.providers.iter().chain(self.published.iter().map(|block| &block.here));
        named.into_iter().try_for_each(|source| self.check_source(source))
    }

    fn check_source(&self, source: &Source) -> Result<(), (String, String)> {
        let (known, names): (_, Vec<_>) = match self.measures {
            Measures::Tree => (
                Provider::find(&source.provider).is_some(),
                providers().iter().map(|one| &one.name).collect(),
            ),
            Measures::Tools => (
                Tool::find(&source.to_string()).is_some(),
                tools().iter().map(|one| &one.name).collect(),
            ),
        };
        // A file comes from one read after another. Tools start threads of their own.
        if source.threads != 1 {
            return Err((
                format!("'{source}'"),
                "expected one thread: a file is read by one".to_owned(),
            ));
        }
        let names: Vec<_> = names.into_iter().map(String::as_str).collect();
        if known {
            Ok(())
        } else {
            Err((
                format!("the provider '{source}'"),
                format!("expected one of {}", names.join(", ")),
            ))
        }
    }
}

impl PublishedFiles {
    /// The figures of an algorithm, as printed: every row that has its name.
    pub fn rows_of(&self, algorithm: &str) -> impl Iterator<Item = &[String]> {
        self.rows.iter().filter(move |row| row[0] == algorithm).map(|row| &row[1..])
    }

    /// The seconds of an algorithm's first row.
    pub fn seconds(&self, algorithm: &str) -> Option<Vec<f64>> {
        self.rows_of(algorithm).next()?.iter().map(|printed| seconds(printed)).collect()
    }

    /// Real, user and sys of each row of the algorithm, as printed.
    /// A document may print them in another order, or lack one.
    pub fn in_order(&self, algorithm: &str) -> String {
        let column = |clock: Clock| self.columns.iter().position(|column| column == clock.name());
        let row = |row: &[String]| {
            CLOCKS
                .iter()
                .filter_map(|&clock| Some(row[column(clock)?].clone()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        self.rows_of(algorithm).map(row).collect::<Vec<_>>().join("; ")
    }

    /// The time that a process took by `clock`, as printed, for each row of the algorithm.
    pub fn printed(&self, algorithm: &str, clock: Clock) -> Vec<&str> {
        let column = self.columns.iter().position(|column| column == clock.name());
        column
            .map(|column| self.rows_of(algorithm).map(|row| row[column].as_str()).collect())
            .unwrap_or_default()
    }

    fn check(&self) -> Result<(), (String, String)> {
        let whole = |row: &&Vec<String>| {
            row.len() == self.columns.len() + 1
                && row[1..].iter().all(|text| seconds(text).is_some())
        };
        match self.rows.iter().find(|row| !whole(row)) {
            None => Ok(()),
            Some(row) => Err((
                format!("the row {row:?} in the published block '{}'", self.id),
                format!("expected an algorithm and {} times", self.columns.len()),
            )),
        }
    }
}

impl Cache {
    /// As it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Warm => "warm",
            Self::Cold => "cold",
            Self::Throttled => "throttled",
        }
    }
}

impl Clock {
    /// As it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::User => "user",
            Self::Sys => "sys",
        }
    }
}

/// The number of seconds in a printed time: `5.731552`, `0.02s`, `0m9.023s`.
pub fn seconds(printed: &str) -> Option<f64> {
    let text = printed.strip_suffix('s').unwrap_or(printed);
    let (minutes, rest) = text.split_once('m').unwrap_or(("0", text));
    let value = minutes.parse::<u32>().ok()? as f64 * 60.0 + rest.parse::<f64>().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_were_printed() {
        for (printed, value) in
            [("5.731552", 5.731_552), ("0.02s", 0.02), ("0m9.023s", 9.023), ("2m0.5s", 120.5)]
        {
            assert_eq!(seconds(printed), Some(value), "{printed}");
        }
        for printed in ["", "s", "m1s", "-1", "nan", "1h"] {
            assert_eq!(seconds(printed), None, "{printed}");
        }
    }
}
