//! Keccak: SHA-3 and SHAKE (FIPS 202); the submission to the contest, which differs from SHA-3 in
//! its padding alone; TurboSHAKE (RFC 9861), which is SHAKE in half the rounds.

pub(super) mod many;
mod permutation;

use crate::kernel::kernels;
use crate::many::lanes;
#[cfg(target_arch = "x86_64")]
use crate::{Code, Features};
use crate::{Digest, Kernel, Security, Spelling, State, Tail};
use many::KeccakLanes;
use permutation::{ROUND_CONSTANTS, permute};

digests! {
    SHA3_224 sha3_224 Sha3_224,
    SHA3_256 sha3_256 Sha3_256,
    SHA3_384 sha3_384 Sha3_384,
    SHA3_512 sha3_512 Sha3_512,
    SHAKE128 shake128 Shake128,
    SHAKE256 shake256 Shake256,
    TURBOSHAKE128 turboshake128 Turboshake128,
    TURBOSHAKE256 turboshake256 Turboshake256,
    KECCAK_224 keccak_224 Keccak224,
    KECCAK_256 keccak_256 Keccak256,
    KECCAK_384 keccak_384 Keccak384,
    KECCAK_512 keccak_512 Keccak512,
}

/// The state: lane (x, y) at `x + 5 * y`.
pub(super) type Lanes = [u64; 25];

/// What FIPS 202 puts between the message and the padding, together with the padding's first bit.
const SHA3: u8 = 0b110;
const SHAKE: u8 = 0b1_1111;
const CONTEST: u8 = 0b1;
/// The same of NIST SP 800-185, section 3.3.
const CSHAKE: u8 = 0b100;

/// How many rounds the permutation has.
const ALL: usize = ROUND_CONSTANTS.len();
pub(super) const TURBO: usize = 12;

static SHA3_224: Digest = Digest {
    name: "sha3-224",
    aliases: &[],
    spelling: Spelling {
        php: Some("sha3-224"),
        openssl: Some("sha3-224"),
        python: Some("sha3_224"),
    },
    output_len: 28,
    check: "5795c3d628fd638c9835a4c79a55809f265068c88729a1a3fcdf8522",
    sweep: "da83444e0809f34b546d23c4cd396e9e6aa54376e050e5511ac05578",
    ..sponge::<144, 18, SHA3, ALL>()
};

static SHA3_256: Digest = Digest {
    name: "sha3-256",
    aliases: &["sha3"],
    spelling: Spelling {
        php: Some("sha3-256"),
        openssl: Some("sha3-256"),
        python: Some("sha3_256"),
    },
    output_len: 32,
    check: "87cd084d190e436f147322b90e7384f6a8e0676c99d21ef519ea718e51d45f9c",
    sweep: "78a3aa81500fa4b4b5d7cf879f19b1e7fdcb1026b24667410d88282e546db1dd",
    ..sponge::<136, 17, SHA3, ALL>()
};

static SHA3_384: Digest = Digest {
    name: "sha3-384",
    aliases: &[],
    spelling: Spelling {
        php: Some("sha3-384"),
        openssl: Some("sha3-384"),
        python: Some("sha3_384"),
    },
    output_len: 48,
    check: "8b90ede4d095409f1a12492c2520599683a9478dc70b7566d23b3e41ece8538c\
        6cde92382a5e38786490375c54672abf",
    sweep: "feb578567ea86a73eb5ea83081bfdfa835496d00dc873dd88395737f431bb663\
        4fe5d7d19cc7dde034f3046e9712edbe",
    ..sponge::<104, 13, SHA3, ALL>()
};

static SHA3_512: Digest = Digest {
    name: "sha3-512",
    aliases: &[],
    spelling: Spelling {
        php: Some("sha3-512"),
        openssl: Some("sha3-512"),
        python: Some("sha3_512"),
    },
    output_len: 64,
    check: "e1e44d20556e97a180b6dd3ed7ae5c465cafd553fa8747dca038fb95635b77a3\
        7318f7ddf7aec1f6c3c14bb160ba2497007decf38dd361cab199e3b8c8fe1f5c",
    sweep: "a482305c24ecb308c08d6e46ea89b85bbada7af9f14d4089b87d205080368b90\
        409b9c587c2dbf0a3e5afd7c888c976a42340b513ac237bd39622fe7de21088a",
    ..sponge::<72, 9, SHA3, ALL>()
};

