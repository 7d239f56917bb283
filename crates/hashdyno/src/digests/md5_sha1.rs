//! MD5 and SHA-1 of the same message, one after the other: the hash of TLS 1.0 and 1.1 (RFC 2246,
//! 7.4.3), OpenSSL's MD5-SHA1.
//!
//! ```text
//! for each block:    MD5 takes it, SHA-1 takes it
//! last block:        MD5 takes it with a little-endian length, SHA-1 with a big-endian one
//! digest:            16 bytes of MD5, 20 bytes of SHA-1
//! ```
//!
//! Both paddings are equal but for the order of the length's bytes. So a message is padded once.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod many;
#[cfg(target_arch = "x86_64")]
mod sha_ni;

use super::{md5, sha1};
use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::{Digest, Kernel, Security, Spelling, State, Tail};
use many::Md5Sha1Lanes;

digests! {
    MD5_SHA1 md5_sha1 Md5Sha1,
}

static MD5_SHA1: Digest = Digest {
    name: "md5-sha1",
    spelling: Spelling { php: None, openssl: Some("md5-sha1"), python: Some("md5-sha1") },
    family: "md5-sha1",
    specified_in: "RFC 2246",
    security: Security::Broken,
    output_len: 36,
    block_len: 64,
    start: |state| state.init(Chains { md5: md5::INITIAL, sha1: sha1::INITIAL, ends: 0 }),
    finish,
    one: ONE,
    many: MANY,
    ..Digest::BASE
};

const ONE: &[Kernel] = kernels![sha_ni::KERNEL; aarch64::KERNEL; Kernel::portable(absorb)];

const MANY: &[Kernel] = many_kernels![
    lanes!(Md5Sha1Lanes, u32, 1 * avx512),
    lanes!(Md5Sha1Lanes, u32, 1 * avx2),
    lanes!(Md5Sha1Lanes, u32, 1 * sse2),
];

/// Both chains.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Chains {
    /// Words a to d.
    md5: [u32; 4],
    /// Words a to e.
    sha1: [u32; 5],
    /// All ones if the last of the next blocks ends with the message's length, and 0 if not. MD5
    /// wants that little-endian, as it is in the block, SHA-1 big-endian.
    ends: u32,
}

const PADDING: Padding = Padding::with_length(8, Endian::Little);

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    state.view::<Chains>().ends = u32::MAX;
    strengthen::<64>(state, tail, PADDING);
    let Chains { md5, sha1, .. } = state.read();
    let (for_md5, for_sha1) = out.split_at_mut(16);
    for_md5.copy_from_slice(bytemuck::bytes_of(&md5.mapped(u32::to_le)));
    for_sha1.copy_from_slice(bytemuck::bytes_of(&sha1.mapped(u32::to_be)));
}

fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, sha1::compress);
}

/// The two take turns block by block, so that the CPU overlaps them.
#[inline(always)]
fn absorb_by(state: &mut State, blocks: &[u8], sha1: impl Fn(&mut [u32; 5], &[u8; 64])) {
    let chains = state.view::<Chains>();
    let blocks = blocks.as_chunks::<64>().0;
    // The padding may be two blocks: only the last one ends with the length.
    let (blocks, last) = blocks.split_at(blocks.len() - usize::from(chains.ends != 0));
    for block in blocks {
        md5::compress(&mut chains.md5, block);
        sha1(&mut chains.sha1, block);
    }
    if let [last] = last {
        md5::compress(&mut chains.md5, last);
        let mut last = *last;
        // The length is the last eight bytes.
        last[56..].reverse();
        sha1(&mut chains.sha1, &last);
    }
}
