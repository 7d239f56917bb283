//! The digests, and their initial values.
//!
//! | state | words of a state | with the row of the tweak | bytes of a block | bits of a digest |
//! |---|---|---|---|---|
//! | Skein-256 | 4 | 8 | 32 | 128, 160, 224, 256 |
//! | Skein-512 | 8 | 16 | 64 | 128, 160, 224, 256, 384, 512 |
//! | Skein-1024 | 16 | 32 | 128 | 384, 512, 1024 |
//!
//! The configuration block contains the length of the digest. So each length has its own initial
//! value. `start_of_len` computes the value of any other length.

use super::{skein, start};
use crate::Digest;

pub(super) static SKEIN512_128: Digest = Digest {
    name: "skein512-128",
    aliases: &["skein-512-128"],
    start: |state| start(state, INITIAL_512_128),
    ..skein::<8, 16, 128>()
};

pub(super) static SKEIN512_160: Digest = Digest {
    name: "skein512-160",
    aliases: &["skein-512-160"],
    start: |state| start(state, INITIAL_512_160),
    ..skein::<8, 16, 160>()
};

pub(super) static SKEIN512_224: Digest = Digest {
    name: "skein512-224",
    aliases: &["skein-512-224"],
    start: |state| start(state, INITIAL_512_224),
    ..skein::<8, 16, 224>()
};

pub(super) static SKEIN512_256: Digest = Digest {
    name: "skein512-256",
    aliases: &["skein-512-256"],
    start: |state| start(state, INITIAL_512_256),
    ..skein::<8, 16, 256>()
};

pub(super) static SKEIN512_384: Digest = Digest {
    name: "skein512-384",
    aliases: &["skein-512-384"],
    start: |state| start(state, INITIAL_512_384),
    ..skein::<8, 16, 384>()
};

pub(super) static SKEIN512_512: Digest = Digest {
    name: "skein512-512",
    aliases: &["skein512", "skein-512-512"],
    start: |state| start(state, INITIAL_512_512),
    ..skein::<8, 16, 512>()
};

pub(super) static SKEIN256_128: Digest = Digest {
    name: "skein256-128",
    aliases: &["skein-256-128"],
    start: |state| start(state, INITIAL_256_128),
    ..skein::<4, 8, 128>()
};

pub(super) static SKEIN256_160: Digest = Digest {
    name: "skein256-160",
    aliases: &["skein-256-160"],
    start: |state| start(state, INITIAL_256_160),
    ..skein::<4, 8, 160>()
};

pub(super) static SKEIN256_224: Digest = Digest {
    name: "skein256-224",
    aliases: &["skein-256-224"],
    start: |state| start(state, INITIAL_256_224),
    ..skein::<4, 8, 224>()
};

pub(super) static SKEIN256_256: Digest = Digest {
    name: "skein256-256",
    aliases: &["skein256", "skein-256-256"],
    start: |state| start(state, INITIAL_256_256),
    ..skein::<4, 8, 256>()
};

pub(super) static SKEIN1024_384: Digest = Digest {
    name: "skein1024-384",
    aliases: &["skein-1024-384"],
    start: |state| start(state, INITIAL_1024_384),
    ..skein::<16, 32, 384>()
};

pub(super) static SKEIN1024_512: Digest = Digest {
    name: "skein1024-512",
    aliases: &["skein-1024-512"],
    start: |state| start(state, INITIAL_1024_512),
    ..skein::<16, 32, 512>()
};

pub(super) static SKEIN1024_1024: Digest = Digest {
    name: "skein1024-1024",
    aliases: &["skein1024", "skein-1024-1024"],
    start: |state| start(state, INITIAL_1024_1024),
    ..skein::<16, 32, 1024>()
};

