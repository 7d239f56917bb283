//! SHA-224 and SHA-256 of many messages.

use super::super::lanes::compress;
use super::{CUBE_ROOTS, DISTANCES};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

pub(super) struct Sha256Lanes;

impl Design<u32, 8, 16> for Sha256Lanes {
    /// One message by SHA-NI is as fast as eight by AVX-512.
    const MIN_FILL: usize = 8;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;
    const ITERATES: bool = true;

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 8], words: &[L; 16]) {
        compress::<L, 64>(chain, words, &CUBE_ROOTS, &DISTANCES);
    }
}
