//! Verified copies: hashed while they are copied, made durable, read back from the device,
//! compared.
//!
//! ```text
//! module   thread    a file on its way                                      then it is
//! sources  calling   found, with its place in the source
//! stage    workers   read, hashed, written to DEST/.hashdyno-copy/N, fsync  a temporary file
//! place    calling   renamed to its name, which nothing else has            in place
//! place    calling   for 64 files or 64 MiB: fsync of the folders,
//!                    then their lines in the journal, fdatasync             finished
//! proving  workers   read back and compared with the journal's digests      proved
//! target   calling   journal and DEST/.hashdyno-copy removed, if no file failed
//! ```
//!
//! The order of the syncs gives two promises. A file under its name is whole, since its bytes reach
//! the device before the rename. A line of the journal is true, since bytes and name reach the
//! device before it. A power cut at any other moment costs work that is done again.
//!
//! Memory does not grow with the bytes of a file. The sources are walked as a stream, and
//! everything that comes after (reading back, the manifest) streams the journal. Where files are
//! replaced there is a hash of each file's name (`place`). A resumed job has less than 100 bytes
//! for each file (`journal`).

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
pub use job::{CopyError, CopyJob, Failure, OnConflict, Renamed, Settled, Undated, Watch};
pub use layout::{Layout, LayoutError};
pub use plan::{Fate, Planned, plan};
pub use report::{CopyReport, Seconds, Tally};
pub use run::copy;
pub use verify::{Proof, Verify};
