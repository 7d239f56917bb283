//! How our kernels are set against the best of the others: the `[board]` of a study.
//!
//! ```text
//! [board]
//! win = 1.05
//! loss = 0.95
//! rounds = 40
//! processes = 2
//! ```
//!
//! A verdict needs both: the ratio beyond `win` or `loss`, and its interval on that side of 1.
//! METHODOLOGY.md, "The scoreboard", has the reasons.

use serde::{Deserialize, Serialize};

use super::Bound;

/// How ours is held against the best of the others: a study's `[board]`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Time of the best peer / our time from which on it is a win.
    pub win: f64,
    /// The same below which it is a loss.
    pub loss: f64,
    /// Rounds of a group at most: a board has thousands of series, and its record is kept.
    pub rounds: usize,
    /// Processes of each source; of each group the fastest is measured, as a heat before it finds.
    /// One process may be slow as long as it lives (METHODOLOGY.md, "The process lottery").
    #[serde(default = "one_process")]
    pub processes: usize,
    /// What no kernel goes below; those of `bounds.toml` where a study gives none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
}

fn one_process() -> usize {
    1
}

impl Rules {
    /// What is wrong with the rules, and what was expected.
    pub(crate) fn check(&self) -> Result<(), (String, String)> {
        if !(self.loss > 0.0 && self.loss <= 1.0 && self.win >= 1.0 && self.win.is_finite()) {
            let what = format!("a board with win = {} and loss = {}", self.win, self.loss);
            return Err((what, "expected a loss between 0 and 1 and a win from 1 up".to_owned()));
        }
        if self.rounds < LEAST_ROUNDS {
            return Err((
                format!("a board with rounds = {}", self.rounds),
                format!("expected {LEAST_ROUNDS} at least"),
            ));
        }
        if self.processes == 0 {
            return Err((
                "a board with processes = 0".to_owned(),
                "expected 1 at least".to_owned(),
            ));
        }
        Ok(())
    }

    /// The bound that names what there is not, and what was expected.
    pub(crate) fn check_bounds(&self) -> Result<(), (String, String)> {
        self.bounds.iter().try_for_each(Bound::check)
    }
}

/// With fewer a standard plan would call every figure one of too few samples.
const LEAST_ROUNDS: usize = 30;
