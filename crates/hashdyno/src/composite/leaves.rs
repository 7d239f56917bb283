//! The digests of leaves, and what is made of them as soon as it can be.
//!
//! ```text
//! leaves of a tree:   4096 leaves -> the digest of their subtree -> `groups` -> the root
//! blocks of AICH:     the blocks of a part -> two digests, as a left and as a right branch
//! other rules:        all digests are kept
//! ```
//!
//! A group is a full subtree whatever follows, so its leaves need not be kept.

use super::rows::AICH_BLOCK;
use super::{Composite, Rule};
use crate::many::digest_many_on;
use crate::{Cpu, Digest, Messages, Output};

/// How many leaves of a tree become one digest as soon as they are there; a power of two.
const GROUP: usize = 1 << 12;

/// Digests of leaves.
#[derive(Clone)]
pub(super) struct Leaves {
    rule: Rule,
    digest: &'static Digest,
    cpu: Cpu,
    /// How many leaves become one at once; of no other rule than a tree's.
    group: usize,
    /// The digests; of a tree those of the last group.
    digests: Vec<u8>,
    /// What became of the groups: a digest each; of AICH two, as it is to the left or the right.
    groups: Vec<u8>,
}

impl Leaves {
    /// None yet.
    pub(super) fn new(composite: &Composite, cpu: Cpu) -> Self {
        let group = match composite.rule {
            Rule::Tree { .. } => GROUP,
            Rule::Aich => composite.part_len.div_ceil(AICH_BLOCK),
            Rule::List { .. } | Rule::Blob | Rule::Torrent | Rule::Twice { .. } => usize::MAX,
        };
        let digest = composite.part_digest();
        let (digests, groups) = (Vec::new(), Vec::new());
        Self { rule: composite.rule, digest, cpu, group, digests, groups }
    }

    /// Takes the digests of leaves.
    pub(super) fn push(&mut self, mut digests: &[u8]) {
        let bytes = self.group.saturating_mul(self.digest.output_len);
        while let Some(taken) = digests.split_off(..bytes - self.digests.len().min(bytes)) {
            self.digests.extend_from_slice(taken);
            self.end_group();
        }
        self.digests.extend_from_slice(digests);
    }

    fn end_group(&mut self) {
        let leaves = std::mem::take(&mut self.digests);
        let made = match self.rule {
            Rule::Aich => self.both_branches(&leaves),
            _ => self.top(leaves),
        };
        self.groups.extend_from_slice(&made);
    }

    /// The digests of leaves that are no tree's.
    pub(super) fn into_list(self) -> Vec<u8> {
        self.digests
    }

    /// The root of a tree, which has a leaf.
    pub(super) fn root(mut self) -> Output {
        let root = match self.rule {
            Rule::Aich => self.aich_root(),
            Rule::Tree { filled, .. } => self.tree_root(filled),
            Rule::List { .. } | Rule::Blob | Rule::Torrent | Rule::Twice { .. } => {
                unreachable!("it is no tree")
            }
        };
        output(&root)
    }

    /// The root of a tree, `filled` up with zeros or not.
    fn tree_root(&mut self, filled: bool) -> Vec<u8> {
        let len = self.digest.output_len;
        let mut leaves = std::mem::take(&mut self.digests);
        if self.groups.is_empty() {
            if filled {
                leaves.resize((leaves.len() / len).next_power_of_two() * len, 0);
            }
            return self.top(leaves);
        }
        if !leaves.is_empty() {
            if filled {
                leaves.resize(GROUP * len, 0);
            }
            let last = self.top(leaves);
            self.groups.extend_from_slice(&last);
        }
        let missing = (self.groups.len() / len).next_power_of_two() - self.groups.len() / len;
        if filled && missing > 0 {
            let zeros = self.top(vec![0; GROUP * len]);
            self.groups.extend_from_slice(&zeros.repeat(missing));
        }
        let groups = std::mem::take(&mut self.groups);
        self.top(groups)
    }

    /// The digest at the top of the tree that has these below.
    fn top(&self, mut digests: Vec<u8>) -> Vec<u8> {
        let Rule::Tree { node, .. } = self.rule else { return digests };
        let len = self.digest.output_len;
        while digests.len() > len {
            let (pairs, single) = digests.split_at(digests.len() / (2 * len) * (2 * len));
            let rows: Vec<u8> =
                pairs.chunks(2 * len).flat_map(|pair| node.iter().chain(pair)).copied().collect();
            let mut above = self.digest_rows(&rows, node.len() + 2 * len);
            above.extend_from_slice(single);
            digests = above;
        }
        digests
    }

    fn digest_rows(&self, data: &[u8], width: usize) -> Vec<u8> {
        let mut out = vec![0; data.len() / width * self.digest.output_len];
        digest_many_on(self.digest, &self.cpu, Messages::Rows { data, width }, &mut out);
        out
    }

    /// Where a part lies in the upper tree, nobody knows before the end: it may be a left branch
    /// or a right one.
    fn both_branches(&self, blocks: &[u8]) -> Vec<u8> {
        [self.branch(blocks, true), self.branch(blocks, false)].concat()
    }

    fn aich_root(&mut self) -> Vec<u8> {
        let blocks = std::mem::take(&mut self.digests);
        if self.groups.is_empty() {
            return self.branch(&blocks, true);
        }
        if !blocks.is_empty() {
            let last = self.both_branches(&blocks);
            self.groups.extend_from_slice(&last);
        }
        self.upper_branch(&self.groups, true)
    }

    /// A branch of blocks: of an odd number a left branch has the one more in its left half, a
    /// right branch in its right half.
    fn branch(&self, blocks: &[u8], is_left: bool) -> Vec<u8> {
        let len = self.digest.output_len;
        match halves(blocks, len, is_left) {
            None => blocks.to_vec(),
            Some((left, right)) => self.node(self.branch(left, true), self.branch(right, false)),
        }
    }

    /// A branch of parts, each of which is there as a left and as a right branch.
    fn upper_branch(&self, parts: &[u8], is_left: bool) -> Vec<u8> {
        let len = self.digest.output_len;
        match halves(parts, 2 * len, is_left) {
            None => parts[if is_left { 0 } else { len }..][..len].to_vec(),
            Some((left, right)) => {
                self.node(self.upper_branch(left, true), self.upper_branch(right, false))
            }
        }
    }

    fn node(&self, left: Vec<u8>, right: Vec<u8>) -> Vec<u8> {
        self.digest.digest(&[left, right].concat()).to_vec()
    }
}

/// The halves of a branch of items of that width; none of a single one.
fn halves(items: &[u8], width: usize, is_left: bool) -> Option<(&[u8], &[u8])> {
    let count = items.len() / width;
    let left = if is_left { count.div_ceil(2) } else { count / 2 };
    (count > 1).then(|| items.split_at(left * width))
}

/// A digest by value.
pub(super) fn output(digest: &[u8]) -> Output {
    digest.try_into().expect("no fixed output is longer than MAX_OUTPUT_LEN")
}
