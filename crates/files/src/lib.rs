//! Checksum lists of every dialect and the files they speak of: written, read, checked; and copies
//! of files that are proved.

pub mod algorithm;
pub mod asc;
pub mod audit;
pub mod c4;
pub mod check;
pub mod copy;
pub mod digests;
mod large;
pub mod lines;
pub mod list;
pub mod meter;
pub mod names;
pub mod open;
mod ordered;
mod room;
mod source;
mod subtrees;
pub mod sum;
pub mod trees;
pub mod update;
pub mod verdict;
pub mod walk;
