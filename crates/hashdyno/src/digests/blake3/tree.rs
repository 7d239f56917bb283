use bytemuck::{Pod, Zeroable};

use super::node::{CHUNK_LEN, ChainingValue, Node};
use crate::State;

/// A message is shorter than 2^64 bytes: 54 bits number its chunks.
const DEPTH: usize = 54;

/// The chunks so far, as the roots of the subtrees that they fill, largest first. The last two are merged only when more
/// follows, because the node above them may be the root of all.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    stack: [ChainingValue; DEPTH],
    depth: u64,
    chunks: u64,
    /// Chunk 0, which is the root if it stays alone.
    first: Node,
}

impl Tree {
    /// The tree in `state`. A message that never fills a chunk has none; it begins here.
    pub(super) fn of(state: &mut State) -> &mut Self {
        if state.as_bytes().is_empty() {
            state.init(Self::zeroed());
        }
        state.view()
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> u64 {
        self.chunks
    }

    /// Appends one whole chunk.
    #[inline(always)]
    pub(super) fn push_chunk(&mut self, chunk: &[u8; CHUNK_LEN]) {
        let node = Node::chunk(chunk, self.chunks);
        if self.chunks == 0 {
            self.first = node;
        }
        self.push(node.chaining_value(), 1);
    }

    /// Appends a subtree of `chunks` chunks: a power of two that divides the number of chunks so far, and not all there is
    /// of the message, unless it is one chunk that [`Tree::push_chunk`] has seen.
    pub(super) fn push(&mut self, subtree: ChainingValue, chunks: u64) {
        self.merge();
        self.stack[self.depth as usize] = subtree;
        self.depth += 1;
        self.chunks += chunks;
    }

    /// The root of the message whose last chunk, if it is not a whole one, is `rest`.
    pub(super) fn root(&mut self, rest: &[u8]) -> Node {
        if !rest.is_empty() {
            self.merge();
            return self.join(Node::chunk(rest, self.chunks));
        }
        if self.chunks == 1 {
            return self.first;
        }
        let right = self.pop();
        let left = self.pop();
        self.join(Node::parent(left, right))
    }

    /// The node at the top, `node` being the rightmost.
    fn join(&mut self, mut node: Node) -> Node {
        while self.depth > 0 {
            node = Node::parent(self.pop(), node.chaining_value());
        }
        node
    }

    /// Merges until each subtree stands for a bit of the number of chunks.
    fn merge(&mut self) {
        while self.depth > u64::from(self.chunks.count_ones()) {
            let right = self.pop();
            let left = self.pop();
            self.stack[self.depth as usize] = Node::parent(left, right).chaining_value();
            self.depth += 1;
        }
    }

    fn pop(&mut self) -> ChainingValue {
        self.depth -= 1;
        self.stack[self.depth as usize]
    }
}
