//! Streebog, GOST R 34.11-2012 (RFC 6986).
//!
//! A 512-bit vector is eight words, the least significant first. The digest is printed least significant byte first, as all
//! software does; RFC 6986 prints it, and its messages, the other way round.

mod tables;

use bytemuck::{Pod, Zeroable};

use crate::mds::{self, Tables, mix};
use crate::{Digest, Kernel, Last, Security, Spelling, State};
use tables::{PI, ROUNDS};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&STREEBOG_256, &STREEBOG_512];

static STREEBOG_512: Digest = Digest {
    name: "streebog-512",
    aliases: &["streebog512", "stribog512", "gost2012-512", "md_gost12_512"],
    spelling: Spelling::NONE,
    family: "streebog",
    specified_in: "GOST R 34.11-2012, RFC 6986",
    security: Security::Sound,
    output_len: 64,
    extendable: false,
    block_len: 64,
    holds_last_block: false,
    check: "c36fadf5238435a7dda541152c70014a3c2ff0211bba50f15d2279ba13f6f1e4f4108c6b39fc12ca93e73453a95a135bff756312165fc8e4c159dfd6f3a4baf6",
    sweep: "e6b224249df6613f90ee4d639fc8d6199fe9467e548bbae9657406449e56df957607939d9625fd4a07c59fb7624d22c0537ec6672008a601820dec0a706df034",
    start: |state| state.init(Chain { h: [0; 8], n: [0; 8], sigma: [0; 8] }),
    finish,
    kernels: &[Kernel::portable(absorb)],
};

static STREEBOG_256: Digest = Digest {
    name: "streebog-256",
    aliases: &["streebog256", "stribog256", "gost2012-256", "md_gost12_256"],
    output_len: 32,
    check: "84da1066a0205e1446ec4a858ed2314b6233e5790ba5999dde8cd35d5d39f002",
    sweep: "12d59dc9cb6788fbfaee8970d6ca46076e29009da3e65686cb1d1c035abb5399",
    start: |state| state.init(Chain { h: [0x0101_0101_0101_0101; 8], n: [0; 8], sigma: [0; 8] }),
    ..STREEBOG_512
};

/// What Streebog keeps between blocks.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Chain {
    /// The chaining value.
    h: [u64; 8],
    /// Bits absorbed.
    n: [u64; 8],
    /// Sum of the blocks modulo 2^512.
    sigma: [u64; 8],
}

/// The padded rest, then the length and the sum of the blocks, both at count 0; of the result, the most significant words.
fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let mut block = [0; 64];
    block[..last.bytes.len()].copy_from_slice(last.bytes);
    block[last.bytes.len()] = 1;
    last.kernel.absorb(state, &block);
    let bits = u128::from(last.message_len) << 3;
    let count = [bits as u64, (bits >> 64) as u64, 0, 0, 0, 0, 0, 0];
    for words in [count, state.read::<Chain>().sigma] {
        state.view::<Chain>().n = [0; 8];
        last.kernel.absorb(state, bytemuck::bytes_of(&words.map(u64::to_le)));
    }
    let h = state.read::<Chain>().h.map(u64::to_le);
    out.copy_from_slice(&bytemuck::bytes_of(&h)[64 - out.len()..]);
}

fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Chain>();
    for block in blocks.as_chunks::<64>().0 {
        let block = bytemuck::cast::<_, [[u8; 8]; 8]>(*block).map(u64::from_le_bytes);
        compress(&mut chain.h, &chain.n, &block);
        add(&mut chain.n, &[512, 0, 0, 0, 0, 0, 0, 0]);
        add(&mut chain.sigma, &block);
    }
}

/// g of RFC 6986, 8.1: the block cipher E in the mode of Miyaguchi and Preneel.
fn compress(h: &mut [u64; 8], n: &[u64; 8], block: &[u64; 8]) {
    let mut key = lps(xor(h, n));
    let mut text = *block;
    for constant in &ROUNDS {
        text = lps(xor(&text, &key));
        key = lps(xor(&key, constant));
    }
    *h = xor(&xor(h, block), &xor(&text, &key));
}

/// Substitutes the bytes, transposes them as an 8x8 matrix, and multiplies every row.
#[inline(always)]
fn lps(words: [u64; 8]) -> [u64; 8] {
    mix(&TABLES, words, [0; 8], |word, byte| (word, byte))
}

#[inline(always)]
fn xor(a: &[u64; 8], b: &[u64; 8]) -> [u64; 8] {
    std::array::from_fn(|word| a[word] ^ b[word])
}

/// Addition modulo 2^512.
#[inline(always)]
fn add(sum: &mut [u64; 8], other: &[u64; 8]) {
    let mut carry = false;
    for (sum, other) in sum.iter_mut().zip(other) {
        let (partial, first) = sum.overflowing_add(*other);
        let (whole, second) = partial.overflowing_add(u64::from(carry));
        (*sum, carry) = (whole, first | second);
    }
}

static TABLES: Tables = mds::tables(&PI, &LINEAR);

/// The linear map l, which RFC 6986 prints as 64 words, as the matrix that it is (O. Kazymyrov, V. Kazymyrova, 2013), its bits
/// counted from the other end.
const LINEAR: [[u8; 8]; 8] = [
    [0x83, 0xe0, 0x8e, 0x2b, 0x4b, 0x31, 0x1c, 0x64],
    [0x18, 0xdc, 0xf5, 0x9e, 0x4f, 0x47, 0x8b, 0xa4],
    [0x28, 0x77, 0x32, 0x8a, 0xd9, 0x86, 0x7d, 0xf9],
    [0x9e, 0xa8, 0x10, 0x18, 0x65, 0x8c, 0x06, 0x5b],
    [0x38, 0xc1, 0x93, 0xba, 0x8c, 0x65, 0x21, 0x03],
    [0x50, 0x89, 0x8a, 0x32, 0xa9, 0x9c, 0xcc, 0xac],
    [0x8e, 0x98, 0x83, 0x1a, 0x01, 0x0f, 0xb6, 0x46],
    [0x64, 0x87, 0x46, 0xb2, 0x07, 0x8b, 0x47, 0x83],
];
