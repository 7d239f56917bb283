//! SHA-1 by AArch64's instructions, for which MD5's latencies leave room.

use super::absorb_by;
use crate::digests::sha1;
use crate::parts::sha_instructions::NEEDS;
use crate::{Code, Kernel, State};

/// The kernel's entry.
pub(super) const KERNEL: Kernel = Kernel::of("sha2", NEEDS, Code::Blocks(absorb));

#[target_feature(enable = "neon,sha2")]
fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, |chain, block| {
        sha1::aarch64::absorb_words(chain, std::slice::from_ref(block))
    });
}
