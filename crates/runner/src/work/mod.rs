//! What can be computed: an algorithm, and the messages of one call.

mod aes;
mod algorithm;
mod cipher;
mod family;
mod others;
mod size;

pub use algorithm::Algorithm;
pub(crate) use cipher::LONGEST;
pub use cipher::{CIPHERS, Cipher, Direction, Mode};
pub use family::Family;
pub(crate) use size::MAX_PAYLOAD;
pub use size::{Payload, Shape, Size};
