//! HAS-160 (TTAS.KO-12.0011/R2).
//!
//! A block takes 80 steps on five words, in four rounds of twenty steps. A step is like SHA-1's,
//! and the schedule is simpler: each round takes the sixteen words and four sums of words.
//!
//! ```text
//! a round:   X0  w w w w   X1  w w w w   X2  w w w w   X3  w w w w
//! w:         a word of the block, in the order of the round
//! X0 .. X3:  the exclusive or of four words that come later or earlier in the round
//! a step:    a b c d e = a <<< turn of the step + f(b, c, d) + e + word + constant,
//!                        a, b <<< turn of the round, c, d
//! ```
//!
//! Words are little-endian, and the padding is MD4's. `many.rs` has the rounds.

mod many;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::{Digest, Kernel, Purpose, Security, State, Tail};
use many::{Has160Lanes, compress};

digests! {
    HAS160 has160 Has160,
}

static HAS160: Digest = Digest {
    name: "has160",
    aliases: &["has-160"],
    family: "has160",
    purpose: Purpose::NationalStandard,
    specified_in: "TTAS.KO-12.0011/R2",
    security: Security::Legacy,
    output_len: 20,
    block_len: 64,
    start: |state| state.init(INITIAL),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] = kernels![crate::many::alone!(Has160Lanes); Kernel::portable(absorb)];

const MANY: &[Kernel] =
    many_kernels![lanes!(Has160Lanes, u32, 1 * avx512), lanes!(Has160Lanes, u32, 1 * avx2)];

const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

const PADDING: Padding = Padding::with_length(8, Endian::Little);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; 5]>().mapped(u32::to_le)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; 5]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, &bytemuck::cast::<_, [[u8; 4]; 16]>(*block).mapped(u32::from_le_bytes));
    }
}
