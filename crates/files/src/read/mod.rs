//! Below lists and commands: names of files, walking, opening, reading, and hashing on all cores.
//!
//! ```text
//! walk, skip     names of files below a folder, in order
//! open           a name -> a file, within the limits of a `Root`
//! opened         a file and its look before it is read
//! digests        files of one batch: small ones together, others
//!   abreast        side by side in the lanes of a core
//!   large          alone, on several threads; subtrees: of BLAKE3
//!   parts          alone, by its parts
//! method, key    what computes a digest
//! source, room   how bytes are read, and where to
//! ordered        work on threads, results in order
//! ```
//!
//! All of them read by `read` and `pread`. A map of a file that is cut meanwhile would end the
//! program by a signal.

pub mod abreast;
pub mod device;
pub mod digests;
pub mod key;
mod large;
pub mod meter;
pub mod method;
pub mod names;
pub mod open;
mod opened;
pub mod ordered;
mod parts;
mod room;
pub mod skip;
mod source;
mod subtrees;
pub mod system;
pub mod walk;
