//! HAS-160 (TTAS.KO-12.0011/R2).

mod many;

use crate::kernel::kernels;
use crate::many::lanes;
use crate::padding::{Order, strengthen};
use crate::{Digest, Kernel, Last, Security, Spelling, State};
use many::{Many, compress};

digests! {
    HAS160 has160 Has160,
}

static HAS160: Digest = Digest {
    name: "has160",
    aliases: &["has-160"],
    spelling: Spelling::NONE,
    family: "has160",
    specified_in: "TTAS.KO-12.0011/R2",
    security: Security::Legacy,
    output_len: 20,
    extendable: false,
    block_len: 64,
    holds_last_block: false,
    check: "a0da48ccd36c9d24aa630d4b3673525e9109a83c",
    sweep: "0382c433e6614db2bf04cd8e5e80bb31221bd9bb",
    start: |state| state.init(INITIAL),
    finish,
    one: ONE,
    many: MANY,
};

const ONE: &[Kernel] = &[Kernel::portable(absorb)];

const MANY: &[Kernel] = kernels![lanes!(Many, u32, 1 * avx512), lanes!(Many, u32, 1 * avx2)];

const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    strengthen::<64>(state, last, 0x80, 8, Order::Little);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 5]>().map(u32::to_le)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 5]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, &bytemuck::cast::<_, [[u8; 4]; 16]>(*block).map(u32::from_le_bytes));
    }
}
