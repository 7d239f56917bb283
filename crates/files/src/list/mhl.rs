//! Media hash lists: MHL 1.1 and ASC MHL 2.0, the lists of film cards.

mod read;
mod version;
mod write;

pub(super) use read::Xml;
pub use version::Version;
pub(super) use write::{element, entry, frame};
