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
pub(crate) use compare::identity;
pub use compare::{Change, Compared, Incomparable, Side, change, compare, only_in};
pub(crate) use files::Here;
