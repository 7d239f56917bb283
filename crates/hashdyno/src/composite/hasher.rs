//! A message of which parts are hashed as they come.

use super::leaves::{Leaves, output};
use super::{Alone, Composed, Composite, Rule, git_header, torrent};
use crate::many::digest_many_on;
use crate::{Cpu, Digest, Hasher, Messages};

/// The bytes that are copied at a time, where something comes before each part.
const COPIED: usize = 1 << 16;

/// A message being hashed, piece by piece; parts that a piece has whole are hashed at once.
#[derive(Clone)]
pub struct CompositeHasher {
    composite: Composite,
    cpu: Cpu,
    name: Vec<u8>,
    /// What comes before a part.
    before: Vec<u8>,
    /// All of a message whose length must be known before it is hashed.
    kept: Option<Vec<u8>>,
    /// The length of such a message, if it was told.
    told: Option<u64>,
    /// The last leaf while it is not whole, and the bytes that it has.
    leaf: Box<Hasher>,
    filled: u64,
    /// Bytes of all leaves before it, and their number.
    offset: u64,
    count: u64,
    leaves: Leaves,
}

/// Digests of parts that follow each other, for [`CompositeHasher::push`].
#[derive(Clone, Debug)]
pub struct Parts {
    pub(super) digests: Vec<u8>,
    pub(super) count: u64,
    pub(super) len: u64,
}

impl CompositeHasher {
    /// An empty message by the best kernels of that CPU: of that name, of which torrents have what
    /// is behind the last `/`, and of that length in bytes, if it is known. Of a message that has
    /// another length than was told, the digest may be that of no message:
    /// [`CompositeHasher::has_told_len`] tells.
    pub fn new(composite: Composite, cpu: Cpu, name: &[u8], len: Option<u64>) -> Self {
        let open = composite.rule == Rule::Blob || composite.part_len == 0;
        let kept = (open && len.is_none()).then(Vec::new);
        let told = len.filter(|_| open);
        let len = len.unwrap_or_default();
        let composite = if kept.is_some() { composite } else { composite.for_len(len) };
        let before = before(&composite, len);
        let digest = composite.part_digest();
        let leaf = begun(digest, &cpu, &before);
        let leaves = Leaves::new(&composite, cpu);
        let name = name.to_vec();
        let (filled, offset, count) = (0, 0, 0);
        Self { composite, cpu, name, before, kept, told, leaf, filled, offset, count, leaves }
    }

    /// Whether the bytes taken so far are as many as [`CompositeHasher::new`] was told. True where
    /// the digest does not depend on what was told.
    pub fn has_told_len(&self) -> bool {
        self.told.is_none_or(|told| told == self.offset + self.filled)
    }

    /// Takes the next bytes of the message.
    pub fn update(&mut self, mut bytes: &[u8]) {
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(bytes);
            return;
        }
        let lens = self.composite.lens();
        if self.filled > 0 {
            let leaf = lens.leaf_at(self.offset);
            let taken =
                bytes.split_off(..least(bytes, leaf - self.filled)).expect("it is that long");
            self.leaf.update(taken);
            self.filled += taken.len() as u64;
            if self.filled == leaf {
                self.end_leaf();
            }
        }
        // A leaf that is begun has taken all of them.
        let whole = if self.filled > 0 { 0 } else { lens.whole(self.offset, bytes.len()) };
        let (leaves, rest) = bytes.split_at(whole);
        if !leaves.is_empty() {
            let digest = self.composite.part_digest();
            let cut = cut(&self.composite, self.offset, &[leaves]);
            self.leaves.push(&digests(digest, &self.cpu, &self.before, &cut));
            self.count += cut.len() as u64;
            self.offset += leaves.len() as u64;
        }
        self.leaf.update(rest);
        self.filled += rest.len() as u64;
    }

    /// Takes the next parts by their digests. Nothing may follow a part that is not whole.
    ///
    /// # Panics
    /// If the bytes taken so far do not end where a part ends, or are kept until their number is
    /// known.
    pub fn push(&mut self, parts: &Parts) {
        let at_part = self.filled == 0 && self.composite.lens().in_part(self.offset) == 0;
        assert!(at_part && self.kept.is_none(), "parts begin where a part has ended");
        self.leaves.push(&parts.digests);
        self.count += parts.count;
        self.offset += parts.len;
    }

    /// The digest of all bytes taken.
    pub fn finish(mut self) -> Composed {
        if let Some(kept) = self.kept.take() {
            let len = Some(kept.len() as u64);
            let mut hasher = Self::new(self.composite, self.cpu, &self.name, len);
            hasher.update(&kept);
            return hasher.finish();
        }
        let (none, len) = (self.count == 0, self.offset + self.filled);
        let one_more = match self.composite.rule {
            Rule::List { of_nothing, .. } if none => of_nothing,
            Rule::List { ends_empty, .. } => ends_empty && self.composite.lens().in_part(len) == 0,
            Rule::Tree { .. } | Rule::Aich | Rule::Blob | Rule::Twice { .. } => none,
            Rule::Torrent => false,
        };
        if self.filled > 0 || one_more {
            self.end_leaf();
        }
        let Self { composite, cpu, name, leaves, count, .. } = self;
        let list = |made: &[u8]| {
            let digest = composite.outer();
            let mut list = Hasher::with_kernel(digest, digest.bind(&cpu));
            list.update(made);
            list.finish()
        };
        if matches!(composite.rule, Rule::Tree { .. } | Rule::Aich) {
            let digest = leaves.root();
            return Composed { digest, parts: count, part_digests: Vec::new(), composite };
        }
        let part_digests = leaves.into_list();
        let is_shorter = len < composite.part_len as u64;
        let (digest, parts) = match composite.rule {
            Rule::List { alone: Alone::Shorter, .. } if is_shorter => (output(&part_digests), 0),
            Rule::List { alone: Alone::Always, .. } if count == 1 => (output(&part_digests), 1),
            Rule::Blob => (output(&part_digests), count),
            Rule::Torrent => {
                let info = torrent::info(&name, len, composite.part_len, &part_digests);
                (list(&info), count)
            }
            _ => (list(&part_digests), count),
        };
        Composed { digest, parts, part_digests, composite }
    }

    fn end_leaf(&mut self) {
        let next = begun(self.composite.part_digest(), &self.cpu, &self.before);
        let leaf = std::mem::replace(&mut self.leaf, next).finish();
        self.leaves.push(&leaf);
        self.count += 1;
        self.offset += self.filled;
        self.filled = 0;
    }
}

