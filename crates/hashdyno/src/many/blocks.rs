//! How many blocks a message makes.

/// The blocks of the message in a lane.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// How many are taken from where the message lies.
    pub(super) body: usize,
    /// How many it makes in all. Those behind the body are its tail: what is left of it, padded.
    pub(super) total: usize,
}
