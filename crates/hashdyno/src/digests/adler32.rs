//! Adler-32 (RFC 1950, 8.2): the sum of the bytes and the sum of those sums, modulo 65521.
//!
//! ```text
//! bytes = 1, sums = 0
//! each byte:       bytes += byte;  sums += bytes
//! a run of n:      bytes += total of the run
//!                  sums  += n * bytes before + sum over the run of (bytes to the end) * byte
//! ```
//!
//! A run has two totals that do not depend on the state, so vectors compute them. Runs of 16384
//! bytes keep the sums of a kernel in 32 bits.

use crate::kernel::kernels;
use crate::modes::Modes;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::words::byte_sums_after;
use crate::{Digest, Features, Kernel, Security, Spelling};

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_feature = "simd128")]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86_64;

digests! {
    ADLER32 adler32 Adler32: u32,
}

static ADLER32: Digest = Digest {
    name: "adler32",
    aliases: &["adler-32"],
    spelling: Spelling { php: Some("adler32"), openssl: None, python: Some("zlib.adler32") },
    family: "adler32",
    specified_in: "RFC 1950",
    security: Security::Checksum,
    output_len: 4,
    block_len: 1,
    start: checksum::start::<Adler>,
    finish: checksum::finish::<Adler>,
    one: kernels![
        x86_64::avx512vnni(),
        x86_64::avx2(),
        sse2::kernel();
        aarch64::neon();
        wasm32::simd128();
        portable(),
    ],
    modes: &Modes { admits, ..Modes::NONE },
    ..Digest::BASE
};

/// The largest prime below 2^16.
const MODULUS: u32 = 65521;

/// Of so many bytes, no sum of products or of sums that a kernel keeps leaves 32 bits.
const MAX_RUN: usize = 1 << 14;

struct Adler;

impl Checksum for Adler {
    type Register = Sums;
    const LEN: usize = 4;
    const START: Sums = Sums { bytes: 1, sums: 0 };

    #[inline(always)]
    fn finish(Sums { bytes, sums }: Sums, _: &[u8], _: u64, out: &mut [u8]) {
        out.copy_from_slice(&(sums << 16 | bytes).to_be_bytes());
    }
}

/// Whether bytes from outside can be a state: both sums are reduced.
fn admits(_: &Digest, state: &[u8], _: u64) -> bool {
    bytemuck::try_pod_read_unaligned::<Sums>(state)
        .is_ok_and(|Sums { bytes, sums }| bytes < MODULUS && sums < MODULUS)
}

/// Both sums, reduced.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Sums {
    /// 1 and the bytes.
    bytes: u32,
    /// The sum of the values of `bytes` after each byte.
    sums: u32,
}

impl Sums {
    /// The sums after a run of at most [`MAX_RUN`] bytes: what both would be after it alone, from 0
    /// and not reduced, and its length.
    #[inline(always)]
    fn after(self, (bytes, sums): (u64, u64), len: usize) -> Self {
        let sums = u64::from(self.sums) + len as u64 * u64::from(self.bytes) + sums;
        // After so few bytes it has not left 32 bits, of which the remainder is found sooner.
        let sums =
            if len <= 4096 { sums as u32 % MODULUS } else { (sums % u64::from(MODULUS)) as u32 };
        Self { bytes: (self.bytes + bytes as u32) % MODULUS, sums }
    }

    /// The same of at most 128 bytes, whose sum does not reach the modulus.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn after_few(self, (bytes, sums): (u32, u32), len: usize) -> Self {
        let bytes = self.bytes + bytes;
        let sums = self.sums + len as u32 * self.bytes + sums;
        Self {
            bytes: if bytes < MODULUS { bytes } else { bytes - MODULUS },
            sums: if sums < MODULUS { sums } else { sums % MODULUS },
        }
    }
}

const fn portable() -> Kernel {
    checksum_kernel!("portable", Features::empty(), Adler, after)
}

/// Sixteen columns, summed up side by side.
#[inline]
fn after(sums: Sums, bytes: &[u8]) -> Sums {
    by_groups(sums, bytes, totals)
}

/// The sums after groups of `LEN` bytes by `totals`, and after the bytes that are left.
#[inline(always)]
fn by_groups<const LEN: usize>(
    mut sums: Sums,
    bytes: &[u8],
    totals: impl Fn(&[[u8; LEN]]) -> (u64, u64),
) -> Sums {
    for run in bytes.chunks(MAX_RUN) {
        let (groups, rest) = run.as_chunks::<LEN>();
        let total = if groups.is_empty() { (0, 0) } else { totals(groups) };
        sums = sums.after(byte_sums_after(total, rest), run.len());
    }
    sums
}

/// How often each byte of a group is in the sum of the sums: `LEN` times the first one.
#[cfg(any(target_arch = "aarch64", target_feature = "simd128"))]
const fn weights<const LEN: usize>() -> [i16; LEN] {
    let mut weights = [0; LEN];
    let mut index = 0;
    while index < LEN {
        weights[index] = (LEN - index) as i16;
        index += 1;
    }
    weights
}

#[inline(never)]
fn totals(groups: &[[u8; 16]]) -> (u64, u64) {
    // `before` counts a column once for each group that follows.
    let (mut before, mut columns) = ([0u32; 16], [0u32; 16]);
    for group in groups {
        for ((before, column), &byte) in before.iter_mut().zip(&mut columns).zip(group) {
            *before += *column;
            *column += u32::from(byte);
        }
    }
    let before: u64 = before.into_iter().map(u64::from).sum();
    let weighted: u32 =
        columns.iter().zip((1..=16).rev()).map(|(column, weight)| column * weight).sum();
    (columns.iter().sum::<u32>().into(), 16 * before + u64::from(weighted))
}
