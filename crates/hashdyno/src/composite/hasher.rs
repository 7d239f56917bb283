//! A message of which parts are hashed as they come.

use super::{Composed, Composite, Rule};
use crate::{Cpu, Digest, Hasher, Messages, Output, digest_many_on};

/// How many leaves of a tree become one digest as soon as they are there; a power of two.
const GROUP: usize = 1 << 12;

/// The bytes that are copied at a time, where something comes before each part.
const COPIED: usize = 1 << 16;

/// A message being hashed, piece by piece; parts that a piece has whole are hashed at once.
pub struct CompositeHasher {
    composite: Composite,
    digest: &'static Digest,
    cpu: Cpu,
    /// The last part while it is not whole, and the bytes that it has.
    part: Hasher,
    filled: usize,
    parts: u64,
    /// The digests of parts; of a tree those of the last group.
    digests: Vec<u8>,
    /// The digests of a tree's groups.
    groups: Vec<u8>,
}

impl CompositeHasher {
    /// An empty message, by the best kernels of that CPU.
    pub fn new(composite: Composite, cpu: Cpu) -> Self {
        let digest = composite.part_digest();
        let (digests, groups) = (vec![], vec![]);
        let part = begun(&composite, digest, &cpu);
        Self { composite, digest, cpu, part, filled: 0, parts: 0, digests, groups }
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, mut bytes: &[u8]) {
        let len = self.composite.part_len;
        if self.filled > 0 {
            let taken =
                bytes.split_off(..bytes.len().min(len - self.filled)).expect("it is that long");
            self.part.update(taken);
            self.filled += taken.len();
            if self.filled == len {
                self.end_part();
            }
        }
        let whole = bytes.len() - bytes.len() % len;
        let (parts, rest) = bytes.split_at(whole);
        self.take_parts(parts);
        self.part.update(rest);
        self.filled += rest.len();
    }

    /// The digest of all bytes taken.
    pub fn finish(mut self) -> Composed {
        let (none, whole) = (self.parts == 0, self.filled == 0);
        let one_more = match self.composite.rule {
            Rule::List { of_nothing, .. } if none => of_nothing,
            Rule::List { ends_empty, .. } => ends_empty,
            Rule::Tree { .. } => none,
        };
        if !whole || one_more {
            self.end_part();
        }
        let digest = match self.composite.rule {
            Rule::List { alone: true, .. } if self.parts == 1 => output(&self.digests),
            Rule::List { .. } => {
                let mut list = Hasher::with_kernel(self.digest, self.digest.bind(&self.cpu));
                list.update(&self.digests);
                list.finish()
            }
            Rule::Tree { filled, .. } => self.root(filled),
        };
        Composed { digest, parts: self.parts }
    }

    fn end_part(&mut self) {
        let next = begun(&self.composite, self.digest, &self.cpu);
        let part = std::mem::replace(&mut self.part, next).finish();
        self.digests.extend_from_slice(&part);
        self.parts += 1;
        self.filled = 0;
        self.group();
    }

    /// Takes whole parts.
    fn take_parts(&mut self, parts: &[u8]) {
        let (len, leaf) = (self.composite.part_len, self.composite.leaf());
        if leaf.is_empty() {
            self.hash_parts(parts, len);
        } else {
            let at_once = (COPIED / len).max(1) * len;
            for parts in parts.chunks(at_once) {
                let rows: Vec<u8> =
                    parts.chunks(len).flat_map(|part| leaf.iter().chain(part)).copied().collect();
                self.hash_parts(&rows, leaf.len() + len);
            }
        }
        self.parts += (parts.len() / len) as u64;
    }

    fn hash_parts(&mut self, rows: &[u8], width: usize) {
        let at_once =
            if matches!(self.composite.rule, Rule::Tree { .. }) { GROUP } else { usize::MAX };
        for rows in rows.chunks(width.saturating_mul(at_once)) {
            let digests = digest_rows(self.digest, &self.cpu, rows, width);
            self.digests.extend_from_slice(&digests);
            self.group();
        }
    }

    /// Makes one digest of each group of leaves that is whole.
    fn group(&mut self) {
        if matches!(self.composite.rule, Rule::List { .. }) {
            return;
        }
        let bytes = GROUP * self.digest.output_len;
        while self.digests.len() >= bytes {
            let rest = self.digests.split_off(bytes);
            let leaves = std::mem::replace(&mut self.digests, rest);
            self.groups.extend_from_slice(&self.top(leaves));
        }
    }

    /// The root of a tree, `filled` up with zeros or not.
    fn root(&mut self, filled: bool) -> Output {
        let len = self.digest.output_len;
        let mut leaves = std::mem::take(&mut self.digests);
        if self.groups.is_empty() {
            if filled {
                leaves.resize((leaves.len() / len).next_power_of_two() * len, 0);
            }
            return output(&self.top(leaves));
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
        output(&self.top(groups))
    }

    /// The digest at the top of the tree that has these below.
    fn top(&self, mut digests: Vec<u8>) -> Vec<u8> {
        let Rule::Tree { node, .. } = self.composite.rule else { return digests };
        let len = self.digest.output_len;
        while digests.len() > len {
            let (pairs, single) = digests.split_at(digests.len() / (2 * len) * (2 * len));
            let rows: Vec<u8> =
                pairs.chunks(2 * len).flat_map(|pair| node.iter().chain(pair)).copied().collect();
            let mut above = digest_rows(self.digest, &self.cpu, &rows, node.len() + 2 * len);
            above.extend_from_slice(single);
            digests = above;
        }
        digests
    }
}

/// A part of which nothing is there yet.
fn begun(composite: &Composite, digest: &'static Digest, cpu: &Cpu) -> Hasher {
    let mut part = Hasher::with_kernel(digest, digest.bind(cpu));
    part.update(composite.leaf());
    part
}

fn digest_rows(digest: &'static Digest, cpu: &Cpu, data: &[u8], width: usize) -> Vec<u8> {
    let mut out = vec![0; data.len() / width * digest.output_len];
    digest_many_on(digest, cpu, Messages::Rows { data, width }, &mut out);
    out
}

fn output(digest: &[u8]) -> Output {
    digest.try_into().expect("no fixed output is longer than MAX_OUTPUT_LEN")
}
