//! Shabal (E. Bresson and others: Shabal, a submission to NIST's cryptographic hash algorithm
//! competition, second round, 2008).

mod many;

use std::sync::LazyLock;

use crate::kernel::kernels;
use crate::many::{in_order, lanes};
use crate::padding::Order;
use crate::{Digest, Kernel, Last, Security, Spelling, State};
use many::{B, CHAIN, COUNT, Many, close, compress};

digests! {
    SHABAL_192 shabal_192 Shabal192,
    SHABAL_224 shabal_224 Shabal224,
    SHABAL_256 shabal_256 Shabal256,
    SHABAL_384 shabal_384 Shabal384,
    SHABAL_512 shabal_512 Shabal512,
}

static SHABAL_192: Digest = Digest {
    name: "shabal-192",
    aliases: &["shabal192"],
    check: "2186596cb97a1d6f5793435c421cffacb2dd48f0662afafc",
    sweep: "183e9a7c5cd672eaaae9878a766ee6d2cbcbb5bff8141f65",
    ..shabal::<192>()
};

static SHABAL_224: Digest = Digest {
    name: "shabal-224",
    aliases: &["shabal224"],
    check: "ec6cdeb23483f0231fffb50795c81332905cf8ff07475201905a5f3e",
    sweep: "82089c664b324a14b3d658f6e4f3b929635a537f5dcbd2f45c010af9",
    ..shabal::<224>()
};

static SHABAL_256: Digest = Digest {
    name: "shabal-256",
    aliases: &["shabal256"],
    check: "f6bb7171c193ee787b1d82c1c0c8271980f4d6735ae8598936df92faa65ca6a0",
    sweep: "d8edd1bbdd9d931e81bd99735a84b47cf3f68943a4cc1f1551de70f7f0aabab3",
    ..shabal::<256>()
};

static SHABAL_384: Digest = Digest {
    name: "shabal-384",
    aliases: &["shabal384"],
    check: "8a634edebc4b3ff3dc2a9211a7e12dab7814c6f3a907c861864ab61486ed4ff8\
        5770271bb60c4d33f43f61e297d86290",
    sweep: "bc40e7fa01f9a64310beb3564f1921532df0983a07591fe583db577c055c5c6a\
        e8be83956f343581bc507fb59cd1ca57",
    ..shabal::<384>()
};

static SHABAL_512: Digest = Digest {
    name: "shabal-512",
    aliases: &["shabal512"],
    check: "47472582b04131f1de929cc6ee174d7726b8b0315a8e3be9d98d5548c6850fab\
        1176c9ab26c9436a0693b718a48a486ea8081dda4adc8d1cf75eec0608e0eceb",
    sweep: "34ef3631f3b78f819d7857bec6e7e6d11e1408dbaa277c3aa0ba0bc343f88d28\
        832b0ebe5bf2ad7a6d4453a4d62e548ca90c16e390235e4b6b62512eb8792250",
    ..shabal::<512>()
};

/// What the digests have in common, for an output of `BITS`.
const fn shabal<const BITS: usize>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "shabal",
        specified_in: "Shabal (SHA-3 contest, second round)",
        security: Security::Legacy,
        output_len: BITS / 8,
        extendable: false,
        block_len: 64,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: |state| state.init(*initial(BITS)),
        finish,
        one: ONE,
        many: MANY,
    }
}

const ONE: &[Kernel] = &[Kernel::portable(absorb)];

const MANY: &[Kernel] = kernels![lanes!(Many, u32, 1 * avx512), lanes!(Many, u32, 1 * avx2)];

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
    chain[COUNT..COUNT + 2].fill(u32::MAX);
    let numbers: [u32; 32] = std::array::from_fn(|number| bits + number as u32);
    for block in numbers.as_chunks().0 {
        compress(&mut chain, block);
    }
    chain
}

/// A bit 1 and zeros follow the message. The digest is the last bytes of B.
fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let mut block = [0; 64];
    block[..last.bytes.len()].copy_from_slice(last.bytes);
    block[last.bytes.len()] = 0x80;
    last.kernel.absorb(state, &block);
    let chain = in_order(close(state.read::<[u32; CHAIN]>()), Order::Little);
    let bytes: &[u8] = bytemuck::cast_slice(&chain[B..B + 16]);
    out.copy_from_slice(&bytes[64 - out.len()..]);
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u32; CHAIN]>();
    for block in blocks.as_chunks::<64>().0 {
        compress(chain, &bytemuck::cast::<_, [[u8; 4]; 16]>(*block).map(u32::from_le_bytes));
    }
}
