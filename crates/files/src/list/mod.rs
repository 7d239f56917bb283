//! Checksum lists: what they hold, read in every dialect and written in most.

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
pub use read::{Line, Note, Reader};
pub use write::Writer;