static SHAKE128: Digest = Digest {
    name: "shake128",
    aliases: &["shake-128"],
    spelling: Spelling { php: None, openssl: Some("shake128"), python: Some("shake_128") },
    output_len: 32,
    extendable: true,
    check: "1aca6b9e651b5f20079a305ca8f86d39b9451c4c32873f95f8b315834bd5f272",
    sweep: "13cfbd871858c4091924aeb187677d1bb84fbce5f37fb10a1de27af17f3ef1e1",
    ..sponge::<168, 21, SHAKE, ALL>()
};

static SHAKE256: Digest = Digest {
    name: "shake256",
    aliases: &["shake-256"],
    spelling: Spelling { php: None, openssl: Some("shake256"), python: Some("shake_256") },
    output_len: 64,
    extendable: true,
    check: "24347b9c4b6da2fc9cde08c87f33edd2e603c8dcd6840e6b3920f62b1dd69d7b\
        c4655a9e6f0ee6255940380dcd1488dbca3e796ae58a2234cc31cd61dfd1eb56",
    sweep: "7f7087139ee8d8637b10bad73b9af4071c1595ff0e21a559ee9c8695f7d71ab8\
        f6fe4e7587b05b40a04f1fa2a711c3a109f000892fd97996000a1777efeb5fca",
    ..sponge::<136, 17, SHAKE, ALL>()
};

static TURBOSHAKE128: Digest = Digest {
    name: "turboshake128",
    aliases: &["turboshake-128"],
    output_len: 32,
    extendable: true,
    check: "071c07ecdb2bacb36fbfb15862a723b57a20c5bf1f5986630184abf3dcd7bb75",
    sweep: "b9710421c4dc377144ae4b2010522c8e77c5cc86d97d96d3cc3155b13cd6063e",
    ..sponge::<168, 21, SHAKE, TURBO>()
};

static TURBOSHAKE256: Digest = Digest {
    name: "turboshake256",
    aliases: &["turboshake-256"],
    output_len: 64,
    extendable: true,
    check: "f7b8c30f455b2d41c867225c4c469e6893a3448d8b41ae1b133ca62e1189bffe\
        9bacda11dcba5dc54dc2c2561efe8e1bc5d5b79cd55ec604f9e02a237b545cea",
    sweep: "4e74d864c466baf39aa3ebafb858517395ec3fcc19df4fd105da728e8943933a\
        1fb9e18cbd706d41ac229d125816691e944f10499e496f9d110f4ad50b591238",
    ..sponge::<136, 17, SHAKE, TURBO>()
};

/// For [`crate::sp800_185`], where it has a name and a customization string.
pub(crate) static CSHAKE128: Digest = Digest {
    name: "cshake128",
    output_len: 32,
    extendable: true,
    ..sponge::<168, 21, CSHAKE, ALL>()
};

/// As above.
pub(crate) static CSHAKE256: Digest = Digest {
    name: "cshake256",
    output_len: 64,
    extendable: true,
    ..sponge::<136, 17, CSHAKE, ALL>()
};

static KECCAK_224: Digest = Digest {
    name: "keccak-224",
    aliases: &["keccak224"],
    spelling: Spelling { php: None, openssl: Some("keccak-224"), python: None },
    output_len: 28,
    check: "06471de6c635a88e7470284b2c2ebf9bd7e5e888cbbd128c21cb8308",
    sweep: "427380fff9b50869f57f5bbdb855b95d1dc0937b2c050b411631d236",
    ..sponge::<144, 18, CONTEST, ALL>()
};

static KECCAK_256: Digest = Digest {
    name: "keccak-256",
    aliases: &["keccak256"],
    spelling: Spelling { php: None, openssl: Some("keccak-256"), python: None },
    output_len: 32,
    check: "2a359feeb8e488a1af2c03b908b3ed7990400555db73e1421181d97cac004d48",
    sweep: "42d9be804405d2c5ce0337be652efb6d02edb9b6208ff261a855c666eb239bd9",
    ..sponge::<136, 17, CONTEST, ALL>()
};

