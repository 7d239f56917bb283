//! Shabal (E. Bresson and others: Shabal, a submission to NIST's cryptographic hash algorithm
//! competition, second round, 2008).
//!
//! ```text
//! state: A of 12 words, B and C of 16 words each, a counter W of 64 bits
//! for each block M:
//!     B += M      A[0], A[1] ^= W      permute A and B by C and M      C -= M
//!     B and C change places            W += 1
//! end: the last block M three times more, without B += M, C -= M and a new W
//! digest: the last words of B
//! ```
//!
//! The initial state comes from two blocks of numbers, so a program computes it once (`LazyLock`).

mod many;

use std::sync::LazyLock;

use crate::kernel::many_kernels;
use crate::many::{lanes, to_memory_order};
use crate::padding::{Endian, Padding};
use crate::parts::arrays::{Mapped, from_fn};
use crate::{Digest, Kernel, Security, State, Tail};
use many::{B, CHAIN, COUNT, ShabalLanes, close, compress};

digests! {
    SHABAL_192 shabal_192 Shabal192,
    SHABAL_224 shabal_224 Shabal224,
    SHABAL_256 shabal_256 Shabal256,
    SHABAL_384 shabal_384 Shabal384,
    SHABAL_512 shabal_512 Shabal512,
}

static SHABAL_192: Digest =
    Digest { name: "shabal-192", aliases: &["shabal192"], ..shabal::<192>() };

static SHABAL_224: Digest =
    Digest { name: "shabal-224", aliases: &["shabal224"], ..shabal::<224>() };

static SHABAL_256: Digest =
    Digest { name: "shabal-256", aliases: &["shabal256"], ..shabal::<256>() };

static SHABAL_384: Digest =
    Digest { name: "shabal-384", aliases: &["shabal384"], ..shabal::<384>() };

static SHABAL_512: Digest =
    Digest { name: "shabal-512", aliases: &["shabal512"], ..shabal::<512>() };

/// What the digests have in common, for an output of `BITS`.
const fn shabal<const BITS: usize>() -> Digest {
    Digest {
        family: "shabal",
        specified_in: "Shabal (SHA-3 contest, second round)",
        security: Security::Legacy,
        output_len: BITS / 8,
        block_len: 64,
        start: |state| state.init(*initial(BITS)),
        finish,
        one: ONE,
        many: MANY,
        ..Digest::BASE
    }
}

const ONE: &[Kernel] = &[Kernel::portable(absorb)];

const MANY: &[Kernel] =
    many_kernels![lanes!(ShabalLanes, u32, 1 * avx512), lanes!(ShabalLanes, u32, 1 * avx2)];

/// The chain after two blocks of numbers that count up from that of the digest's bits. The counter
/// of the first of them is -1.
fn initial(bits: usize) -> &'static [u32; CHAIN] {
    static INITIAL: [LazyLock<[u32; CHAIN]>; 5] = [
        LazyLock::new(|| after_prefix(192)),
        LazyLock::new(|| after_prefix(224)),
        LazyLock::new(|| after_prefix(256)),
        LazyLock::new(|| after_prefix(384)),
        LazyLock::new(|| after_prefix(512)),
    ];
    &INITIAL[if bits > 256 { bits / 128 } else { bits / 32 - 6 }]
}

fn after_prefix(bits: u32) -> [u32; CHAIN] {
    let mut chain = [0; CHAIN];
    // -1, which the first block makes 0.
    chain[COUNT..COUNT + 2].fill(u32::MAX);
    let numbers: [u32; 32] = from_fn(|number| bits + number as u32);
    for block in numbers.as_chunks().0 {
        compress(&mut chain, block);
    }
    chain
}

/// A bit 1 and zeros.
const PADDING: Padding = Padding::of_mark(0x80);

/// The digest is the last bytes of B.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; 64];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    block[tail.bytes.len()] = PADDING.mark;
    // Less than a block is left, so the mark always has room.
    tail.kernel.absorb(state, &block);
    let chain = to_memory_order(close(state.read::<[u32; CHAIN]>()), Endian::Little);
    let bytes: &[u8] = bytemuck::cast_slice(&chain[B..B + 16]);
    out.copy_from_slice(&bytes[64 - out.len()..]);
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; CHAIN]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, &bytemuck::cast::<_, [[u8; 4]; 16]>(*block).mapped(u32::from_le_bytes));
    }
}
