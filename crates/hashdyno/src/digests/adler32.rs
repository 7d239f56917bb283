//! Adler-32 (RFC 1950, 8.2): the sum of the bytes and the sum of those sums, modulo 65521.

use crate::{Digest, Kernel, Last, Security, Spelling, State};

#[cfg(target_arch = "x86_64")]
mod x86_64;

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
    kernels: &[
        #[cfg(target_arch = "x86_64")]
        x86_64::AVX512VNNI,
        #[cfg(target_arch = "x86_64")]
        x86_64::AVX2,
        Kernel::portable(absorb),
    ],
};

/// The largest prime below 2^16.
const MODULUS: u32 = 65521;

/// After so many bytes neither sum, reduced before, has left 32 bits; 5552 is the most, this the most whole groups.
const MOST: usize = 5504;

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

/// What a run of groups of G bytes adds up to.
struct Totals {
    /// All bytes.
    bytes: u32,
    /// For each group, all bytes before it.
    before: u32,
    /// Each byte as often as the sums of its own group count it: the first G times, the last once.
    weighted: u32,
}

/// Absorbs `bytes`, whole groups of them by `totals`, which is given at most [`MOST`] bytes.
#[inline(always)]
fn absorb_by<const G: usize>(state: &mut State, bytes: &[u8], totals: impl Fn(&[[u8; G]]) -> Totals) {
    if bytes.len() < G {
        return absorb_few(state, bytes);
    }
    let Sums { bytes: mut sum, mut sums } = state.read();
    for run in bytes.chunks(MOST) {
        let (groups, rest) = run.as_chunks();
        let totals = totals(groups);
        sums += groups.as_flattened().len() as u32 * sum + G as u32 * totals.before + totals.weighted;
        sum += totals.bytes;
        (sum, sums) = one_by_one((sum, sums), rest);
        (sum, sums) = (sum % MODULUS, sums % MODULUS);
    }
    state.init(Sums { bytes: sum, sums });
}

/// Fewer bytes than are worth a group, at most [`MOST`].
#[inline(never)]
fn absorb_few(state: &mut State, bytes: &[u8]) {
    let Sums { bytes: sum, sums } = state.read();
    let (sum, sums) = one_by_one((sum, sums), bytes);
    state.init(Sums { bytes: sum % MODULUS, sums: sums % MODULUS });
}

#[inline(always)]
fn one_by_one(sums: (u32, u32), bytes: &[u8]) -> (u32, u32) {
    bytes.iter().fold(sums, |(sum, sums), &byte| {
        let sum = sum + u32::from(byte);
        (sum, sums + sum)
    })
}

/// Sixteen columns, summed up side by side.
fn absorb(state: &mut State, bytes: &[u8]) {
    absorb_by::<16>(state, bytes, |groups| {
        let (mut before, mut columns) = ([0u32; 16], [0u32; 16]);
        for group in groups {
            for ((before, column), &byte) in before.iter_mut().zip(&mut columns).zip(group) {
                *before += *column;
                *column += u32::from(byte);
            }
        }
        let weighted = columns.iter().zip((1..=16).rev()).map(|(column, weight)| column * weight).sum();
        Totals { bytes: columns.iter().sum(), before: before.iter().sum(), weighted }
    });
}
