//! Checksum lists of every dialect and the files they speak of: written, read, checked; and copies
//! of files that are proved.
//!
//! `read` knows only itself, `list` knows `read`, everything else knows both.

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
