//! The text of a round, called.

/// Compresses one block of each message. A function of its own: the text of a round is most of what
/// a kernel costs to compile, and is inlined only where a call takes longer.
///
/// To be called below functions that are compiled for the same lanes, and nowhere else.
pub(crate) type Step<Chain, Block> = unsafe fn(&mut Chain, &Block);
