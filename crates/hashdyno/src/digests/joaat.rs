//! Jenkins's one-at-a-time hash (R. Jenkins, "A hash function for hash table lookup", Dr. Dobb's Journal, 1997).

#[cfg(target_arch = "x86_64")]
mod many;

use crate::words::opaque;
use crate::{Digest, Kernel, Last, Security, Spelling, State};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&JOAAT];

static JOAAT: Digest = Digest {
    name: "joaat",
    aliases: &["one-at-a-time"],
    spelling: Spelling { php: Some("joaat"), openssl: None, python: None },
    family: "joaat",
    specified_in: "Dr. Dobb's Journal, September 1997",
    security: Security::Checksum,
    output_len: 4,
    extendable: false,
    block_len: 1,
    holds_last_block: false,
    check: "c66b58c5",
    sweep: "d1b8abe8",
    start: |state| state.init(0u32),
    finish,
    kernels: &[
        #[cfg(target_arch = "x86_64")]
        crate::chains::avx2x16::<many::Many>(),
        Kernel::portable(absorb),
    ],
};

fn absorb(state: &mut State, bytes: &[u8]) {
    let hash = state.view::<u32>();
    *hash = absorbed(*hash, bytes);
}

/// As defined, each byte is added before the multiplication by 1025; multiplied apart, it waits for nothing, and the hash for one
/// addition less.
#[inline(always)]
fn absorbed(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| {
        let sum = opaque(hash.wrapping_add(u32::from(byte) * 1025).into()) as u32;
        let hash = (hash << 10).wrapping_add(sum);
        hash ^ hash >> 6
    })
}

fn finish(state: &mut State, _: Last<'_>, out: &mut [u8]) {
    out.copy_from_slice(&finished(state.read()).to_be_bytes());
}

#[inline(always)]
fn finished(mut hash: u32) -> u32 {
    hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 11;
    hash.wrapping_add(hash << 15)
}
