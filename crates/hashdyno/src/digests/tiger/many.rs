//! Tiger of many messages: two in turn. Each waits for its look-ups, and the CPU does those of the
//! other meanwhile.

use super::tables::BOXES;
use super::{PADDING, compress};
use crate::many::Design;
use crate::many::kernels::{OfDesign, run_portable};
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::lanes::wide::Wide2;
use crate::{Code, Digest, Features, Kernel};

/// The kernel of a number of passes.
pub(super) const fn kernel<const PASSES: usize>() -> Kernel {
    type Lanes<const PASSES: usize> = OfDesign<TigerLanes<PASSES>, Wide2<u64>, 3, 8>;
    Kernel::of("portablex2", Features::empty(), Code::Lanes(2, run_portable::<Lanes<PASSES>>))
        .resuming()
}

struct TigerLanes<const PASSES: usize>;

impl<const PASSES: usize> Design<u64, 3, 8> for TigerLanes<PASSES> {
    const MIN_FILL: usize = 8;
    const PADDING: Padding = PADDING;
    const TINY: bool = true;

    #[inline(always)]
    fn mark(digest: &Digest) -> u8 {
        digest.mark
    }

    /// For two lanes.
    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; 3], words: &[L; 8]) {
        // Lanes are memory here: word by word and lane by lane, as `words` gives them.
        let mut words = *words;
        let (chain, words) = (L::words(chain), L::words(&mut words));
        let (mut chains, mut messages) = ([[0; 3]; 2], [[0; 8]; 2]);
        for lane in 0..2 {
            for word in 0..3 {
                chains[lane][word] = chain[2 * word + lane];
            }
            for word in 0..8 {
                messages[lane][word] = words[2 * word + lane];
            }
        }
        compress(&mut chains, messages, PASSES, &BOXES);
        for word in 0..3 {
            (chain[2 * word], chain[2 * word + 1]) = (chains[0][word], chains[1][word]);
        }
    }
}