// The chaining values after the configuration block (section 3.5.2 and appendix B): unkeyed, no
// tree.
#[rustfmt::skip]
const INITIAL_256_128: [u64; 4] = [
    0xe1111906964d7260, 0x883daaa77c8d811c, 0x10080df491960f7a, 0xccf7dde5b45bc1c2,
];
#[rustfmt::skip]
const INITIAL_256_160: [u64; 4] = [
    0x1420231472825e98, 0x2ac4e9a25a77e590, 0xd47a58568838d63e, 0x2dd2e4968586ab7d,
];
#[rustfmt::skip]
const INITIAL_256_224: [u64; 4] = [
    0xc6098a8c9ae5ea0b, 0x876d568608c5191c, 0x99cb88d7d7f53884, 0x384bddb1aeddb5de,
];
#[rustfmt::skip]
const INITIAL_256_256: [u64; 4] = [
    0xfc9da860d048b449, 0x2fca66479fa7d833, 0xb33bc3896656840f, 0x6a54e920fde8da69,
];
#[rustfmt::skip]
const INITIAL_512_128: [u64; 8] = [
    0xa8bc7bf36fbf9f52, 0x1e9872cebd1af0aa, 0x309b1790b32190d3, 0xbcfbb8543f94805c,
    0x0da61bcd6e31b11b, 0x1a18ebead46a32e3, 0xa2cc5b18ce84aa82, 0x6982ab289d46982d,
];
#[rustfmt::skip]
const INITIAL_512_160: [u64; 8] = [
    0x28b81a2ae013bd91, 0xc2f11668b5bdf78f, 0x1760d8f3f6a56f12, 0x4fb747588239904f,
    0x21ede07f7eaf5056, 0xd908922e63ed70b8, 0xb8ec76ffeccb52fa, 0x01a47bb8a3f27a6e,
];
#[rustfmt::skip]
const INITIAL_512_224: [u64; 8] = [
    0xccd0616248677224, 0xcba65cf3a92339ef, 0x8ccd69d652ff4b64, 0x398aed7b3ab890b4,
    0x0f59d1b1457d2bd0, 0x6776fe6575d4eb3d, 0x99fbc70e997413e9, 0x9e2cfccfe1c41ef7,
];
#[rustfmt::skip]
const INITIAL_512_256: [u64; 8] = [
    0xccd044a12fdb3e13, 0xe83590301a79a9eb, 0x55aea0614f816e6f, 0x2a2767a4ae9b94db,
    0xec06025e74dd7683, 0xe7a436cdc4746251, 0xc36fbaf9393ad185, 0x3eedba1833edfc13,
];
#[rustfmt::skip]
const INITIAL_512_384: [u64; 8] = [
    0xa3f6c6bf3a75ef5f, 0xb0fef9ccfd84faa4, 0x9d77dd663d770cfe, 0xd798cbf3b468fdda,
    0x1bc4a6668a0e4465, 0x7ed7d434e5807407, 0x548fc1acd4ec44d6, 0x266e17546aa18ff8,
];
#[rustfmt::skip]
const INITIAL_512_512: [u64; 8] = [
    0x4903adff749c51ce, 0x0d95de399746df03, 0x8fd1934127c79bce, 0x9a255629ff352cb1,
    0x5db62599df6ca7b0, 0xeabe394ca9d5c3f4, 0x991112c71a75b523, 0xae18a40b660fcc33,
];
#[rustfmt::skip]
const INITIAL_1024_384: [u64; 16] = [
    0x5102b6b8c1894a35, 0xfeebc9e3fe8af11a, 0x0c807f06e32bed71, 0x60c13a52b41a91f6,
    0x9716d35dd4917c38, 0xe780df126fd31d3a, 0x797846b6c898303a, 0xb172c2a8b3572a3b,
    0xc9bc8203a6104a6c, 0x65909338d75624f4, 0x94bcc5684b3f81a0, 0x3ebbf51e10ecfd46,
    0x2df50f0beeb08542, 0x3b5a65300dbc6516, 0x484b9cd2167bbce1, 0x2d136947d4cbafea,
];
#[rustfmt::skip]
const INITIAL_1024_512: [u64; 16] = [
    0xcaec0e5d7c1b1b18, 0xa01b0e045f03e802, 0x33840451ed912885, 0x374afb04eaec2e1c,
    0xdf25a0e2813581f7, 0xe40040938b12f9d2, 0xa662d539c2ed39b6, 0xfa8b85cf45d8c75a,
    0x8316ed8e29ede796, 0x053289c02e9f91b8, 0xc3f8ef1d6d518b73, 0xbdcec3c4d5ef332e,
    0x549a7e5222974487, 0x670708725b749816, 0xb9cd28fbf0581bd1, 0x0e2940b815804974,
];
#[rustfmt::skip]
const INITIAL_1024_1024: [u64; 16] = [
    0xd593da0741e72355, 0x15b5e511ac73e00c, 0x5180e5aebaf2c4f0, 0x03bd41d3fcbcafaf,
    0x1caec6fd1983a898, 0x6e510b8bcdd0589f, 0x77e2bdfdc6394ada, 0xc11e1db524dcb0a3,
    0xd6d14af9c6329ab5, 0x6a9b0bfc6eb67e0d, 0x9243c60dccff1332, 0x1a1f1dde743f02d4,
    0x0996753c10ed0bb8, 0x6572dd22f2b4969a, 0x61fd3062d00a579a, 0x1de0536e8682e539,
];
