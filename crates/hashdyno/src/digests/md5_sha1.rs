//! MD5 and SHA-1 of the same message, one after the other: the hash of TLS 1.0 and 1.1 (RFC 2246, 7.4.3), OpenSSL's MD5-SHA1.

#[cfg(target_arch = "x86_64")]
mod sha_ni;

use super::{md5, sha1};
use crate::padding::{Order, strengthen};
use crate::{Digest, Kernel, Last, Security, Spelling, State};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&MD5_SHA1];

static MD5_SHA1: Digest = Digest {
    name: "md5-sha1",
    aliases: &[],
    spelling: Spelling { php: None, openssl: Some("md5-sha1"), python: Some("md5-sha1") },
    family: "md5-sha1",
    specified_in: "RFC 2246",
    security: Security::Broken,
    output_len: 36,
    extendable: false,
    block_len: 64,
    holds_last_block: false,
    check: "25f9e794323b453885f5181f1b624d0bf7c3bc1d808e04732adf679965ccc34ca7ae3441",
    sweep: "8d66bfb9a1178382ee03f47dc22eefebab12a881c23b4c121c6ad7dd9c82600f772e1ac9",
    start: |state| state.init(Chains { md5: md5::INITIAL, sha1: sha1::INITIAL }),
    finish,
    kernels: KERNELS,
};

const KERNELS: &[Kernel] = &[
    #[cfg(target_arch = "x86_64")]
    sha_ni::KERNEL,
    Kernel::portable(absorb),
];

/// Both chains.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Chains {
    md5: [u32; 4],
    sha1: [u32; 5],
}

/// MD5 wants the length little-endian, SHA-1 big-endian: both are padded both ways, and of each the right one is taken.
fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let mut other = state.clone();
    strengthen::<64>(state, last, 0x80, 8, Order::Little);
    strengthen::<64>(&mut other, last, 0x80, 8, Order::Big);
    let (md5, sha1) = out.split_at_mut(16);
    md5.copy_from_slice(bytemuck::bytes_of(&state.view::<Chains>().md5.map(u32::to_le)));
    sha1.copy_from_slice(bytemuck::bytes_of(&other.view::<Chains>().sha1.map(u32::to_be)));
}

/// The two take turns block by block, so that the CPU overlaps them.
fn absorb(state: &mut State, blocks: &[u8]) {
    let chains = state.view::<Chains>();
    for block in blocks.as_chunks::<64>().0 {
        md5::compress(&mut chains.md5, block);
        sha1::compress(&mut chains.sha1, block);
    }
}
