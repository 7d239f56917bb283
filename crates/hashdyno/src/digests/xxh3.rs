//! XXH3 of 64 and of 128 bits (Y. Collet; xxHash specification 0.2), seed 0 and the secret of the specification, most significant
//! byte first.
//!
//! Eight sums take a message of more than 240 bytes stripe by stripe, 64 bytes each; after a block of 16 stripes they are
//! scrambled. The last 64 bytes are a stripe of their own that overlaps those before it. Shorter messages are another algorithm.

use std::array::from_fn;

use bytemuck::{Pod, Zeroable};

use super::xxh::{PRIMES32, PRIMES64};
use crate::{Digest, Kernel, Last, Security, Spelling, State};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod short;

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&XXH3, &XXH128];

static XXH3: Digest = Digest {
    name: "xxh3",
    aliases: &["xxh3-64"],
    spelling: Spelling { php: Some("xxh3"), ..Spelling::NONE },
    output_len: 8,
    check: "72dcb18b67a17dff",
    sweep: "8d77f52582e8364c",
    finish: finish64,
    ..BASE
};

static XXH128: Digest = Digest {
    name: "xxh128",
    aliases: &["xxh3-128"],
    spelling: Spelling { php: Some("xxh128"), ..Spelling::NONE },
    output_len: 16,
    check: "33119477ede5dcd5e9716427681d5860",
    sweep: "6c15d4ad08eab71c12cbd4eb195c1830",
    finish: finish128,
    ..BASE
};

const BASE: Digest = Digest {
    name: "",
    aliases: &[],
    spelling: Spelling::NONE,
    family: "xxhash",
    specified_in: "xxHash specification 0.2",
    security: Security::Checksum,
    output_len: 8,
    extendable: false,
    block_len: BLOCK,
    holds_last_block: true,
    check: "",
    sweep: "",
    start: |state| state.init(Running { sums: START, last: [0; STRIPE] }),
    finish: finish64,
    kernels: &[
        #[cfg(target_arch = "x86_64")]
        avx512::KERNEL,
        #[cfg(target_arch = "x86_64")]
        avx2::KERNEL,
        Kernel::portable(portable::absorb),
    ],
};

const STRIPE: usize = 64;
const BLOCK: usize = 16 * STRIPE;

/// The longest message that is not summed up by stripes.
const LONGEST_SHORT: u64 = 240;

type Sums = [u64; 8];

const START: Sums =
    [PRIMES32[3] as u64, PRIMES64[1], PRIMES64[2], PRIMES64[3], PRIMES64[4], PRIMES32[2] as u64, PRIMES64[5], PRIMES32[1] as u64];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Running {
    sums: Sums,
    /// The last bytes absorbed.
    last: [u8; STRIPE],
}

/// Absorbs `bytes`: whole blocks and, where the message ends, up to 15 stripes. `add` adds stripes, the first of them the first
/// of a block, to the sums, and scrambles these if it was given all 16.
#[inline(always)]
fn absorb_by(state: &mut State, bytes: &[u8], add: impl Fn(Sums, &[[u8; STRIPE]]) -> Sums) {
    let running = state.view::<Running>();
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let sums = blocks.iter().fold(running.sums, |sums, block| add(sums, block.as_chunks().0));
    running.sums = add(sums, rest.as_chunks().0);
    if let Some(last) = bytes.last_chunk() {
        running.last = *last;
    }
}

fn finish64(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let hash = if last.message_len <= LONGEST_SHORT {
        short::hash64(last.bytes)
    } else {
        joined(sums(state, last), 11, last.message_len.wrapping_mul(PRIMES64[1]))
    };
    out.copy_from_slice(&hash.to_be_bytes());
}

fn finish128(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let hash = if last.message_len <= LONGEST_SHORT {
        short::hash128(last.bytes)
    } else {
        let sums = sums(state, last);
        let low = joined(sums, 11, last.message_len.wrapping_mul(PRIMES64[1]));
        let high = joined(sums, SECRET.len() - STRIPE - 11, !last.message_len.wrapping_mul(PRIMES64[2]));
        u128::from(high) << 64 | u128::from(low)
    };
    out.copy_from_slice(&hash.to_be_bytes());
}

/// The sums of the whole message, its last 64 bytes included.
fn sums(state: &mut State, last: Last<'_>) -> Sums {
    let stripe = match last.bytes.last_chunk() {
        Some(stripe) => *stripe,
        None => {
            let mut stripe = [0; STRIPE];
            let (before, rest) = stripe.split_at_mut(STRIPE - last.bytes.len());
            before.copy_from_slice(&state.view::<Running>().last[last.bytes.len()..]);
            rest.copy_from_slice(last.bytes);
            stripe
        }
    };
    let before = last.bytes.len().saturating_sub(1) / STRIPE * STRIPE;
    if before > 0 {
        last.kernel.absorb(state, &last.bytes[..before]);
    }
    portable::add(state.read::<Running>().sums, &[stripe], SECRET.len() - STRIPE - 7)
}

/// The sums joined to one, by the secret from byte `at` on.
fn joined(sums: Sums, at: usize, start: u64) -> u64 {
    let pair =
        |index: usize| folded_product(sums[2 * index] ^ key(at + 16 * index), sums[2 * index + 1] ^ key(at + 16 * index + 8));
    avalanche((0..4).map(pair).fold(start, u64::wrapping_add))
}

/// Both halves of the product of 128 bits, added without carry.
#[inline(always)]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn avalanche(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 37).wrapping_mul(0x1656_6791_9e37_79f9);
    hash ^ hash >> 32
}

/// The word of the secret at byte `at`.
#[inline(always)]
fn key(at: usize) -> u64 {
    u64::from_le_bytes(from_fn(|index| SECRET[at + index]))
}

/// The secret that the specification gives.
#[rustfmt::skip]
static SECRET: [u8; 192] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
];
