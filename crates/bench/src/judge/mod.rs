//! Verdicts, from records alone: claims, the scoreboard, one record against another.

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
