//! The checksums of `sum`: BSD's, which rotates, and System V's, which only adds.

use crate::{Digest, Kernel, Last, Security, Spelling, State};
#[cfg(target_arch = "x86_64")]
use crate::{Features, kernel::Absorb};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&SUM_BSD, &SUM_SYSV];

static SUM_BSD: Digest = Digest {
    name: "sum-bsd",
    aliases: &["bsd"],
    check: "d16f",
    sweep: "e747",
    start: |state| state.init(0u16),
    finish: |state, _, out| out.copy_from_slice(&state.read::<u16>().to_be_bytes()),
    kernels: &[Kernel::portable(rotate)],
    ..BASE
};

static SUM_SYSV: Digest = Digest {
    name: "sum-sysv",
    aliases: &["sysv"],
    check: "01dd",
    sweep: "fea6",
    start: |state| state.init(0u32),
    finish: fold,
    kernels: &[
        #[cfg(target_arch = "x86_64")]
        Kernel { name: "avx2", needs: Features::AVX2, absorb: Absorb::One(add_avx2) },
        Kernel::portable(add),
    ],
    ..BASE
};

const BASE: Digest = Digest {
    name: "",
    aliases: &[],
    spelling: Spelling::NONE,
    family: "sum",
    specified_in: "GNU coreutils, sum",
    security: Security::Checksum,
    output_len: 2,
    extendable: false,
    block_len: 1,
    holds_last_block: false,
    check: "",
    sweep: "",
    start: |_| {},
    finish: fold,
    kernels: &[],
};

fn rotate(state: &mut State, bytes: &[u8]) {
    let sum = state.view::<u16>();
    *sum = bytes.iter().fold(*sum, |sum, &byte| sum.rotate_right(1).wrapping_add(byte.into()));
}

fn add(state: &mut State, bytes: &[u8]) {
    let sum = state.view::<u32>();
    *sum = bytes.iter().fold(*sum, |sum, &byte| sum.wrapping_add(byte.into()));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_avx2(state: &mut State, bytes: &[u8]) {
    use std::arch::x86_64::*;
    let (groups, rest) = bytes.as_chunks::<32>();
    let zero = _mm256_setzero_si256();
    let sums = groups.iter().fold(zero, |sums, group| _mm256_add_epi64(sums, _mm256_sad_epu8(bytemuck::cast(*group), zero)));
    let sum = state.view::<u32>();
    *sum = bytemuck::cast::<_, [u64; 4]>(sums).iter().fold(*sum, |sum, &part| sum.wrapping_add(part as u32));
    *sum = rest.iter().fold(*sum, |sum, &byte| sum.wrapping_add(byte.into()));
}

/// The sum modulo 65535, but for multiples of it, which stay 65535.
fn fold(state: &mut State, _: Last<'_>, out: &mut [u8]) {
    let once = |sum: u32| (sum & 0xffff) + (sum >> 16);
    out.copy_from_slice(&(once(once(state.read())) as u16).to_be_bytes());
}
