//! First calls: the time of a job in a process that had done nothing yet, and in one that had just
//! begun, as a script does them.
//!
//! ```text
//! {"line":"cold","source":"php","algorithm":"aes-256-cbc-envelope encrypt","size":4096,
//!  "order":"ascending","ns":[98787.0,62954.0,65138.0,...]}
//! ```
//!
//! The interval is of processes, not of calls: each process gives one figure. There are no probes
//! beside it: nothing can be said of the core around one call (METHODOLOGY.md).

use serde::{Deserialize, Serialize};

use crate::study::{SizeOrder, Source};

/// What one cell took, once in each of several fresh processes that did all of the table's cells in
/// that order. Nothing was verified before; that very call gave the answer, and it was right.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cold {
    /// Provider and implementation as the study asks.
    pub source: Source,
    /// The algorithm as the study writes it.
    pub algorithm: String,
    /// Message length in bytes.
    pub size: usize,
    /// In which order the sizes were done.
    pub order: SizeOrder,
    /// Nanoseconds, a figure for each process.
    pub ns: Vec<f64>,
    /// Why nothing counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
}

impl Cold {
    /// The median and its interval, unless the cell is void.
    pub fn interval(&self, confidence: f64) -> Option<gauge::Interval> {
        let median = || gauge::stats::median_interval(&mut self.ns.clone(), confidence);
        self.void.is_none().then(median)
    }

    /// Time of this over time of `other`, process by process where they are of the same ones;
    /// nothing where one of them is void.
    pub fn ratio(&self, other: &Self, confidence: f64) -> Option<gauge::Ratio> {
        // Figures of one place are of one process where source and order are the same.
        let pairs = self.ns.iter().zip(&other.ns);
        let mut ratios = pairs.map(|(a, b)| a / b).collect::<Vec<_>>();
        let median = || gauge::stats::median_interval(&mut ratios, confidence).into();
        (self.void.is_none() && other.void.is_none()).then(median)
    }
}
