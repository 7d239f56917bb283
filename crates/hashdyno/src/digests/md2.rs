//! MD2 (RFC 1319).
//!
//! ```text
//! checksum c, digest x: 16 bytes each                             (sections 3.2 to 3.4)
//! each block m:  c[i] ^= PI[m[i] ^ c[i-1]]
//!                bytes = x | m | x ^ m
//!                18 rounds: each byte in turn ^= PI[the byte before];
//!                           the number of the round is added to the last
//!                x = the first 16 bytes
//! end:           padding of 1 to 16 bytes (3.1), then c as a block
//! ```

#[cfg(target_arch = "x86_64")]
mod planes;

use crate::kernel::many_kernels;
use crate::parts::arrays::from_fn;
use crate::{Cores, Digest, Kernel, Security, Spelling, State, Tail};

digests! {
    MD2 md2 Md2,
}

static MD2: Digest = Digest {
    name: "md2",
    spelling: Spelling { php: Some("md2"), ..Spelling::NONE },
    family: "md2",
    specified_in: "RFC 1319",
    security: Security::Broken,
    output_len: 16,
    block_len: 16,
    start: |state| state.init(Chain::default()),
    finish,
    one: &[Kernel::portable(absorb)],
    many: MANY,
    ..Digest::BASE
};

const MANY: &[Kernel] = many_kernels![
    // Intel's cores take a third longer in 256 lanes than in 128.
    planes::VBMI_X256.only(Cores::AMD),
    planes::VBMI_X128,
    planes::VBMI_X64,
    planes::AVX2_X64,
    planes::AVX2_X32
];

/// What MD2 keeps between blocks.
#[derive(Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Chain {
    digest: [u8; 16],
    checksum: [u8; 16],
}

/// Pads with as many bytes as there is room, each of them that number, and absorbs the checksum as
/// one block more.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let room = 16 - tail.bytes.len();
    let mut block = [room as u8; 16];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    tail.kernel.absorb(state, &block);
    let checksum = state.view::<Chain>().checksum;
    tail.kernel.absorb(state, &checksum);
    out.copy_from_slice(&state.view::<Chain>().digest);
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    for block in blocks.as_chunks::<16>().0 {
        compress(chain, block);
    }
}

/// All time goes into one chain of table lookups, 18 * 48 of them; the checksum's own, of 16, runs
/// beside it.
///
/// The bytes are kept as words: to make an index of a byte takes an instruction, and here it would
/// be one more in the chain. The bound that the compiler checks because it cannot see that a word
/// is a byte is no part of the chain.
fn compress(chain: &mut Chain, block: &[u8; 16]) {
    let mut bytes = [0u32; 48];
    for i in 0..16 {
        bytes[i] = chain.digest[i].into();
        bytes[16 + i] = block[i].into();
        bytes[32 + i] = (chain.digest[i] ^ block[i]).into();
    }
    let mut sum = chain.checksum[15];
    let mut link = 0;
    for round in 0..18 {
        if round < 16 {
            chain.checksum[round] ^= PI[usize::from(sum ^ block[round])];
            sum = chain.checksum[round];
        }
        for byte in &mut bytes {
            *byte ^= u32::from(PI[link as usize]);
            link = *byte;
        }
        link = (link + round as u32) % 256;
    }
    chain.digest = from_fn(|i| bytes[i] as u8);
}

/// A permutation of the bytes made from the digits of pi (RFC 1319, 3.2).
#[rustfmt::skip]
static PI: [u8; 256] = [
     41,  46,  67, 201, 162, 216, 124,   1,  61,  54,  84, 161, 236, 240,   6,  19,
     98, 167,   5, 243, 192, 199, 115, 140, 152, 147,  43, 217, 188,  76, 130, 202,
     30, 155,  87,  60, 253, 212, 224,  22, 103,  66, 111,  24, 138,  23, 229,  18,
    190,  78, 196, 214, 218, 158, 222,  73, 160, 251, 245, 142, 187,  47, 238, 122,
    169, 104, 121, 145,  21, 178,   7,  63, 148, 194,  16, 137,  11,  34,  95,  33,
    128, 127,  93, 154,  90, 144,  50,  39,  53,  62, 204, 231, 191, 247, 151,   3,
    255,  25,  48, 179,  72, 165, 181, 209, 215,  94, 146,  42, 172,  86, 170, 198,
     79, 184,  56, 210, 150, 164, 125, 182, 118, 252, 107, 226, 156, 116,   4, 241,
     69, 157, 112,  89, 100, 113, 135,  32, 134,  91, 207, 101, 230,  45, 168,   2,
     27,  96,  37, 173, 174, 176, 185, 246,  28,  70,  97, 105,  52,  64, 126,  15,
     85,  71, 163,  35, 221,  81, 175,  58, 195,  92, 249, 206, 186, 197, 234,  38,
     44,  83,  13, 110, 133,  40, 132,   9, 211, 223, 205, 244,  65, 129,  77,  82,
    106, 220,  55, 200, 108, 193, 171, 250,  36, 225, 123,   8,  12, 189, 177,  74,
    120, 136, 149, 139, 227,  99, 232, 109, 233, 203, 213, 254,  59,   0,  29,  57,
    242, 239, 183,  14, 102,  88, 208, 228, 166, 119, 114, 248, 235, 117,  75,  10,
     49,  68,  80, 180, 143, 237,  31,  26, 219, 153, 141,  51, 159,  17, 131,  20,
];
