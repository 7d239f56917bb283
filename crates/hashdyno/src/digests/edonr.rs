//! Edon-R (D. Gligoroski and others: Cryptographic hash function Edon-R, SHA-3 contest, first
//! round, 2008), as submitted: RHash computes it so. Later versions differ.
//!
//! The chain is twice the digest: two halves of eight words, of which the second is put out. A
//! block is as long as the chain. `many.rs` has the compression for one message, too.

mod many;

use crate::kernel::many_kernels;
use crate::many::{lanes, to_memory_order};
use crate::padding::{Endian, Padding, strengthen};
use crate::{Digest, Kernel, Security, State, Tail};
use many::{EdonrLanes, Size, compress};

digests! {
    EDONR256 edonr256 Edonr256,
    EDONR512 edonr512 Edonr512,
}

static EDONR256: Digest =
    Digest { name: "edonr256", aliases: &["edon-r256", "edon-r-256"], ..edonr::<u32, 64>() };

static EDONR512: Digest =
    Digest { name: "edonr512", aliases: &["edon-r512", "edon-r-512"], ..edonr::<u64, 128>() };

/// What the digests have in common, for words `W` and blocks of `BLOCK` bytes.
const fn edonr<W: Size, const BLOCK: usize>() -> Digest {
    Digest {
        family: "edonr",
        specified_in: "Edon-R (SHA-3 contest, first round)",
        security: Security::Legacy,
        output_len: BLOCK / 2,
        block_len: BLOCK,
        start: |state| state.init(W::INITIAL),
        finish: finish::<W, BLOCK>,
        one: W::ONE,
        many: W::MANY,
        ..Digest::BASE
    }
}

// The length has 64 bits in both digests.
const PADDING: Padding = Padding::with_length(8, Endian::Little);

/// The digest is the second half of the chain.
fn finish<W: Size, const BLOCK: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<BLOCK>(state, tail, PADDING);
    let [_, words] = state.read::<[[W; 8]; 2]>();
    out.copy_from_slice(bytemuck::bytes_of(&to_memory_order(words, Endian::Little)));
}

fn absorb<W: Size>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[W; 16]>();
    for block in blocks.chunks_exact(size_of::<[W; 16]>()) {
        let words = bytemuck::pod_read_unaligned::<[W; 16]>(block);
        compress(chain, &to_memory_order(words, Endian::Little));
    }
}

/// The initial value: bytes that count up from `first`, the most significant of each word first.
macro_rules! initial {
    ($word:ident, $first:literal) => {{
        let (mut words, mut at): ([$word; 16], _) = ([0; 16], 0);
        while at < 16 * size_of::<$word>() {
            let word = &mut words[at / size_of::<$word>()];
            *word = *word << 8 | ($first + at) as $word;
            at += 1;
        }
        words
    }};
}

impl Size for u32 {
    const TURNS: [[u32; 8]; 2] = [[0, 5, 11, 13, 17, 19, 29, 31], [0, 3, 7, 11, 17, 19, 23, 29]];
    const ADDED: [Self; 2] = [0xaaaa_aaaa, 0x5555_5555];
    const INITIAL: [Self; 16] = initial!(u32, 0x40);
    const ONE: &'static [Kernel] = &[Kernel::portable(absorb::<u32>)];
    const MANY: &'static [Kernel] =
        many_kernels![lanes!(EdonrLanes, u32, 1 * avx512), lanes!(EdonrLanes, u32, 1 * avx2)];
}

impl Size for u64 {
    const TURNS: [[u32; 8]; 2] = [[0, 5, 19, 29, 31, 41, 57, 61], [0, 3, 17, 23, 31, 37, 45, 59]];
    const ADDED: [Self; 2] = [0xaaaa_aaaa_aaaa_aaaa, 0x5555_5555_5555_5555];
    const INITIAL: [Self; 16] = initial!(u64, 0x80);
    const ONE: &'static [Kernel] = &[Kernel::portable(absorb::<u64>)];
    const MANY: &'static [Kernel] =
        many_kernels![lanes!(EdonrLanes, u64, 1 * avx512), lanes!(EdonrLanes, u64, 1 * avx2)];
}
