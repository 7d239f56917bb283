//! SHA-1 by x86's SHA extensions, for which MD5's latencies leave room.

use super::absorb_by;
use crate::digests::sha1;
use crate::{Code, Features, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel =
    Kernel::of("sha-ni", Features::SHA.union(Features::SSE41), Code::Blocks(absorb));

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, |chain, block| {
        sha1::sha_ni::absorb_words(chain, std::slice::from_ref(block))
    });
}
