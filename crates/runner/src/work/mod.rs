//! What can be computed: an algorithm, and the messages of one call.

mod aes;
mod algorithm;
mod cipher;
mod size;

pub use algorithm::Algorithm;
pub(crate) use cipher::LONGEST;
pub use cipher::{CIPHERS, Cipher, Direction, Mode};
pub(crate) use size::MAX_PAYLOAD;
pub use size::{Shape, Size};
