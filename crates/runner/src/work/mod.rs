//! What can be computed: an algorithm, and the messages of one call.

mod aes;
mod algorithm;
mod cipher;
mod column;
mod family;
mod others;
mod payload;
mod seed;
pub(crate) mod signature;
mod size;

pub use algorithm::Algorithm;
pub(crate) use cipher::LONGEST;
pub use cipher::{CIPHERS, Cipher, Direction, Mode};
pub use column::Column;
pub(crate) use column::rows;
pub use family::Family;
pub(crate) use payload::MAX_PAYLOAD;
pub use payload::Payload;
pub use size::{Shape, Size};
