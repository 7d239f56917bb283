//! The checksums of `sum`: BSD's, which rotates, and System V's, which only adds.

use crate::checksum::{self, Checksum, checksum_kernel};
use crate::kernel::kernels;
use crate::{Digest, Features, Security};

digests! {
    SUM_BSD sum_bsd SumBsd: u16,
    SUM_SYSV sum_sysv SumSysv: u16,
}

static SUM_BSD: Digest = Digest {
    name: "sum-bsd",
    aliases: &["bsd"],
    start: checksum::start::<Bsd>,
    finish: checksum::finish::<Bsd>,
    one: &[checksum_kernel!("portable", Features::empty(), Bsd, after_rotations)],
    ..BASE
};

static SUM_SYSV: Digest = Digest {
    name: "sum-sysv",
    aliases: &["sysv"],
    one: kernels![
        checksum_kernel!("avx2", Features::AVX2, "avx2", SystemV, after_groups);
        checksum_kernel!("portable", Features::empty(), SystemV, after_bytes),
    ],
    ..BASE
};

const BASE: Digest = Digest {
    family: "sum",
    specified_in: "GNU coreutils, sum",
    security: Security::Checksum,
    output_len: 2,
    block_len: 1,
    start: checksum::start::<SystemV>,
    finish: checksum::finish::<SystemV>,
    one: &[],
    ..Digest::BASE
};

struct Bsd;

impl Checksum for Bsd {
    type Register = u16;
    const START: u16 = 0;

    #[inline(always)]
    fn finish(sum: u16, _: &[u8], _: u64, out: &mut [u8]) {
        out.copy_from_slice(&sum.to_be_bytes());
    }
}

#[inline]
fn after_rotations(sum: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(sum, |sum, &byte| sum.rotate_right(1).wrapping_add(byte.into()))
}

struct SystemV;

impl Checksum for SystemV {
    type Register = u32;
    const LEN: usize = 2;
    const START: u32 = 0;

    /// The sum modulo 65535, but for multiples of it, which stay 65535.
    #[inline(always)]
    fn finish(sum: u32, _: &[u8], _: u64, out: &mut [u8]) {
        let once = |sum: u32| (sum & 0xffff) + (sum >> 16);
        out.copy_from_slice(&(once(once(sum)) as u16).to_be_bytes());
    }
}

#[inline]
fn after_bytes(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |sum, &byte| sum.wrapping_add(byte.into()))
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn after_groups(sum: u32, bytes: &[u8]) -> u32 {
    use std::arch::x86_64::*;

    use crate::prefetch::{UNCACHED, fetch_ahead};
    let (groups, rest) = bytes.as_chunks::<32>();
    let zero = _mm256_setzero_si256();
    let uncached = bytes.len() >= UNCACHED;
    let (eights, groups) = groups.as_chunks::<8>();
    let add = |sums, group: &[u8; 32]| {
        _mm256_add_epi64(sums, _mm256_sad_epu8(bytemuck::cast(*group), zero))
    };
    let sums = eights.iter().fold(zero, |sums, eight| {
        if uncached {
            fetch_ahead(eight);
        }
        eight.iter().fold(sums, add)
    });
    let sums = groups.iter().fold(sums, add);
    let sum = bytemuck::cast::<_, [u64; 4]>(sums)
        .iter()
        .fold(sum, |sum, &part| sum.wrapping_add(part as u32));
    after_bytes(sum, rest)
}
