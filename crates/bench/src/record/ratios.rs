//! The ratios that a summary keeps: without samples they cannot be computed again.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gauge::Ratio;
use runner::Size;
use serde::{Deserialize, Serialize};

use super::Entry;
use crate::study::Source;

/// Ratios of times between the cells of one record.
#[derive(Clone, Debug, Default)]
pub struct Ratios {
    known: RefCell<BTreeMap<[Cell; 2], Ratio>>,
    /// Whether each ratio that is computed is kept.
    keeps: bool,
}

/// A cell of the record: source, algorithm, size.
type Cell = (Source, String, Size);

/// A line of the record: time of one source over time of another.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    source: Source,
    over: Source,
    algorithm: String,
    size: Size,
    /// Algorithm and size of the other source, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    over_cell: Option<(String, Size)>,
    ratio: Ratio,
}

impl Ratios {
    /// Keeps every ratio that is computed from now on.
    pub fn keeping() -> Self {
        Self { known: RefCell::default(), keeps: true }
    }

    /// The ratio of two cells: the one that is kept, or the one that `compute` gives.
    pub(super) fn find(&self, a: &Entry, b: &Entry, compute: impl FnOnce() -> Option<Ratio>) -> Option<Ratio> {
        let pair = [cell(a), cell(b)];
        if let Some(known) = self.known.borrow().get(&pair) {
            return Some(*known);
        }
        let ratio = compute()?;
        if self.keeps {
            self.known.borrow_mut().insert(pair, ratio);
        }
        Some(ratio)
    }

    /// As the record's lines, each figure as `rounded`.
    pub fn rounded(&self, rounded: impl Fn(f64) -> f64) -> Self {
        let round = |ratio: &Ratio| Ratio { value: rounded(ratio.value), low: rounded(ratio.low), high: rounded(ratio.high) };
        let known = self.known.borrow().iter().map(|(pair, ratio)| (pair.clone(), round(ratio))).collect();
        Self { known: RefCell::new(known), keeps: false }
    }

    /// As the record's lines.
    pub(super) fn lines(&self) -> Vec<Kept> {
        let line = |([above, below], ratio): (&[Cell; 2], &Ratio)| {
            let (source, algorithm, size) = above.clone();
            let (over, other, other_size) = below.clone();
            let over_cell = Some((other, other_size)).filter(|other| *other != (algorithm.clone(), size));
            Kept { source, over, algorithm, size, over_cell, ratio: *ratio }
        };
        self.known.borrow().iter().map(line).collect()
    }

    /// Takes a line of the record.
    pub(super) fn take(&mut self, line: Kept) {
        let Kept { source, over, algorithm, size, over_cell, ratio } = line;
        let (other, other_size) = over_cell.unwrap_or_else(|| (algorithm.clone(), size));
        self.known.get_mut().insert([(source, algorithm, size), (over, other, other_size)], ratio);
    }
}

fn cell(entry: &Entry) -> Cell {
    (entry.source.clone(), entry.algorithm.clone(), entry.size)
}
