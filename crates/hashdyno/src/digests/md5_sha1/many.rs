//! MD5-SHA1 of many messages: a vector holds one word of each message.
//!
//! ```text
//! chain:    m0 .. m3 (MD5)    s0 .. s4 (SHA-1)    ends (all ones before a last block)
//! block:    little-endian words for MD5, with their bytes swapped for SHA-1
//! ```
//!
//! The lengths at the ends of the messages have different byte orders. A block is read once, so the
//! last two words are exchanged for SHA-1 where `ends` is set.

use crate::Digest;
use crate::digests::{md5, sha1};
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// The chain is that of `super::Chains`.
pub(super) struct Md5Sha1Lanes;

impl Design<u32, 10, 16> for Md5Sha1Lanes {
    const MIN_FILL: usize = 3;
    const PADDING: Padding = super::PADDING;
    const TINY: bool = true;
    const ADJUSTS: bool = true;

    /// In a message's last block the length is for SHA-1 the other way round.
    #[inline(always)]
    fn adjust(mut set: impl FnMut(usize, u32), block: usize, tail_len: usize, _: u64) {
        if block + 1 == Self::tail_blocks(tail_len) {
            set(9, u32::MAX);
        }
    }

    #[inline(always)]
    fn finish_tiny<L: Lanes<Word = u32>>(
        _: &Digest,
        block: &mut [L; 16],
        chain: &mut [L; 10],
        bits: L,
    ) {
        block[14] = bits;
        chain[9] = L::splat(u32::MAX);
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 10], words: &[L; 16]) {
        let [m0, m1, m2, m3, s0, s1, s2, s3, s4, ends] = *chain;
        let mut swapped = *words;
        for word in &mut swapped {
            *word = word.swap_bytes();
        }
        // The length is a number of two words. SHA-1 has the upper word first, MD5 the lower.
        swapped[14] = ends.select(words[15], swapped[14]);
        swapped[15] = ends.select(words[14], swapped[15]);
        let (mut for_md5, mut for_sha1) = ([m0, m1, m2, m3], [s0, s1, s2, s3, s4]);
        md5::Md5Lanes::compress(&mut for_md5, words);
        sha1::Sha1Lanes::compress(&mut for_sha1, &swapped);
        chain[..4].copy_from_slice(&for_md5);
        chain[4..9].copy_from_slice(&for_sha1);
    }

    #[inline(always)]
    fn output<L: Lanes<Word = u32>>(mut chain: [L; 10], _: usize) -> [L; 10] {
        // MD5's words are little-endian in the digest, SHA-1's big-endian.
        for word in &mut chain[4..9] {
            *word = word.swap_bytes();
        }
        chain
    }
}
