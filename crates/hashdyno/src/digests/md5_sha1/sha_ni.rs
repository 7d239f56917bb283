//! SHA-1 by x86's SHA extensions, for which MD5's latencies leave room.

use super::Chains;
use crate::digests::{md5, sha1};
use crate::{Absorb, Features, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel =
    Kernel { name: "sha-ni", needs: Features::SHA.union(Features::SSE41), absorb: Absorb::One(absorb) };

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let chains = state.view::<Chains>();
    for block in blocks.as_chunks::<64>().0 {
        md5::compress(&mut chains.md5, block);
        sha1::sha_ni::compress(&mut chains.sha1, std::slice::from_ref(block));
    }
}
