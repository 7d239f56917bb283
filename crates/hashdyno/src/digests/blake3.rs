//! BLAKE3: chunks of 1024 bytes, the leaves of a binary tree.
//!
//! A block is a whole chunk here. Chunks are absorbed as they come, although the root is compressed in another way than the
//! rest: [`Tree`] keeps what the root may turn out to be made of.

mod node;
mod subtrees;
mod tree;

#[cfg(target_arch = "x86_64")]
use super::blake::rows;
use crate::{Absorb, Digest, Features, Kernel, Last, Security, Spelling, State};
use node::{BLOCK_LEN, CHUNK_LEN, Node};
use tree::Tree;

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&BLAKE3];

static BLAKE3: Digest = Digest {
    name: "blake3",
    aliases: &["b3", "blake3-256"],
    spelling: Spelling::NONE,
    family: "blake3",
    specified_in: "BLAKE3: one function, fast everywhere (2020)",
    security: Security::Sound,
    output_len: 32,
    extendable: true,
    block_len: CHUNK_LEN,
    holds_last_block: false,
    check: "b7d65b48420d1033cb2595293263b6f72eabee20d55e699d0df1973b3c9deed1",
    sweep: "ee0ad6f8a5ba7017c7611c365ab529fa72f528b83d62ae7c160c7c90c763b6ec",
    start: |state| state.init([0u8; 0]),
    finish,
    kernels: KERNELS,
};

/// The crate chooses among its own vectors by itself, from SSE4.1 to AVX-512: a mask that leaves SSE4.1 does not narrow it.
const KERNELS: &[Kernel] = &[
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "crate-avx512vl", needs: rows::NEEDS, absorb: Absorb::One(subtrees::absorb_by_rows) },
    Kernel { name: "crate", needs: Features::SSE41, absorb: Absorb::One(subtrees::absorb) },
    Kernel::portable(absorb),
];

fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    if last.message_len <= BLOCK_LEN as u64 {
        return Node::chunk(last.bytes, 0, Node::compress).output(out);
    }
    if !last.bytes.is_empty() {
        let mut chunk = [0; CHUNK_LEN];
        chunk[..last.bytes.len()].copy_from_slice(last.bytes);
        Tree::of(state).expect_end(last.bytes.len());
        last.kernel.absorb(state, &chunk);
    }
    Tree::of(state).root().output(out);
}

fn absorb(state: &mut State, chunks: &[u8]) {
    let tree = Tree::of(state);
    chunks.as_chunks().0.iter().for_each(|chunk| tree.push_chunk(chunk, Node::compress));
}
