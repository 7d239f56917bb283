//! Edon-R (D. Gligoroski and others: Cryptographic hash function Edon-R, SHA-3 contest, first
//! round, 2008), as submitted: RHash computes it so. Later versions differ.

mod many;

use crate::kernel::kernels;
use crate::many::{in_order, lanes};
use crate::padding::{Order, strengthen};
use crate::{Digest, Kernel, Last, Security, Spelling, State};
use many::{Many, Size, compress};

digests! {
    EDONR256 edonr256 Edonr256,
    EDONR512 edonr512 Edonr512,
}

static EDONR256: Digest = Digest {
    name: "edonr256",
    aliases: &["edon-r256", "edon-r-256"],
    check: "a46c9b36623aa165b2b565aa8a2717aa911ebe86462a123337714ff18b622a60",
    sweep: "17747d113c942ab869f17bd834ca90f315e04556717dcf528c73557ce1e4ce14",
    ..edonr::<u32, 64>()
};

static EDONR512: Digest = Digest {
    name: "edonr512",
    aliases: &["edon-r512", "edon-r-512"],
    check: "769424a6cf38174e3c40977864c33a0eb4d40330f155ea130d71afcf7eb1ab82\
        861158fd9b5c2358510dd0d59b86f7a5c172b542171b6bde513da6592c73e676",
    sweep: "9aac8eb82966d3469c7eb4071791af7dd7220dc077702fd5a4d219cd3c42175e\
        a4aad7babb9545ff1db373ee701a7992acd466c511dc34fca135eb4a8f6140b5",
    ..edonr::<u64, 128>()
};

/// What the digests have in common, for words `W` and blocks of `BLOCK` bytes.
const fn edonr<W: Size, const BLOCK: usize>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "edonr",
        specified_in: "Edon-R (SHA-3 contest, first round)",
        security: Security::Legacy,
        output_len: BLOCK / 2,
        extendable: false,
        block_len: BLOCK,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: |state| state.init(W::INITIAL),
        finish: finish::<W, BLOCK>,
        one: W::ONE,
        many: W::MANY,
    }
}

/// The digest is the second half of the chain.
fn finish<W: Size, const BLOCK: usize>(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    strengthen::<BLOCK>(state, last, 0x80, 8, Order::Little);
    let [_, words] = state.read::<[[W; 8]; 2]>();
    out.copy_from_slice(bytemuck::bytes_of(&in_order(words, Order::Little)));
}

fn absorb<W: Size>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[W; 16]>();
    for block in blocks.chunks_exact(size_of::<[W; 16]>()) {
        let words = bytemuck::pod_read_unaligned::<[W; 16]>(block);
        compress(chain, &in_order(words, Order::Little));
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
        kernels![lanes!(Many, u32, 1 * avx512), lanes!(Many, u32, 1 * avx2)];
}

impl Size for u64 {
    const TURNS: [[u32; 8]; 2] = [[0, 5, 19, 29, 31, 41, 57, 61], [0, 3, 17, 23, 31, 37, 45, 59]];
    const ADDED: [Self; 2] = [0xaaaa_aaaa_aaaa_aaaa, 0x5555_5555_5555_5555];
    const INITIAL: [Self; 16] = initial!(u64, 0x80);
    const ONE: &'static [Kernel] = &[Kernel::portable(absorb::<u64>)];
    const MANY: &'static [Kernel] =
        kernels![lanes!(Many, u64, 1 * avx512), lanes!(Many, u64, 1 * avx2)];
}
