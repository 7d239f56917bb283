//! Snefru of many messages: the look-ups of one message wait for each other, the look-ups of other
//! messages do not.
//!
//! A word of each message is a vector, and a look-up is a gather (AVX2), a slow instruction. So
//! several vectors take turns. `planes.rs` looks up bytes of 64 messages by shuffles instead.

use super::PASSES;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// Snefru with a chain of so many words and blocks of so many, sixteen together.
pub(super) struct SnefruLanes<const CHAIN: usize, const WORDS: usize>;

impl<const CHAIN: usize, const WORDS: usize> Design<u32, CHAIN, WORDS>
    for SnefruLanes<CHAIN, WORDS>
{
    const MIN_FILL: usize = 6;
    const PADDING: Padding = super::PADDING;

    /// The tail, if there is one, and the length.
    #[inline(always)]
    fn tail_blocks(tail_len: usize) -> usize {
        if tail_len == 0 { 1 } else { 2 }
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], block: &[L; WORDS]) {
        let mut words = [chain[0]; 16];
        words[..CHAIN].copy_from_slice(chain);
        words[CHAIN..].copy_from_slice(block);
        for pass in &PASSES {
            round::<L, 0>(&mut words, &pass.boxes);
            round::<L, 16>(&mut words, &pass.boxes);
            round::<L, 24>(&mut words, &pass.boxes);
            round::<L, 8>(&mut words, &pass.boxes);
        }
        for (chain, word) in chain.iter_mut().zip(words.into_iter().rev()) {
            *chain = *chain ^ word;
        }
    }
}

/// As in `super::run`: the words stay, and the entries turn.
#[inline(always)]
fn round<L: Lanes<Word = u32>, const TURN: u32>(words: &mut [L; 16], boxes: &[[u32; 256]; 2]) {
    for at in 0..16 {
        let place = if TURN == 0 { words[at] } else { words[at].down(TURN) };
        let entry = place.look_up(&boxes[at / 2 % 2]);
        let entry = if TURN == 0 { entry } else { entry.left(TURN) };
        words[(at + 1) % 16] = words[(at + 1) % 16] ^ entry;
        words[(at + 15) % 16] = words[(at + 15) % 16] ^ entry;
    }
}