static KECCAK_384: Digest = Digest {
    name: "keccak-384",
    aliases: &["keccak384"],
    spelling: Spelling { php: None, openssl: Some("keccak-384"), python: None },
    output_len: 48,
    check: "efccae72ce14656c434751cf737e70a57ab8dd2c76f5abe01e52770affd77b66\
        d2b80977724a00a6d971b702906f8032",
    sweep: "bb55da15c08bdec01b1b233b537a11ab2519adce86445b5ddf53c8d60ac44741\
        b85f813e41ac135e4ef880c2968ce6f4",
    ..sponge::<104, 13, CONTEST, ALL>()
};

static KECCAK_512: Digest = Digest {
    name: "keccak-512",
    aliases: &["keccak512"],
    spelling: Spelling { php: None, openssl: Some("keccak-512"), python: None },
    output_len: 64,
    check: "40b787e94778266fb196a73b7a77edf9de2ef172451a2b87531324812250df8f\
        26fcc11e69b35afddbe639956c96153e71363f97010bc99405dd2d77b8c41986",
    sweep: "cc261d5d5851142df7f5d9df92ca675b1cc062c5cabc0289d547962b3766e77e\
        f47dea95831a3ae4c0d33b727c39def7e0093bde42fa1a28e59bd2693e43ebe1",
    ..sponge::<72, 9, CONTEST, ALL>()
};

/// What all have in common that take `RATE` bytes, which are `WORDS` words, per permutation of
/// `ROUNDS` rounds and append `SUFFIX` to the message.
const fn sponge<const RATE: usize, const WORDS: usize, const SUFFIX: u8, const ROUNDS: usize>()
-> Digest {
    Digest {
        family: "keccak",
        specified_in: match (SUFFIX, ROUNDS) {
            (CONTEST, _) => "The Keccak SHA-3 submission, version 3 (2011)",
            (CSHAKE, _) => "NIST SP 800-185",
            (_, TURBO) => "RFC 9861",
            _ => "FIPS 202",
        },
        security: Security::Sound,
        output_len: 0,
        block_len: RATE,
        start: |state| state.init::<Lanes>([0; 25]),
        finish: finish::<RATE, SUFFIX>,
        one: const {
            kernels![
                Kernel::of("bmi2", BMI, Code::Blocks(absorb_bmi2::<RATE, ROUNDS>));
                Kernel::portable(absorb::<RATE, ROUNDS>),
            ]
        },
        many: const {
            kernels![
                lanes!(KeccakLanes<WORDS, SUFFIX, ROUNDS>, u64, 1 * avx512),
                lanes!(KeccakLanes<WORDS, SUFFIX, ROUNDS>, u64, 1 * avx2),
            ]
        },
        ..Digest::BASE
    }
}

/// Pads with `SUFFIX` 0...0 1, the last bit being the last of the block, and squeezes: between two
/// blocks of output comes a permutation, which is what absorbing a block of zeros amounts to.
fn finish<const RATE: usize, const SUFFIX: u8>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; RATE];
    block[..last.bytes.len()].copy_from_slice(tail.bytes);
    block[tail.bytes.len()] = SUFFIX;
    block[RATE - 1] |= 0x80;
    for out in out.chunks_mut(RATE) {
        tail.kernel.absorb(state, &block);
        block = [0; RATE];
        let lanes = state.read::<Lanes>().map(u64::to_le);
        out.copy_from_slice(&bytemuck::bytes_of(&lanes)[..out.len()]);
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) const BMI: Features = Features::BMI1.union(Features::BMI2);

/// The same text, compiled for a CPU that negates within an AND and rotates into another register.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn absorb_bmi2<const RATE: usize, const ROUNDS: usize>(state: &mut State, blocks: &[u8]) {
    absorb::<RATE, ROUNDS>(state, blocks);
}

#[inline(always)]
fn absorb<const RATE: usize, const ROUNDS: usize>(state: &mut State, blocks: &[u8]) {
    absorb_into::<RATE, ROUNDS>(state.view(), blocks);
}

/// Absorbs whole blocks.
#[inline(always)]
pub(super) fn absorb_into<const RATE: usize, const ROUNDS: usize>(
    state: &mut Lanes,
    blocks: &[u8],
) {
    let mut lanes = *state;
    for block in blocks.as_chunks::<RATE>().0 {
        for (lane, bytes) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        permute::<ROUNDS>(&mut lanes);
    }
    *state = lanes;
}
