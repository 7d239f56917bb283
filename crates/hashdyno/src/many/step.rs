//! The parts of a kernel that are functions of their own. They are most of what a kernel costs to
//! compile, and are inlined only where a call takes longer.

use super::Batch;
use super::out::MAX_LANES;

/// These functions, compiled for the lanes of a kernel.
///
/// To be called below functions that are compiled for the same lanes, and nowhere else.
pub(crate) struct Step<Chain, Block> {
    /// Compresses one block of each message.
    pub(crate) compress: unsafe fn(&mut Chain, &Block),
    /// Puts out the digests of the lanes that have numbers.
    pub(crate) put_out: unsafe fn(&mut Batch<'_>, &Chain, &[usize; MAX_LANES]),
}
