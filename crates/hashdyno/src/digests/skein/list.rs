//! The digests, and their initial values.

use super::{skein, start};
use crate::Digest;

pub(super) static SKEIN512_128: Digest = Digest {
    name: "skein512-128",
    aliases: &["skein-512-128"],
    check: "89a9ec3c731cc72bb29dd7ec2b3cc737",
    sweep: "8cd7325b48db72aafbde65a9af878781",
    start: |state| start(state, INITIAL_512_128),
    ..skein::<8, 16, 128>()
};

pub(super) static SKEIN512_160: Digest = Digest {
    name: "skein512-160",
    aliases: &["skein-512-160"],
    check: "d5f338122ef1932fff430149f6b512dd258ee158",
    sweep: "f443bc47021be383c34280be2176aaf832c9c647",
    start: |state| start(state, INITIAL_512_160),
    ..skein::<8, 16, 160>()
};

pub(super) static SKEIN512_224: Digest = Digest {
    name: "skein512-224",
    aliases: &["skein-512-224"],
    check: "a5239920d13b896db0c602b7a848f02037105bf86451873012ad5a2b",
    sweep: "5bae7a2813fd5bc5438e213763dbcafa1d45d31f5395dd1608ae7da1",
    start: |state| start(state, INITIAL_512_224),
    ..skein::<8, 16, 224>()
};

pub(super) static SKEIN512_256: Digest = Digest {
    name: "skein512-256",
    aliases: &["skein-512-256"],
    check: "41f2b2f9a3eaa66edcbb512f0c6ae292d159aa4eee9e94973b70c71eb1956ae2",
    sweep: "01d0dcc42658c80fac4d69f5f45853cada2f14d599a8b224671024e2a9f01650",
    start: |state| start(state, INITIAL_512_256),
    ..skein::<8, 16, 256>()
};

pub(super) static SKEIN512_384: Digest = Digest {
    name: "skein512-384",
    aliases: &["skein-512-384"],
    check: "d741368b02a653259912fb9d2bff8587ffc77e43d13ce0062937420588786685\
        502205864a7177dc2274926a0bcb39fa",
    sweep: "bb5c9ebbb2dcde5dd021f7642016c100c20fe9e26a85d01f5b2767b60be6fb57\
        55ff85b57db140858508f739876d48d3",
    start: |state| start(state, INITIAL_512_384),
    ..skein::<8, 16, 384>()
};

pub(super) static SKEIN512_512: Digest = Digest {
    name: "skein512-512",
    aliases: &["skein512", "skein-512-512"],
    check: "3e6859999bae52c0c90cb61865c1e625b3313de272b57cbc22425b23053c1db6\
        2e95922afe060694eeeb2a6219d18b2dc47784583a7030d7a1d27736560f70d4",
    sweep: "965251e05ff4b793262f3ecca6fe93722ec3617bd5632a5ed86ac9dc0e83d3ea\
        2afd253b67218fa233e70ceb1453c80dec315700e1b4f8650dedcbecdfc4e414",
    start: |state| start(state, INITIAL_512_512),
    ..skein::<8, 16, 512>()
};

pub(super) static SKEIN256_128: Digest = Digest {
    name: "skein256-128",
    aliases: &["skein-256-128"],
    check: "006777fe3b04f7a42f45ab1d860bf7fe",
    sweep: "afc4d86d663fb8647cced351c0860633",
    start: |state| start(state, INITIAL_256_128),
    ..skein::<4, 8, 128>()
};

pub(super) static SKEIN256_160: Digest = Digest {
    name: "skein256-160",
    aliases: &["skein-256-160"],
    check: "34b2b9924f3d421f507d289ece4929ffcfa94b5a",
    sweep: "4b9b4c28542cb4c0c26e948eec7a6d11ebfb9d63",
    start: |state| start(state, INITIAL_256_160),
    ..skein::<4, 8, 160>()
};

pub(super) static SKEIN256_224: Digest = Digest {
    name: "skein256-224",
    aliases: &["skein-256-224"],
    check: "1c9106fd90317a3b66f954e58456ef44e9235259aaba7e7516ac21b1",
    sweep: "c85d3178d9de002d93cbe264a2efb1d3168be5cecc9e3841cbd5450c",
    start: |state| start(state, INITIAL_256_224),
    ..skein::<4, 8, 224>()
};

pub(super) static SKEIN256_256: Digest = Digest {
    name: "skein256-256",
    aliases: &["skein256", "skein-256-256"],
    check: "24f7b0e486621319c63f106b61d4a2728aee042034817273c404e9ed0dd20105",
    sweep: "9b2304602c2e17f24140aec5a87f3a6986bd357ce41989f1a869696fcc33608b",
    start: |state| start(state, INITIAL_256_256),
    ..skein::<4, 8, 256>()
};

pub(super) static SKEIN1024_384: Digest = Digest {
    name: "skein1024-384",
    aliases: &["skein-1024-384"],
    check: "2bb056850e7cb39be2726579a61e3a9178e3cad5f75737d662b2b42c61bea249\
        97c687079e0bd8244de20d55941f586e",
    sweep: "6fc57bd1858939d15bafd94f97a20dfc8ee35dfbe715bd069a3286a4b87cc23b\
        f60402fff112664cbf720fa5e68357f3",
    start: |state| start(state, INITIAL_1024_384),
    ..skein::<16, 32, 384>()
};

pub(super) static SKEIN1024_512: Digest = Digest {
    name: "skein1024-512",
    aliases: &["skein-1024-512"],
    check: "de1d36ce60e51a1185d999afbe51e14b873864f5ed91e7ca17882dd7a30ee5d7\
        e97448682783aa1e0303839d5390acfd447081e3fca99cef3d5954c2b8798a23",
    sweep: "e349e051d658888835bed9f8dd5d500dee3e8bd7c9b4a665fef799a734006704\
        06bf0411e6ddb21245ea1fae291322443c9d9611d917d4cf435a3aa4bff0558d",
    start: |state| start(state, INITIAL_1024_512),
    ..skein::<16, 32, 512>()
};

pub(super) static SKEIN1024_1024: Digest = Digest {
    name: "skein1024-1024",
    aliases: &["skein1024", "skein-1024-1024"],
    check: "21bad19f625c4cd01ee1392c3cb41d95e7fad4701e49ec67e7ff776cac689dd9\
        b76ade8cdce2479b97d85f7e45ac03a1377349efce6d68e979d424c91d31ba26\
        bd61ed5b9ce42ea196d16121878d5492219d8b197c2101757e07460cdf2296f8\
        f4a4b78ff0144d69b1732ac9b9a68c657f1a0d3ae9742c3ff18bfc3f6ae7aac8",
    sweep: "9de2caff5da1aff33e6366c5be929e06b0a76f401cf656c97ac16052196267ca\
        d7443306dab008ce2764d29ef7565c18040349417a2867e281816bed436e76ef\
        e43757066393608675a6b47b16da68e0d5a73d6412143404f9c27ad74cd0fe0b\
        4b7281a5454229e923dbf507ec7624dd6310924d52ae31572499d1ba373e291d",
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
