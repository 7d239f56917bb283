//! Below lists and commands: names of files, walking, opening, reading, and hashing on all cores.

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
