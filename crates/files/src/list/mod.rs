//! Checksum lists: what they hold, read in every dialect and written in most.
//!
//! ```text
//! bytes -> window -> read -> line, bagit, hashdeep, json, mhl -> Entry     reading
//! Entry -> write -> bytes                                                  writing
//! algorithm    which digest a tag, a length or a list's name stands for
//! asc, c4      the history that ASC MHL keeps beside the files
//! ```
//!
//! Readers take every spelling of a value, and no line that has two meanings: a wrong guess could
//! let a list pass that does not hold.

pub mod algorithm;
pub mod asc;
mod bagit;
pub mod c4;
mod entry;
mod error;
mod format;
mod hashdeep;
pub(crate) mod json;
mod line;
mod mhl;
mod read;
mod window;
mod write;

pub use entry::{Claim, Entry};
pub use error::WriteError;
pub use format::Format;
pub use line::{Algorithm, Grammar};
pub use mhl::Version;
pub use read::{ListLine, Note, Reader};
pub use write::Writer;
