//! The end of a message, which the kernel computes, too: the state says how long the last chunk is,
//! and the kernel leaves the root.

use bytemuck::{Pod, Zeroable};

use super::node::{CHUNK_LEN, ChainingValue, Form, Node};
use super::tree::Tree;
use crate::State;
use crate::parts::arrays::Mapped;

/// The root of the tree, and the digest's first bytes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Root {
    node: Node,
    digest: ChainingValue,
}

impl Root {
    /// The digest.
    pub(super) fn output(&self, out: &mut [u8]) {
        match bytemuck::bytes_of(&self.digest.mapped(u32::to_le)).get(..out.len()) {
            Some(digest) => out.copy_from_slice(digest),
            None => self.node.output(out),
        }
    }
}

/// Tells the kernel that the next chunk is the message's last, and how many bytes of it count:
/// none, if the message ended with the chunk before.
pub(super) fn announce(state: &mut State, len: usize) {
    match state.as_bytes() {
        [] => state.init(len as u64),
        _ => Tree::of(state).last = 1 + len as u64,
    }
}

/// If the last chunk was announced, takes it, leaves the root in the state, and says so.
#[inline(always)]
pub(super) fn reached<F: Form>(state: &mut State, chunks: &[u8]) -> bool {
    let chunk = chunks.first_chunk::<CHUNK_LEN>().expect("a kernel is given whole chunks");
    let root = if state.as_bytes().len() == size_of::<u64>() {
        F::chunk(&chunk[..state.read::<u64>() as usize], 0).root()
    } else {
        let tree = Tree::of(state);
        match tree.last {
            0 => return false,
            1 => {}
            last => tree.push_chunk::<F>(&chunk[..last as usize - 1]),
        }
        tree.root::<F>().root()
    };
    state.init(Root { node: root, digest: root.chaining_value::<F>() });
    true
}
