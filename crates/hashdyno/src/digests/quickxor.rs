//! QuickXorHash, by which OneDrive and SharePoint name contents.
//!
//! Each byte is added to a ring of 160 bits, 11 bits behind the byte before it. Bytes that are 160
//! apart meet at the same place: blocks of 160 bytes are added up first, and brought to the ring
//! when the message ends.

use crate::kernel::kernels;
use crate::parts::arrays::Mapped;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::{Digest, Features, Security};

digests! {
    QUICKXOR quickxor Quickxor: [u8; 20],
}

static QUICKXOR: Digest = Digest {
    name: "quickxor",
    aliases: &["quickxorhash"],
    family: "quickxor",
    specified_in: "Microsoft Graph, QuickXorHash Algorithm",
    security: Security::Checksum,
    output_len: LEN,
    block_len: BLOCK,
    start: checksum::start::<QuickXor>,
    finish: checksum::finish::<QuickXor>,
    one: kernels![
        checksum_kernel!("avx2", Features::AVX2, "avx2", QuickXor, after_vectors);
        checksum_kernel!("portable", Features::empty(), QuickXor, after_blocks),
    ],
    ..Digest::BASE
};

const LEN: usize = 20;

/// A byte for each place in the ring.
const BLOCK: usize = 8 * LEN;

/// A block as words, the first byte lowest.
type Sums = [u64; BLOCK / 8];

struct QuickXor;

impl Checksum for QuickXor {
    type Register = Sums;
    const START: Sums = [0; BLOCK / 8];
    const BLOCK: usize = BLOCK;
    const LEN: usize = LEN;

    fn finish(sums: Sums, rest: &[u8], len: u64, out: &mut [u8]) {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        out.fill(0);
        for (index, &byte) in
            after_blocks(sums, &last).mapped(u64::to_le_bytes).iter().flatten().enumerate()
        {
            // 11 and 160 have no common factor, so the bytes of a block have 160 places.
            let bit = index * 11 % BLOCK;
            let [low, high] = (u16::from(byte) << (bit % 8)).to_le_bytes();
            // A byte may lie across two bytes of the ring. The first byte follows the last.
            out[bit / 8] ^= low;
            out[(bit / 8 + 1) % LEN] ^= high;
        }
        // The length joins the last eight bytes.
        out[LEN - 8..].iter_mut().zip(len.to_le_bytes()).for_each(|(out, byte)| *out ^= byte);
    }
}

#[inline(always)]
fn after_blocks(sums: Sums, bytes: &[u8]) -> Sums {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    blocks.iter().fold(sums, |mut sums, block| {
        let (words, _) = block.as_chunks::<8>();
        sums.iter_mut().zip(words).for_each(|(sum, word)| *sum ^= u64::from_le_bytes(*word));
        sums
    })
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn after_vectors(sums: Sums, bytes: &[u8]) -> Sums {
    after_blocks(sums, bytes)
}
