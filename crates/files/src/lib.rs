//! Checksum lists of every dialect and the files they speak of: written, read, checked; and copies
//! of files that are proved.
//!
//! `read` knows only itself, `list` knows `read`, everything else knows both.
//!
//! ```text
//! sum check update audit trees lines    a module for each command; `verdict` writes their lines
//! copy                                  copies that are proved
//!   |   batches                         how files are dealt out to threads
//! list                                  bytes of a list <-> entries
//!   |
//! read                                  names, walks, opening, hashing on all cores
//! ```
//!
//! A file is reported as right only if all of its bytes were read and every claim on it held. A
//! list of which nothing was compared never holds.

pub mod audit;
mod batches;
pub mod check;
pub mod copy;
pub mod lines;
pub mod list;
mod read;
pub mod sum;
pub mod trees;
pub mod update;
pub mod verdict;

pub use list::{algorithm, asc, c4};
pub use read::{digests, key, meter, method, names, open, skip, walk};
