//! The ratios and costs that a summary keeps in the place of its samples: every one that a report
//! of the record shows.
//!
//! ```text
//! {"line":"ratio","cells":[["go","crc32c",5000],["hashdyno/sse4.2-zen5","crc32c",5000]],
//!  "ratio":{"value":3.0482,"low":3.037,"high":3.0548}}
//! {"line":"cost","cells":[["node","aes-256-cbc decrypt",4096],...],
//!  "cost":{"call":{...},"byte":{...},"worst":0.82119}}
//! ```
//!
//! A ratio of pairs cannot be computed from two estimates. So `report::summary` lets every format
//! write its report into nothing, while this table listens. Later the same reports find their
//! ratios here.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gauge::{Cost, Ratio};
use runner::Size;
use serde::{Deserialize, Serialize};

use super::{Entry, digits};
use crate::study::Source;

/// Ratios of times between cells of one record, and costs of a call and of a byte over several
/// cells.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    // Reports read the record while this table listens: hence tables that change behind `&self`.
    ratios: RefCell<BTreeMap<[Cell; 2], Ratio>>,
    costs: RefCell<BTreeMap<Vec<Cell>, Cost>>,
    /// Whether whatever is computed is kept.
    keeps: bool,
}

/// A cell of the record: source, algorithm, size.
type Cell = (Source, String, Size);

/// A line of the record: time of the first cell over time of the second.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptRatio {
    cells: [Cell; 2],
    ratio: Ratio,
}

/// A line of the record: the cost model of these cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptCost {
    cells: Vec<Cell>,
    cost: Cost,
}

impl Kept {
    /// Keeps whatever is computed from now on.
    pub fn keeping() -> Self {
        Self { keeps: true, ..Self::default() }
    }

    /// The ratio of two cells: the one that is kept, or the one that `compute` gives.
    pub(super) fn ratio(
        &self,
        [a, b]: [&Entry; 2],
        compute: impl FnOnce() -> Option<Ratio>,
    ) -> Option<Ratio> {
        self.find(&self.ratios, [cell(a), cell(b)], || compute().map(digits::ratio))
    }

    /// The costs of these cells: those that are kept, or those that `compute` gives.
    pub(super) fn cost(
        &self,
        entries: &[&Entry],
        compute: impl FnOnce() -> Option<Cost>,
    ) -> Option<Cost> {
        let cells = entries.iter().map(|entry| cell(entry)).collect();
        self.find(&self.costs, cells, || compute().map(digits::cost))
    }

    fn find<K: Ord, V: Clone>(
        &self,
        known: &RefCell<BTreeMap<K, V>>,
        key: K,
        compute: impl FnOnce() -> Option<V>,
    ) -> Option<V> {
        if let Some(known) = known.borrow().get(&key) {
            return Some(known.clone());
        }
        // An absent ratio is not kept: a summary has no samples, and finds none again.
        let value = compute()?;
        if self.keeps {
            known.borrow_mut().insert(key, value.clone());
        }
        Some(value)
    }

    /// The same; nothing more is kept.
    #[must_use]
    pub fn closed(self) -> Self {
        Self { keeps: false, ..self }
    }

    /// As the record's lines.
    pub(super) fn lines(&self) -> (Vec<KeptRatio>, Vec<KeptCost>) {
        let ratio = |(cells, ratio): (&[Cell; 2], &Ratio)| KeptRatio {
            cells: cells.clone(),
            ratio: *ratio,
        };
        let cost = |(cells, cost): (&Vec<Cell>, &Cost)| KeptCost {
            cells: cells.clone(),
            cost: cost.clone(),
        };
        (
            self.ratios.borrow().iter().map(ratio).collect(),
            self.costs.borrow().iter().map(cost).collect(),
        )
    }

    /// Takes a line of the record.
    pub(super) fn take_ratio(&mut self, line: KeptRatio) {
        self.ratios.get_mut().insert(line.cells, line.ratio);
    }

    /// Takes a line of the record.
    pub(super) fn take_cost(&mut self, line: KeptCost) {
        self.costs.get_mut().insert(line.cells, line.cost);
    }
}

fn cell(entry: &Entry) -> Cell {
    (entry.source.clone(), entry.algorithm.clone(), entry.size)
}
