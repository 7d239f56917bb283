//! Measures whole files: a tree of photographs hashed by runners, and file tools as whole
//! processes.

pub mod photos;
mod place;
pub(super) mod process;
mod throttle;
mod tools;
mod tree;

pub use place::{FilesError, Place};
pub use tools::measure as measure_tools;
pub(super) use tree::measure as measure_tree;
