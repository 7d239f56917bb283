//! SHA-2 of many messages.

use super::super::lanes::compress;
use super::{CUBE_ROOTS, DISTANCES};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

pub(super) struct Sha512Lanes;

impl Design<u64, 8, 16> for Sha512Lanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;
    const ITERATES: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 8], words: &[L; 16]) {
        compress::<L, 80>(chain, words, &CUBE_ROOTS, &DISTANCES);
    }
}
