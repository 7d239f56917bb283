//! Verified copies: hashed while they are copied, made durable, read back from the device,
//! compared.
//!
//! Memory does not grow with the bytes of a file, and with the number of files only in a resumed
//! job, by 24 bytes for each: the sources are walked as a stream, and everything that comes after
//! (reading back, the manifest) streams the journal.

mod date;
mod film;
mod include;
mod job;
mod journal;
mod json;
mod layout;
mod place;
mod plan;
mod proving;
mod report;
mod run;
mod sidecars;
mod site;
mod sources;
mod stage;
mod suffix;
mod target;
mod verify;
mod write;

pub use date::Taken;
pub use include::Include;
pub use job::{CopyError, Failure, Job, OnConflict, Renamed, Settled, Undated, Watch};
pub use layout::{Layout, LayoutError};
pub use plan::{Fate, Planned, plan};
pub use report::{Report, Seconds, Tally};
pub use run::copy;
pub use verify::{Proof, Verify};
