use bytemuck::{Pod, Zeroable};

use super::node::{CHUNK_LEN, ChainingValue, Node};
use crate::State;

/// A message is shorter than 2^64 bytes, so 54 bits number its chunks: a subtree for each, and the last chunk, not merged yet.
const DEPTH: usize = 55;

/// The chunks so far, as the roots of the subtrees that they fill, largest first. The last two are merged only when more
/// follows, because the node above them may be the root of all.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    stack: [ChainingValue; DEPTH],
    depth: u64,
    chunks: u64,
    /// How many bytes of the block that comes next are the message's: all, except at the end.
    next_len: u64,
    /// Chunk 0, which is the root if it stays alone.
    first: Node,
}

impl Tree {
    /// The tree in `state`. A message of one short chunk may do without; for others it begins here.
    pub(super) fn of(state: &mut State) -> &mut Self {
        if state.as_bytes().is_empty() {
            state.init(Self { next_len: CHUNK_LEN as u64, ..Self::zeroed() });
        }
        state.view()
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> u64 {
        self.chunks
    }

    /// Declares that the next block holds the last `len` bytes of the message and nothing else that counts.
    pub(super) fn expect_end(&mut self, len: usize) {
        self.next_len = len as u64;
    }

    /// Appends one chunk.
    #[inline(always)]
    pub(super) fn push_chunk(&mut self, chunk: &[u8; CHUNK_LEN], compress: impl Fn(&mut Node)) {
        let node = Node::chunk(&chunk[..self.next_len as usize], self.chunks, &compress);
        if self.chunks == 0 {
            self.first = node;
        }
        self.push(node.chaining_value(&compress), 1, compress);
    }

    /// Appends a subtree of `chunks` chunks: a power of two that divides the number of chunks so far, and not all there is
    /// of the message, unless it is one chunk that [`Tree::push_chunk`] has seen.
    #[inline(always)]
    pub(super) fn push(&mut self, subtree: ChainingValue, chunks: u64, compress: impl Fn(&mut Node)) {
        while self.depth > u64::from(self.chunks.count_ones()) {
            let merged = self.pop_parent().chaining_value(&compress);
            self.put(merged);
        }
        self.put(subtree);
        self.chunks += chunks;
    }

    /// The root, the message being complete.
    pub(super) fn root(&mut self) -> Node {
        if self.chunks == 1 {
            return self.first;
        }
        let mut node = self.pop_parent();
        while self.depth > 0 {
            node = Node::parent(self.pop(), node.chaining_value(Node::compress));
        }
        node
    }

    /// The node above the last two.
    fn pop_parent(&mut self) -> Node {
        let right = self.pop();
        Node::parent(self.pop(), right)
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
