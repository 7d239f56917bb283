//! Figures of whole files to judge claims by: as measured, and as printed.
//!
//! ```text
//!          time of a term                       ratio of two terms
//! Here     tree: ns a byte x bytes              samples of one file in turn, else apart
//!          tools: median of the runs            runs of one round
//! Printed  tree: median of the printed rounds   round by round; the ends are the extremes
//!          tools: the one printed time          of two times, without an interval
//! ```
//!
//! A document prints too few rounds for an interval of a median. Its smallest and largest ratio
//! stand for the ends.

use gauge::{Ratio, stats};

use super::Evidence;
use crate::record::Record;
use crate::record::files::{Hashed, Process};
use crate::study::{self, Clock, FileTable, Measures, PublishedFiles, Source, Term};
use crate::text::figure;

/// What was measured for a `[[files]]` table.
pub(crate) struct Here<'a> {
    pub(crate) record: &'a Record,
    pub(crate) table: &'a FileTable,
}

impl<'a> Here<'a> {
    /// An algorithm of a provider over the table's tree.
    pub(crate) fn hashed(&self, source: &Source, algorithm: &str) -> Option<&'a Hashed> {
        let mut cells = self.record.files.hashed.iter().filter(|cell| cell.table == self.table.id);
        cells.find(|cell| cell.source == *source && cell.algorithm == algorithm)
    }

    /// The process that a term names.
    fn process(&self, term: &Term) -> Option<&'a Process> {
        let mut cells =
            self.record.files.processes.iter().filter(|cell| cell.table == self.table.id);
        cells.find(|cell| {
            cell.source == term.provider
                && cell.algorithm == term.algorithm
                && Some(cell.size) == term.size.one().map(|len| len as u64)
                && cell.cache == term.cache
        })
    }

    /// Bytes that an algorithm hashes in a round.
    pub(crate) fn bytes(&self) -> Option<u64> {
        Some(self.record.files.trees.iter().find(|tree| tree.table == self.table.id)?.bytes)
    }

    /// Bytes of the files that a term is about.
    pub(crate) fn length(&self, term: &Term) -> Option<u64> {
        match self.table.measures {
            Measures::Tree => self.bytes(),
            Measures::Tools => self.process(term).map(|process| process.bytes),
        }
    }

    fn confidence(&self) -> f64 {
        self.record.head.plan.confidence
    }
}

impl Evidence for Here<'_> {
    fn name(&self) -> String {
        "here".to_owned()
    }

    fn algorithms(&self, left: &Term) -> Vec<String> {
        if self.record.head.study.narrowed {
            return Vec::new();
        }
        let is_there = |name: &&String| match self.table.measures {
            Measures::Tree => self.hashed(&left.provider, name).is_some(),
            Measures::Tools => {
                self.process(&Term { algorithm: (*name).clone(), ..left.clone() }).is_some()
            }
        };
        self.table.algorithms.iter().filter(is_there).cloned().collect()
    }

    fn ns(&self, term: &Term) -> Option<f64> {
        match self.table.measures {
            Measures::Tree => Some(
                self.hashed(&term.provider, &term.algorithm)?.series.estimate()?.ns.value
                    * self.bytes()? as f64,
            ),
            Measures::Tools => {
                Some(self.process(term)?.timing(term.clock, self.confidence())?.ns.value)
            }
        }
    }

    fn ratio(&self, left: &Term, right: &Term) -> Option<Ratio> {
        match self.table.measures {
            Measures::Tree => {
                let series =
                    |term: &Term| Some(&self.hashed(&term.provider, &term.algorithm)?.series);
                let (left, right) = (series(left)?, series(right)?);
                // A busy machine leaves few files of which both samples are clean.
                gauge::paired(left, right, self.confidence())
                    .or_else(|| gauge::unpaired(left, right, self.confidence()))
            }
            Measures::Tools => {
                let (left_process, right_process) = (self.process(left)?, self.process(right)?);
                left_process.ratio(right_process, [left.clock, right.clock], self.confidence())
            }
        }
    }

    fn describe(&self, term: &Term) -> String {
        described(self.table, term, self.length(term), self.ns(term))
    }
}

/// What the document printed.
pub(crate) struct Printed<'a> {
    pub(crate) table: &'a FileTable,
    pub(crate) blocks: Vec<&'a PublishedFiles>,
}

impl Printed<'_> {
    fn block(&self, term: &Term) -> Option<&PublishedFiles> {
        // A block of a tree is of the tree; a document may print several files of a tool.
        let whole = self.table.measures == Measures::Tree;
        let fits = |block: &&&PublishedFiles| {
            block.here == term.provider
                && (whole || Some(block.size) == term.size.one().map(|len| len as u64))
        };
        self.blocks.iter().find(fits).copied()
    }

    /// Seconds: of each round of a tree, or the one by the term's clock.
    fn seconds(&self, term: &Term) -> Option<Vec<f64>> {
        let block = self.block(term)?;
        match self.table.measures {
            Measures::Tree => block.seconds(&term.algorithm),
            Measures::Tools => {
                Some(vec![study::seconds(block.printed(&term.algorithm, term.clock).first()?)?])
            }
        }
    }
}

impl Evidence for Printed<'_> {
    fn name(&self) -> String {
        let machines: Vec<_> = self.blocks.iter().map(|block| block.machine.as_str()).collect();
        machines.join(" and ")
    }

    fn algorithms(&self, left: &Term) -> Vec<String> {
        self.block(left)
            .map_or_else(Vec::new, |block| block.rows.iter().map(|row| row[0].clone()).collect())
    }

    fn ns(&self, term: &Term) -> Option<f64> {
        Some(stats::median(&mut self.seconds(term)?) * 1e9)
    }

    /// Of rounds: the median of the ratios within each round, and the smallest and the largest of
    /// them.
    fn ratio(&self, left: &Term, right: &Term) -> Option<Ratio> {
        let (left, right) = (self.seconds(left)?, self.seconds(right)?);
        let mut ratios: Vec<_> =
            left.iter().zip(&right).map(|(left, right)| left / right).collect();
        let value = stats::median(&mut ratios);
        let (low, high) =
            (ratios.iter().copied().reduce(f64::min)?, ratios.iter().copied().reduce(f64::max)?);
        Some(gauge::Interval { value, low, high }.into())
    }

    fn describe(&self, term: &Term) -> String {
        described(self.table, term, self.block(term).map(|block| block.size), self.ns(term))
    }
}

fn described(table: &FileTable, term: &Term, bytes: Option<u64>, ns: Option<f64>) -> String {
    let clock = match (table.measures, term.clock) {
        (Measures::Tree, _) => String::new(),
        (Measures::Tools, Clock::Real) => format!("{}, real ", term.cache.name()),
        (Measures::Tools, clock) => format!("{} ", clock.name()),
    };
    let bytes = bytes.map_or_else(String::new, |bytes| format!("{bytes} bytes "));
    format!(
        "{} {} {bytes}{clock}{} s",
        term.provider,
        term.algorithm,
        figure(ns.unwrap_or(f64::NAN) * 1e-9)
    )
}
