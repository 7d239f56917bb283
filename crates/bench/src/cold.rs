//! First calls: what a job takes in a process that has done nothing yet, and in one that has just begun, as a script does them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::crew::Crew;
use crate::execute::Progress;
use crate::study::{Source, Table};
use crate::{Algorithm, Job, RunnerError};

/// What one cell took, once in each of several fresh processes that did all of the table's cells in that order. Nothing was
/// verified before; that very call gave the answer, and it was right.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cold {
    /// Provider and implementation as the study asks.
    pub source: Source,
    /// The algorithm as the study writes it.
    pub algorithm: String,
    /// Message length in bytes.
    pub size: usize,
    /// In which order the sizes were done.
    pub order: Order,
    /// Nanoseconds, a figure for each process.
    pub ns: Vec<f64>,
}

/// How a process goes through the sizes; at each it does the table's algorithms in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
}

impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ascending => "ascending",
            Self::Descending => "descending",
        })
    }
}

impl Cold {
    /// The median and its interval.
    pub fn interval(&self, confidence: f64) -> gauge::Interval {
        gauge::stats::median_interval(&mut self.ns.clone(), confidence)
    }

    /// Time of this over time of `other`, process by process where they are of the same ones.
    pub fn ratio(&self, other: &Self, confidence: f64) -> gauge::Ratio {
        let pairs = self.ns.iter().zip(&other.ns);
        gauge::stats::median_interval(&mut pairs.map(|(a, b)| a / b).collect::<Vec<_>>(), confidence).into()
    }
}

/// The table's cells, `rounds` fresh processes for each source and order. A source that fails has none.
pub(crate) fn measure(crew: &Crew<'_>, table: &Table, rounds: usize, progress: &mut dyn Progress) -> Vec<Cold> {
    let mut cells = Vec::new();
    for source in table.sources().iter().filter(|source| crew.is_there(source)) {
        match of_source(crew, table, source, rounds) {
            Ok(found) => cells.extend(found),
            Err(error) => progress.warn(&format!("{source}: {error}")),
        }
    }
    cells
}

fn of_source(crew: &Crew<'_>, table: &Table, source: &Source, rounds: usize) -> Result<Vec<Cold>, RunnerError> {
    let mut jobs = BTreeMap::new();
    let mut times: BTreeMap<(Order, usize, usize), Vec<f64>> = BTreeMap::new();
    for _ in 0..rounds {
        for order in [Order::Ascending, Order::Descending] {
            let mut team = crew.fresh(source)?;
            for size in sizes(table, order) {
                for (place, algorithm) in table.algorithms.iter().enumerate() {
                    let wanted = Algorithm::find(algorithm).expect("a study names only what there is");
                    let Some(offer) = team.offer(wanted, size.into()) else { continue };
                    let job: &Job = jobs.entry((size, place)).or_insert_with(|| wanted.job(&offer, size.into()));
                    team.job(job)?;
                    times.entry((order, size, place)).or_default().extend(team.first_call_ns());
                }
            }
        }
    }
    let cold = |((order, size, place), ns): ((Order, usize, usize), Vec<f64>)| Cold {
        source: source.clone(),
        algorithm: table.algorithms[place].clone(),
        size,
        order,
        ns,
    };
    Ok(times.into_iter().map(cold).filter(|cold| !cold.ns.is_empty()).collect())
}

fn sizes(table: &Table, order: Order) -> Vec<usize> {
    let mut sizes = table.sizes.clone();
    sizes.sort_unstable();
    if order == Order::Descending {
        sizes.reverse();
    }
    sizes
}