impl Parts {
    pub(super) fn new(composite: &Composite, cpu: &Cpu, pieces: &[&[u8]]) -> Self {
        let cut = cut(composite, 0, pieces);
        let before = before(composite, 0);
        Self {
            digests: digests(composite.part_digest(), cpu, &before, &cut),
            count: cut.len() as u64,
            len: pieces.iter().map(|piece| piece.len() as u64).sum(),
        }
    }
}

/// The leaves of pieces, the first of which begins at that byte of the message, the others where a
/// part begins.
fn cut<'a>(composite: &Composite, offset: u64, pieces: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let lens = composite.lens();
    let mut leaves = Vec::new();
    let mut begin = offset;
    for piece in pieces {
        let (mut rest, mut at) = (*piece, begin);
        while !rest.is_empty() {
            let len = least(rest, lens.leaf_at(at));
            leaves.extend(rest.split_off(..len));
            at += len as u64;
        }
        begin = 0;
    }
    leaves
}

/// How many bytes these are, or `len` if they are more.
fn least(bytes: &[u8], len: u64) -> usize {
    usize::try_from(len).unwrap_or(usize::MAX).min(bytes.len())
}

/// The digests of leaves, with `before` before each.
fn digests(digest: &'static Digest, cpu: &Cpu, before: &[u8], leaves: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![0; leaves.len() * digest.output_len];
    if before.is_empty() {
        digest_many_on(digest, cpu, Messages::Slices(leaves), &mut out);
        return out;
    }
    let longest = leaves.iter().map(|leaf| leaf.len()).max().unwrap_or_default();
    let together = (COPIED / (longest + before.len())).max(1);
    let outputs = out.chunks_mut(together * digest.output_len);
    for (leaves, out) in leaves.chunks(together).zip(outputs) {
        let copied: Vec<_> = leaves.iter().map(|leaf| [before, leaf].concat()).collect();
        let messages: Vec<_> = copied.iter().map(Vec::as_slice).collect();
        digest_many_on(digest, cpu, Messages::Slices(&messages), out);
    }
    out
}

/// What comes before each part of a message of that length.
pub(super) fn before(composite: &Composite, len: u64) -> Vec<u8> {
    match composite.rule {
        Rule::Tree { leaf, .. } => leaf.to_vec(),
        Rule::Blob => git_header("blob", len),
        Rule::List { .. } | Rule::Aich | Rule::Torrent | Rule::Twice { .. } => Vec::new(),
    }
}

/// A part of which nothing is there yet.
fn begun(digest: &'static Digest, cpu: &Cpu, before: &[u8]) -> Box<Hasher> {
    let mut leaf = Box::new(Hasher::with_kernel(digest, digest.bind(cpu)));
    leaf.update(before);
    leaf
}
