//! What host and runner say to each other (docs/PROTOCOL.md), and what can go wrong with it.

mod error;
mod job;
mod lines;

pub use error::RunnerError;
pub use job::{Job, portable};
pub use lines::{Greeting, Kind, Offer};
pub(crate) use lines::{MAX_ANSWER, MAX_LIST, MAX_SPELLED};
