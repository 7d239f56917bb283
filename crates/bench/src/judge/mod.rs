//! Verdicts, from records alone: claims, the scoreboard, one record against another.
//!
//! ```text
//! claim, files   Claim    x Record            -> Judgement   holds, fails, not distinguishable ...
//! answer         Template x Record            -> Answered    a sentence and the cells behind it
//! board          Rules    x Record            -> Board       win, tie, loss, alone, not measured
//! compare        Record   x Record            -> Compared    faster, slower ...
//! ```
//!
//! Nothing is measured here and nothing is kept: the same record gives the same verdicts. A run
//! asks for some of them while it goes on, to know which groups to measure again.

mod answer;
mod board;
mod ceiling;
mod claim;
mod compare;
mod files;

pub use answer::{Answered, Cited, Quotient, answers};
pub use board::{Agreement, Board, Counts, Figure, Row, Standing, is_decided, thin};
pub use ceiling::of_ceiling;
pub use claim::{Evidence, Judgement, Verdict};
pub use compare::{Change, Compared, Incomparable, Side, change, compare, missing, only_in};
pub(crate) use compare::{across, identity};
pub(crate) use files::Here;
