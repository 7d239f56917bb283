//! Measures whole files: a tree of photographs hashed by runners, and file tools as whole
//! processes.
//!
//! ```text
//! tree     photos makes the files, the engine reads them, runners hash them between probes
//! tools    a file of random bytes, process runs each tool, throttle feeds a slow pipe
//! place    the folder for both, removed at the end unless the user named it
//! ```

pub mod photos;
mod place;
pub(super) mod process;
mod throttle;
mod tools;
mod tree;

pub use place::{FilesError, Place};
pub use tools::measure as measure_tools;
pub(super) use tree::measure as measure_tree;
