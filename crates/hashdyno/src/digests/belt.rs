//! Belt-hash (STB 34.101.31-2020, section 7.8): three encryptions of a block cipher for each block,
//! and one more block of the message's length and the sum of what the first of them gave.

mod many;

use crate::kernel::kernels;
use crate::many::lanes;
use crate::{Digest, Kernel, Last, Security, Spelling, State};
use many::{CHAIN, LAST, Many, compress};

digests! {
    BELT_HASH belt_hash BeltHash,
}

static BELT_HASH: Digest = Digest {
    name: "belt-hash",
    aliases: &["belt"],
    spelling: Spelling::NONE,
    family: "belt",
    specified_in: "STB 34.101.31-2020",
    security: Security::Sound,
    output_len: 32,
    extendable: false,
    block_len: 32,
    holds_last_block: false,
    check: "6944c171dbc58b189462d4a2ede715523b66604ab148a8e2975b39f3a4dce82c",
    sweep: "e1ddf029c3e9903ff2f9ff3a832e3d56d3bf3062199e093dba139ac308900324",
    start: |state| state.init(INITIAL),
    finish,
    one: ONE,
    many: MANY,
};

const ONE: &[Kernel] = &[Kernel::portable(absorb)];

/// AVX2's look-ups of eight messages took as long as those of each alone.
const MANY: &[Kernel] = kernels![lanes!(Many, u32, 1 * avx512)];

/// The first bytes of the cipher's S-box.
const INITIAL: [u32; CHAIN] = {
    let (mut chain, mut at) = ([0; CHAIN], 0);
    while at < 32 {
        chain[at / 4] |= (SBOX[at] as u32) << (8 * (at % 4));
        at += 1;
    }
    chain
};

fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let mut block = [0; 32];
    if !last.bytes.is_empty() {
        block[..last.bytes.len()].copy_from_slice(last.bytes);
        last.kernel.absorb(state, &block);
    }
    block = [0; 32];
    block[..16].copy_from_slice(&(u128::from(last.message_len) << 3).to_le_bytes());
    state.view::<[u32; CHAIN]>()[LAST] = u32::MAX;
    last.kernel.absorb(state, &block);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 8]>().map(u32::to_le)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; CHAIN]>();
    for block in blocks.as_chunks::<32>().0 {
        compress(chain, &bytemuck::cast::<_, [[u8; 4]; 8]>(*block).map(u32::from_le_bytes));
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
