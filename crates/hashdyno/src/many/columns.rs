//! Chains as they are kept, one for each message, and in lanes.

use crate::lanes::Lanes;

/// The first words of each lane's bytes, as they lie in memory; those that are not there are 0.
#[inline(always)]
pub(super) fn read<'a, L: Lanes, const WORDS: usize>(
    bytes: impl Fn(usize) -> &'a [u8],
) -> [L; WORDS] {
    let mut columns: [L; WORDS] = bytemuck::Zeroable::zeroed();
    for lane in 0..L::COUNT {
        let words = bytes(lane).chunks_exact(size_of::<L::Word>()).take(WORDS);
        for (number, word) in words.enumerate() {
            L::words(&mut columns)[number * L::COUNT + lane] = bytemuck::pod_read_unaligned(word);
        }
    }
    columns
}

/// Writes the words of a lane to `bytes`, which have room for all of them.
#[inline(always)]
pub(super) fn write<L: Lanes, const WORDS: usize>(
    columns: &mut [L; WORDS],
    lane: usize,
    bytes: &mut [u8],
) {
    for (number, word) in bytes.chunks_exact_mut(size_of::<L::Word>()).take(WORDS).enumerate() {
        word.copy_from_slice(bytemuck::bytes_of(&L::words(columns)[number * L::COUNT + lane]));
    }
}
