//! Adler-32 (RFC 1950, 8.2): the sum of the bytes and the sum of those sums, modulo 65521.

use crate::{Digest, Kernel, Last, Security, Spelling, State};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&ADLER32];

static ADLER32: Digest = Digest {
    name: "adler32",
    aliases: &["adler-32"],
    spelling: Spelling { php: Some("adler32"), openssl: None, python: Some("zlib.adler32") },
    family: "adler32",
    specified_in: "RFC 1950",
    security: Security::Checksum,
    output_len: 4,
    extendable: false,
    block_len: 1,
    holds_last_block: false,
    check: "091e01de",
    sweep: "3bebfc2c",
    start: |state| state.init(Sums { bytes: 1, sums: 0 }),
    finish,
    kernels: &[Kernel::portable(absorb)],
};

/// The largest prime below 2^16.
const MODULUS: u32 = 65521;

/// The most bytes after which neither sum, reduced before, has left 32 bits.
const MOST: usize = 5552;

/// Both sums, reduced.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Sums {
    bytes: u32,
    sums: u32,
}

fn finish(state: &mut State, _: Last<'_>, out: &mut [u8]) {
    let Sums { bytes, sums } = state.read();
    out.copy_from_slice(&(sums << 16 | bytes).to_be_bytes());
}

fn absorb(state: &mut State, bytes: &[u8]) {
    let sums = state.view::<Sums>();
    for run in bytes.chunks(MOST) {
        add(sums, run);
        sums.bytes %= MODULUS;
        sums.sums %= MODULUS;
    }
}

/// Adds at most [`MOST`] bytes; n bytes at once raise `sums` by n times `bytes` and each byte by as often as it will be counted.
fn add(sums: &mut Sums, bytes: &[u8]) {
    let (groups, rest) = bytes.as_chunks::<32>();
    for group in groups {
        sums.sums += 32 * sums.bytes;
        sums.sums += group.iter().zip((1..=32).rev()).map(|(&byte, weight)| u32::from(byte) * weight).sum::<u32>();
        sums.bytes += group.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    }
    for &byte in rest {
        sums.bytes += u32::from(byte);
        sums.sums += sums.bytes;
    }
}
