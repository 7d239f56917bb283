//! LSH of many messages: a vector holds one word of each message.
//!
//! A row is eight vectors here. So the permutations of a step are names of vectors and cost no
//! instruction. `rows.rs` has the compression for rows of any kind.

use super::rows::compress;
use super::{Size, folded};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

pub(super) struct LshLanes;

impl<W: Size> Design<W, 16, 32> for LshLanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;

    /// No length follows the message.
    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0; 4]
    }

    // The mark is in place, and nothing else ends a message.
    #[inline(always)]
    fn finish_tiny<L: Lanes<Word = W>>(_: &Digest, _: &mut [L; 32], _: &mut [L; 16], _: L) {}

    #[inline(always)]
    fn compress<L: Lanes<Word = W>>(chain: &mut [L; 16], words: &[L; 32]) {
        compress::<[L; 8]>(bytemuck::cast_mut(chain), bytemuck::cast_ref(words));
    }

    #[inline(always)]
    fn output<L: Lanes<Word = W>>(chain: [L; 16], _: usize) -> [L; 16] {
        folded(chain)
    }
}
