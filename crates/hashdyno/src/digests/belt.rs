//! Belt-hash (STB 34.101.31-2020, section 7.8): three encryptions of a block cipher for each block,
//! and one more block of the message's length and the sum of what the first of them gave.
//!
//! ```text
//! h: 32 bytes, s: 16 bytes of zeros
//! for each block X of 32 bytes, the last one filled with zeros:  (t, h) = compress(X, h);  s ^= t
//! at the end:   (t, h) = compress(length in bits of 16 bytes | s, h);  h is the digest
//! compress:     t from the first encryption, h from the two others                (section 6.3)
//! ```

mod many;

use crate::kernel::many_kernels;
use crate::many::lanes;
use crate::parts::arrays::Mapped;
use crate::{Cores, Digest, Kernel, Purpose, Security, State, Tail};
use many::{BeltLanes, CHAIN, LAST, compress};

digests! {
    BELT_HASH belt_hash BeltHash,
}

static BELT_HASH: Digest = Digest {
    name: "belt-hash",
    aliases: &["belt"],
    family: "belt",
    purpose: Purpose::NationalStandard,
    specified_in: "STB 34.101.31-2020",
    security: Security::Sound,
    output_len: 32,
    block_len: 32,
    start: |state| state.init(INITIAL),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] = &[Kernel::portable(absorb)];

/// AVX2's look-ups of eight messages took as long as those of each alone. AVX-512's of sixteen took
/// a fifth longer on Intel's cores, and a tenth on a Zen 4.
const MANY: &[Kernel] = many_kernels![lanes!(BeltLanes, u32, 1 * avx512).only(Cores::ZEN5)];

/// The first bytes of the cipher's S-box.
const INITIAL: [u32; CHAIN] = {
    let (mut chain, mut at) = ([0; CHAIN], 0);
    while at < 32 {
        chain[at / 4] |= (SBOX[at] as u32) << (8 * (at % 4));
        at += 1;
    }
    chain
};

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; 32];
    if !tail.bytes.is_empty() {
        block[..tail.bytes.len()].copy_from_slice(tail.bytes);
        tail.kernel.absorb(state, &block);
    }
    block = [0; 32];
    block[..16].copy_from_slice(&(u128::from(tail.message_len) << 3).to_le_bytes());
    // The mask lets `compress` join s with the second half of the block.
    state.view::<[u32; CHAIN]>()[LAST] = u32::MAX;
    tail.kernel.absorb(state, &block);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 8]>().mapped(u32::to_le)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; CHAIN]>();
    for block in blocks.as_chunks::<32>().0 {
        compress(chain, &bytemuck::cast::<_, [[u8; 4]; 8]>(*block).mapped(u32::from_le_bytes));
    }
}

/// The cipher's S-box: each entry is 116 steps of a shift register after the one before (section
/// 6.2.3).
const SBOX: [u8; 256] = {
    let (mut sbox, mut entry, mut at) = ([0; 256], 0x8eu8, 11);
    while at < 10 + 256 {
        sbox[at % 256] = entry;
        let mut step = 0;
        while step < 116 {
            entry = entry >> 1 | ((entry & 0x63).count_ones() as u8) << 7;
            step += 1;
        }
        at += 1;
    }
    sbox
};
