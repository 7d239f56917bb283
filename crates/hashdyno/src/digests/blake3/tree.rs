//! The tree of a running BLAKE3: a stack of chaining values, one for each subtree that is full.
//!
//! Subtrees of the stack have the sizes of the bits of the number of chunks, largest first, as in a
//! binary counter. Before a subtree is put there, subtrees of one size are merged. The last merge
//! is put off until more follows, since the node above the last two may be the root.

use bytemuck::{Pod, Zeroable};

use super::node::{ChainingValue, Form, Node};
use crate::State;

/// A message is shorter than 2^64 bytes, so 54 bits number its chunks: a subtree for each, and the
/// last chunk, not merged yet.
const DEPTH: usize = 55;

/// The chunks so far, as the roots of the subtrees that they fill, largest first. The last two are
/// merged only when more follows, because the node above them may be the root of all.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    stack: [ChainingValue; DEPTH],
    depth: u64,
    chunks: u64,
    /// 0, or one more than the length of the message's last chunk, once that is known.
    pub(super) last: u64,
    /// Chunk 0, which is the root if it stays alone.
    first: Node,
}

impl Tree {
    /// The tree in `state`, or one that begins there. A message of one chunk may do without.
    pub(super) fn of(state: &mut State) -> &mut Self {
        if state.as_bytes().is_empty() {
            state.init(Self::zeroed());
        }
        state.view()
    }

    /// Whether bytes from outside can be the state after that many chunks, so that no step goes
    /// beyond the stack.
    pub(super) fn admits(bytes: &[u8], chunks: u64) -> bool {
        if bytes.is_empty() {
            return chunks == 0;
        }
        let Ok(tree) = bytemuck::try_pod_read_unaligned::<Self>(bytes) else { return false };
        // One subtree for each bit of the number, and two that are not merged yet; a single chunk
        // stays alone.
        let least = u64::from(chunks.count_ones()).max(chunks.min(2));
        tree.chunks == chunks
            && tree.last == 0
            && (least..DEPTH as u64).contains(&tree.depth)
            && (chunks > 1) == (tree.depth > 1)
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> u64 {
        self.chunks
    }

    /// Appends one chunk, at the end of the message a shorter one.
    #[inline(always)]
    pub(super) fn push_chunk<F: Form>(&mut self, chunk: &[u8]) {
        let node = F::chunk(chunk, self.chunks);
        if self.chunks == 0 {
            self.first = node;
        }
        self.push::<F>(node.chaining_value::<F>(), 1);
    }

    /// Appends a subtree of `chunks` chunks: a power of two that divides the number of chunks so
    /// far, and not all there is of the message, unless it is one chunk that [`Tree::push_chunk`]
    /// has seen.
    #[inline(always)]
    pub(super) fn push<F: Form>(&mut self, subtree: ChainingValue, chunks: u64) {
        while self.depth > u64::from(self.chunks.count_ones()) {
            let merged = self.pop_parent().chaining_value::<F>();
            self.put(merged);
        }
        self.put(subtree);
        self.chunks += chunks;
    }

    /// The root, the message being complete.
    #[inline(always)]
    pub(super) fn root<F: Form>(&mut self) -> Node {
        if self.chunks == 1 {
            return self.first;
        }
        let mut node = self.pop_parent();
        while self.depth > 0 {
            node = Node::parent([self.pop(), node.chaining_value::<F>()]);
        }
        node
    }

    /// The node above the last two.
    fn pop_parent(&mut self) -> Node {
        let right = self.pop();
        Node::parent([self.pop(), right])
    }

    fn put(&mut self, subtree: ChainingValue) {
        self.stack[self.depth as usize] = subtree;
        self.depth += 1;
    }

    fn pop(&mut self) -> ChainingValue {
        self.depth -= 1;
        self.stack[self.depth as usize]
    }
}

/// How many of `available` chunks the next subtree takes: the largest power of two that divides the
/// number of chunks `before`, except that what may be the whole message is halved: the crate would
/// merge what only the end may merge.
pub(super) fn subtree_len(before: u64, available: usize) -> usize {
    let largest = 1 << available.ilog2();
    match before {
        0 if available == largest => (largest / 2).max(1),
        0 => largest,
        _ => largest.min(1usize.checked_shl(before.trailing_zeros()).unwrap_or(largest)),
    }
}
